#!/bin/sh
# The engine of pages gives the bytes of the program: lines of the portable list, and those of
# a page, by the page's own script.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/tap.sh
. tests/tap.sh
case $(basename "$(dirname "$(realpath "$COLLSIM")")") in
release | debug) ;;
*)
    echo '1..0 # SKIP the engine has no build with sanitizers or coverage'
    exit 0
    ;;
esac
missing=$(.ci/packages --missing wasm)
command -v node >/dev/null || missing="$missing nodejs"
if [ -n "$missing" ]; then
    echo "1..0 # SKIP missing: $missing"
    exit 0
fi
if [ ! -e build/wasm/libyaml/src/api.c ] && ! .ci/packages --source libyaml build/wasm/libyaml 2>"$work/said"; then
    echo "1..0 # SKIP $(cat "$work/said")"
    exit 0
fi
# Not `make wasm`, which builds the program that other tests run now.
if ! make -s V= -j"$(nproc)" build/wasm/collsim.wasm >"$work/said" 2>&1; then
    echo '1..1'
    result 'the engine is built' 1
    exit 1
fi

machine='ranks:\n  - gpu0\n  - gpu1\n  - gpu2\nlinks:\n  - {from: gpu0, to: gpu1, bandwidth: 10GB/s, latency: 1us}\n  - {from: gpu1, to: gpu2, bandwidth: 5GB/s, latency: 1us}\n'
{
    # Commands that the engine has, without files and without those that say which commands are.
    grep -E '^(--|why|explain|topo) ?' tests/portable/commands.txt | grep -v -e yaml -e '^topo'
    for algo in ring tree recursive-doubling naive; do
        echo "explain --algo $algo --ranks 8 --format svg"
        echo "explain --algo $algo --ranks 5"
        echo "explain --algo $algo --topo switch:ranks=64 --format json"
    done
    for model in fifo fluid packet postal logp loggp; do
        echo "--topo ib-2xdgx --algo ring,tree --size 1MiB --link-model $model --json"
    done
    # What the labs run.
    for lab in 1 2 3 4 5; do
        "$COLLSIM" lab "$lab" | sed -n 's/^ *collsim explain \(.*\)/explain \1 --format json/p'
    done
    echo 'explain --algo ring --topo nowhere'
    echo 'explain --algo ring --ranks 65'
    echo 'explain --topo dgx-1 --algo ring --fault gpu0-gpu1:down --size 64MiB'
    echo 'explain --topo dgx-1 --algo ring --fault gpu0-gpu1:rate=50% --size 64MiB'
} | awk '{
    printf "["
    for (i = 1; i <= NF; i++)
        printf "%s\"%s\"", (i > 1 ? "," : ""), $i
    print "]"
}' >"$work/lines"
{
    printf '%s\n' "[\"explain\",\"--algo\",\"ring\",\"--ranks\",\"3\",\"--topo\",\"$machine\"]" \
        '["--topo","nothing: 3\nelse: 4\n"]'
    # What the page asks beside them: a machine's ranks and picture.
    for name in dgx-1 dgx-h100 torus:dims=4x4; do
        echo "[\"topo\",\"show\",\"--topo\",\"$name\"]"
        echo "[\"topo\",\"export\",\"--topo\",\"$name\",\"--format\",\"svg\"]"
    done
} >>"$work/lines"
# node's compiler in tiers crashes now and then in so many runs.
node --no-warnings --no-wasm-dynamic-tiering tests/system/wasm.mjs reports/explain/engine.js \
    build/wasm/collsim.wasm "$COLLSIM" <"$work/lines"

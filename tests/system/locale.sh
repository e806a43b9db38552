#!/bin/sh
# In a locale with a decimal comma every figure stays as it is.
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck source=tests/tap.sh
. tests/tap.sh # which exports LC_ALL=C, as every script does

# The locale is made here; LOCPATH is where it lies.
comma="env LC_ALL=de_DE.UTF-8 LOCPATH=$work"
if ! localedef -i de_DE -f UTF-8 "$work/de_DE.UTF-8" >/dev/null 2>&1 ||
    [ "$($comma awk 'BEGIN { printf "%.1f", 1.5 }')" = 1.5 ]; then
    echo '1..0 # SKIP no locale with a decimal comma can be made, or awk has none'
    exit 0
fi

same() {
    name=$1
    shift
    "$@" >"$work/expected" 2>&1
    $comma "$@" >"$work/said" 2>&1
    cmp -s "$work/expected" "$work/said"
    result "$name" $?
}

same 'the plan of the measurement on GPUs' validate/cuda/measure.sh --dry
same 'a run' "$COLLSIM" --topo dgx --algo ring
same 'a picture' "$COLLSIM" explain --algo ring --ranks 3 --format svg
same 'a document' "$COLLSIM" --topo dgx --algo ring --json

"$COLLSIM" --topo dgx.yaml --algo ring --size 1MiB --trace "$work/trace.json" >/dev/null 2>&1
$comma awk -f reports/timeline/picture.awk "$work/trace.json" >"$work/picture" 2>"$work/said"
[ $? = 2 ] && [ ! -s "$work/picture" ] && grep -q 'LC_ALL=C' "$work/said"
result 'the picture of a trace is refused, and how to draw it printed' $?
echo "1..$number"

#!/bin/sh
# Every check that runs by itself: the tests of the release build with all cases of their
# walks, those of the build with sanitizers, each fuzzer for FUZZ_SECONDS, and the sample
# of mutants.
#
#     make check-all            hours on two cores; FUZZ_SECONDS=60 JOBS=2 MUTANTS=300
#     make check-all CHECKS='release fuzz'
#
# A part's output goes to build/check-all/PART.log and its last line to the terminal; the
# last line of all sums up: "N passed, N failed", a mutant counting as passed where a test
# catches it and a fuzzer where it finds nothing.  Exit status 1 when any failed.
set -u
export LC_ALL=C
cd "$(dirname "$0")/.." || exit 1

JOBS=${JOBS:-2}
CHECKS=${CHECKS:-release san fuzz mutants}
logs=$PWD/build/check-all
export FUZZ_SECONDS="${FUZZ_SECONDS:-60}" MAKEFLAGS=--no-print-directory JOBS
mkdir -p "$logs"
rm -f "$logs"/*.log "$logs/sums"

# Fuzzers are built first, as make would build their objects once for each.
fuzz() {
    names=$(find tests/fuzz -name 'fuzz_*.c' | sed 's/.*fuzz_//; s/\.c$//' | sort)
    # shellcheck disable=SC2086 # a list of words
    printf 'build/fuzz/tests/fuzz/fuzz_%s\n' $names |
        xargs make MODE=fuzz -j"$JOBS" V= || return 1
    rm -f "$logs"/fuzz-*.status
    # shellcheck disable=SC2086,SC2016
    printf '%s\n' $names | xargs -n 1 -P "$JOBS" sh -c '
        make fuzz-"$2" >"$1/fuzz-$2.log" 2>&1
        echo $? >"$1/fuzz-$2.status"' one "$logs"
    for name in $names; do
        [ "$(cat "$logs/fuzz-$name.status")" = 0 ] || {
            echo "FAILED  make fuzz-$name:"
            tail -5 "$logs/fuzz-$name.log"
        }
    done
    cat "$logs"/fuzz-*.status | awk '{ if ($1 == 0) good++; else bad++ }
        END { printf "%d passed, %d failed\n", good, bad; exit bad > 0 }'
}

for part in $CHECKS; do
    case $part in
    release) COLLSIM_WHOLE=1 make test LONG="$(echo tests/long/*.sh)" ;;
    san) make MODE=san test ;;
    fuzz) fuzz ;;
    mutants) make mutate ;;
    *) echo "no part called '$part'; expected release, san, fuzz or mutants" ;;
    esac >"$logs/$part.log" 2>&1
    # A part that ends without its sum (after a failure make adds a line) has failed.
    sums=$(tail -2 "$logs/$part.log" | grep -oE '[0-9]+ passed, [0-9]+ failed.*') ||
        sums="0 passed, 1 failed, see $logs/$part.log"
    grep -E 'FAILED|^(changed|crash-)' "$logs/$part.log"
    echo "$part: $sums"
    echo "${sums%, see *}" >>"$logs/sums"
done
awk '{ gsub(",", ""); passed += $1; failed += $3; skipped += $5 }
    END {
        line = sprintf("%d passed, %d failed", passed, failed)
        if (skipped)
            line = line sprintf(", %d skipped", skipped)
        print line
        exit failed > 0
    }' "$logs/sums"

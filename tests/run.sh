#!/bin/sh
# Runs test programs and sums up their results.
#
#     tests/run.sh PROGRAM...
#
# A program is a cmocka test, a fuzz replay (*_replay), a golden transcript
# (*.t) or a script (*.sh).  All speak TAP.  Failures and skips are shown, and
# one line for each program.  A crash, a process that takes more than
# TEST_SECONDS (default 120) of a core, a program that takes five times as long
# by the clock, a missing or wrong plan and a bad exit status count as a failure
# each.  The last line is "N passed, N failed", with ", N skipped" when any was;
# exit status 1 when any failed.
#
# Scripts get COLLSIM, the absolute path of the program under test.
set -u

LC_ALL=C
export LC_ALL

start() {
    # Of a process, so that other programs on the machine take none of it; dash
    # and bash both know -S, without which SIGKILL comes in place of SIGXCPU.
    # shellcheck disable=SC3045
    ulimit -S -t "$seconds"
    case $1 in
    *.t) timeout -k 5 "$clock_seconds" tests/golden.sh "$1" ;;
    *.sh) timeout -k 5 "$clock_seconds" "$1" ;;
    *_replay)
        name=${1##*/fuzz_}
        timeout -k 5 "$clock_seconds" "$1" "tests/fuzz/corpus/${name%_replay}"
        ;;
    *) CMOCKA_MESSAGE_OUTPUT=TAP timeout -k 5 "$clock_seconds" "$1" ;;
    esac
}

# Reads TAP, prints what a person wants to see, writes "passed failed skipped".
# cmocka 1.1 writes a skip as "not ok N # SKIP name" and its reason, where a
# test gives one, on a line before; lines with "#" belong to the test that
# fails above them, or is reported below.
judge() {
    awk -v name="$1" -v status="$2" -v sums="$3" -v seconds="$seconds" \
        -v clock_seconds="$clock_seconds" '
    function show(text) { shown = shown "    " text "\n" }
    function fail(why) { failed++; show("FAILED  " why) }
    function skip(why) {
        skipped++
        show("skipped " why)
        skips = skips "    skipped " why "\n"
    }

    /^[ \t]*(not )?ok [0-9]+.*# *[Ss][Kk][Ii][Pp]/ {
        text = $0
        sub(/^[ \t]*(not )?ok [0-9]+( -)? */, "", text)
        sub(/^# *[Ss][Kk][Ii][Pp] */, "", text)
        sub(/ *# *[Ss][Kk][Ii][Pp] */, ": ", text)
        if (reason != "")
            text = text ": " reason
        skip(text)
        reason = ""; after_failure = 0
        next
    }
    /^[ \t]*ok [0-9]+/ { passed++; reason = ""; after_failure = 0; next }
    /^[ \t]*not ok [0-9]+/ {
        text = $0
        sub(/^[ \t]*not ok [0-9]+( -)? */, "", text)
        fail(text)
        reason = ""; after_failure = 1
        next
    }
    /^[ \t]*1\.\.[0-9]+/ {
        text = $1
        if ($0 ~ /# *[Ss][Kk][Ii][Pp]/ && $1 == "1..0") {
            sub(/^[^#]*# *[Ss][Kk][Ii][Pp] */, "", $0)
            whole = 1
            skip("the whole program: " $0)
        }
        sub(/^1\.\./, "", text); plan += text; planned = 1
        next
    }
    /^# skip/ { reason = $0; sub(/^# skip(ped)?:? */, "", reason); next }
    /^(# )?(not )?ok - / { next }
    {
        if (after_failure || $0 !~ /^#/)
            show("        " $0)
    }
    END {
        found = passed + failed + skipped - whole
        if (status == 124 || status == 137)
            fail("took longer than " clock_seconds " s by the clock")
        else if (status == 152)
            fail("took more than " seconds " s of a core")
        else if (status > 128)
            fail("was ended by signal " (status - 128))
        else if (status != 0 && failed == 0)
            fail("exit status " status " although no test failed")
        else if (!planned)
            fail("said no plan (1..N)")
        else if (found != plan)
            fail("planned " plan " tests and reported " found)
        line = sprintf("%-44s %4d ok", name, passed)
        if (failed) line = line sprintf(", %d FAILED", failed)
        if (skipped) line = line sprintf(", %d skipped", skipped)
        printf "%s\n%s", line, failed ? shown : skips
        printf "%d %d %d\n", passed, failed, skipped >sums
    }'
}

seconds=${TEST_SECONDS-120}
clock_seconds=$((seconds * 5))

if [ "${1-}" = --one ]; then
    # A run of its own for xargs: keep the output, then judge it in one go.
    results=$2
    program=$3
    slug=$(printf '%s' "$program" | tr -c 'A-Za-z0-9_.-' '_')
    (start "$program") >"$results/$slug.out" 2>&1 </dev/null
    status=$?
    name=${program#build/*/}
    judge "${name#tests/}" $status "$results/$slug.sum" \
        <"$results/$slug.out" >"$results/$slug.shown"
    cat "$results/$slug.shown"
    exit 0
fi

COLLSIM=$(realpath "${COLLSIM-./collsim}")
export COLLSIM
results=$(mktemp -d) || exit 1
trap 'rm -rf "$results"' EXIT
trap 'exit 1' HUP INT TERM

[ $# = 0 ] || printf '%s\0' "$@" |
    xargs -0 -n 1 -P "${JOBS-2}" "$0" --one "$results"

cat "$results"/*.sum 2>/dev/null | awk -v programs=$# '
    { passed += $1; failed += $2; skipped += $3 }
    END {
        failed += programs - NR # not even judged
        if (passed + failed + skipped == 0)
            failed = 1 # no test at all is not a success
        line = sprintf("%d passed, %d failed", passed, failed)
        if (skipped)
            line = line sprintf(", %d skipped", skipped)
        print line
        exit failed > 0
    }'

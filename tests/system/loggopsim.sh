#!/bin/sh
# LogGOPSim beside collsim: a ring of 1,024 ranks from the same binary file, the
# same time, at least as fast, in less memory; and the same time of small schedules
# with other parameters.  LOGGOPSIM names the folder of its programs LogGOPSim and
# txt2bin; else they are looked for in PATH.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
program=${COLLSIM-./collsim}
PATH=${LOGGOPSIM:+$LOGGOPSIM:}$PATH
for needed in LogGOPSim txt2bin; do
    if ! command -v $needed >/dev/null 2>&1; then
        echo "1..0 # SKIP no $needed: LOGGOPSIM names no folder with it"
        exit 0
    fi
done
case $program in
*/san/* | */tsan/* | */cov/*)
    echo '1..0 # SKIP the speed of a build with sanitizers'
    exit 0
    ;;
esac

echo 1..6
. tests/tap.sh
ranks=1024

# took OUTPUT COMMAND...: milliseconds of a processor, the best of three; the
# peak of the memory in kB is in $work/memory.  Both are sampled, as other work
# on the machine changes the time on the clock.
took() {
    output=$1
    shift
    best=
    for _ in 1 2 3; do
        "$@" >"$output" 2>>"$work/said" &
        child=$!
        while sample "$child" && [ -s "$work/now" ]; do
            mv "$work/now" "$work/last"
            sleep 0.02
        done
        wait $child || return 1
        read -r spent peak <"$work/last"
        echo "$peak" >"$work/memory"
        [ -n "$best" ] && [ "$best" -le "$spent" ] || best=$spent
    done
    echo "$best"
}

# sample PROCESS: milliseconds and kB so far, nothing once it has ended.
sample() {
    awk -v tick="$(getconf CLK_TCK)" '
        FNR == 1 && NR == 1 { ms = ($14 + $15) * 1000 / tick }
        $1 == "VmHWM:" { print ms, $2 }
    ' "/proc/$1/stat" "/proc/$1/status" >"$work/now" 2>/dev/null
}

: >"$work/said"
"$program" export --topo switch:ranks=$ranks --algo ring --size 1GiB \
    --format goal --out "$work/ring.goal" 2>>"$work/said" &&
    txt2bin -i "$work/ring.goal" -o "$work/ring.bin" >>"$work/said" 2>&1
result 'txt2bin reads the exported schedule' $?

# Both with LogGOPSim's default parameters.
theirs=$(took "$work/theirs" LogGOPSim -f "$work/ring.bin" --batchmode)
their_kB=$(cat "$work/memory")
ours=$(took "$work/ours" "$program" --topo switch:ranks=$ranks --link-model loggp \
    --algo "goal:$work/ring.bin" --json)
our_kB=$(cat "$work/memory")
echo "# LogGOPSim $theirs ms, $their_kB kB; collsim $ours ms, $our_kB kB" |
    tee -a "$work/said"

# "Maximum finishing time at host 3: 12345 (...)", in ns.
theirs_of() {
    sed -n 's/^Maximum finishing time at host [0-9]*: \([0-9]*\) .*/\1/p' "$1"
}
ours_of() {
    sed -n 's/.*"time_s": \(.*\),/\1/p' "$1" | awk '{ printf "%.0f", $1 * 1e9 }'
}
their_ns=$(theirs_of "$work/theirs")
our_ns=$(ours_of "$work/ours")
[ -n "$their_ns" ] && [ "$their_ns" = "$our_ns" ]
result "the same time: $their_ns ns, ours $our_ns ns" $?
[ -n "$theirs" ] && [ -n "$ours" ] && [ "$ours" -le "$theirs" ]
result "at least as fast: $ours ms, LogGOPSim $theirs ms" $?
[ -n "$their_kB" ] && [ -n "$our_kB" ] && [ "$our_kB" -lt "$their_kB" ]
result "less memory: $our_kB kB, LogGOPSim $their_kB kB" $?

# agree OURS THEIRS...: the end of schedules on 16 and 64 ranks with the parameters.
agree() {
    parameters=$1
    shift
    bad=
    for algo in ring tree recursive-doubling rabenseifner; do
        for case in 16:1KiB 16:1MiB 64:4MiB; do
            few=${case%:*}
            "$program" export --topo switch:ranks="$few" --algo $algo --force \
                --size "${case#*:}" --format goal --out "$work/a.goal" \
                >>"$work/said" 2>&1
            txt2bin -i "$work/a.goal" -o "$work/a.bin" >>"$work/said" 2>&1
            LogGOPSim -f "$work/a.bin" --batchmode "$@" >"$work/theirs" 2>&1
            "$program" --topo switch:ranks="$few" --link-model loggp --json \
                --loggp "$parameters" --algo "goal:$work/a.bin" >"$work/ours" \
                2>>"$work/said"
            their_ns=$(theirs_of "$work/theirs")
            [ -n "$their_ns" ] && [ "$their_ns" = "$(ours_of "$work/ours")" ] ||
                bad="$bad $algo:$case"
        done
    done
    [ -z "$bad" ]
    result "the same times with $parameters$bad" $?
}
agree L=100ns,o=50ns,g=2000ns,G=3ns/B,O=1ns/B,S=1000B \
    -L 100 -o 50 -g 2000 -G 3 -O 1 -S 1000
agree L=5000ns,o=10ns,g=10ns,G=1ns/B,O=2ns/B,S=0B \
    -L 5000 -o 10 -g 10 -G 1 -O 2 -S 0

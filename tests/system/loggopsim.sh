#!/bin/sh
# LogGOPSim beside collsim: a ring of 1,024 ranks from the same binary file, the
# same time, at least as fast, in less memory.  LOGGOPSIM names the folder of
# its programs LogGOPSim and txt2bin; else they are looked for in PATH.
set -u
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

echo 1..4
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
ranks=1024
n=0

# result WHAT STATUS
result() {
    n=$((n + 1))
    [ "$2" = 0 ] && echo "ok $n - $1" || {
        echo "not ok $n - $1"
        sed 's/^/# /' "$work/messages"
    }
}

# took OUTPUT COMMAND...: milliseconds of a processor, the best of three; the
# peak of the memory in kB is in $work/memory.  Both are sampled, as other work
# on the machine changes the time on the clock.
took() {
    output=$1
    shift
    best=
    for _ in 1 2 3; do
        "$@" >"$output" 2>>"$work/messages" &
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

: >"$work/messages"
"$program" export --topo switch:ranks=$ranks --algo ring --size 1GiB \
    --format goal --out "$work/ring.goal" 2>>"$work/messages" &&
    txt2bin -i "$work/ring.goal" -o "$work/ring.bin" >>"$work/messages" 2>&1
result 'txt2bin reads the exported schedule' $?

# Both with LogGOPSim's default parameters.
theirs=$(took "$work/theirs" LogGOPSim -f "$work/ring.bin" --batchmode)
their_kB=$(cat "$work/memory")
ours=$(took "$work/ours" "$program" --topo switch:ranks=$ranks --model loggp \
    --algo "goal:$work/ring.bin" --json)
our_kB=$(cat "$work/memory")
echo "# LogGOPSim $theirs ms, $their_kB kB; collsim $ours ms, $our_kB kB" |
    tee -a "$work/messages"

# "Maximum finishing time at host 3: 12345 (...)", in ns.
their_ns=$(sed -n 's/^Maximum finishing time at host [0-9]*: \([0-9]*\) .*/\1/p' \
    "$work/theirs")
our_ns=$(sed -n 's/.*"time_s": \(.*\),/\1/p' "$work/ours" |
    awk '{ printf "%.0f", $1 * 1e9 }')
[ -n "$their_ns" ] && [ "$their_ns" = "$our_ns" ]
result "the same time: $their_ns ns, ours $our_ns ns" $?
[ -n "$theirs" ] && [ -n "$ours" ] && [ "$ours" -le "$theirs" ]
result "at least as fast: $ours ms, LogGOPSim $theirs ms" $?
[ -n "$their_kB" ] && [ -n "$our_kB" ] && [ "$our_kB" -lt "$their_kB" ]
result "less memory: $our_kB kB, LogGOPSim $their_kB kB" $?

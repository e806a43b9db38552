#!/bin/sh
# GOAL of any length: a ring of 800 ranks, 190 MB of text, is written, read and
# simulated in 100 MB of memory; what is read back is written again as it was.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1

echo 1..6
. tests/tap.sh
program=${COLLSIM-./collsim}

# Sanitizers reserve memory of their own, and take their time.
ranks=800
limits='ulimit -t 20; ulimit -v 100000'
case $program in
*/san/* | */tsan/* | */cov/*)
    ranks=128
    limits=:
    ;;
esac

# limited ARGUMENT...: the program within the limits.
limited() {
    sh -c "$limits; exec \"\$0\" \"\$@\"" "$program" "$@" 2>>"$work/said"
}

# time_of FILE: the simulated time in a JSON answer.
time_of() {
    sed -n 's/.*"time_s": \(.*\),/\1/p' "$1"
}

: >"$work/said"
limited export --topo "switch:ranks=$ranks" --algo ring --size 1GiB \
    --format goal --out "$work/ring.goal"
result "a ring of $ranks ranks is written in 100 MB" $?
limited --topo "switch:ranks=$ranks" --algo "goal:$work/ring.goal" --json \
    >"$work/read.json"
result 'the text is read and simulated in 100 MB' $?
limited --topo "switch:ranks=$ranks" --algo ring --size 1GiB --json \
    >"$work/ring.json"
[ -n "$(time_of "$work/ring.json")" ] &&
    [ "$(time_of "$work/read.json")" = "$(time_of "$work/ring.json")" ]
result 'the simulated time is that of the algorithm' $?

# The first line names the algorithm.
"$program" export --topo switch:ranks=64 --algo ring --size 1MB --format goal \
    2>>"$work/said" >"$work/small.goal"
"$program" export --topo switch:ranks=64 --algo "goal:$work/small.goal" \
    --format goal 2>>"$work/said" | tail -n +2 >"$work/again.goal"
tail -n +2 "$work/small.goal" | cmp -s - "$work/again.goal"
result 'what is read is written again as it was' $?

gzip -c "$work/small.goal" | "$program" --topo switch:ranks=64 --json \
    --algo goal:/dev/stdin 2>>"$work/said" >"$work/pipe.json"
"$program" --topo switch:ranks=64 --algo ring --size 1MB --json \
    2>>"$work/said" >"$work/plain.json"
[ -n "$(time_of "$work/plain.json")" ] &&
    [ "$(time_of "$work/pipe.json")" = "$(time_of "$work/plain.json")" ]
result 'a compressed pipe is read as the file' $?

# The first signal after the draft exists.
mkdir "$work/out"
"$program" export --topo switch:ranks=512 --algo ring --size 1GiB \
    --format goal --out "$work/out/ring.goal" >>"$work/said" 2>&1 &
writer=$!
while kill -0 $writer 2>/dev/null && [ -z "$(ls -A "$work/out")" ]; do
    sleep 0.05
done
kill -TERM $writer 2>/dev/null
wait $writer 2>/dev/null
[ $? -gt 128 ] && [ -z "$(ls -A "$work/out")" ]
result 'a stopped export leaves no file' $?

#!/bin/sh
# measure tcp as a user meets it: sums are right, and nothing stays behind after
# success, Ctrl-C, kill -9, the death of a rank, a full disk and a used port.
# Without the right to make network namespaces the lab's tests are skipped.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
echo 1..12
. tests/tap.sh

skip() {
    number=$((number + 1))
    echo "ok $number - # SKIP $1: $reason"
}

# Network namespaces of all processes.
spaces() {
    for link in /proc/[0-9]*/ns/net; do
        readlink "$link" 2>/dev/null
    done | sort -u
}

# Processes of this test's measurements, by their command lines.
left() {
    for process in /proc/[0-9]*; do
        if { tr '\0' ' ' <"$process/cmdline" |
            grep -q "^[^ ]*collsim measure tcp.*$work"; } 2>/dev/null; then
            echo "${process#/proc/}"
        fi
    done
}

# Waits, at most 5 s, until no process of the test is left.
is_clean() {
    tries=0
    while [ $tries -lt 100 ]; do
        [ -z "$(left)" ] && return 0
        tries=$((tries + 1))
        sleep .05
    done
    echo "left: $(left)" >>"$work/said"
    return 1
}

# The second rank of the job.
rank_1() {
    read -r children <"/proc/$job/task/$job/children"
    # shellcheck disable=SC2086 # a list of numbers
    set -- $children
    echo "$2"
}

# Starts a measurement of a minute in the background, as a terminal would, and
# waits for its first line.
start() {
    rm -f "$work/lines"
    env --default-signal=INT "$COLLSIM" measure tcp --hosts 3 --rate 50Mb/s \
        --algo gather-bcast --size 64KiB,64MiB --runs 2 --out "$work/lines" \
        "$@" >"$work/said" 2>&1 &
    job=$!
    tries=0
    while [ ! -s "$work/lines" ] && [ $tries -lt 1000 ] && kill -0 $job; do
        tries=$((tries + 1))
        sleep .01
    done
}

# finish STATUS: the job ended so, and nothing is left.
finish() {
    wait "$job"
    status=$?
    echo "exit status $status" >>"$work/said"
    [ $status = "$1" ] && is_clean
}

"$COLLSIM" measure tcp --hosts 2 --algo ring --size 64KiB --runs 1 \
    >"$work/line" 2>"$work/said"
result 'a collective ends with the right sums' $?
reason=$(sed -n 's/^note: ranks share loopback, unshaped: //p' "$work/said")

if [ -n "$reason" ]; then
    grep -q '"lab": "loopback"' "$work/line"
    result 'lines say that ranks share loopback' $?
    skip 'shaped hosts'
else
    grep -q '"lab": "namespaces"' "$work/line"
    result 'lines name the lab' $?
    "$COLLSIM" measure tcp --hosts 2 --rate 100Mb/s --algo ring --size 4MiB \
        --runs 1 >"$work/line" 2>"$work/said"
    # 4 MiB at 100 Mb/s in each direction: 0.34 s of payload.
    sed -n 's/.*"time_s": \([0-9.e-]*\).*/\1/p' "$work/line" |
        awk '{ ok = $1 > .32 && $1 < .8 } END { exit !ok }'
    result 'a wire of 100 Mb/s takes its time' $?
fi

# Every algorithm that can run on 3 ranks, on hosts or on loopback.
"$COLLSIM" measure tcp --hosts 3 --algo all --size 4KiB --runs 1 \
    >"$work/line" 2>"$work/said" &&
    grep -q 'skipped swing: swing needs a power of two' "$work/said" &&
    [ "$(grep -c '"wrong": 0' "$work/line")" -ge 15 ]
result 'all algorithms run, or say why not' $?

# A user who may make namespaces and may not configure them.
bare() {
    setpriv --bounding-set -net_admin --inh-caps -net_admin "$@"
}
if [ "$(id -u)" = 0 ] && bare true 2>"$work/said"; then
    bare "$COLLSIM" measure tcp --hosts 2 --size 64KiB --runs 1 \
        >"$work/line" 2>"$work/said" &&
        grep -q '"lab": "loopback", "rate_Bps": 0' "$work/line" &&
        grep -q '^note: ranks share loopback, unshaped: ' "$work/said" &&
        ! bare "$COLLSIM" measure tcp --hosts 2 --size 64KiB --drop 1% \
            2>"$work/said" &&
        grep -q -e '--drop has no effect on loopback' "$work/said"
    result 'without CAP_NET_ADMIN ranks share loopback' $?
else
    reason='setpriv of root is missing'
    skip 'without CAP_NET_ADMIN'
fi

"$COLLSIM" measure tcp --hosts 2 --algo ring --size 64KiB --runs 1 \
    -o /dev/full 2>"$work/said"
[ $? = 3 ] && grep -q "cannot write '/dev/full': No space left" "$work/said"
result 'a full disk is an error' $?

start
kill -INT $job
finish 130
result 'Ctrl-C leaves nothing behind' $?

start
kill -KILL $job
finish 137
result 'kill -9 leaves nothing behind' $?

before=$(spaces)
"$COLLSIM" measure tcp --hosts 2 --algo ring --size 64KiB --runs 1 \
    >"$work/line" 2>"$work/said"
[ "$before" = "$(spaces)" ]
result 'no namespace is left' $?

start
kill -KILL "$(rank_1)"
finish 1 && grep -q 'rank [0-9] was ended by signal 9 (Killed)' "$work/said"
result 'a dead rank is named, and the others stop' $?

start --timeout 1s
kill -STOP "$(rank_1)"
finish 1 && grep -q 'rank 1 does not answer' "$work/said"
result 'a stalled rank meets the deadline' $?

"$COLLSIM" measure tcp --hosts 2 --timeout 1ms --algo ring --size 64MiB \
    --runs 1 >"$work/line" 2>"$work/said"
[ $? = 1 ] && grep -q 'did not end before the deadline' "$work/said" && is_clean
result 'a deadline ends the measurement' $?

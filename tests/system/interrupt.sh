#!/bin/sh
# SIGINT and SIGTERM stop a long run, a long proof and a sweep: exit status 130, what
# is known so far is printed, finished runs stay in the database.  Speaks TAP.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh
program=$(realpath "${COLLSIM-./collsim}")
cd "$work" || exit 1

# Runs the program for as many seconds, then sends it the signal.
signal=INT
interrupted() {
    seconds=$1
    shift
    timeout --preserve-status -s $signal -k 20 "$seconds" "$program" "$@" \
        >out 2>messages
    status=$?
    { echo "status $status" && cat out messages; } >said
}

# is WHAT PATTERN FILE: the status is 130 and the file has the pattern.
is() {
    [ "$status" = 130 ] && grep -Eq "$2" "$3"
    result "$1" $?
}

# interrupted_after PATTERN FILE ARGUMENT...: as interrupted, after 1 s, 2 s and so on
# until the file has the pattern, as a slow machine has less finished in a second.
interrupted_after() {
    pattern=$1
    file=$2
    shift 2
    for limit in 1 2 4 8 16; do
        interrupted "$limit" "$@"
        if [ $status != 130 ] || grep -Eq "$pattern" "$file"; then break; fi
    done
}

# spent: sets `total` to the centiseconds of a processor of ended children; not in
# a subshell, which has children of its own.
spent() {
    times >spent.txt
    total=$(awk 'NR == 2 {
        for (i = 1; i <= 2; i++) {
            split($i, part, /[ms]/)
            sum += 60 * part[1] + part[2]
        }
        printf "%d", 100 * sum
    }' spent.txt)
}

# The centiseconds of a processor for a signal to be heard in: 0.25 s, more on a
# machine that takes more than 0.4 s for a ring of 1,000 ranks.
spent
before=$total
"$program" --topo switch:ranks=1000 --algo ring --fold off --no-proof >out 2>messages
spent
slack=$((25 * (total - before) / 40))
[ $slack -ge 25 ] || slack=25

# hears SECONDS ARGUMENT...: Ctrl-C after as many seconds, or half of them and so on
# where the command ends first, ends it with the line "stopped", or with a document in
# JSON, within 0.2 s of a processor; before the signal the program has taken the
# seconds at most.
hears() {
    limit=$1
    shift
    for _ in 1 2 3 4 5; do
        spent
        before=$total
        interrupted "$limit" "$@"
        spent
        [ $status = 0 ] || break
        limit=$(awk -v limit="$limit" 'BEGIN { print limit / 2 }')
    done
    awk -v used=$((total - before)) -v limit="$limit" -v slack=$slack \
        'BEGIN { exit used > 100 * limit + slack }' &&
        grep -q stopped out messages && [ $status = 130 ]
    result "within 0.2 s: $*" $?
}

# Both signals in turn, after random times; the seed repeats them.
seed=${COLLSIM_SEED-1}
hears_at_random() {
    for signal in INT TERM; do
        seed=$(((seed * 1103515245 + 12345) % 2147483648))
        hears "$(awk -v random=$seed 'BEGIN { print 0.1 + random / 2^31 }')" "$@"
    done
    signal=INT
}

forest='--topo cluster:node=dgx-h100,nodes=8,fabric=rail --algo forest'
hears_at_random $forest --what-if each-link
hears_at_random --topo cluster:node=dgx-b200,nodes=4,fabric=mesh --algo forest \
    --collective reduce --size 6064 --what-if each-nic --json
hears_at_random check $forest --json
hears_at_random --topo fat-tree:ranks=64,radix=8 --algo forest
hears_at_random --topo bus:ranks=1048576 --routing adaptive
hears_at_random --topo dgx --algo ring --size 1TiB --link-model packet
hears_at_random --topo dgx-h100 --algo ring --size 1GiB --jitter \
    exponential,mean=1us --runs 100000 -j 1 --json
hears_at_random claims --json
hears_at_random train --topo cluster:node=dgx-h100,nodes=1024 \
    --model gpt3-175b --system auto --global-batch 24576

rail=--topo=cluster:node=dgx-h100,fabric=rail,nodes
hears 1.3 $rail=16 --algo multi-ring --what-if each-link
hears 1.2 --topo cluster:node=dgx-h100,nodes=8,fabric=rail --algo forest \
    --what-if each-link
hears 0.4 $rail=500 --algo auto --size 1KiB,1MiB,1GiB -j 1 --json
hears 1 $rail=1000 --algo auto --size 1KiB,1MiB,1GiB -j 1
hears 0.5 validate training --leave-out
hears 0.5 validate published --fit
hears 0.3 check $rail=64 --algo multi-ring
hears 0.5 why $rail=128 --algo multi-ring --size 1GiB --fold off
hears 0.3 topo check $rail=60000
hears 0.5 plan --gpus 256,512,1024,2048,4096,8192 --model gpt3-175b \
    --global-batch 24576 --out plan.html --force
hears 0.3 plan --gpus 256,512,1024,2048,4096,8192 --model gpt3-175b \
    --global-batch 24576 --json
hears 0.2 train --topo cluster:node=dgx-h100,nodes=1024 --model gpt3-175b \
    --system auto --global-batch 24576
hears 0.3 claims
hears 0.5 bench
hears 3 export --topo switch:ranks=2500 --algo ring --format goal --out r.goal
grep -q '^writing and proving .* to go' messages ||
    interrupted_after '^writing and proving .* to go' messages \
        export --topo switch:ranks=2500 --algo ring --format goal --out r.goal --force
grep -q '^writing and proving .* to go' messages
result 'a long export says how long it takes' $?

cat >search.yaml <<'YAML'
topo: switch:ranks=20000,latency=1us
fold: off
algo: ring
axes:
  size: [1MB, 1GB]
YAML
hears 0.5 sweep search.yaml --search
test -z "$(find . -name '*.part')" && test ! -e r.goal
result 'no part of a file is left' $?

huge='--topo switch:ranks=50000,latency=1us --algo ring --fold off'

interrupted_after 'the run itself: .* to go' messages why $huge
is 'why says how long the run itself will take' \
    'the run itself: .* to go' messages

far='stopped at [0-9.]+ [nu]?m?s of simulated time, [0-9,]+ messages'
interrupted_after "$far" messages $huge --no-proof
is 'a run says how far it came' "$far" messages

interrupted 0.5 $huge --no-proof --json
is 'in JSON that is the error' '"exit": 130' out
is 'of an interrupted run' '"interrupted": true' out

interrupted 0.5 --topo switch:ranks=10000,latency=1us --algo ring --fold off \
    --no-proof --size 1MB,1GB -j 1
is 'several sizes say first how long they take' \
    '^note: 2 sizes take about [0-9]+ (s|min), or longer' messages

interrupted 0.5 --topo switch:ranks=4000 --algo oneshot --fold off --no-proof
is 'a run stops while its first round begins' 'stopped at 0 s' messages

interrupted 0.4 --topo switch:ranks=1000000 --algo rabenseifner \
    --fold on --size 4GB
is 'a search for identical ranks stops' 'stopped' messages

# A round of this all-to-all has half a million operations.
interrupted 4 --topo switch:ranks=1000000 --algo bruck --collective alltoall \
    --size 4GB --csv
is 'a search for identical ranks stops within a rank' 'stopped' messages

interrupted_after '^switch,4,all-reduce,' out --topo switch:ranks=65536 \
    --ranks 4,65536 --algo any --size 1MB --csv
is 'a choice of the fastest algorithm stops' 'stopped' messages
is 'and prints the choices that were made' '^switch,4,all-reduce,' out

# A script's background job ignores SIGINT.
(trap '' INT; "$program" $huge --no-proof --size 1KiB >out 2>messages & pid=$!
    sleep 0.3; kill -INT $pid; sleep 0.2; kill -TERM $pid; wait $pid)
status=$?
[ $status = 130 ] && grep -q '^collsim: stopped at' messages
result 'a run that ignores SIGINT from its start hears SIGTERM' $?

interrupted_after ',1024,' out --topo cluster:node=dgx-h100,nodes=128,fabric=rail \
    -j 2 --algo any --size 1KiB,1GiB,2GiB,4GiB --csv
is 'processes of a choice stop' 'stopped' messages
is 'and the choices that were made are printed' ',1024,' out

interrupted 0.5 --topo cluster:nodes=2000,node=dgx-h100 --algo multi-ring \
    --size 1MB --placement random
is 'the planning of rings stops' 'stopped' messages

interrupted 0.15 --topo cluster:nodes=100000,node=dgx-h100 --algo tree \
    --placement round-robin
is 'the opening of a machine stops' 'stopped' messages

interrupted_after 'stopped in the proof' messages \
    check --topo switch:ranks=8192 --algo ring
is 'a proof stops' 'stopped in the proof' messages

interrupted_after '^switch,4,all-reduce,ring,' out --topo switch:latency=1us \
    --algo ring --fold off --no-proof --ranks 4,50000 --csv --db runs.db
is 'a sweep prints the finished runs' '^switch,4,all-reduce,ring,' out

losses='--topo fat-tree:ranks=128,radix=16 --algo ring --placement random'

interrupted_after '^[a-z]+[0-9]+.*-.*,' out $losses --csv --what-if each-link
is 'losses that were tried are printed' '^[a-z]+[0-9]+.*-.*,' out

interrupted_after '"down_s"' out $losses --json --what-if each-link
is 'in JSON with the error' '"down_s"' out
is 'which is one document' '"exit": 130' out

"$program" report --db runs.db --out figures >/dev/null 2>messages
status=$(($? + 130))
cp messages said
grep -o '<td>4</td>' figures/*.html >out
is 'and keeps them in the database' '<td>4</td>' out
# A signal at each of the requests for one, whose number in the search is about 60.
cat >at.c <<'END'
#include <signal.h>
#include <stdlib.h>
#include <time.h>

int sigtimedwait(const sigset_t *set, siginfo_t *info, const struct timespec *wait)
{
    static long requests;

    (void)set, (void)info, (void)wait;
    return ++requests == atol(getenv("STOP_AT")) ? SIGINT : -1;
}
END
what='a search stops at each of its requests'
case $program in
*/san/* | */tsan/* | */cov/*)
    number=$((number + 1))
    echo "ok $number - $what # SKIP its library comes before that of the sanitizer"
    ;;
*)
    ${CC:-cc} -shared -fPIC -o at.so at.c || exit 1
    : >said
    for at in $(seq 2 2 70); do
        LD_PRELOAD=./at.so STOP_AT=$at "$program" --topo cluster:nodes=200,node=dgx-h100 \
            --algo multi-ring --size 1MB --placement random --no-proof >out 2>messages
        status=$?
        [ $status = 130 ] && grep -q stopped messages || echo "request $at: status $status" >>said
    done
    [ ! -s said ]
    result "$what" $?
    ;;
esac
echo "1..$number"

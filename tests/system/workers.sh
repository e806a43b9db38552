#!/bin/sh
# The same bytes for any number of processes (-j): runs with jitter, sizes and
# algorithms, the fastest of them, losses, and the runs of a sweep.  Speaks TAP.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh
program=$(realpath "${COLLSIM-./collsim}")
cd "$work" || exit 1

# What is printed about the pace depends on the machine.
quiet() {
    grep -v -e ' to go$' -e ' for [0-9]* s$' -e ' left$' -e ' take about '
}

# same WHAT: every printed file of -j 1, 2 and 7 is equal, and not empty.
same() {
    [ -s 1.out ] && cmp 1.out 2.out && cmp 1.out 7.out &&
        cmp 1.messages 2.messages && cmp 1.messages 7.messages
    result "$1" $?
}

# with WHAT ARGUMENT...
with() {
    what=$1
    shift
    for j in 1 2 7; do
        "$program" "$@" -j $j 2>messages >$j.out
        quiet <messages >$j.messages
    done
    same "$what"
}

with 'sizes and algorithms' --topo dgx --size 1KiB,1MiB,64MiB,5MB,1GiB \
    --algo all --fold off --json
with 'the fastest algorithm of each size and number of ranks' --topo dgx-h100 \
    --ranks 4,5,8 --size 1KiB,1MiB,64MiB,1GiB --algo auto --csv
with 'all algorithms with refusals' --topo switch:ranks=48 --ranks 7,48 \
    --size 1MiB,64MiB,256MiB --algo any --fold off
with 'runs with jitter' --topo dgx --size 16MiB --algo ring \
    --jitter exponential,mean=1us --runs 20 --json
with 'losses' --topo dgx-1 --size 64MiB --what-if each-link --csv

cat >sweep.yaml <<'YAML'
topo: dgx
axes:
  algo: [ring, tree, naive]
  size: {from: 1KiB, to: 64MiB, factor: 4}
YAML
for j in 1 2 7; do
    "$program" sweep sweep.yaml --db $j.db -j $j >/dev/null 2>&1
    : >$j.messages
    "$program" report --db $j.db --out $j.report >/dev/null 2>&1
    cat $j.report/*.dat >$j.out
done
same 'curves of a sweep'
echo "1..$number"

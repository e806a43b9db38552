#!/bin/sh
# Ten processes write one results database at once, sweeps, runs, training jobs and
# merges: none stops, no run is lost or doubled, and each sweep has its own cases.
# Speaks TAP.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
. tests/tap.sh
program=$(realpath "${COLLSIM-./collsim}")
cd "$work" || exit 1
if ! command -v sqlite3 >/dev/null 2>&1; then
    echo "1..0 # SKIP no sqlite3"
    exit 0
fi

# sweep_of FIRST LAST: a sweep over as many seeds.
sweep_of() {
    printf 'topo: dgx\naxes:\n  algo: [ring, tree, sharp-tree]\n'
    printf '  seed: {from: %s, to: %s}\n  size: [1KiB, 1MiB, 64MiB]\n' "$1" "$2"
}
sweep_of 1 60 >a.yaml
sweep_of 101 140 >b.yaml
sweep_of 201 230 >c.yaml

# Parts of the third sweep, computed elsewhere; one holds a run of its own, too.
for part in 1 2; do
    "$program" sweep c.yaml --db c.db --shard $part/2 >/dev/null 2>>elsewhere
done
"$program" --topo dgx --algo ring --size 3MiB --db c.1-of-2.db >/dev/null 2>>elsewhere

# Each writer leaves its status and its messages.
write() {
    name=$1
    shift
    ("$program" "$@" >"$name.out" 2>"$name.messages"; echo $? >"$name.status") &
}
# A writer of many runs, one process after another.
runs() {
    (for size in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15; do
        "$program" --topo dgx --algo ring --size "$1$size"KiB --db all.db \
            >/dev/null 2>>"run$1.messages" || exit
    done; echo $? >"run$1.status") &
}

write sweep1 sweep a.yaml --db all.db -j 1
write sweep2 sweep a.yaml --db all.db -j 1
write sweep3 sweep b.yaml --db all.db -j 2
write sweep4 sweep b.yaml --db all.db -j 1
runs 1
runs 2
runs 3
write train1 train --model resnet50 --topo dgx-1 --db all.db
write train2 train --model bert-large --topo dgx-1 --db all.db
write merge merge --out all.db c.1-of-2.db c.2-of-2.db
wait

cat ./*.messages >said
status=$(cat ./*.status | tr -d '\n')
[ "$status" = 0000000000 ]
result "none of ten writers stops: $status" $?

# count SQL EXPECTED NAME
count() {
    found=$(sqlite3 all.db "$1" 2>&1)
    echo "$found" >said
    [ "$found" = "$2" ]
    result "$3" $?
}
count 'pragma integrity_check' ok 'the database is sound'
count "select count(*) from runs where created_at_utc <> ''" 46 \
    'every run is in the database, once'
count 'select group_concat(cases, " ") from (select cases - (select count(*) from runs
    where id > base and id <= base + cases) - (select count(*) from sweep_refusals
    where id > base and id <= base + cases) as cases from sweeps)' '0 0 0' \
    'no case of a sweep is missing'
count "select count(*) from runs join sweeps on runs.id > base and
    runs.id <= base + cases where created_at_utc <> ''" 0 \
    'no other run has the number of a case'
count 'select count(*) from training' 2 'both training jobs are in the database'

# A sweep alone has the same rows as in the company of others.
"$program" sweep a.yaml --db alone.db >/dev/null 2>messages
count "attach 'alone.db' as alone; select count(*) from (select request, time_ps,
    algorithm, bytes from alone.runs except select request, time_ps, algorithm, bytes from
    main.runs)" 0 'the cases are those of a sweep alone'

echo "1..$number"

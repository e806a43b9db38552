#!/bin/sh
# A sweep that is killed again and again ends with the database of a sweep that was
# not: no case lost, none twice, whatever the number of workers and shards.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
program=$(realpath "$COLLSIM")
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
if ! command -v sqlite3 >/dev/null 2>&1; then
    echo "1..0 # SKIP no sqlite3"
    exit 0
fi

cat >s.yaml <<'END'
topo: dgx
axes:
  algo: [ring, tree, naive]
  seed: {from: 1, to: 40}
  size: {from: 1KiB, to: 512KiB, factor: 2}
END
echo "1..8"

"$program" sweep s.yaml --db whole.db -j 1 >/dev/null 2>messages
sqlite3 whole.db .dump >whole
[ "$(sqlite3 whole.db 'select count(*) from runs')" = 1200 ] || sed 's/^/# /' messages

last=0
grows=yes
for pause in 0.05 0.15 0.1 0.25 0.02 0.3; do
    "$program" sweep s.yaml --db killed.db -j 2 >/dev/null 2>&1 &
    sweep=$!
    sleep "$pause"
    kill -9 "$sweep" 2>/dev/null
    wait "$sweep" 2>/dev/null
    runs=$(sqlite3 killed.db 'select count(*) from runs' 2>/dev/null || echo 0)
    [ "$runs" -ge "$last" ] || grows=no
    last=$runs
done
"$program" sweep s.yaml --db killed.db >/dev/null 2>&1
sqlite3 killed.db .dump >killed
[ $grows = yes ] && echo "ok 1 - a kill loses no finished case" ||
    echo "not ok 1 - a kill loses no finished case"
cmp -s whole killed && echo "ok 2 - the database after six kills is the same" ||
    echo "not ok 2 - the database after six kills is the same"

timeout -s INT 0.2 "$program" sweep s.yaml --db int.db >/dev/null 2>int.txt
status=$?
case $status in
124 | 130) grep -q 'same command runs the others' int.txt && status=fine ;;
0) status=fine ;; # fast enough
esac
"$program" sweep s.yaml --db int.db >/dev/null 2>&1
sqlite3 int.db .dump >int
[ $status = fine ] && cmp -s whole int &&
    echo "ok 3 - Ctrl-C says that the command goes on, and it does" || {
    echo "not ok 3 - Ctrl-C says that the command goes on, and it does"
    sed 's/^/# /' int.txt
}

for task in 1 2 3 4 5; do
    "$program" sweep s.yaml --db part.db --shard $task/5 >/dev/null 2>&1
done
"$program" merge --out all.db part.*-of-5.db >/dev/null 2>&1
sqlite3 all.db .dump >all
cmp -s whole all && echo "ok 4 - the union of five shards is the same" ||
    echo "not ok 4 - the union of five shards is the same"

if ! command -v parallel >/dev/null 2>&1; then
    echo "ok 5 - GNU parallel runs the shards # SKIP no parallel"
else
    "$program" sweep s.yaml --db gnu.db --emit parallel --time-per-task 100ms >gnu.sh
    sh gnu.sh >/dev/null 2>&1
    "$program" merge --out gnu-all.db gnu.*-of-*.db >/dev/null 2>&1
    sqlite3 gnu-all.db .dump >gnu
    cmp -s whole gnu && echo "ok 5 - GNU parallel runs the shards" ||
        echo "not ok 5 - GNU parallel runs the shards"
fi

# Of two at once, each ends with all cases; nothing is lost or doubled.
"$program" sweep s.yaml --db two.db -j 1 --csv >first.csv 2>two.txt &
first=$!
"$program" sweep s.yaml --db two.db -j 1 --csv >second.csv 2>>two.txt
second=$?
wait $first
first=$?
sqlite3 two.db .dump >two
computed=$(cat first.csv second.csv | awk -F, '/^s.yaml/ { sum += $6 } END { print sum }')
cmp -s whole two && [ "$first$second$computed" = 001200 ] &&
    echo "ok 6 - two sweeps into one file end with the same database" || {
    echo "not ok 6 - two sweeps into one file end with the same database"
    sed 's/^/# /' two.txt
}

# A part is in the target of a killed merge as a whole, or not at all.
whole=yes
for pause in 0.01 0.02 0.03 0.05 0.08 0.12 0.2; do
    rm -f half.db half.db-wal half.db-shm
    "$program" merge --out half.db part.*-of-5.db >/dev/null 2>&1 &
    merge=$!
    sleep "$pause"
    kill -9 "$merge" 2>/dev/null
    wait "$merge" 2>/dev/null
    [ -s half.db ] || continue
    for task in 1 2 3 4 5; do
        held=$(sqlite3 half.db "attach 'part.$task-of-5.db' as part; select count(*) from runs where id in (select id from part.runs)" 2>/dev/null || echo 0)
        all=$(sqlite3 "part.$task-of-5.db" 'select count(*) from runs')
        [ "$held" = 0 ] || [ "$held" = "$all" ] || whole=no
    done
    [ "$(sqlite3 half.db 'pragma integrity_check')" = ok ] || whole=no
done
"$program" merge --out half.db part.*-of-5.db >/dev/null 2>&1
sqlite3 half.db .dump >half
[ $whole = yes ] && echo "ok 7 - a killed merge holds whole parts" ||
    echo "not ok 7 - a killed merge holds whole parts"
cmp -s whole half && echo "ok 8 - the same merge again ends with the same database" ||
    echo "not ok 8 - the same merge again ends with the same database"

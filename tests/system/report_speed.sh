#!/bin/sh
# A database of a million runs is reported in 10 s of a processor, which is less than the half of
# what sqlite3 takes to print them: here a fifth of it within that print's time, on any machine,
# with LARGE=1 the whole.  Nor do 10,000 sizes a curve and as many figures over ranks cost more
# than their share: 100,000 runs in twice theirs.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
program=$(realpath "${COLLSIM-./collsim}")
if ! command -v sqlite3 >/dev/null 2>&1; then
    echo "1..0 # SKIP no sqlite3"
    exit 0
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
cd "$work" || exit 1
echo 1..5

# Sanitizers and counters slow a run down.
copies=99 more=49 slower=1
[ -z "${LARGE-}" ] || copies=499
case $program in
*/san/* | */tsan/* | */cov/*) copies=4 more=4 slower=60 ;;
esac

# Seconds of a processor in which sqlite3 prints all runs, by a fifth of them, and one more.
print_seconds() { # DATABASE
    sh -c 'sqlite3 -csv "$1" "SELECT * FROM runs WHERE id % 5 = 0" >/dev/null; times' sh "$1" |
        awk -v slower="$slower" 'END { split($1, user, "m"); print int(5 * slower * user[2]) + 1 }'
}

cat >s.yaml <<'END'
topo: dgx
axes:
  algo: [ring, tree, multi-ring, double-tree, naive]
  seed: {from: 1, to: 20}
  size: {from: 1KiB, to: 512MiB, factor: 2}
END
"$program" sweep s.yaml --db small.db >/dev/null 2>messages || sed 's/^/# /' messages
"$program" report --db small.db --out small >/dev/null 2>messages || sed 's/^/# /' messages
columns=$(sqlite3 small.db "SELECT group_concat(name) FROM pragma_table_info('runs')
    WHERE name NOT IN ('id', 'request', 'seed')")
copy="WITH RECURSIVE copy (number) AS
    (SELECT 1 UNION ALL SELECT number + 1 FROM copy WHERE number < $copies)"
cp small.db large.db
sqlite3 large.db "DELETE FROM run_links;
    $copy INSERT INTO runs (id, request, seed, $columns)
    SELECT number * 2000 + id, request + number, number || '0' || seed, $columns
    FROM copy, runs WHERE runs.id <= 2000;
    $copy INSERT INTO run_parameters
    SELECT number * 2000 + run_id, position, name, value, chosen_by
    FROM copy, run_parameters WHERE run_id <= 2000;"
runs=$(sqlite3 large.db 'SELECT count(*) FROM runs')
[ "$runs" = $((2000 * (copies + 1))) ] && echo "ok 1 - $runs runs" ||
    echo "not ok 1 - $runs runs"
seconds=$(print_seconds large.db)
sh -c "ulimit -t $seconds; exec '$program' report --db large.db --out large" \
    >said 2>messages
status=$?
[ $status = 0 ] && echo 'ok 2 - a report while sqlite3 prints the runs' || {
    echo "not ok 2 - a report in the $seconds s in which sqlite3 prints the runs"
    echo "# status $status"
    sed 's/^/# /' messages
}
same=yes
for data in small/*.dat; do
    cmp -s "$data" "large/${data#small/}" || same=no
done
[ $same = yes ] && echo 'ok 3 - the curves are those of the runs' ||
    echo 'not ok 3 - the curves are those of the runs'
grep -q "The first 5000 of $runs runs" large/index.html &&
    echo 'ok 4 - the page has the first runs and says so' ||
    echo 'not ok 4 - the page has the first runs and says so'

# Two seeds share their sizes, on 4 and on 8 ranks.
columns=$(sqlite3 small.db "SELECT group_concat(name) FROM pragma_table_info('runs')
    WHERE name NOT IN ('id', 'request', 'bytes', 'ranks')")
cp small.db sizes.db
sqlite3 sizes.db "DELETE FROM run_links; DELETE FROM runs WHERE id > 2000;
    WITH RECURSIVE copy (number) AS
    (SELECT 1 UNION ALL SELECT number + 1 FROM copy WHERE number < $more)
    INSERT INTO runs (id, request, bytes, ranks, $columns)
    SELECT number * 2000 + id, request + number,
        bytes + 4 * (10 * number + seed / 2), 4 + 4 * (seed % 2), $columns
    FROM copy, runs WHERE runs.id <= 2000;"
seconds=$((2 * $(print_seconds sizes.db)))
sh -c "ulimit -t $seconds; exec '$program' report --db sizes.db --out sizes" \
    >said 2>messages
status=$?
[ $status = 0 ] && echo 'ok 5 - many sizes a curve and many figures' || {
    echo "not ok 5 - many sizes a curve and many figures in $seconds s"
    echo "# status $status"
    sed 's/^/# /' messages
}

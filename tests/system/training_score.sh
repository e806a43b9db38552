#!/bin/sh
# Predictions of published training steps: no score is worse than recorded, and
# the gate notices one that is.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1

echo 1..6
. tests/tap.sh

"$COLLSIM" validate training --gated --scores --csv >"$work/now" 2>"$work/said"
result 'no table is more than a point worse than recorded' $?

# One table alone, whose score is that among all: the others take 30 times as long.
data=validate/data/training
cp $data/machines.csv "$work"
for file in tables:1 series:2; do
    awk -F, -v at="${file#*:}" 'NR == 1 || $at == "bigscience"' $data/${file%:*}.csv >"$work/${file%:*}.csv"
done
awk -F, 'NR == FNR { kept[$1] = 1; next } FNR == 1 || $1 in kept' "$work/series.csv" $data/rows.csv \
    >"$work/rows.csv"
grep -E '^(table|bigscience),' "$work/now" >"$work/one"
cp "$work/one" "$work/score.csv"
"$COLLSIM" validate training --gated --scores --csv --data "$work" \
    >"$work/again" 2>"$work/said" && cmp "$work/one" "$work/again" >"$work/said"
result 'the same rows from a directory have the same score' $?

# fails AWK MESSAGE: the gates, where the record is changed so.
fails() {
    awk -F, -v OFS=, 'NR == 1 { while ($++at != "memory_mean"); }
        $1 == "bigscience" { '"$1"' } { print }' "$work/one" >"$work/score.csv"
    "$COLLSIM" validate training --gated --data "$work" >/dev/null 2>"$work/said"
    [ $? = 1 ] && grep -q "$2" "$work/said"
}

fails '$6 -= 0.011' 'recorded is'
result 'a mean that is 1.1 points better in the record fails' $?

fails '$4 += 1' 'recorded are 95'
result 'a row that is no longer predicted fails' $?

fails '$at -= 0.011' 'mean of memory'
result 'a mean of memory that is 1.1 points better in the record fails' $?

"$COLLSIM" validate training --data "$work" 2>"$work/said" |
    grep -q '^Fastest configuration .* first three: [0-9]* of [0-9]* groups'
result 'the ranking is printed' $?

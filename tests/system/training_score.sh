#!/bin/sh
# Predictions of published training steps: no score is worse than recorded, and
# the gate notices one that is.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1

echo 1..6
. tests/tap.sh

"$COLLSIM" validate training --gated >/dev/null 2>"$work/said"
result 'no table is more than a point worse than recorded' $?

cp validate/data/training/*.csv "$work"
"$COLLSIM" validate training --scores --csv >"$work/now" 2>"$work/said"
"$COLLSIM" validate training --gated --scores --csv --data "$work" \
    >"$work/again" 2>"$work/said" && cmp "$work/now" "$work/again" >"$work/said"
result 'the same rows from a directory have the same score' $?

awk -F, -v OFS=, '$1 == "vtrain-multi" { $6 -= 0.011 } { print }' \
    "$work/now" >"$work/score.csv"
"$COLLSIM" validate training --gated --data "$work" >/dev/null 2>"$work/said"
[ $? = 1 ] && grep -q 'recorded is' "$work/said"
result 'a mean that is 1.1 points better in the record fails' $?

awk -F, -v OFS=, '$1 == "vtrain-multi" { $4 += 1 } { print }' \
    "$work/now" >"$work/score.csv"
"$COLLSIM" validate training --gated --data "$work" >/dev/null 2>"$work/said"
[ $? = 1 ] && grep -q 'recorded are 61' "$work/said"
result 'a row that is no longer predicted fails' $?

awk -F, -v OFS=, 'NR == 1 { while ($++at != "memory_mean"); }
    $1 == "bigscience" { $at -= 0.011 } { print }' \
    "$work/now" >"$work/score.csv"
"$COLLSIM" validate training --gated --data "$work" >/dev/null 2>"$work/said"
[ $? = 1 ] && grep -q 'mean of memory' "$work/said"
result 'a mean of memory that is 1.1 points better in the record fails' $?

"$COLLSIM" validate training 2>"$work/said" |
    grep -q '^Fastest configuration .* first three: [0-9]* of [0-9]* groups'
result 'the ranking is printed' $?

#!/bin/sh
# validate tcp: the recorded runs are within their gates, and slower runs, runs
# without a calibration, wrong sums and broken lines are not.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
echo 1..9
. tests/tap.sh
data=validate/data/tcp

# ends STATUS TEXT: validate of $work/data ends so, with the text.
ends() {
    "$COLLSIM" validate tcp --data "$work/data" >"$work/said" 2>&1
    status=$?
    echo "exit status $status" >>"$work/said"
    [ $status = "$1" ] && grep -q "$2" "$work/said"
}

fresh() {
    rm -rf "$work/data"
    mkdir "$work/data"
    cp "$data"/*.jsonl "$data"/gates.yaml "$work/data"
}

"$COLLSIM" validate tcp >"$work/said" 2>&1
result 'the recorded runs are within their gates' $?

"$COLLSIM" validate tcp --data "$data/calibration.jsonl" \
    --data "$data/loss_calibration.jsonl" --data "$data/held_out" >"$work/said" 2>&1
result 'so are runs that the model has not seen' $?

fresh
sed 's/"time_s": \([0-9.e-]*\)/"time_s": 1\1/' "$data/runs.jsonl" >"$work/data/runs.jsonl"
ends 1 'the gates are'
result 'slower runs are beyond the gates' $?

fresh
sed '3s/"time_least_s": /&1e-9, "was_s": /' "$data/change.jsonl" >"$work/data/change.jsonl"
ends 1 'change.jsonl:3: 1e-09 s is far below the lower bound, '
result 'a time below the lower bound is an error' $?

fresh
rm "$work/data/calibration.jsonl"
ends 2 "the calibration has no pattern 'one'"
result 'runs need their calibration' $?

fresh
sed '1s/"wrong": 0/"wrong": 3/' "$data/runs.jsonl" >"$work/data/runs.jsonl"
ends 1 'runs.jsonl:1: 3 wrong elements'
result 'a wrong sum is an error' $?

fresh
sed '2s/.\{40\}$//' "$data/runs.jsonl" >"$work/data/runs.jsonl"
ends 2 'runs.jsonl:2: expected a JSON object'
result 'a broken line is an error' $?

fresh
find "$work/data" -type f ! -name calibration.jsonl -exec rm {} +
ends 3 'no run over TCP is recorded'
result 'a calibration alone is nothing to validate' $?

# Columns of CSV by their names.
"$COLLSIM" --topo gbe-4 --library gloo --ranks 2,3,4 \
    --size 1MiB,4MiB,16MiB,64MiB --csv 2>"$work/said" | awk -F, '
    NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i; next }
    { print $at["ranks"], $at["bytes"], $at["library_call_low_s"], $at["library_call_high_s"] }' \
    >"$work/predicted"
sed -n 's/.*"algorithm": "ring".*"ranks": \([0-9]*\),.*"bytes": \([0-9]*\),.*"time_s": \([0-9.e-]*\),.*/\1 \2 \3/p' \
    "$data/runs.jsonl" >"$work/measured"
awk 'NR == FNR { time[$1 " " $2] = $3; next }
    { total++; inside += time[$1 " " $2] >= $3 && time[$1 " " $2] <= $4 }
    END { print inside " of " total; exit !(total == 12 && inside >= 11) }' \
    "$work/measured" "$work/predicted" >>"$work/said"
result 'recorded rings from 1 MiB on are within the interval of --library gloo' $?

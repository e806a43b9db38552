#!/bin/sh
# What measures on a GPU, with a stand-in for collsim-cuda: steps that are done
# are not done again, sweeps go on where they were cut short, and what fails or
# is found makes it fail.
set -u
cd "$(dirname "$0")/../.." || exit 1
echo 1..12
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
number=0

# result NAME STATUS
result() {
    number=$((number + 1))
    if [ "$2" = 0 ]; then
        echo "ok $number - $1"
    else
        echo "not ok $number - $1"
        sed 's/^/# /' "$work/said"
    fi
}

measure() {
    PATH="$work/bin:$PATH" validate/cuda/measure.sh "$@" >"$work/said" 2>&1
}

mkdir "$work/bin" "$work/tables"
touch "$work/tables/ring-2.table" "$work/tables/ring-4.table"
# Two sizes of a sweep, in fp32 and fp16; the first word of `bad` is what fails,
# `cut` what ends after three lines.
cat >"$work/program" <<'END'
#!/bin/sh
dir=${0%/*}
echo "$*" >>"$dir/calls"
line='{"gpus": %s, "uuid": "%s", "ran": "%s", "bytes": %s}\n'
case "$*" in nccl*) echo 'no libnccl' >&2; exit 3;; esac
tell() { printf "$line" "$(cat "$dir/gpus")" "$(cat "$dir/card")" "$1" "$2"; }
case "$*" in "$(cat "$dir/bad" 2>/dev/null)"*) exit 1;; esac
case "$*" in
run*fp32,fp16*) first=$(echo "$*" | sed 's/.* -b \([0-9]*\)B.*/\1/')
    tell fp32 "$first"
    tell fp16 "$first"
    case "$*" in *"$(cat "$dir/cut")"*)
        tell fp32 $((2 * first))
        printf '{"gpus": 1, "by'
        exit 1
        ;;
    esac ;;
*) tell "$1" 64 ;;
esac
END
cat >"$work/bin/compute-sanitizer" <<'END'
#!/bin/sh
case "$*" in *racecheck*--error-exitcode*) exit 9;; esac
case "$*" in *synccheck*) echo 'no such device'; exit 1;; esac
echo 'ERROR SUMMARY: 0 errors'
END
chmod +x "$work/program" "$work/bin/compute-sanitizer"
echo calibrate >"$work/bad"
echo none >"$work/cut"
echo 1 >"$work/gpus"
echo GPU-a >"$work/card"

measure --part 1 "$work/program" "$work/tables" "$work/out"
[ $? = 1 ] && grep -q 'calibrate GPU-a: exit status 1' "$work/said"
result 'a step that fails makes it fail' $?
grep -q 'racecheck: exit status 9' "$work/said"
result 'what compute-sanitizer finds makes it fail' $?
grep -q 'synccheck: not run: no such device' "$work/said"
result 'a check that cannot run here is told with its reason' $?
# The machine, and five sweeps of three algorithms with two lines each.
[ "$(wc -l <"$work/out/measured.jsonl")" = 31 ] &&
    [ "$(wc -l <"$work/out/apart.txt")" = 1 ]
result 'lines of the steps that are done are kept, a trial apart' $?

printf '#!/bin/sh\n' >"$work/bin/compute-sanitizer"
echo none >"$work/bad"
: >"$work/calls"
measure --part 1 --from "$work/out" "$work/program" "$work/tables" "$work/next"
[ $? = 0 ] && [ "$(tr '\n' ' ' <"$work/calls")" = 'machine calibrate ' ] &&
    head -n 31 "$work/next/measured.jsonl" |
    cmp -s - "$work/out/measured.jsonl" &&
    [ "$(wc -l <"$work/next/measured.jsonl")" = 32 ]
result 'what was done is not done again, from another folder too' $?

echo GPU-b >"$work/card"
: >"$work/calls"
measure --part 1 "$work/program" "$work/tables" "$work/next" &&
    [ "$(grep -c '^calibrate' "$work/calls")" = 1 ] &&
    [ "$(grep -c '^run' "$work/calls")" = 1 ]
result 'another GPU is tried and calibrated, and its rings are not run again' $?

echo 'ring-8.table' >"$work/cut"
measure --part 1 "$work/program" "$work/tables" "$work/cutoff"
[ $? = 1 ] && grep -q 'ring-8 --dtype fp32,fp16|8192' "$work/cutoff/resume" &&
    [ "$(grep -c fp32 "$work/cutoff/measured.jsonl")" = 15 ] &&
    [ "$(wc -l <"$work/cutoff/failed.txt")" = 2 ]
result 'whole sizes of a sweep that was cut short are kept' $?
echo none >"$work/cut"
: >"$work/calls"
measure --part 1 "$work/program" "$work/tables" "$work/cutoff" &&
    grep -q 'ring-8.table -b 8192B' "$work/calls" &&
    [ "$(grep -c '^run' "$work/calls")" = 1 ]
result 'it goes on from the size behind them' $?

measure --part 2 "$work/program" "$work/tables" "$work/out" &&
    grep -q -- '--table .*/ps-16.table -b 4096B' "$work/calls" &&
    measure --part 3 "$work/program" "$work/tables" "$work/out"
result 'each part is a call' $?
echo 2 >"$work/gpus"
: >"$work/calls"
measure --part 3 "$work/program" "$work/tables" "$work/out" &&
    [ "$(grep -c -- '--gpus 2 --transport copy' "$work/calls")" = 2 ] &&
    grep -q 'nccl: not run: no libnccl' "$work/said"
result 'more than one GPU is measured by all ways' $?
measure --part 4 "$work/program" "$work/tables" "$work/out"
[ $? = 2 ] && grep -q "no part '4'" "$work/said"
result 'a part that is not there is refused' $?
measure --dry && ! grep -q 'too long' "$work/said" &&
    [ "$(grep -c 'in all' "$work/said")" = 3 ]
result 'the plan says that every part fits into its time' $?

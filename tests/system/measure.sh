#!/bin/sh
# What measures on a GPU, with a stand-in for collsim-cuda: steps that are done
# are not done again, sweeps go on where they were cut short, and what fails or
# is found makes it fail.
set -u
cd "$(dirname "$0")/../.." || exit 1
echo 1..19
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
# A size of a sweep, in fp32 and fp16; the first word of `bad` is what fails, `cut`
# what ends after three lines.  What `wrong` names goes through all sizes with a
# wrong sum at 8 KiB and a point that failed at 16 KiB; what `broken` names ends at
# 8 KiB with the GPU.
cat >"$work/program" <<'END'
#!/bin/sh
dir=${0%/*}
echo "$*" >>"$dir/calls"
for word in bad cut wrong broken gpus card; do
    read -r "${word?}" <"$dir/$word"
done
line='{"gpus": %s, "uuid": "%s", "ran": "%s", "bytes": %s}\n'
case "$*" in nccl*) echo 'no libnccl' >&2; exit 3;; esac
tell() { printf "$line" "$gpus" "$card" "$1" "$2"; }
case "$*" in "$bad"*) exit 1;; esac
case "$*" in
machine) [ ! -e "$dir/old" ] || { echo 'collsim-cuda: driver is old' >&2; exit 3; } ;;
calibrate) [ ! -e "$dir/slow" ] || { tell stream 64; echo '{"gp'; exit 124; } ;;
*"$wrong"*)
    size=4096
    while [ $size -le 2147483648 ]; do
        [ $size = 16384 ] && printf '{"failed": "late", "bytes": 16384}\n' ||
            tell fp32 $size
        [ $size = 8192 ] && printf '{"bytes": 8192, "wrong": 5}\n' ||
            tell fp16 $size
        size=$((2 * size))
    done
    exit 1 ;;
*"$broken"*' -b 4096B'*) tell fp32 4096; tell fp16 4096 ;;
esac
case "$*" in
*"$broken"*' -b 4096B'* | *"$broken"*' -b 8192B'*)
    tell fp32 8192
    echo '{"bytes": 8192, "failed": "the GPU is gone"}'
    exit 3 ;;
esac
case "$*" in
run*fp32,fp16*) first=$(echo "$*" | sed 's/.* -b \([0-9]*\)B.*/\1/')
    tell fp32 "$first"
    tell fp16 "$first"
    case "$*" in *"$cut"*)
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
case "$*" in *memcheck*) echo 'collsim-cuda: cannot run here' >&2; exit 3;; esac
echo 'ERROR SUMMARY: 0 errors'
END
chmod +x "$work/program" "$work/bin/compute-sanitizer"
echo calibrate >"$work/bad"
echo none | tee "$work/cut" "$work/wrong" >"$work/broken"
echo 1 >"$work/gpus"
echo GPU-a >"$work/card"

measure --part 1 "$work/program" "$work/tables" "$work/out"
[ $? = 1 ] && grep -q 'calibrate GPU-a: exit status 1' "$work/said"
result 'a step that fails makes it fail' $?
grep -q 'racecheck: exit status 9' "$work/said"
result 'what compute-sanitizer finds makes it fail' $?
grep -q 'synccheck: not run: no such device' "$work/said"
result 'a check that cannot run here is told with its reason' $?
grep -q 'memcheck: not run: collsim-cuda: cannot run here' "$work/said"
result 'a program that cannot run under a check is told with its reason' $?
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

echo 'ring-8.table' >"$work/wrong"
measure --part 1 "$work/program" "$work/tables" "$work/spoiled"
[ $? = 1 ] && grep -qx 'ring-8 --dtype fp32,fp16' "$work/spoiled/done" &&
    ! grep -qE '"wrong": 5|"failed"' "$work/spoiled/measured.jsonl" &&
    [ "$(grep -cE '"wrong": 5|"failed"' "$work/spoiled/failed.txt")" = 2 ] &&
    [ "$(grep -c '"bytes": 8192}' "$work/spoiled/measured.jsonl")" = 1 ] &&
    [ "$(grep -c '"bytes": 2147483648}' "$work/spoiled/measured.jsonl")" = 2 ]
result 'wrong sums are left out and the sweep is done' $?
: >"$work/calls"
measure --part 1 "$work/program" "$work/tables" "$work/spoiled"
[ $? = 1 ] && ! grep -q '^run' "$work/calls" &&
    grep -q 'ring-8 .* are given up: 8192 16384' "$work/said"
result 'they are told each time, and not run again' $?
echo none >"$work/wrong"

echo 'ring-8.table' >"$work/broken"
measure --part 1 "$work/program" "$work/tables" "$work/broke"
grep -qx 'ring-8 --dtype fp32,fp16|8192' "$work/broke/resume" &&
    [ ! -s "$work/broke/gaps" ] &&
    ! measure --part 1 "$work/program" "$work/tables" "$work/broke" &&
    grep -qx 'ring-8 --dtype fp32,fp16|8192' "$work/broke/gaps" &&
    ! measure --part 1 "$work/program" "$work/tables" "$work/broke" &&
    grep -qx 'ring-8 --dtype fp32,fp16' "$work/broke/done" &&
    grep -q -- 'ring-8.table -b 16384B' "$work/calls" &&
    ! grep -q '"bytes": 8192' "$work/broke/measured.jsonl"
result 'a size that fails twice is given up, and it goes on behind' $?
echo none >"$work/broken"

touch "$work/slow"
printf '#!/bin/sh\necho "collsim-cuda: 1 measurement is wrong" >&2; exit 1\n' \
    >"$work/bin/compute-sanitizer"
measure --part 1 "$work/program" "$work/tables" "$work/late"
[ $? = 1 ] && grep -q '"stream"' "$work/late/measured.jsonl" &&
    ! grep -q '{"gp$' "$work/late/measured.jsonl" && rm "$work/slow" &&
    grep -q 'memcheck: exit status 1: collsim-cuda: 1 meas' "$work/said"
result 'what fails under compute-sanitizer makes it fail' $?
printf '#!/bin/sh\n' >"$work/bin/compute-sanitizer"
measure --part 1 "$work/program" "$work/tables" "$work/late" &&
    ! grep -q '"stream"' "$work/late/measured.jsonl" &&
    grep -q '"calibrate"' "$work/late/measured.jsonl"
result 'a calibration that was cut short is kept until there is a whole one' $?

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
touch "$work/old"
: >"$work/calls"
measure --part 1 "$work/program" "$work/tables" "$work/old-driver"
[ $? = 3 ] && grep -q 'nothing can run here: collsim-cuda: driver is old' \
    "$work/said" && [ "$(cat "$work/calls")" = machine ]
result 'where a driver is too old nothing else is tried' $?

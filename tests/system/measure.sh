#!/bin/sh
# measure.sh with a stand-in for collsim-cuda: finished steps are not repeated,
# interrupted sweeps resume, after kill -9 too, and failures and findings make the
# measurement fail.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1
echo 1..34
. tests/tap.sh

# measure STAGE [OPTION ...] OUT
measure() {
    stage=$1
    shift
    dir=
    for word; do dir=$word; done
    set -- "$@" last
    options=
    while [ "$2" != last ]; do
        options="$options $1"
        shift
    done
    # shellcheck disable=SC2086 # a list of words
    PATH="$work/bin:$PATH" validate/cuda/measure.sh --stage "$stage" $options \
        "$work/program" "$work/tables" "$dir" >"$work/said" 2>&1
}

mkdir "$work/bin" "$work/tables"
for table in ring-2 ring-4 tree-4 ps-4; do
    echo 'agents 0' >"$work/tables/$table.table"
done
echo 'agents 1' >"$work/tables/ps-4.table"
# Two sizes of a sweep; the first word of `bad` is what fails, `cut` what ends
# after three lines.  What `wrong` names goes through all sizes with a wrong sum at
# 16 KiB and a point that failed at 64 KiB; what `broken` names ends at 16 KiB with
# the GPU.  `hang` is what prints two sizes and goes on for ever.
cat >"$work/program" <<'END'
#!/bin/sh
dir=${0%/*}
case "$*" in --help) echo "Built with CUDA 13.0: needs NVIDIA's driver 580"; exit ;; esac
echo "$*" >>"$dir/calls"
for word in bad cut wrong broken hang gpus card; do
    read -r "${word?}" <"$dir/$word"
done
line='{"gpus": %s, "uuid": "%s", "ran": "%s", "bytes": %s}\n'
[ ! -e "$dir/model" ] || line="{\"gpu\": \"$(cat "$dir/model")\", ${line#?}"
case "$*" in nccl*) echo 'no libnccl' >&2; exit 3;; esac
row() { printf "$line" "$gpus" "$card" "$1" "$2"; }
case "$*" in "$bad"*) exit 1;; esac
name=$(echo "$*" | sed -n 's/.*\/\([a-z0-9-]*\)\.table.* -b \([0-9]*\)B.*/\1 \2/p')
first=${name#* }
name="$name $*"
case "$*" in
machine) [ ! -e "$dir/old" ] || { echo 'collsim-cuda: driver is old' >&2; exit 3; } ;;
calibrate)
    row "stream $$" 64
    [ ! -e "$dir/slow" ] || { echo '{"gp'; exit 124; } ;;
*"$wrong"*)
    size=4096
    while [ $size -le 1073741824 ]; do
        [ $size = 65536 ] && printf '{"failed": "late", "bytes": 65536}\n' ||
        { [ $size = 16384 ] && printf '{"bytes": 16384, "wrong": 5}\n'; } ||
            row "$name" $size
        size=$((4 * size))
    done
    exit 1 ;;
*"$broken"*' -b 4096B'*) row "$name" 4096 ;;
esac
case "$*" in
*"$broken"*' -b 4096B'* | *"$broken"*' -b 16384B'*)
    echo '{"bytes": 16384, "failed": "the GPU is gone"}'
    exit 3 ;;
*"$hang"*)
    row "$name" "$first"; row "$name" $((4 * first))
    printf '{"gpus": 1, "by'
    echo $$ >"$dir/hangs"
    exec sleep 60 ;;
run*tables*' -f 4 '* | run*tables*' -f 2 '*)
    row "$name" "$first"
    case "$*" in *"$cut"*)
        printf '{"gpus": 1, "by'
        exit 1
        ;;
    esac ;;
*) row "$1 $name" 64 ;;
esac
END
cat >"$work/bin/compute-sanitizer" <<'END'
#!/bin/sh
case "$*" in *racecheck*--error-exitcode*) exit 9;; esac
case "$*" in *synccheck*) echo 'no such device'; exit 1;; esac
case "$*" in *memcheck*) echo 'collsim-cuda: cannot run here' >&2; exit 3;; esac
echo 'ERROR SUMMARY: 0 errors'
END
printf '#!/bin/sh\necho "PCIe Generation: 5"\n' >"$work/bin/nvidia-smi"
chmod +x "$work/program" "$work/bin/compute-sanitizer" "$work/bin/nvidia-smi"
echo none | tee "$work/bad" "$work/cut" "$work/wrong" "$work/hang" >"$work/broken"
echo 1 >"$work/gpus"
echo GPU-a >"$work/card"
lines() { wc -l <"$work/$1"; }

measure 1 "$work/out" && grep -q 'Generation: 5' "$work/out/facts" &&
    grep -q "needs NVIDIA's driver 580" "$work/out/log"
result 'facts are kept, and the required driver is printed' $?

measure 2 "$work/out"
[ $? = 1 ] && grep -q 'racecheck: exit status 9' "$work/said"
result 'findings of compute-sanitizer make the measurement fail' $?
grep -q 'memcheck: not run: collsim-cuda: cannot run here' "$work/said"
result 'a program that cannot run under a check is reported with the reason' $?
[ "$(grep -c -- '--transport' "$work/calls")" = 3 ] &&
    grep -q 'ps-4.table.*--transport device' "$work/calls" &&
    ! grep -q 'ps-4.table.*--transport copy' "$work/calls" &&
    [ "$(lines out/apart.txt)" = 3 ]
result 'all algorithms are tested by each transport that takes them, apart' $?
printf '#!/bin/sh\necho "collsim-cuda: 1 measurement is wrong" >&2; exit 1\n' \
    >"$work/bin/compute-sanitizer"
measure 2 "$work/check"
[ $? = 1 ] &&
    grep -q 'memcheck: exit status 1: collsim-cuda: 1 meas' "$work/said"
result 'a failure under compute-sanitizer makes the measurement fail' $?
printf '#!/bin/sh\n' >"$work/bin/compute-sanitizer"
echo "run --table $work/tables/ps-4.table," >"$work/bad"
: >"$work/calls"
measure 2 "$work/each"
[ $? = 1 ] && grep -q 'self-test by host of tree-4.table: done' "$work/said"
result 'where one algorithm ends the test, each is tested by itself' $?

echo calibrate >"$work/bad"
measure 3 "$work/out"
[ $? = 1 ] && grep -q 'calibrate GPU-a: exit status 1' "$work/said"
result 'a step that fails makes it fail' $?
echo none >"$work/bad"
touch "$work/slow"
measure 3 "$work/late"
[ $? = 1 ] && [ "$(lines late/measured.jsonl)" = 1 ] && rm "$work/slow" &&
    measure 3 "$work/late" && [ "$(lines late/measured.jsonl)" = 3 ]
result 'lines of a calibration that was cut short are kept, and it is repeated' $?

cat >"$work/collsim" <<'END'
#!/bin/sh
[ "$1 $2 $3" = 'validate predict --data' ] && grep -q stream "$4" &&
    echo '{"kind": "predicted"}'
END
chmod +x "$work/collsim"
measure 3 --predict "$work/collsim" "$work/late" &&
    [ "$(grep -c predicted "$work/late/measured.jsonl")" = 1 ] &&
    measure 3 --predict "$work/collsim" "$work/late" &&
    [ "$(grep -c predicted "$work/late/measured.jsonl")" = 1 ]
result 'predictions are written down once there is a calibration' $?

: >"$work/calls"
measure 4 "$work/out"
[ $? = 0 ] && [ "$(grep -c '^run' "$work/calls")" = 16 ] &&
    [ "$(lines out/measured.jsonl)" = 17 ]
result 'four algorithms of four numbers of ranks are swept' $?
: >"$work/calls"
measure 4 --from "$work/out" "$work/next" &&
    [ "$(tr '\n' ' ' <"$work/calls")" = 'machine ' ] &&
    cmp -s "$work/next/measured.jsonl" "$work/out/measured.jsonl"
result 'finished steps are not repeated, from another folder too' $?
echo GPU-b >"$work/card"
: >"$work/calls"
measure 3 "$work/next" && [ "$(grep -c '^calibrate' "$work/calls")" = 1 ]
result 'another GPU is calibrated by itself' $?
echo GPU-a >"$work/card"

echo 'ring-8.table' >"$work/cut"
measure 4 "$work/cutoff"
[ $? = 1 ] && grep -q '^resume|ring-8 by.*|16384$' "$work/cutoff/state" &&
    [ "$(lines cutoff/measured.jsonl)" = 16 ] &&
    [ "$(lines cutoff/failed.txt)" = 1 ]
result 'whole sizes of a sweep that was cut short are kept' $?
echo none >"$work/cut"
: >"$work/calls"
measure 4 "$work/cutoff" && grep -q 'ring-8.table -b 16384B' "$work/calls" &&
    [ "$(grep -c '^run' "$work/calls")" = 1 ]
result 'a restart resumes at the next size' $?

echo 'ring-8.table' >"$work/wrong"
measure 4 "$work/spoiled"
[ $? = 1 ] && grep -q '^done|ring-8 by' "$work/spoiled/state" &&
    ! grep -qE '"wrong": 5|"failed"' "$work/spoiled/measured.jsonl" &&
    [ "$(grep -cE '"wrong": 5|"failed"' "$work/spoiled/failed.txt")" = 2 ] &&
    [ "$(grep -c '"bytes": 1073741824}' "$work/spoiled/measured.jsonl")" = 1 ]
result 'wrong sums are left out and the sweep is done' $?
: >"$work/calls"
measure 4 "$work/spoiled"
[ $? = 1 ] && ! grep -q '^run' "$work/calls" &&
    grep -q 'ring-8 .* are given up: 16384 65536' "$work/said" &&
    grep -q '2 sizes given up' "$work/spoiled/report"
result 'wrong sums are reported each time, and not run again' $?
echo none >"$work/wrong"

echo 'ring-8.table' >"$work/broken"
measure 4 "$work/broke"
grep -q '^resume|ring-8 by.*|16384$' "$work/broke/state" &&
    ! grep -q '^gap' "$work/broke/state" && ! measure 4 "$work/broke" &&
    grep -q '^gap|ring-8 by.*|16384$' "$work/broke/state" &&
    ! measure 4 "$work/broke" && grep -q '^done|ring-8 by' "$work/broke/state" &&
    grep -q -- 'ring-8.table -b 65536B' "$work/calls" &&
    ! grep -q '"bytes": 16384' "$work/broke/measured.jsonl"
result 'a size that fails twice is given up, and the sweep resumes behind' $?
echo none >"$work/broken"

echo 'ring-8.table' >"$work/hang"
rm -f "$work/hangs"
PATH="$work/bin:$PATH" validate/cuda/measure.sh --stage 4 \
    "$work/program" "$work/tables" "$work/killed" >"$work/said" 2>&1 &
child=$!
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    [ -s "$work/hangs" ] && break
    sleep 0.25
done
kill -9 $child
wait $child 2>/dev/null
[ "$(find "$work/killed" -type f | wc -l)" -le 8 ] &&
    [ "$(grep -c ring-8 "$work/killed/step")" = 2 ]
result 'at most eight files are left when it is killed' $?
measure 4 "$work/killed"
[ $? = 2 ] && grep -q 'is still running' "$work/said"
result 'a second measurement waits for the step that a killed one left' $?
kill -9 "$(cat "$work/hangs")"
echo none >"$work/hang"
sleep 0.2
: >"$work/calls"
measure 4 "$work/killed" && grep -q 'ring-8.table -b 65536B' "$work/calls" &&
    [ "$(grep -c 'ran": "ring-8' "$work/killed/measured.jsonl")" = 3 ] &&
    ! grep -qv '}$' "$work/killed/measured.jsonl"
result 'after kill -9 a restart resumes behind the printed lines' $?

measure 5 "$work/out" && grep -q -- 'ps-16.table -b 4096B' "$work/calls" &&
    measure 6 "$work/out" &&
    [ "$(grep -c -- 'ring-8.table.*--channels' "$work/calls")" = 6 ] &&
    grep -q 'rabenseifner-8.table' "$work/calls" &&
    [ "$(grep -c -- '-8.table -b 4KiB -e 1GiB -f 64' "$work/calls")" = 4 ] &&
    [ "$(grep -c '"ran": "stream' "$work/out/measured.jsonl")" = 1 ]
result 'the grid has held-out schedules and channels, and repeated points' $?
echo 2 >"$work/gpus"
: >"$work/calls"
measure 6 "$work/gpus-2" &&
    grep -q -- '--gpus 2 --transport copy' "$work/calls" ||
    { touch "$work/tables/ring-2.table" &&
        grep -q 'nccl: not run: no libnccl' "$work/said"; }
result 'more than one GPU is measured by every transport' $?
echo 1 >"$work/gpus"
measure 7 "$work/out"
[ $? = 2 ] && grep -q "no stage '7'" "$work/said"
result 'an unknown stage is refused' $?
measure 4 --budget 0 "$work/none"
[ $? = 1 ] && [ "$(grep -c 'no time is left' "$work/said")" = 16 ]
result 'nothing is begun that its time does not suffice for' $?
validate/cuda/measure.sh --dry >"$work/said" 2>&1 &&
    ! grep -q 'does not fit' "$work/said" &&
    [ "$(grep -c 'in all' "$work/said")" = 6 ] &&
    [ "$(awk '/in all/ && ++n < 6 { s += $1 } END { print s < 600 }' \
        "$work/said")" = 1 ]
result 'the plan says that ten minutes are enough for the first five stages' $?
[ "$(find "$work/out" -type f | wc -l)" -le 8 ]
result 'at most eight files come out' $?
touch "$work/old"
: >"$work/calls"
measure 1 "$work/not/there/old-driver"
[ $? = 3 ] && grep -q 'nothing can run here: collsim-cuda: driver is old' \
    "$work/said" && [ "$(cat "$work/calls")" = machine ] &&
    grep -q "needs NVIDIA's driver" "$work/said" && [ ! -e "$work/not" ]
result 'where a driver is too old nothing else is tried, and nothing is left' $?
rm "$work/old"

# refused NAME STATUS MESSAGE OPTION...: by those options, and nothing is made.
refused() {
    name=$1 expected=$2 message=$3
    shift 3
    rm -rf "$work/refused"
    validate/cuda/measure.sh "$@" "$work/tables" "$work/refused" \
        >"$work/said" 2>&1
    [ $? = "$expected" ] && grep -q -- "$message" "$work/said" &&
        [ ! -e "$work/refused" ] && [ "$(wc -l <"$work/said")" = 1 ]
    result "$name" $?
}
refused 'a program that is not there is named, and what builds it' 3 \
    "no program '$work/none/x'; 'make collsim-cuda'" "$work/none/x"
refused 'a folder to go on from that is not there is refused' 2 \
    "no folder '/none'" --from /none "$work/program"
refused 'an option that is not there is named' 2 "no option '--bogus'" \
    --bogus 3 "$work/program"

echo X100 >"$work/model"
measure 1 "$work/model-1"
echo Y200 >"$work/model"
: >"$work/calls"
measure 4 "$work/model-1"
[ $? = 2 ] && grep -q 'has runs of X100, here is Y200' "$work/said" &&
    [ "$(cat "$work/calls")" = machine ]
result 'runs of one model of GPU are not taken for those of another' $?
rm "$work/model"

# Files of at most 1 KiB, which is what that of the lines has.
measure 1 "$work/full" && yes . | head -c 1024 >"$work/full/measured.jsonl" &&
    : >"$work/calls" && ! (trap '' XFSZ && ulimit -f 2 &&
        measure 4 "$work/full") &&
    grep -q 'make room and start again' "$work/said" &&
    ! grep -q '^done|ring' "$work/full/state"
result 'a step whose lines a full disk refused is not done' $?

echo 'ring-8.table' >"$work/hang"
rm -f "$work/hangs"
# With SIGINT as at a terminal: what sh starts by & ignores it.
env --default-signal=INT setsid "${COLLSIM:-./collsim}" measure cuda --all \
    --program "$work/program" --out "$work/stopped" --with '--stage 4' \
    >"$work/said" 2>&1 &
child=$!
for _ in 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20; do
    [ -s "$work/hangs" ] && break
    sleep 0.25
done
kill -s INT -- -$child
wait $child
status=$?
echo none >"$work/hang"
: >"$work/calls"
[ $status = 130 ] && ! kill -0 "$(cat "$work/hangs")" 2>/dev/null &&
    grep -q 'to resume' "$work/said" && measure 4 "$work/stopped" &&
    grep -q 'ring-8.table -b 65536B' "$work/calls"
result 'Ctrl-C ends the step at once, and a restart resumes' $?

: >"$work/said"
built=${COLLSIM:-./build/release/collsim}
[ ! -e "${built%/*}/commit" ] || grep -qF "$(cat "${built%/*}/commit")" "$built"
result 'collsim knows the commit that its predictions are by' $?

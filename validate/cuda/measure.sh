#!/bin/sh
# Measures on this computer's GPUs: all that validation needs, in three parts
# of less than BUDGET seconds (500) each, the most important first.
#
#     validate/cuda/measure.sh [--part N] COLLSIM_CUDA TABLES OUT
#
# Without --part all are done.  OUT/measured.jsonl gets the lines of the steps
# that are done, whose names are in OUT/done; these are left out when it is
# started again.  OUT/log has what was done and how it went, OUT/sanitizer.log
# what compute-sanitizer says.  Clocks are left as they are.  A step that fails
# or takes too long is told of, its lines are in OUT/failed.jsonl, and the next
# one is done.  Exit status 1 when a step of these parts is not done.
set -u
parts='1 2 3'
if [ "${1-}" = --part ]; then
    parts=${2-}
    shift 2
fi
case $parts in
1 | 2 | 3 | '1 2 3') ;;
*)
    echo "measure.sh: no part '$parts'; expected 1, 2 or 3" >&2
    exit 2
    ;;
esac
if [ $# != 3 ]; then
    echo 'usage: measure.sh [--part N] COLLSIM_CUDA TABLES OUT' >&2
    exit 2
fi
program=$1
tables=$2
out=$3
budget=${BUDGET-500}
failed=0

mkdir -p "$out" || exit 2
touch "$out/measured.jsonl" "$out/done" || exit 2
if ! ls "$tables"/ring-2.table >/dev/null 2>&1; then
    echo "no programs in $tables; 'make cuda-tables' writes them" >&2
    exit 2
fi

say() {
    echo "[$(($(date +%s) - begin)) s] $*" | tee -a "$out/log"
}

# perform SECONDS NAME COMMAND...: runs it, at most so long, unless it is done;
# what it prints is in OUT/step.
perform() {
    most=$1
    name=$2
    shift 2
    if grep -qxF "$name" "$out/done"; then
        say "$name: was done"
        return 1
    fi
    rest=$((budget - $(date +%s) + begin))
    if [ "$rest" -lt 5 ]; then
        say "$name: left out, no time is left"
        failed=1
        return 1
    fi
    [ "$most" -gt "$rest" ] || rest=$most
    timeout -k 5 "$rest" "$@" >"$out/step" 2>"$out/errors"
    status=$?
    if [ $status = 0 ]; then
        echo "$name" >>"$out/done"
        say "$name: done"
        return 0
    fi
    say "$name: exit status $status: $(head -c 400 "$out/errors")"
    failed=1
    return 1
}

# step SECONDS NAME ARGUMENT...: lines of the program.
step() {
    most=$1
    name=$2
    shift 2
    : >"$out/step"
    if perform "$most" "$name" "$program" "$@"; then
        cat "$out/step" >>"$out/measured.jsonl"
    else
        cat "$out/step" >>"$out/failed.jsonl"
    fi
}

# sweep SECONDS ALGORITHM "RANKS ..." OPTIONS
sweep() {
    most=$1
    algo=$2
    for ranks in $3; do
        # shellcheck disable=SC2086 # a list of words
        step "$most" "$algo-$ranks $4" \
            run --table "$tables/$algo-$ranks.table" $4
    done
}

# What it finds, as an error of the step.
sanitize() {
    if ! command -v compute-sanitizer >/dev/null 2>&1; then
        say 'compute-sanitizer: not installed'
        return
    fi
    for tool in memcheck racecheck synccheck; do
        perform 40 "compute-sanitizer $tool" compute-sanitizer --tool $tool \
            --error-exitcode 9 "$program" run \
            --table "$tables/ring-4.table" -b 64KiB -e 64KiB --runs 1 \
            --warmup 1 --channels 2
        cat "$out/step" "$out/errors" >>"$out/sanitizer.log"
    done
}

both='--dtype fp32,fp16'

# Does it work at all?  A small run, checked, before anything long.
part_1() {
    step 20 machine machine
    step 20 trial run --table "$tables/ring-4.table" -b 64KiB -e 1MiB -f 16 \
        --runs 2
    [ $failed = 0 ] || exit 3
    step 120 calibrate calibrate
    sanitize
    sweep 60 ring '8 2 4' "-b 4KiB -e 2GiB $both"
}

part_2() {
    sweep 60 ring '16 3' "-b 4KiB -e 2GiB $both"
    sweep 35 tree '8 2 4 16 3' "-b 4KiB -e 1GiB $both"
    sweep 35 naive '8 2 4 16 3' "-b 4KiB -e 256MiB $both"
}

part_3() {
    sweep 25 ps '8 2 4 16 3' '-b 4KiB -e 32MiB'
    sweep 25 ring '2 8 4' '-b 4KiB -e 128MiB --transport host'
    sweep 25 ring '2 8 4' '-b 1MiB -e 256MiB --transport copy'
    sweep 20 ps '8 4' '-b 4KiB -e 256MiB --servers device'
    # How slices, slots and channels matter, at one size.
    for option in '--slice 16KiB' '--slice 64KiB' '--slice 128KiB' \
        '--depth 4' '--channels 8' '--channels 16'; do
        sweep 15 ring 8 "-b 256MiB -e 256MiB $option"
    done
    gpus=$(timeout 20 "$program" machine | sed -n 's/.*"gpus": \([0-9]*\).*/\1/p')
    [ "${gpus:-0}" -ge 2 ] || return
    step 40 nccl nccl -b 4KiB -e 1GiB
    [ ! -e "$tables/ring-$gpus.table" ] ||
        sweep 40 ring "$gpus" "-b 4KiB -e 1GiB $both --gpus $gpus"
}

for part in $parts; do
    begin=$(date +%s)
    case $part in
    1) part_1 ;;
    2) part_2 ;;
    3) part_3 ;;
    esac
done
rm -f "$out/step" "$out/errors"
say "$(wc -l <"$out/measured.jsonl") lines in $out/measured.jsonl"
exit $failed

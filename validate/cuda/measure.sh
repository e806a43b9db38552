#!/bin/sh
# Measures on this computer's GPUs: all that validation needs, in less than
# BUDGET seconds (500), the most important first.
#
#     validate/cuda/measure.sh COLLSIM_CUDA TABLES OUT
#
# OUT/measured.jsonl gets the lines, OUT/log what was done and how it went,
# OUT/sanitizer.log what compute-sanitizer says.  Clocks are left as they are.
# A step that fails or takes too long is told of, and the next one is done.
set -u
program=$1
tables=$2
out=$3
budget=${BUDGET-500}
begin=$(date +%s)
failed=0

mkdir -p "$out" || exit 2
: >"$out/measured.jsonl"
: >"$out/log"
if ! ls "$tables"/ring-2.table >/dev/null 2>&1; then
    echo "no programs in $tables; 'make cuda-tables' writes them" >&2
    exit 2
fi

left() {
    echo $((budget - $(date +%s) + begin))
}

say() {
    echo "[$(($(date +%s) - begin)) s] $*" | tee -a "$out/log"
}

# step SECONDS NAME ARGUMENT...: runs the program, at most so long.
step() {
    most=$1
    name=$2
    shift 2
    rest=$(left)
    if [ "$rest" -lt 5 ]; then
        say "$name: left out, no time is left"
        failed=1
        return
    fi
    [ "$most" -lt "$rest" ] || most=$rest
    timeout -k 5 "$most" "$program" "$@" >>"$out/measured.jsonl" \
        2>"$out/errors"
    status=$?
    if [ $status = 0 ]; then
        say "$name: done"
    else
        say "$name: exit status $status: $(head -c 400 "$out/errors")"
        failed=1
    fi
}

# sweep SECONDS ALGORITHM "RANKS ..." OPTION...
sweep() {
    most=$1
    algo=$2
    for ranks in $3; do
        what="$most $algo-$ranks run --table $tables/$algo-$ranks.table"
        # shellcheck disable=SC2086 # a list of words
        step $what $4
    done
}

step 20 machine machine
# Does it work at all?  A small run, checked, before anything long.
step 20 trial run --table "$tables/ring-4.table" -b 64KiB -e 1MiB -f 16 --runs 2
[ $failed = 0 ] || exit 3

step 100 calibrate calibrate
both='--dtype fp32,fp16'
sweep 40 ring '8 2 4 16 3' "-b 4KiB -e 2GiB $both"
sweep 25 tree '8 2 4 16 3' "-b 4KiB -e 1GiB $both"
sweep 25 naive '8 2 4 16 3' "-b 4KiB -e 256MiB $both"
sweep 25 ps '8 2 4 16 3' "-b 4KiB -e 32MiB"
sweep 20 ring '2 8 4' "-b 4KiB -e 128MiB --transport host"
sweep 20 ring '2 8 4' "-b 1MiB -e 256MiB --transport copy --slice 4MiB"
sweep 15 ps '8 4' "-b 4KiB -e 256MiB --servers device"
# How slices, slots and channels matter, at one size.
for slice in 16KiB 64KiB 128KiB; do
    sweep 15 ring 8 "-b 256MiB -e 256MiB --slice $slice"
done
for channels in 8 32; do
    sweep 15 ring 8 "-b 256MiB -e 256MiB --channels $channels"
done
if [ "$(grep -o '"gpus": [0-9]*' "$out/measured.jsonl" | head -n 1 |
    cut -d ' ' -f 2)" -ge 2 ]; then
    gpus=$(grep -o '"gpus": [0-9]*' "$out/measured.jsonl" | head -n 1 |
        cut -d ' ' -f 2)
    step 40 nccl nccl -b 4KiB -e 1GiB
    [ ! -e "$tables/ring-$gpus.table" ] ||
        sweep 40 ring "$gpus" "-b 4KiB -e 1GiB $both --gpus $gpus"
fi

if command -v compute-sanitizer >/dev/null 2>&1; then
    for tool in memcheck racecheck synccheck; do
        rest=$(left)
        [ "$rest" -gt 10 ] || break
        [ "$rest" -lt 40 ] || rest=40
        timeout -k 5 "$rest" compute-sanitizer --tool $tool "$program" run \
            --table "$tables/ring-4.table" -b 64KiB -e 64KiB --runs 1 \
            --warmup 1 --channels 2 >>"$out/sanitizer.log" 2>&1
        say "compute-sanitizer $tool: exit status $?," \
            "$(grep 'ERROR SUMMARY' "$out/sanitizer.log" | tail -n 1)"
    done
else
    say 'compute-sanitizer: not installed'
fi

say "$(wc -l <"$out/measured.jsonl") lines in $out/measured.jsonl"
exit $failed

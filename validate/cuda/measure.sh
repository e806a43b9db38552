#!/bin/sh
# Measures on this computer's GPUs: all that validation needs, in three parts of
# at most BUDGET seconds (540) each, the most important first.
#
#     validate/cuda/measure.sh [--part N] [--from DIR] COLLSIM_CUDA TABLES OUT
#     validate/cuda/measure.sh [--part N] --dry
#
# Without --part all are done.  --dry tells what is done and how long it should
# take (see below).  In OUT:
#
#     measured.jsonl   lines of the steps that are done, and of all whole sizes of
#                      sweeps that were cut short
#     apart.txt        lines that are no part of the comparison, which reads
#                      *.jsonl: a trial, and other slices, slots and channels
#     failed.txt       lines of steps that failed
#     done, resume     names of the steps that are done, which are left out when it
#                      is started again; where sweeps go on that are not
#     log              what was done and how it went; sanitizer.log
#
# With --from DIR it goes on from what an earlier OUT held.  Every GPU is
# calibrated by itself: a part that meets another one calibrates again.  Clocks
# are left as they are.  Exit status 1 when a step of these parts is not done.
#
# The grid: 2, 3, 4, 8 and 16 ranks, fp32 and fp16, 4 KiB to 2 GiB by 2, for rings
# by device, host and copy, naive, tree and ps.  Reduced where a run takes more
# than LIMIT seconds (0.4): a point costs 22 runs, and host, copy and ps with many
# ranks move up to 4 p n over PCIe.
#
# How long: bytes that a run moves of HBM and PCIe, at half of 4.8 TB/s (H200's
# datasheet) and half of 64 GB/s each way (PCIe 5.0 x16); filling and checking
# likewise; 1 ms for each run and 10 us for each copy that is enqueued, 2 s for
# each process, which are guesses.  HBM and PCIE (bytes/s) may be set otherwise.
# Other steps are counted with the most that they may take.
set -u
parts='1 2 3'
from=
dry=no
while [ $# -gt 0 ]; do
    case $1 in
    --part)
        parts=${2-}
        shift
        ;;
    --from)
        from=${2-}
        shift
        ;;
    --dry) dry=yes ;;
    *) break ;;
    esac
    [ $# = 0 ] || shift
done
case $parts in
1 | 2 | 3 | '1 2 3') ;;
*)
    echo "measure.sh: no part '$parts'; expected 1, 2 or 3" >&2
    exit 2
    ;;
esac
if [ $# != 3 ] && [ $dry = no ]; then
    echo 'usage: measure.sh [--part N] [--from DIR] COLLSIM_CUDA TABLES OUT' >&2
    echo '       measure.sh [--part N] --dry' >&2
    exit 2
fi
program=${1-}
tables=${2-}
out=${3-}
budget=${BUDGET-540}
limit=${LIMIT-0.4}
hbm=${HBM-2.4e12}
pcie=${PCIE-32e9}
failed=0
gpus=1
card=

say() {
    echo "[$(($(date +%s) - begin)) s] $*" | tee -a "$out/log"
}

# perform SECONDS NAME COMMAND...: runs it, at most so long, unless it is done;
# what it prints is in OUT/step.  Exit status: the command's; 200: it was done
# or no time is left.
perform() {
    rest=$((budget - $(date +%s) + begin))
    [ "$1" -gt "$rest" ] || rest=$1
    name=$2
    shift 2
    : >"$out/step"
    if grep -qxF "$name" "$out/done"; then
        say "$name: was done"
        return 200
    fi
    if [ "$rest" -lt 5 ]; then
        say "$name: left out, no time is left"
        failed=1
        return 200
    fi
    timeout -k 5 "$rest" "$@" >"$out/step" 2>"$out/errors"
    status=$?
    if [ $status = 0 ]; then
        echo "$name" >>"$out/done"
        say "$name: done"
    fi
    return $status
}

# tell NAME STATUS: of a step that failed.
tell() {
    [ "$2" != 200 ] || return
    say "$1: exit status $2: $(head -c 400 "$out/errors")"
    failed=1
}

# step SECONDS FILE NAME ARGUMENT...: lines of the program, into the file.
step() {
    if [ $dry = yes ]; then
        plan "$1" "$3"
        return
    fi
    cap=$1
    file=$2
    name=$3
    shift 3
    if perform "$cap" "$name" "$program" "$@"; then
        cat "$out/step" >>"$out/$file"
    else
        tell "$name" $?
        cat "$out/step" >>"$out/failed.txt"
    fi
}

# whole TYPES: of the lines in OUT/step those of sizes that have all types.
whole() {
    awk -v types="$1" '
        /"failed"/ || !/}$/ { exit }
        {
            size = $0
            sub(/^.*"bytes": /, "", size)
            size += 0
            if (size != before) lines = count = 0
            before = size
            held[++lines] = $0
            if (++count == types)
                for (i = 1; i <= lines; i++) print held[i]
        }' "$out/step"
}

# cut_short NAME OPTIONS: keeps what is whole of a sweep that failed.
cut_short() {
    case $2 in *fp32,fp16*) types=2 ;; *) types=1 ;; esac
    whole $types >"$out/whole"
    next=$(sed -n '$s/.*"bytes": \([0-9]*\).*/\1/p' "$out/whole")
    cat "$out/whole" >>"$out/measured.jsonl"
    grep -vxFf "$out/whole" "$out/step" >>"$out/failed.txt"
    [ -z "$next" ] || echo "$1|$((2 * next))" >>"$out/resume"
    rm -f "$out/whole"
}

# sweep ALGORITHM "RANKS ..." OPTIONS: a step for each number of ranks, which goes
# on where it was cut short.
sweep() {
    for ranks in $2; do
        name="$1-$ranks $3"
        if [ $dry = yes ]; then
            plan "$(seconds "$1" "$ranks" "$3")" "$name"
            continue
        fi
        first=$(awk -F'|' -v name="$name" '$1 == name { at = $2 }
            END { print at }' "$out/resume")
        # shellcheck disable=SC2086 # a list of words
        if perform 240 "$name" "$program" run --table "$tables/$1-$ranks.table" \
            -b "${first:-$least}B" -e "${most}B" --limit "${limit}s" $3; then
            cat "$out/step" >>"$out/measured.jsonl"
        else
            status=$?
            tell "$name" $status
            [ $status = 200 ] || cut_short "$name" "$3"
        fi
    done
}

# ---- how long ----

# plan SECONDS NAME
plan() {
    total=$(echo "$total $1" | awk '{ print $1 + $2 }')
    printf '%7.1f s  %s\n' "$1" "$2"
}

# seconds ALGORITHM RANKS OPTIONS: of a sweep.
seconds() {
    awk -v algo="$1" -v p="$2" -v options="$3" -v first="$least" \
        -v last="$most" -v limit="$limit" -v hbm="$hbm" -v pcie="$pcie" '
        # Bytes of HBM for each byte of a vector, and of PCIe each way.
        function memory() {
            if (algo == "naive") return 3 * p * (p - 1)
            return algo == "ps" ? 4 * p : 5 * (p - 1)
        }
        function link() {
            if (algo == "ps") return options ~ /servers device/ ? 0 : 4 * p
            return options ~ /host|copy/ ? 2 * (p - 1) : 0
        }
        function copies(n) {
            if (options !~ /copy/) return 0
            return 4 * p * (p - 1) * (1 + int(n / p / 4194304))
        }
        BEGIN {
            types = options ~ /fp32,fp16/ ? 2 : 1
            for (n = first; n <= last; n *= 2) {
                by_hbm = n * memory() / hbm
                by_pcie = n * link() / pcie
                run = by_hbm > by_pcie ? by_hbm : by_pcie
                vectors = p * (algo == "naive" ? 2 : 1)
                around = 1e-3 + copies(n) * 1e-5 + 3 * n * vectors / hbm
                sum += types * (run > limit ? 1 : 22) * (run + around)
            }
            print sum + 2
        }'
}

# ---- steps ----

# Wherever the toolkit has it.
find_sanitizer() {
    PATH="$PATH:/usr/local/cuda/bin:/usr/local/cuda/compute-sanitizer" \
        command -v compute-sanitizer
}

# What it finds, as an error of the step; where it cannot run, why not.
sanitize() {
    sanitizer=$(find_sanitizer)
    if [ $dry = no ] && [ -z "$sanitizer" ]; then
        say 'compute-sanitizer: not run: it is not installed'
        return
    fi
    for tool in memcheck racecheck synccheck; do
        step="compute-sanitizer $tool"
        if [ $dry = yes ]; then
            plan 40 "$step"
            continue
        fi
        perform 40 "$step" "$sanitizer" --tool "$tool" --error-exitcode 9 \
            "$program" run --table "$tables/ring-4.table" -b 64KiB -e 64KiB \
            --runs 1 --warmup 1 --channels 2
        case $? in
        0) ;;
        200) continue ;;
        9) tell "$step" 9 ;;
        124) say "$step: not run: it takes more than 40 s" ;;
        *) say "$step: not run: $(cat "$out/errors" "$out/step" | head -c 400)" ;;
        esac
        cat "$out/step" "$out/errors" >>"$out/sanitizer.log"
    done
}

all='2 3 4 8 16'
both='--dtype fp32,fp16'
least=4096
most=2147483648

# Which GPU is it, and is it calibrated?  Does it work at all: a small run,
# checked, before anything long.
begin_part() {
    if [ $dry = no ]; then
        about=$(timeout 20 "$program" machine 2>"$out/errors")
        gpus=$(echo "$about" | sed -n 's/.*"gpus": \([0-9]*\).*/\1/p')
        card=$(echo "$about" | sed -n 's/.*"uuid": "\([^"]*\)".*/\1/p')
    fi
    before=$failed
    failed=0
    step 20 measured.jsonl "machine $card" machine
    step 20 apart.txt   "trial $card" run --table "$tables/ring-4.table" \
        -b 64KiB -e 1MiB -f 16 --runs 2
    [ $failed = 0 ] || exit 3
    failed=$before
    step 60 measured.jsonl "calibrate $card" calibrate
}

part_1() {
    sweep ring '8 2 4 16 3' "$both"
    sanitize
    sweep tree "$all" "$both"
    sweep naive "$all" "$both"
}

part_2() {
    sweep ring "$all" "--transport host $both"
    sweep ps "$all" "$both"
}

# How slices, slots and channels matter, at one size.
variants() {
    for option in '--slice 16KiB' '--slice 64KiB' '--slice 128KiB' \
        '--depth 4' '--channels 8' '--channels 16'; do
        # shellcheck disable=SC2086 # two words
        step 15 apart.txt   "ring-8 $option" run --table "$tables/ring-8.table" \
            -b 256MiB -e 256MiB $option
    done
}

# NCCL's ring, where it is installed.
reference() {
    perform 60 nccl "$program" nccl -b 4KiB -e 2GiB --dtype fp32,fp16
    status=$?
    case $status in
    0) cat "$out/step" >>"$out/measured.jsonl" ;;
    3) say "nccl: not run: $(head -c 400 "$out/errors")" ;;
    *) tell nccl $status ;;
    esac
}

# Of more than one GPU: one rank each, and two.
over_gpus() {
    [ "${gpus:-0}" -ge 2 ] || return
    reference
    for count in 2 4 8 16; do
        [ "$count" -le "$gpus" ] || continue
        for ranks in "$count" $((2 * count)); do
            [ -e "$tables/ring-$ranks.table" ] || continue
            for way in device host copy; do
                sweep ring "$ranks" "--gpus $count --transport $way $both"
            done
        done
    done
}

part_3() {
    sweep ring "$all" "--transport copy $both"
    sweep ps '8 4' "--servers device $both"
    variants
    over_gpus
}

# ---- all of it ----

if [ $dry = yes ]; then
    for part in $parts; do
        total=0
        echo "part $part:"
        begin_part
        "part_$part"
        echo "$total $budget" | awk '{
            printf "%7.1f s  in all, of %d s%s\n", $1, $2,
                ($1 > $2 ? ": too long" : "") }'
    done
    exit 0
fi
mkdir -p "$out" || exit 2
for file in measured.jsonl apart.txt   failed.txt 'done' resume log \
    sanitizer.log; do
    if [ -n "$from" ] && [ -e "$from/$file" ] && [ ! -e "$out/$file" ]; then
        cp "$from/$file" "$out/$file" || exit 2
    fi
done
touch "$out/measured.jsonl" "$out/done" "$out/resume" || exit 2
if ! ls "$tables"/ring-2.table >/dev/null 2>&1; then
    echo "no programs in $tables; 'make cuda-tables' writes them" >&2
    exit 2
fi
for part in $parts; do
    begin=$(date +%s)
    begin_part
    "part_$part"
done
rm -f "$out/step" "$out/errors"
say "$(wc -l <"$out/measured.jsonl") lines in $out/measured.jsonl"
exit $failed

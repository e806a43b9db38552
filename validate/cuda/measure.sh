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
#     apart.txt      lines that are no part of the comparison, which reads
#                      *.jsonl: a trial, and other slices, slots and channels
#     failed.txt       lines of steps that failed, and of sums that are wrong
#     done, resume     names of the steps that are done, which are left out when it
#                      is started again; where sweeps go on that are not
#     gaps             sizes that sweeps have failed at, which are given up: where
#                      an answer is wrong, or the program failed twice
#     partial          lines of calibrations that were cut short; they are in
#                      measured.jsonl until there is a whole one
#     log              what was done and how it went; sanitizer.log
#
# With --from DIR it goes on from what an earlier OUT held.  Every GPU is
# calibrated by itself: a part that meets another one calibrates again.  Clocks
# are left as they are.  Exit status 1 when a step of these parts is not done or
# has gaps, 3 when nothing can run here.
#
# COLLSIM_CUDA has CUDA's runtime in it, which needs a driver of the same major
# version or a newer one.  Where nvcc is, build it there: make collsim-cuda.
#
# The grid: 2, 3, 4, 8 and 16 ranks, fp32 and fp16, 4 KiB to 2 GiB by 2, for rings
# by device, host and copy, naive, tree and ps.  Reduced where a run takes more
# than LIMIT seconds (0.4): a point costs 22 runs, and host, copy and ps with many
# ranks move up to 4 p n over PCIe.
#
# How long: bytes that a run moves of HBM and PCIe, at half of 4.8 TB/s (H200's
# datasheet) and half of 64 GB/s each way (PCIe 5.0 x16); filling and checking
# likewise; 1 ms for each run, 10 us for each copy that is enqueued, once a point,
# and 2 s for each process, which are guesses.  HBM and PCIE (bytes/s) may be set otherwise.
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
bad='"wrong": [1-9]|"failed"' # in a line
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
        tell_gaps "$name"
        return 200
    fi
    if [ "$rest" -lt 5 ]; then
        say "$name: left out, no time is left"
        failed=1
        return 200
    fi
    timeout -k 5 "$rest" "$@" >"$out/step" 2>"$out/errors"
    status=$?
    [ $status != 0 ] || ! grep -qE "$bad" "$out/step" || status=1
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

# tell_gaps NAME: of a sweep that is done, but for some sizes.
tell_gaps() {
    gaps=$(awk -F'|' -v name="$1" '$1 == name { printf " %s", $2 }' "$out/gaps")
    [ -n "$gaps" ] || return
    say "$1: failed at these sizes, which are given up:$gaps"
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

# whole TYPES STATUS: of the lines in OUT/step, of sizes that have all types, the
# good ones to OUT/whole and sizes of others to OUT/bad; prints the size to go on
# with.  A line that says "failed" is an answer if the program went on or says so
# by its status; else it is where the program ended.
whole() {
    awk -v types="$1" -v status="$2" -v bad="$bad" -v to="$out/whole" \
        -v sizes="$out/bad" '
        function take(line) {
            size = line
            sub(/^.*"bytes": /, "", size)
            size += 0
            if (size != before) lines = count = wrong = 0
            before = size
            if (line ~ bad) wrong++
            else held[++lines] = line
            if (++count != types) return
            for (i = 1; i <= lines; i++) print held[i] >to
            if (wrong) printf "%.0f\n", size >sizes
            next_one = 2 * size
        }
        NR > 1 { take(last) }
        { last = $0 }
        END {
            if (last ~ /}$/ && (status == 1 || last !~ /"failed"/)) take(last)
            if (next_one) printf "%.0f\n", next_one
        }' "$out/step"
}

# cut_short NAME FIRST STATUS OPTIONS: keeps what is whole of a sweep that failed,
# and where it goes on.  Where it failed twice it goes on behind, unless it could
# not begin or its time was short.
cut_short() {
    case $4 in *fp32,fp16*) types=2 ;; *) types=1 ;; esac
    : >"$out/whole"
    : >"$out/bad"
    next=$(whole $types "$3")
    if [ -z "$next" ] && grep -qxF "$1|$2" "$out/resume"; then
        case $3 in
        2) ;;
        3) [ ! -s "$out/step" ] || next=$((2 * $2)) ;;
        124 | 137) [ "$rest" -lt "$longest" ] || next=$((2 * $2)) ;;
        *) next=$((2 * $2)) ;;
        esac
        [ -z "$next" ] || echo "$2" >>"$out/bad"
    fi
    cat "$out/whole" >>"$out/measured.jsonl"
    grep -vxFf "$out/whole" "$out/step" >>"$out/failed.txt"
    sed "s/^/$1|/" "$out/bad" >>"$out/gaps"
    rm -f "$out/whole" "$out/bad"
    echo "$1|${next:-$2}" >>"$out/resume"
    [ "${next:-$2}" -gt "$most" ] || return
    echo "$1" >>"$out/done"
    tell_gaps "$1"
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
        first=${first:-$least}
        # shellcheck disable=SC2086 # a list of words
        if perform $longest "$name" "$program" run --table \
            "$tables/$1-$ranks.table" -b "${first}B" -e "${most}B" \
            --limit "${limit}s" $3; then
            cat "$out/step" >>"$out/measured.jsonl"
            tell_gaps "$name"
        else
            status=$?
            tell "$name" $status
            [ $status = 200 ] || cut_short "$name" "$first" $status "$3"
        fi
    done
}

# calibrate: what a calibration that is cut short has printed is kept until there
# is a whole one.
calibrate() {
    name="calibrate $card"
    if [ $dry = yes ]; then
        plan 120 "$name"
    elif perform 120 "$name" "$program" calibrate; then
        grep -vxFf "$out/partial" "$out/measured.jsonl" >"$out/others"
        cat "$out/others" "$out/step" >"$out/measured.jsonl"
        rm "$out/others"
    else
        status=$?
        tell "$name" $status
        [ $status = 200 ] ||
            grep '}$' "$out/step" | tee -a "$out/partial" \
                >>"$out/measured.jsonl"
    fi
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
                around = 1e-3 + 3 * n * vectors / hbm
                sum += types * (copies(n) * 1e-5 + run + around)
                if (run > limit) break
                sum += types * 21 * (run + around)
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

# Whether it was the program that ended like this, not what it ran under: it has
# printed lines or said why not, or a signal ended it.
program_did() {
    grep -qE '^collsim-cuda: |"collsim_cuda"' "$out/step" "$out/errors" ||
        { [ "$1" -gt 128 ] && [ "$1" -lt 255 ]; }
}

# What it finds, and what goes wrong under it, as an error of the step; where it
# cannot run, why not.
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
        status=$?
        case $status in
        0) ;;
        200) continue ;;
        124) say "$step: not run: it takes more than $rest s" ;;
        *)
            if [ $status = 9 ] || grep -qE "$bad" "$out/step" ||
                { [ $status != 3 ] && program_did $status; }; then
                cat "$out/step" >>"$out/errors"
                tell "$step" $status
            else
                say "$step: not run: $(cat "$out/errors" "$out/step" |
                    head -c 400)"
            fi
            ;;
        esac
        cat "$out/step" "$out/errors" >>"$out/sanitizer.log"
    done
}

all='2 3 4 8 16'
both='--dtype fp32,fp16'
least=4096
most=2147483648
longest=240 # seconds of a sweep

# Which GPUs are there?  Nothing else is tried where CUDA says why not.
look() {
    if ! timeout 20 "$program" machine >"$out/step" 2>"$out/errors"; then
        say "nothing can run here: $(head -c 400 "$out/errors")"
        exit 3
    fi
    gpus=$(sed -n 's/.*"gpus": \([0-9]*\).*/\1/p' "$out/step")
    card=$(sed -n 's/.*"uuid": "\([^"]*\)".*/\1/p' "$out/step")
}

# Which GPU is it, and is it calibrated?  Does it work at all: a small run,
# checked, before anything long.
begin_part() {
    [ $dry = yes ] || look
    before=$failed
    failed=0
    step 20 measured.jsonl "machine $card" machine
    step 20 apart.txt "trial $card" run --table "$tables/ring-4.table" \
        -b 64KiB -e 1MiB -f 16 --runs 2
    [ $failed = 0 ] || exit 3
    failed=$before
    calibrate
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
        step 15 apart.txt "ring-8 $option" run --table "$tables/ring-8.table" \
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
    *)
        tell nccl $status
        [ $status = 200 ] || cat "$out/step" >>"$out/failed.txt"
        ;;
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
for file in measured.jsonl apart.txt failed.txt 'done' resume gaps partial \
    log sanitizer.log; do
    if [ -n "$from" ] && [ -e "$from/$file" ] && [ ! -e "$out/$file" ]; then
        cp "$from/$file" "$out/$file" || exit 2
    fi
done
touch "$out/measured.jsonl" "$out/done" "$out/resume" "$out/gaps" \
    "$out/partial" || exit 2
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

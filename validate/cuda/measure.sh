#!/bin/sh
# Measures for validation on the GPUs of this node, in the order of worth, with a
# time limit for each stage.
#
#     validate/cuda/measure.sh [--stage N] [--from DIR] [--budget SECONDS]
#                              [--predict COLLSIM] COLLSIM_CUDA TABLES OUT
#     validate/cuda/measure.sh [--stage N] --dry
#
#     1  facts       the GPUs                                          30 s
#     2  self-test   every algorithm by every transport, bit for bit;
#                    compute-sanitizer where installed                120 s
#     3  rates       microbenchmarks, beside data sheets; by COLLSIM,
#                    the predictions of all runs                      120 s
#     4  runs        ring, naive, tree, ps of 2, 4, 8 and 16 ranks    240 s
#     5  PCIe        runs through memory of the host                  120 s
#     6  grid        held-out schedules, channels, a second
#                    calibration, repeated points, a delayed
#                    rank, all sizes, types and ranks            the rest
#
# Ten minutes are enough for 1 to 5.  --budget (3600 s) is for all stages together;
# --stage selects a single stage.  After a failed step the next step runs.  The
# script may be stopped anywhere, by kill -9 too: started again it resumes, with
# --from DIR from the files of an earlier OUT.  --dry prints the plan.
#
# OUT has eight files at most at any time, and none where nothing can run:
#
#     measured.jsonl   input of the comparison
#     apart.txt        lines outside the comparison: self-tests, other slices
#     failed.txt       lines of failed steps, and of wrong sums
#     state            finished steps, where sweeps resume, and given-up sizes: a
#                      wrong or failed run, or a program that failed twice
#     step             lines of the current step
#     log, facts       progress and errors; output of nvidia-smi
#     report           rates beside data sheets, suspect and unexpected figures
#
# Every GPU has its own calibration.  Clocks and other settings stay untouched.
# Exit status 1 when a step is not done or has gaps, 3 when nothing can run here.
#
# COLLSIM_CUDA includes CUDA's runtime: `collsim-cuda --help` names the driver that
# it needs.  Where nvcc is, build it there (make gpu); else bring one along.
#
# Planned times: the bytes of a run over HBM and PCIe, at half of 4.8 TB/s (data
# sheet of the H200) and half of 64 GB/s each way (PCIe 5.0 x16); filling and
# checking likewise; guesses are 1 ms for a run, 10 us for each enqueued copy, once
# a point, and 2 s for a process.  HBM and PCIE (bytes/s) override both rates.  A
# point with runs above LIMIT (0.4 s) is skipped.  Remaining steps count with their
# time limit.
set -u
export LC_ALL=C
stages='1 2 3 4 5 6'
from=
dry=no
collsim=
budget=${BUDGET-3600}
while [ $# -gt 0 ]; do
    case $1 in
    --stage)
        stages=${2-}
        shift
        ;;
    --from)
        from=${2-}
        shift
        ;;
    --predict)
        collsim=${2-}
        shift
        ;;
    --budget)
        budget=${2-}
        shift
        ;;
    --dry) dry=yes ;;
    -*)
        echo "measure.sh: no option '$1'; expected --stage, --from, --budget," \
            '--predict or --dry' >&2
        exit 2
        ;;
    *) break ;;
    esac
    [ $# = 0 ] || shift
done
case $stages in
[1-6] | '1 2 3 4 5 6') ;;
*)
    echo "measure.sh: no stage '$stages'; expected 1 to 6" >&2
    exit 2
    ;;
esac
case $budget in
'' | *[!0-9]*)
    echo "measure.sh: --budget '$budget' is not a number of seconds" >&2
    exit 2
    ;;
esac
if [ $# != 3 ] && [ $dry = no ]; then
    echo 'usage: measure.sh [--stage N] [--from DIR] [--budget SECONDS]' \
        'COLLSIM_CUDA TABLES OUT' >&2
    echo '       measure.sh [--stage N] --dry' >&2
    exit 2
fi
program=${1-}
tables=${2-}
out=${3-}
limit=${LIMIT-0.4}
hbm=${HBM-2.4e12}
pcie=${PCIE-32e9}
failed=0
bad='"wrong": [1-9]|"failed": "' # in a line
gpus=1
card=

say() {
    echo "[$(($(date +%s) - begin)) s] $*" | tee -a "$out/log"
}

# noted KIND NAME, note KIND NAME [MORE]: test and append an entry of the state.
noted() { grep -qxF "$1|$2" "$out/state"; }
note() {
    (
        IFS='|'
        echo "$*"
    ) >>"$out/state" || no_room
}

# fresh FILE: lines that are not in measured.jsonl yet: a repeated step adds no line
# twice.
fresh() { grep -vxFf "$out/measured.jsonl" "$1"; }

# keep FILE: appends its fresh lines to measured.jsonl.  A step is noted as done only
# after its lines are on the disk.
keep() {
    fresh "$1" >"$work/fresh"
    cat "$work/fresh" >>"$out/measured.jsonl" || no_room
}

no_room() {
    echo "cannot write to $out; make room and start again: the measurement resumes" >&2
    exit 3
}

# perform SECONDS NAME COMMAND...: runs an unfinished step, limited by SECONDS and by
# the stage, with output in OUT/step.  Exit status: of the command; 200: the step
# was done or no time is left.
perform() {
    rest=$((until - $(date +%s)))
    [ "$1" -gt "$rest" ] || rest=$1
    name=$2
    shift 2
    if noted 'done' "$name"; then
        say "$name: was done"
        report_gaps "$name"
        return 200
    fi
    if [ "$rest" -lt 5 ]; then
        say "$name: left out, no time is left"
        failed=1
        return 200
    fi
    : >"$out/step"
    note begun "$name" "${first-}" "${options-}"
    # In the background: only `wait` returns at once on a signal.
    timeout -k 5 "$rest" "$@" >"$out/step" 2>"$work/errors" &
    child=$!
    wait $child
    status=$?
    child=
    [ $status != 0 ] || ! grep -qE "$bad" "$out/step" || status=1
    return $status
}

# is_done NAME: marks a step whose lines are kept.
is_done() {
    note 'done' "$1"
    say "$1: done"
    : >"$out/step"
}

# report_failure NAME STATUS
report_failure() {
    [ "$2" != 200 ] || return
    say "$1: exit status $2: $(head -c 400 "$work/errors")"
    failed=1
}

# report_gaps NAME: the given-up sizes of a finished sweep.
report_gaps() {
    gaps=$(awk -F'|' -v name="$1" '$1 == "gap" && $2 == name {
        printf " %s", $3 }' "$out/state")
    [ -n "$gaps" ] || return
    say "$1: failed at these sizes, which are given up:$gaps"
    failed=1
}

# step SECONDS FILE NAME ARGUMENT...: runs the program, appends its lines to FILE.
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
        fresh "$out/step" >"$work/fresh"
        cat "$work/fresh" >>"$out/$file" || no_room
        is_done "$name"
    else
        status=$?
        report_failure "$name" $status
        [ $status = 200 ] || cat "$out/step" >>"$out/failed.txt"
        return $status
    fi
}

# whole TYPES STATUS: of the sizes with lines of all types in OUT/step, copies good
# lines to `whole` and sizes of bad lines to `bad`; prints the next size.  A line
# with "failed" is an answer if lines follow or the status says so; else the program
# ended there.
whole() {
    awk -v types="$1" -v status="$2" -v bad="$bad" -v to="$work/whole" \
        -v sizes="$work/bad" -v factor="$factor" '
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
            next_one = factor * size
        }
        NR > 1 { take(last) }
        { last = $0 }
        END {
            if (last ~ /}$/ && (status == 1 || last !~ /"failed": "/)) take(last)
            if (next_one) printf "%.0f\n", next_one
        }' "$out/step"
}

# cut_short NAME FIRST STATUS OPTIONS: keeps the whole sizes of a failed sweep and
# notes the size to resume at.  A size that failed twice is given up, unless the
# program could not begin or the time was short.
cut_short() {
    case $4 in *fp32,fp16*) types=2 ;; *) types=1 ;; esac
    : >"$work/whole"
    : >"$work/bad"
    next=$(whole $types "$3")
    if [ -z "$next" ] && grep -qxF "resume|$1|$2" "$out/state"; then
        case $3 in
        2) ;;
        3) [ ! -s "$out/step" ] || next=$((factor * $2)) ;;
        124 | 137) [ "$rest" -lt "$longest" ] || next=$((factor * $2)) ;;
        *) next=$((factor * $2)) ;;
        esac
        [ -z "$next" ] || echo "$2" >>"$work/bad"
    fi
    keep "$work/whole"
    grep -vxFf "$work/whole" "$out/step" >>"$out/failed.txt"
    while read -r size; do
        note gap "$1" "$size"
    done <"$work/bad"
    note resume "$1" "${next:-$2}"
    : >"$out/step"
    [ "${next:-$2}" -gt "$most" ] || return
    note 'done' "$1"
    report_gaps "$1"
}

# sweep ALGORITHM "RANKS ..." OPTIONS: a step for each number of ranks, of sizes
# from `least` to `most` by `factor`; an interrupted sweep resumes.
sweep() {
    for ranks in $2; do
        name="$1-$ranks${3:+ $3} by $factor from $least to $most"
        options=$3
        if [ $dry = yes ]; then
            plan "$(seconds "$1" "$ranks" "$3")" "$name"
            continue
        fi
        first=$(awk -F'|' -v name="$name" '$1 == "resume" && $2 == name {
            at = $3 } END { print at }' "$out/state")
        first=${first:-$least}
        # shellcheck disable=SC2086 # a list of words
        if perform $longest "$name" "$program" run --table \
            "$tables/$1-$ranks.table" -b "${first}B" -e "${most}B" \
            -f $factor --limit "${limit}s" $3; then
            keep "$out/step"
            report_gaps "$name"
            is_done "$name"
        else
            status=$?
            report_failure "$name" $status
            [ $status = 200 ] || cut_short "$name" "$first" $status "$3"
        fi
        unset first options
    done
}

# calibrate NAME: keeps the lines of an interrupted calibration; the comparison uses
# the newest whole calibration.
calibrate() {
    if [ $dry = yes ]; then
        plan 110 "$1"
    elif perform 110 "$1" "$program" calibrate; then
        keep "$out/step"
        is_done "$1"
    else
        status=$?
        report_failure "$1" $status
        [ $status = 200 ] || keep_calibration
    fi
}

keep_calibration() {
    grep '}$' "$out/step" >"$work/lines"
    keep "$work/lines"
    : >"$out/step"
}

# Keeps the whole lines of a killed step, as after a timeout.
salvage() {
    for file in measured.jsonl apart.txt state step; do
        [ -z "$(tail -c 1 "$out/$file")" ] || sed -i '$d' "$out/$file"
    done
    [ -s "$out/step" ] || return
    begun=$(sed -n 's/^begun|//p' "$out/state" | tail -n 1)
    name=${begun%%|*}
    first=$(echo "$begun" | cut -d'|' -f2)
    options=$(echo "$begun" | cut -d'|' -f3)
    rest=0
    if [ -z "$name" ] || noted 'done' "$name"; then
        :
    elif [ -n "$first" ]; then
        factor=${name#* by }
        factor=${factor%% *}
        most=${name##* to }
        cut_short "$name" "$first" 137 "$options"
    elif [ "${name#calibrate}" != "$name" ]; then
        keep_calibration
    fi
    : >"$out/step"
    unset first options
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
        -v last="$most" -v limit="$limit" -v hbm="$hbm" -v pcie="$pcie" \
        -v factor="$factor" '
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
            for (n = first; n <= last; n *= factor) {
                by_hbm = n * memory() / hbm
                by_pcie = n * link() / pcie
                run = by_hbm > by_pcie ? by_hbm : by_pcie
                vectors = p * (algo == "naive" ? 2 : 1)
                around = 1e-3 + 3 * n * vectors / hbm
                if (algo == "ps" && link()) around += 2 * n / pcie
                sum += types * (copies(n) * 1e-5 + run + around)
                if (run > limit) break
                sum += types * 21 * (run + around)
            }
            print sum + 2
        }'
}

# ---- stages ----

# Removes the files and folders that this run made, as nothing was measured.
leave_nothing() {
    while read -r file; do
        rm -f "$out/$file"
    done <"$work/made"
    dir=$out
    while [ "$folders" -gt 0 ] && rmdir "$dir" 2>/dev/null; do
        dir=$(dirname "$dir")
        folders=$((folders - 1))
    done
}

# The GPUs of this node.  Where CUDA refuses, no other step is tried.  The first
# start of CUDA on a machine may take a minute.
look() {
    began=$(date +%s)
    if ! timeout 90 "$program" machine >"$work/machine" 2>"$work/errors"; then
        say "nothing can run here: $(head -c 400 "$work/errors")"
        say "$("$program" --help | tail -n 1)"
        leave_nothing
        exit 3
    fi
    gpus=$(sed -n 's/.*"gpus": \([0-9]*\).*/\1/p' "$work/machine")
    card=$(sed -n 's/.*"uuid": "\([^"]*\)".*/\1/p' "$work/machine")
    say "CUDA has started in $(($(date +%s) - began)) s: $gpus GPUs;" \
        "$("$program" --help | tail -n 1)"
    same_model
}

stage_1() {
    step 30 measured.jsonl "machine $card" machine
    [ $dry = yes ] || timeout 15 nvidia-smi -q >"$out/facts" 2>&1
}

# tables_of KIND FILE...: a list with commas; KIND "none": only tables without
# servers.
tables_of() {
    servers=$1
    shift
    for table in "$@"; do
        [ -e "$table" ] || continue
        [ "$servers" != none ] || grep -qx 'agents 0' "$table" || continue
        printf '%s,' "$table"
    done | sed 's/,$//'
}

# self_test_by TRANSPORT SECONDS NAME TABLES: odd sizes, from less than a vector to
# several slices.
self_test_by() {
    step "$2" apart.txt "$3" run --table "$4" --transport "$1" \
        --dtype fp32,fp16 --runs 1 --warmup 1 -b 100B -e 102400B -f 32
}

# Every algorithm by every transport, in a single process; where an algorithm ends
# the process, a process for each algorithm.
self_test() {
    again=
    for transport in device host copy; do
        kind=any
        [ $transport != copy ] || kind=none
        list=$(tables_of $kind "$tables"/*-4.table "$tables"/*-3.table)
        self_test_by $transport 25 "self-test by $transport" "$list"
        case $? in 0 | 200) continue ;; esac
        again="$again $transport"
    done
    for transport in $again; do
        kind=any
        [ "$transport" != copy ] || kind=none
        for table in "$tables"/*-4.table "$tables"/*-3.table; do
            list=$(tables_of $kind "$table")
            [ -z "$list" ] || self_test_by "$transport" 10 \
                "self-test by $transport of ${table##*/}" "$list"
        done
    done
}

# In PATH or in the toolkit.
find_sanitizer() {
    PATH="$PATH:/usr/local/cuda/bin:/usr/local/cuda/compute-sanitizer" \
        command -v compute-sanitizer
}

# program_did STATUS: whether collsim-cuda itself failed, not compute-sanitizer: lines
# or a message exist, or a signal ended the program.
program_did() {
    grep -qE '^collsim-cuda: |"collsim_cuda"' "$out/step" "$work/errors" ||
        { [ "$1" -gt 128 ] && [ "$1" -lt 255 ]; }
}

# sanitize TOOL...: findings and failures are errors of the step; a tool that cannot
# run is reported with the reason.
sanitize() {
    sanitizer=$(find_sanitizer)
    if [ $dry = no ] && [ -z "$sanitizer" ]; then
        say 'compute-sanitizer: not run: it is not installed'
        return
    fi
    for tool in "$@"; do
        name="compute-sanitizer $tool"
        if [ $dry = yes ]; then
            plan 40 "$name"
            continue
        fi
        list=$(tables_of any "$tables"/ring-4.table "$tables"/tree-4.table)
        perform 40 "$name" "$sanitizer" --tool "$tool" --error-exitcode 9 \
            "$program" run --table "$list" -b 64KiB -e 64KiB --runs 1 \
            --warmup 1 --channels 2
        status=$?
        case $status in
        0) is_done "$name" ;;
        200) continue ;;
        124) say "$name: not run: it takes more than $rest s" ;;
        *)
            if [ $status = 9 ] || grep -qE "$bad" "$out/step" ||
                { [ $status != 3 ] && program_did $status; }; then
                cat "$out/step" >>"$work/errors"
                report_failure "$name" $status
            else
                say "$name: not run: $(cat "$work/errors" "$out/step" |
                    head -c 400)"
            fi
            ;;
        esac
        tail -n 40 "$out/step" "$work/errors" >>"$out/log"
    done
}

stage_2() {
    if [ $dry = yes ]; then
        for transport in device host copy; do
            plan 12 "self-test by $transport"
        done
    else
        self_test
    fi
    sanitize memcheck racecheck
}

# Writes the predictions of all runs before the first run.
write_down() {
    [ $dry = no ] && [ -x "$collsim" ] || return
    if perform 30 "predictions of $card" "$collsim" validate predict \
        --data "$out/measured.jsonl"; then
        keep "$out/step"
        is_done "$name"
    else
        report_failure "$name" $?
    fi
}

stage_3() {
    calibrate "calibrate $card"
    write_down
}

# Few sizes on both sides of L2.
sparse() {
    least=4096
    most=1073741824
    factor=4
}

stage_4() {
    sparse
    sweep ring '8 2 4 16' ''
    sweep tree '8 2 4 16' ''
    sweep naive '8 2 4 16' ''
    sweep ps '8 2 4 16' '--servers device'
}

stage_5() {
    sparse
    most=134217728
    sweep ring '8 2 4 16' '--transport host'
    sweep ring '8 2 4 16' '--transport copy'
    sweep ps '8 2 4 16' ''
}

# Schedules and channel counts outside the calibration.
held_out() {
    factor=4
    least=4096
    most=268435456
    for algo in recursive-doubling rabenseifner circulant double-tree twoshot \
        direct bidirectional-ring chain; do
        sweep $algo 8 ''
    done
    least=268435456
    for channels in 1 2 4 8 16 32; do
        sweep ring 8 "--channels $channels"
    done
    # Sizes around L2, between the powers of two.
    factor=2
    most=67108864
    for least in 5242880 6291456 7340032; do
        sweep ring '2 8' ''
    done
}

# Slices and slots, at a single size.
variants() {
    for option in '--slice 16KiB' '--slice 64KiB' '--slice 128KiB' \
        '--depth 4'; do
        # shellcheck disable=SC2086 # two words
        step 15 apart.txt "ring-8 $option" run --table "$tables/ring-8.table" \
            -b 256MiB -e 256MiB $option
    done
}

# A few points again, in processes of their own: the noise between processes.
repeats() {
    for again in 1 2; do
        for algo in ring tree; do
            step 20 measured.jsonl "$algo-8 repeated, $again" run --table \
                "$tables/$algo-8.table" -b 4KiB -e 1GiB -f 64 --limit "${limit}s"
        done
    done
}

# A rank starts late: of a ring no rank has slack, of a chain the last (0) but not the
# first (7).
delayed() {
    least=4096
    most=67108864
    factor=16
    for late in 20us 200us; do
        sweep ring 8 "--delay rank=3,$late"
        sweep chain 8 "--delay rank=0,$late"
        sweep chain 8 "--delay rank=7,$late"
    done
}

# NCCL's ring, where NCCL is installed.
reference() {
    [ $dry = no ] || return
    perform 60 nccl "$program" nccl -b 4KiB -e 2GiB --dtype fp32,fp16
    status=$?
    case $status in
    0)
        keep "$out/step"
        is_done nccl
        ;;
    3) say "nccl: not run: $(head -c 400 "$work/errors")" ;;
    *)
        report_failure nccl $status
        [ $status = 200 ] || cat "$out/step" >>"$out/failed.txt"
        ;;
    esac
}

# Several GPUs: one and two ranks per GPU.
over_gpus() {
    [ "${gpus:-0}" -ge 2 ] || return
    reference
    for count in 2 4 8 16; do
        [ "$count" -le "$gpus" ] || continue
        for ranks in "$count" $((2 * count)); do
            [ -e "$tables/ring-$ranks.table" ] || continue
            for transport in device host copy; do
                sweep ring "$ranks" "--gpus $count --transport $transport $both"
            done
        done
    done
}

stage_6() {
    held_out
    calibrate "calibrate $card again"
    repeats
    delayed
    least=4096
    most=2147483648
    factor=2
    both='--dtype fp32,fp16'
    all='2 3 4 8 16'
    sweep ring '8 2 4 16 3' "$both"
    over_gpus
    sweep tree "$all" "$both"
    sweep naive "$all" "$both"
    sweep ps "$all" "--servers device $both"
    sweep ring "$all" "--transport host $both"
    sweep ps "$all" "$both"
    sweep ring "$all" "--transport copy $both"
    variants
    sanitize synccheck
}

# Rates beside data sheets, unexpected figures, counts of failures.
report() {
    {
        echo 'Rates and their limits by data sheets (GB/s); "suspect" is above' \
            'the limit, or below a third of it with all of the GPU at work.'
        sed -n '/"limit_Bps"/p' "$out/measured.jsonl" | awk '
            function field(key,   at) {
                if (!match($0, "\"" key "\": \"?[^,\"}]*")) return ""
                at = substr($0, RSTART, RLENGTH)
                sub(/^"[a-zA-Z0-9_]*": "?/, "", at)
                return at
            }
            {
                printf "%-8s %-6s %-6s %8s %13s %9.1f %9.1f %5.1f %% %s %s\n",
                    field("kind"), field("role") field("setup"), field("slots"),
                    field("blocks"), field("vector_bytes"),
                    field("path_Bps") / 1e9, field("limit_Bps") / 1e9,
                    100 * field("path_Bps") / field("limit_Bps"),
                    field("limit_source"),
                    field("suspect") ? "SUSPECT: " field("suspect") : ""
            }'
        echo
        echo 'Latencies, clocks and ratios outside their expected ranges:'
        awk '{
            kind = $0
            sub(/^.*"kind": "/, "", kind)
            sub(/".*$/, "", kind)
            for (rest = $0; match(rest, /"unexpected_[a-z0-9_]*": "[^"]*/);
                rest = substr(rest, RSTART + RLENGTH)) {
                text = substr(rest, RSTART + 12, RLENGTH - 12)
                sub(/": "/, ": ", text)
                key = text
                sub(/:.*$/, "", key)
                key = kind " " key
                if (!count[key]++) first[key] = kind ", " text
            }
        }
        END {
            for (key in first) print first[key] " (" count[key] " lines)"
        }' "$out/measured.jsonl" | sort
        echo
        echo "$(grep -c '"suspect": ' "$out/measured.jsonl") rates are suspect," \
            "$(grep -c '"unexpected_' "$out/measured.jsonl") lines unexpected," \
            "$(grep -c '^gap|' "$out/state") sizes given up," \
            "$(wc -l <"$out/failed.txt") lines of failures"
    } >"$out/report"
    say "$(tail -n 1 "$out/report"); see $out/report"
}

# Refuses an OUT with runs of another model of GPU; a second GPU of an equal model
# resumes.
same_model() {
    sed -n 's/.*"gpu": "\([^"]*\)".*/\1/p' "$work/machine" >"$work/model"
    [ -s "$work/model" ] || return 0
    other=$(sed -n 's/.*"gpu": "\([^"]*\)".*/\1/p' "$out/measured.jsonl" |
        grep -vxFf "$work/model" | head -n 1)
    [ -z "$other" ] || {
        say "$out has runs of $other, here is $(cat "$work/model");" \
            'choose another folder'
        exit 2
    }
}

longest=240 # seconds of a sweep
names='facts self-test rates runs PCIe grid'

# seconds_of STAGE
seconds_of() {
    echo "30 120 120 240 120 $budget" | cut -d' ' -f"$1"
}

# ---- all of it ----

begin=$(date +%s)
if [ $dry = yes ]; then
    until=0
    for stage in $stages; do
        total=0
        echo "stage $stage, $(echo "$names" | cut -d' ' -f"$stage"):"
        "stage_$stage"
        echo "$total $(seconds_of "$stage")" | awk '{
            printf "%7.1f s  in all, of %d s%s\n", $1, $2,
                ($1 > $2 ? ": what does not fit is left out" : "") }'
    done
    exit 0
fi
if [ -n "$from" ] && [ ! -d "$from" ]; then
    echo "measure.sh: --from: there is no folder '$from'" >&2
    exit 2
fi
if ! command -v "$program" >/dev/null; then
    echo "there is no program '$program'; 'make collsim-cuda' builds it where" \
        'nvcc is, or bring one along' >&2
    exit 3
fi
folders=0 # that mkdir makes
dir=$out
while [ ! -e "$dir" ]; do
    folders=$((folders + 1))
    dir=$(dirname "$dir")
done
mkdir -p "$out" || exit 2
work=$(mktemp -d) || exit 2
trap 'rm -rf "$work"' EXIT
child=
trap '[ -z "$child" ] || { kill "$child"; wait "$child"; } 2>/dev/null
    echo "stopped; start again with $out to resume" >&2
    exit 130' HUP INT TERM
files='measured.jsonl apart.txt failed.txt state step log facts report'
: >"$work/made"
for file in $files; do
    if [ -n "$from" ] && [ -e "$from/$file" ] && [ ! -e "$out/$file" ]; then
        cp "$from/$file" "$out/$file" && chmod u+w "$out/$file" || exit 2
    fi
    [ -e "$out/$file" ] || echo "$file" >>"$work/made"
    touch "$out/$file" || exit 2
done
if ! ls "$tables"/ring-2.table >/dev/null 2>&1; then
    echo "no programs in $tables; 'make cuda-tables' writes them" >&2
    exit 2
fi
# An open device node: the driver keeps the GPU ready between steps.
# shellcheck disable=SC2188 # tries whether it can be opened
if ( : <>/dev/nvidia0) 2>/dev/null; then
    exec 9<>/dev/nvidia0
fi
# A script that was killed may leave its step running: both would measure a shared
# GPU and write to one file.  The step holds the lock as well.
if command -v flock >/dev/null; then
    exec 8>>"$out/state"
    if ! flock -w 5 8; then
        echo "a measurement into $out is still running; wait for its end, or" \
            'kill collsim-cuda' >&2
        exit 2
    fi
fi
end=$((begin + budget))
until=$end
salvage
look
for stage in $stages; do
    until=$(($(date +%s) + $(seconds_of "$stage")))
    [ "$until" -le "$end" ] || until=$end
    say "stage $stage, $(echo "$names" | cut -d' ' -f"$stage")"
    "stage_$stage"
    report
done
say "$(wc -l <"$out/measured.jsonl") lines in $out/measured.jsonl"
exit $failed

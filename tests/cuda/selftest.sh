#!/bin/sh
# The kernels of validate/cuda, and all that starts them, on emulated GPUs.
#
#     tests/cuda/selftest.sh [some|all]     TAP; `some` is what make test runs
#
# Nothing here needs a GPU or CUDA: rewrite.sed turns the sources into C++ for the
# host, cuda_runtime.h, devices.cc and runtime.cc are the part of CUDA that they
# use, and the modules of scheduler.h run every thread of the GPU as a fiber, in an
# order by a seed (emulator.h says what is checked).  mutants.sed puts bugs into the sources; each
# has to show: as a wrong sum, a wait that outlasts the deadline, an access that
# is refused, or a race that ThreadSanitizer reports.
#
# EMU_SEED, EMU_GPUS, EMU_PROCESSORS, EMU_PEERS, EMU_MEMORY and EMU_MUTANT set
# build/emulated/{plain,tsan}/collsim-cuda by hand.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1

much=${1-some}
collsim=${COLLSIM:-$PWD/collsim}
if [ "$(uname -m)" != x86_64 ]; then
    echo '1..0 # SKIP GPUs are emulated on x86-64 only'
    exit 0
fi
if [ -z "$(command -v g++ || command -v clang++ || command -v c++)" ]; then
    echo '1..0 # SKIP no C++ compiler here: no emulated GPU'
    exit 0
fi
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
number=0

# result NAME STATUS
result() {
    number=$((number + 1))
    if [ "$2" = 0 ]; then
        echo "ok $number - $1"
    else
        echo "not ok $number - $1"
        cut -c1-300 "$work/said" | tail -8 | sed 's/^/# /'
    fi
}

skip() {
    number=$((number + 1))
    echo "ok $number - $1 # SKIP $2"
}

finish() {
    echo "1..$number"
    exit 0
}

# ---- what is run

plain=build/emulated/plain/collsim-cuda
tsan=build/emulated/tsan/collsim-cuda
env -u MAKEFLAGS make -j2 --no-print-directory $plain >"$work/said" 2>&1
built=$?
result 'the sources of collsim-cuda are built for the host' $built
[ $built = 0 ] || finish

# Some kernels map memory as an older sanitizer does not expect.
races=no
launcher=
echo 'int main(void) { return 0; }' >"$work/empty.c"
# shellcheck disable=SC2086 # CC may be a list of words
if ${CC:-cc} -fsanitize=thread -o "$work/empty" "$work/empty.c" 2>/dev/null; then
    if "$work/empty" 2>/dev/null; then
        races=yes
    elif setarch -R "$work/empty" 2>/dev/null; then
        races=yes
        launcher='setarch -R'
    fi
fi
if [ $races = yes ]; then
    env -u MAKEFLAGS make -j2 --no-print-directory $tsan >"$work/said" 2>&1
    built=$?
    result 'and with ThreadSanitizer' $built
    [ $built = 0 ] || finish
fi
export TSAN_OPTIONS='exitcode=66 halt_on_error=1 atexit_sleep_ms=0'

# table ALGORITHM RANKS: all-reduce as a program, in $work; 1: not for RANKS ranks.
table() {
    "$collsim" export --algo "$1" --topo "switch:ranks=$2" --size 4KiB \
        --format table --out "$work/$1-$2.table" >/dev/null 2>&1 ||
        "$collsim" export --algo "$1" --topo "switch:ranks=$2" --group 2 \
            --size 4KiB --format table --out "$work/$1-$2.table" >/dev/null 2>&1
}

# fits TABLE: three channels of the lanes of all ranks and servers are resident
# on one emulated GPU.  forest and collnet-chain have more lanes than that.
fits() {
    awk '{ n[$1] = $2 } $1 == "lanes" { exit }
        END { exit (n["ranks"] + n["agents"]) * n["lanes"] > 20 }' "$1"
}

# tables RANKS [AGENTS]: of all algorithms, with commas; "no": without servers.
tables() {
    list=
    for algo in $algorithms; do
        [ -f "$work/$algo-$1.table" ] || table "$algo" "$1" || continue
        [ "${2-}" != no ] || grep -q '^agents 0$' "$work/$algo-$1.table" ||
            continue
        fits "$work/$algo-$1.table" || continue
        list=$list${list:+,}$work/$algo-$1.table
    done
    echo "$list"
}

# exact NAME PROGRAM TABLES OPTION...: all sums of all tables are right.
exact() {
    name=$1
    program=$2
    list=$3
    shift 3
    # shellcheck disable=SC2086 # $launcher is a list of words
    timeout "$limit" $launcher "$program" run --table "$list" --runs 1 \
        --warmup 1 --slice 256B --channel-bytes 256B --deadline 1s "$@" \
        >"$work/said" 2>&1
    status=$?
    count=$(echo "$list" | tr ',' '\n' | grep -c .)
    [ $status = 0 ] && ! grep -qv '"wrong": 0}$' "$work/said" &&
        [ "$(wc -l <"$work/said")" -ge "$count" ]
    result "$name ($count)" $?
}

# caught NUMBER NAME TABLE OPTION...: that bug of mutants.sed shows.
caught() {
    mutant=$1
    name=$2
    program=$3
    list=$4
    shift 4
    if ! grep -rq "emu_mutant($mutant)" build/emulated/src; then
        echo "mutants.sed does not find where bug $mutant belongs" >"$work/said"
        result "$name shows" 1
        return
    fi
    if [ $program = $tsan ] && [ $races = no ]; then
        skip "$name shows" 'no thread sanitizer here'
        return
    fi
    # shellcheck disable=SC2086
    EMU_MUTANT=$mutant EMU_PROCESSORS=2 timeout "$limit" $launcher $program \
        run --table "$list" -b 4100 -e 4100 --runs 1 --warmup 1 --slice 256B \
        --channels 1 --deadline 1s "$@" >"$work/said" 2>&1
    status=$?
    # 1: a wrong sum or a deadline; 66: a race; 97: refused by emulated GPUs.
    case $status in
    1) grep -q '"wrong": [1-9]\|until the deadline' "$work/said" ;;
    66) grep -q 'data race' "$work/said" ;;
    97) grep -q 'emulated GPU: ' "$work/said" ;;
    *) false ;;
    esac
    shows=$?
    grep -o 'until the deadline.*\|"wrong": .*\|data race\|emulated GPU: .*' \
        "$work/said" | head -1 >"$work/how"
    result "$name shows" $shows
}

limit=100
algorithms=$("$collsim" list algorithms --csv |
    awk -F, '$1 == "all-reduce" { print $2 }')
four=$(tables 4)
for algo in ring circulant; do
    table $algo 5
done
ring=$work/ring-4.table
doubling=$work/recursive-doubling-4.table
tree=$work/double-tree-4.table
# Two messages of a round by one connection, which no algorithm has.
cat >"$work/twice.table" <<'END'
collsim-table 1
algorithm twice
collective all-reduce
ranks 2
agents 0
lanes 1
blocks 2
parts 1
chunks 1
shards 1
slices 1
op 0 0 0 send 1 0 in 0 1
op 0 0 0 send 1 0 in 1 1
op 0 0 0 add 1 0 out 0 1
op 0 0 0 add 1 0 out 1 1
op 1 0 0 send 0 0 in 0 1
op 1 0 0 send 0 0 in 1 1
op 1 0 0 add 0 0 out 0 1
op 1 0 0 add 0 0 out 1 1
end
END

# ---- sums

# 38 bytes are 9 numbers of fp32 and 19 of fp16, fewer than blocks of some; 4294
# end within a vector of 16 bytes.
one='-b 4294 -e 4294 --dtype fp32,fp16 --threads 32 --channels 2'
sizes='-b 38 -e 4294 -f 113 --dtype fp32,fp16 --threads 64'
# shellcheck disable=SC2086
{
    exact 'exact sums of all algorithms in memory of the GPU' $plain "$four" \
        $sizes --channels 3
    exact 'exact sums of all algorithms through the host' $plain "$four" $one \
        --transport host
    exact 'exact sums of all algorithms by copy engines' $plain \
        "$(tables 4 no)" $one --transport copy
}
# shellcheck disable=SC2086
{
    exact 'exact sums of 5 ranks, with blocks of all lengths' $plain \
        "$work/ring-5.table,$work/circulant-5.table" $sizes
    EMU_GPUS=2 exact 'exact sums on two GPUs' $plain \
        "$ring,$doubling,$work/ps-4.table" $one --gpus 2
    EMU_GPUS=2 EMU_PEERS=0 exact 'and where they do not reach each other' \
        $plain "$ring,$tree" $one --gpus 2 --transport host
    EMU_GPUS=4 exact 'by copies of four GPUs' $plain "$ring,$doubling" $sizes \
        --gpus 4 --transport copy
}

EMU_GPUS=2 EMU_PEERS=0 $plain run --table "$ring" --gpus 2 -b 4KiB -e 4KiB \
    >"$work/said" 2>&1
[ $? = 3 ] && grep -q 'take --transport host' "$work/said"
result 'GPUs that do not reach each other are refused for transport device' $?

EMU_MEMORY=200000 $plain run --table "$ring" -b 4KiB -e 64KiB -f 16 \
    --slice 1KiB --threads 32 >"$work/said" 2>&1 &&
    grep -q '"bytes": 4096.*"wrong": 0' "$work/said" &&
    grep -q '"bytes": 65536.*"skipped": "memory of a GPU' "$work/said"
result 'a size that does not fit is skipped with its reason' $?

# ---- a late rank

# ends OPTION...: the end of each rank of a run, in us.
ends() {
    EMU_PROCESSORS=4 timeout "$limit" $plain run --runs 5 --warmup 1 \
        --slice 256B --threads 32 --channels 1 "$@" 2>&1 | tee "$work/said" |
        sed -n 's/.*"ends_s": "\([^"]*\)".*/\1/p' | tr ',' '\n' |
        awk '{ print 1e6 * $1 }'
}

# The model adds the delay to every end of a ring; the rounds after the delay take
# about as long as a run (the emulated clock is random, hence a wide range).
ends --table "$ring" -b 2100 -e 2100 >"$work/early"
ends --table "$ring" -b 2100 -e 2100 --delay rank=3,5ms >"$work/late"
paste "$work/early" "$work/late" | awk '
    { most = $1 > most ? $1 : most; late[NR] = $2 }
    END {
        for (i = 1; i <= NR; i++)
            bad += late[i] < 5000 + most / 4 || late[i] > 5000 + 4 * most
        exit NR != 4 || most > 2500 || bad > 0
    }'
result 'a late rank of a ring delays every rank by all of the delay' $?

# Sums are wrong: rank 2 alone gets the numbers of the others.
cat >"$work/line.table" <<'END'
collsim-table 1
algorithm line
collective all-reduce
ranks 3
agents 0
lanes 1
blocks 1
parts 1
chunks 1
shards 1
slices 1
op 0 0 0 send 1 0 out 0 1
op 1 0 0 add 0 0 out 0 1
op 1 0 1 send 2 0 out 0 1
op 2 0 1 add 1 0 out 0 1
end
END
ends --table "$work/line.table" -b 256 -e 256 --delay rank=1,5ms >"$work/late"
awk '{ late[NR] = $1 }
    END { exit NR != 3 || late[1] > 2500 || late[2] < 5000 || late[3] < late[2] }
    ' "$work/late"
result 'a rank that needs nothing of a late rank ends early' $?

$plain run --table "$ring" --delay rank=4,20us >"$work/said" 2>&1
[ $? = 2 ] && grep -q 'delay of rank 4, and the table has 4 ranks' "$work/said"
result 'a late rank that the table does not have is refused' $?

# ---- races

small='-b 2100 -e 2100 --channels 1'
if [ $races = yes ]; then
    export EMU_PROCESSORS=2
    # shellcheck disable=SC2086
    {
        exact 'no race by kernels' $tsan "$ring,$doubling,$tree" $small \
            --threads 64
        exact 'no race by copies' $tsan "$ring,$doubling" $small --threads 32 \
            --transport copy
        EMU_GPUS=2 exact 'no race on two GPUs' $tsan "$ring" $small \
            --threads 32 --gpus 2
    }
    unset EMU_PROCESSORS
else
    skip 'no race' 'no thread sanitizer here'
fi

# ---- bugs: the kernel and its protocol

warp='--threads 32'
block='--threads 64'
copy='--threads 32 --transport copy'
# shellcheck disable=SC2086
{
    caught 1 'a release that orders nothing' $tsan "$ring" $warp
    caught 2 'an acquire that orders nothing' $tsan "$ring" $warp
    caught 3 'a vote without its fences' $tsan "$doubling" $warp
    caught 5 'a sum that does not wait for the send before it' $plain \
        "$doubling" $warp
    caught 6 'a count that is not kept for the next message' $plain "$ring" \
        $warp
    caught 8 'a copy in place of a sum' $plain "$ring" $warp
    caught 9 'a slot too many' $plain "$ring" $warp
    caught 10 'a wait that is skipped' $plain "$ring" $warp
    caught 12 'a span that ends a number too early' $plain "$ring" $warp
    caught 13 'a missing barrier between moves and counts' $tsan "$ring" $block
    EMU_GPUS=2 caught 15 'the scope of one GPU where there are two' $tsan \
        "$ring" $warp --gpus 2
    caught 17 'copies that fill a slot too early' $plain "$ring" $copy
    caught 20 'copies that add before they send' $plain "$doubling" $copy
}
[ "$much" = all ] || finish

# ---- the rest, in make cuda-selftest

# shellcheck disable=SC2086
{
    caught 4 'two messages of a connection at once' $plain "$work/twice.table" \
        $warp
    caught 7 'progress that is reported too early' $plain "$tree" $warp
    caught 11 'a slice that ends behind its slot' $plain "$ring" $warp
    caught 14 'a missing barrier between votes and moves' $plain "$ring" $block
    caught 16 'tables that may arrive after the kernel starts' $tsan "$ring" \
        $warp
    caught 18 'copies that empty a slot too early' $plain "$ring" $copy
    caught 19 'copies whose rounds overlap' $plain "$ring" $copy
    caught 21 'slices that arrive over those not yet added' $plain "$ring" $copy
    caught 22 'sums of slices that have not arrived' $plain "$ring" $copy
    exact 'two messages of a connection are in order' $plain \
        "$work/twice.table" $sizes
}

limit=600
for ranks in 2 3 5 6 7 8; do
    many=$(tables $ranks)
    # shellcheck disable=SC2086
    EMU_SEED=$ranks EMU_PROCESSORS=16 exact "exact sums of $ranks ranks" $plain \
        "$many" $sizes
done
for transport in device host copy; do
    [ $transport = copy ] && servers=no || servers=
    for seed in 2 3 4; do
        # shellcheck disable=SC2086
        EMU_SEED=$seed exact "transport $transport, seed $seed" $plain \
            "$(tables 4 $servers)" -b 4100 -e 12300 -f 3 --dtype fp32,fp16 \
            --threads 96 --depth 2 --transport $transport
    done
    [ $races = yes ] || continue
    # shellcheck disable=SC2086
    EMU_PROCESSORS=4 exact "no race by transport $transport" $tsan \
        "$(tables 4 $servers)" $small --threads 32 --transport $transport
done
for gpus in 2 4; do
    EMU_GPUS=$gpus exact "exact sums on $gpus GPUs" $plain "$four" -b 38 \
        -e 4294 -f 113 --dtype fp32,fp16 --threads 64 --gpus $gpus
done
# The whole session of measure.sh is killed at random times; SEED changes the times.
: >"$work/cuts"
env -u MAKEFLAGS make -s TABLES="$work/grid" cuda-tables >"$work/said" 2>&1
export EMU_PROCESSORS=64 EMU_MEMORY=1500000
for cut in 1 2 3 4 5 6 7 8; do
    setsid validate/cuda/measure.sh --stage 4 $plain "$work/grid" \
        "$work/cut" >"$work/said" 2>&1 &
    session=$!
    sleep "$(awk -v seed="${SEED-1}$cut" 'BEGIN {
        srand(seed); print 0.3 + 3 * rand() }')"
    # shellcheck disable=SC2046 # a list of numbers
    kill -9 $(ps -o pid= -s $session) 2>/dev/null
    wait $session 2>/dev/null
    for file in measured.jsonl step; do
        # The last line may be cut where a file is copied.
        sed '$d' "$work/cut/$file" | grep -v '^{"collsim_cuda": 1, .*}$'
    done >>"$work/cuts"
done
[ ! -s "$work/cuts" ]
result 'a measurement killed at random times leaves whole lines' $?
validate/cuda/measure.sh --stage 4 $plain "$work/grid" "$work/cut" \
    >"$work/said" 2>&1
sed 's/.*"algorithm": "\([^"]*\)".*"ranks": \([0-9]*\),.*"bytes": \([0-9]*\),.*/\1 \2 \3/' \
    "$work/cut/measured.jsonl" | sort >"$work/points"
[ "$(wc -l <"$work/points")" = 160 ] && [ -z "$(uniq -d "$work/points")" ] &&
    ! grep -v '^{"collsim_cuda": 1, .*}$' "$work/cut/measured.jsonl"
result 'started again, every point of the grid is there once' $?
unset EMU_PROCESSORS EMU_MEMORY
EMU_GPUS=2 EMU_PROCESSORS=2 timeout $limit $plain calibrate --threads 64 \
    --slice 1KiB --runs 2 >"$work/said" 2>&1 &&
    grep -q '"failed_parts": 0' "$work/said"
result 'all microbenchmarks run, on two GPUs' $?
"$collsim" validate predict --data "$work/said" --out "$work/predicted" \
    >"$work/said.predict" 2>&1
grep -q '; 0 not calibrated$' "$work/said.predict"
result 'their lines calibrate every run of the grid' $?
finish

#!/bin/sh
# A trace of 100 MB is read within 3 s of a processor and 100 MB of memory.
set -u
export LC_ALL=C
cd "$(dirname "$0")/../.." || exit 1

echo 1..3
work=$(mktemp -d) || exit 1
trap 'rm -rf "$work"' EXIT
program=${COLLSIM-./collsim}

# Steps of 600 kernels with their host operators and launches, as PyTorch writes
# them, and ten all-reduces.
awk 'BEGIN {
    print "{\"distributedInfo\":{\"rank\":0,\"world_size\":8},\"traceEvents\":["
    for (c = 1; bytes < 100e6; c++) {
        t = c * 30
        line = sprintf("{\"ph\":\"X\",\"cat\":\"cpu_op\",\"name\":\"aten::mm\",\"pid\":1,\"tid\":1,\"ts\":%d.125,\"dur\":8.1,\"args\":{\"External id\":%d,\"Record function id\":0,\"Concrete Inputs\":[\"\",\"\"],\"Input type\":[\"float\",\"float\"],\"Input Dims\":[[4096,1024],[1024,4096]],\"Ev Idx\":%d}},\n", t - 50, c, c)
        line = line sprintf("{\"ph\":\"X\",\"cat\":\"cuda_runtime\",\"name\":\"cudaLaunchKernel\",\"pid\":1,\"tid\":1,\"ts\":%d.5,\"dur\":4.1,\"args\":{\"External id\":%d,\"cbid\":211,\"correlation\":%d}},\n", t - 48, c, c)
        line = line sprintf("{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"gemm_128x64_tn\",\"pid\":0,\"tid\":7,\"ts\":%d,\"dur\":25.3,\"args\":{\"External id\":%d,\"queued\":0,\"device\":0,\"context\":1,\"stream\":7,\"correlation\":%d,\"registers per thread\":122,\"shared memory\":32768,\"grid\":[32,4,1],\"block\":[256,1,1]}},\n", t, c, c)
        if (c % 60 == 0) {
            line = line sprintf("{\"ph\":\"X\",\"cat\":\"kernel\",\"name\":\"ncclDevKernel_AllReduce_Sum_f32_RING_LL\",\"pid\":0,\"tid\":20,\"ts\":%d,\"dur\":250,\"args\":{\"stream\":20,\"correlation\":%d,\"Collective name\":\"allreduce\",\"In msg nelems\":6553600,\"Out msg nelems\":6553600,\"Group size\":8,\"dtype\":\"Float\",\"Process Group Ranks\":\"[0, 1, 2, 3, 4, 5, 6, 7]\"}},\n", t + 28, c)
            calls++
        }
        printf "%s", line
        bytes += length(line)
    }
    print "{\"ph\":\"X\",\"cat\":\"user_annotation\",\"name\":\"ProfilerStep#1\",\"ts\":0,\"dur\":1}]}"
    print calls >"/dev/stderr"
}' >"$work/trace.json" 2>"$work/calls"

# Sanitizers reserve memory of their own.
limits='ulimit -t 3; ulimit -v 100000'
case $program in
*/san/* | */tsan/* | */cov/*) limits='ulimit -t 60' ;;
esac
sh -c "$limits; exec $program train --topo dgx --replay $work/trace.json --json" \
    >"$work/said" 2>"$work/notes"
status=$?
[ $status = 0 ] && echo 'ok 1 - 100 MB within 3 s and 100 MB' ||
    { echo 'not ok 1 - 100 MB within 3 s and 100 MB'; echo "# status $status"; }
used=$(sed -n 's/.*"records_used": \([0-9]*\),/\1/p' "$work/said")
[ "$used" = "$(cat "$work/calls")" ] && echo 'ok 2 - every record is used' ||
    echo "not ok 2 - every record is used: $used of $(cat "$work/calls")"
grep -q '"truncated": false' "$work/said" && echo 'ok 3 - up to the end' ||
    echo 'not ok 3 - up to the end'

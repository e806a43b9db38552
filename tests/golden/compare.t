# A log beside a prediction: compare.  The logs are made here, from the cost model itself with a known change;
# times follow the model's parameters, which are estimates, so that most figures are # signs.

# A log of two nodes with 4 adapters each, compared with nodes of 8.
$ printf '%s\n' '# nThread 1 nGpus 1 minBytes 4096' '#  Rank 15 Group  0 Pid 1 on b device  7 [0000:1b:00] NVIDIA A100' '#       size         count      type   redop    root     time   algbw   busbw #wrong' >head; collsim --topo abci-a --nodes 2 --library nccl -b 4K -e 8G -f 4 --csv 2>notes | sed 's/,nodes=2//' | awk -F, 'FNR == NR { print; next } $1 != "topology" { t = $7; printf "%.0f %.0f float sum -1 %.5g %.2f %.2f 0\n", $6, $6 / 4, 1e6 * t, $6 / t / 1e9, $6 / t / 1e9 * 1.875 }' head - >run.txt; echo '# Avg bus bandwidth    : 60.1' >>run.txt; wc -l <run.txt
15
$ collsim compare --log run.txt --topo dgx --nodes 2 | sed -E '/^ *[0-9]+ .iB /d; s/[0-9]+\.[0-9]+|[0-9]+ %/#/g; s/  +/  /g; s/^-.*/---/'
collsim: the table at line 3 names no collective; its columns are those of all-reduce
all-reduce on cluster:node=dgx,nodes=2, 16 ranks, library nccl; run.txt, line 3

  size  time  time  #  #  measured /  busbw  busbw  inside  algorithm  protocol
  measured  expected  low  high  expected  measured  expected  #  expected  expected
---

# GB/s expected, 192 on the wire; you see #, and each size from 256 KiB on is slower
6 of 11 sizes are inside the # interval
as if one of 5 causes that look the same at these sizes (# together): 4 of 8 adapters were used (#); the ranks were on 4 nodes, not 2 (#); the links inside a node, or one of them, ran at # of their rate (#); the adapters were reached through the CPU (PHB) (#)
to find out: NCCL_DEBUG=INFO lists the adapters in use (NET/IB : Using)
not considered: other jobs, single GPUs, settings that the log does not state
? 0
$ collsim compare --log run.txt --topo dgx --nodes 2 --csv 2>notes | cut -d, -f1,2,10,11; cat notes
table,bytes,inside,algorithm
1,4096,true,tree
1,16384,true,tree
1,65536,true,tree
1,262144,true,tree
1,1048576,true,tree
1,4194304,false,tree
1,16777216,true,ring
1,67108864,false,ring
1,268435456,false,ring
1,1073741824,false,ring
1,4294967296,false,ring
collsim: the table at line 3 names no collective; its columns are those of all-reduce

# A shortfall is refused, in the JSON document too; --from leaves sizes out.
$ collsim compare --log run.txt --topo dgx --nodes 2 --expect 20% --json 2>notes | sed -E 's/[0-9]+\.[0-9]+/#/g' | sed -n '1,11p'
{
  "error": "all-reduce up to 4 GiB: # GB/s measured, # expected; the largest sizes are # % short (median) and below the 90 % interval; --expect allows 20 %",
  "exit": 1,
  "comparisons": [
    {
      "collective": "all-reduce",
      "library": "nccl",
      "version": 0,
      "line": 3,
      "ranks": 16,
      "nodes": 2,
$ collsim compare --log run.txt --log run.txt --topo dgx --nodes 2 --expect 20% --json 2>notes | grep -c '^{'
1
$ collsim compare --log run.txt --topo dgx --nodes 2 --expect 20% 2>&1 >out | sed -E 's/[0-9]+\.[0-9]+/#/g'
collsim: the table at line 3 names no collective; its columns are those of all-reduce
collsim: all-reduce up to 4 GiB: # GB/s measured, # expected; the largest sizes are # % short (median) and below the 90 % interval; --expect allows 20 %
$ collsim compare --log run.txt --topo dgx --nodes 2 --expect 20% >out 2>&1
? 1
$ collsim compare --log run.txt --topo dgx --nodes 2 --expect 20% --from 64GiB >out 2>&1

# Every number of a sentence is a value of the JSON document.
$ collsim compare --log run.txt --topo dgx --nodes 2 --json 2>notes | awk '/"words": \[/ { on = 1 } /\]/ { on = 0 } on && /GB.s expected/ { split($0, w, /[ ",:;]+/); a = w[2]; b = w[5]; c = w[11] } /"(expected|wire|measured)_Bps"/ && !seen[$1]++ { v[$1] = sprintf("%.4g", $2 / 1e9) } END { print (a == v["\"expected_Bps\":"]), (b == v["\"wire_Bps\":"]), (c == v["\"measured_Bps\":"]) }'
1 1 1

# The log names the release.
$ (echo 'h:1:2 [0] NCCL INFO NCCL version 2.21.5+cuda12.4'; cat run.txt) | collsim compare --log - --topo dgx --nodes 2 2>notes | head -1
all-reduce on cluster:node=dgx,nodes=2, 16 ranks, library nccl 2.21.5; -, line 4

# What messages of the library state rules causes in and out.
$ (echo 'h:1:2 [0] NCCL INFO NET/IB : Using [0]mlx5_0:1/IB [1]mlx5_1:1/IB [2]mlx5_2:1/IB [3]mlx5_3:1/IB [RO]; OOB eth0:10.0.0.1<0>'; cat run.txt) | collsim compare --log - --topo dgx --nodes 2 2>notes | grep -E 'as if|names' | sed 's/.* on: //'
as if 4 of 8 adapters were used (100 %)
the log names the cause: 4 adapters; next: ibstat on each node; NCCL_IB_HCA must not leave adapters out
$ (echo 'h:1:2 [0] NCCL INFO comm 0x1 rank 0 nRanks 16 nNodes 2 localRanks 8'; echo 'h:1:2 [0] NCCL INFO NET/IB : Using [0]a:1/IB [1]b:1/IB [2]c:1/IB [3]d:1/IB [4]e:1/IB [5]f:1/IB [6]g:1/IB [7]h:1/IB'; cat run.txt) | collsim compare --log - --topo dgx --nodes 2 2>notes | grep -cE 'adapters were used|ranks were on'
0
? 1

# Calls of NCCL Inspector, and tables as CSV.
$ printf '{"header": {"rank": 0, "n_ranks": 8, "nnodes": 1}, "metadata": {"pid": 1}, "coll_perf": {"coll": "AllGather", "coll_sn": 7, "coll_msg_size_bytes": 131072, "coll_exec_time_us": %s}}\n' 60 70 '"' >calls.jsonl; collsim compare --log calls.jsonl --topo dgx --csv 2>&1 | cut -d, -f1-3
collsim: 1 calls are not whole, the first at line 3: left out
collsim: times of the Inspector contain the wait for late ranks
table,bytes,measured_s
1,1048576,6.5e-05
$ printf 'bytes,time_us\n1048576,65\n2097152,\n' >table.csv; collsim compare --log table.csv --topo dgx --collective all-gather --csv 2>&1 | cut -d, -f1-3
collsim: rows of the table at line 2 that are not whole, left out: 1, the first at line 3
table,bytes,measured_s
1,1048576,6.5e-05

# OSU counts the part of a rank; its log has no ranks, and the machine's count.
$ printf '# OSU MPI Allgather Latency Test v7.4\n# Size       Avg Latency(us)\n1024 21.5\n2048 30\n4096 4' >osu.txt; collsim compare --log osu.txt --topo hpc7g --nodes 2 --csv 2>notes | cut -d, -f1,2,3; collsim compare --log osu.txt --topo hpc7g --nodes 2 --json 2>notes | grep -E '"(library|ranks|ranks_from|format)"'
table,bytes,measured_s
1,32768,2.1499999999999997e-05
1,65536,2.9999999999999997e-05
      "library": "mpi",
      "ranks": 32,
      "ranks_from": null,
    "format": "osu",
    "library": "mpi",
    "ranks": 0,

# Mistakes.
$ collsim compare --topo dgx
collsim: no log to compare; expected --log FILE, the output of nccl-tests, rccl-tests or OSU
? 2
$ collsim compare --log nowhere --topo dgx
collsim: cannot open 'nowhere': No such file or directory
? 2
$ collsim compare --log head --topo dgx
collsim: no row of a table in 'head'; expected the output of nccl-tests, rccl-tests (text or -J), OSU or NCCL Inspector, or a CSV with bytes and time_us
? 2
$ collsim compare --log run.txt --topo dgx
collsim: the table at line 3 names no collective; its columns are those of all-reduce
collsim: the table at line 3 has 16 ranks, and the machine 8; expected a larger --topo, or --nodes
? 2
$ collsim compare --log run.txt --topo dgx --nodes 2 --ranks 2,4
collsim: a log has one number of ranks; expected --ranks N
? 2
$ collsim compare --log run.txt --topo dgx --nodes 2 --library ncl
collsim: the table at line 3 names no collective; its columns are those of all-reduce
collsim: unknown library 'ncl'; did you mean 'nccl'?
? 2
$ collsim compare --log run.txt --topo dgx --nodes 2 --expect 20
collsim: --expect: '20' is not above 0 and at most 1; write a fraction such as 0.8 or 80 %
? 2
$ collsim compare --log run.txt --topo dgx --nodes 2 --algo ring,tree 2>&1 | tail -1
collsim: a log is of one algorithm; expected --algo NAME
$ collsim compare --log run.txt --topo dgx --nodes 2 --algo ring --protocol simple --csv 2>notes | cut -d, -f11,12 | sort | uniq -c | sed 's/^ *//'
1 algorithm,protocol
11 ring,simple
$ collsim compare --log run.txt --topo dgx --nodes 2 --algo rnig 2>&1 | tail -1
collsim: NCCL has no algorithm 'rnig'; did you mean 'ring'?
$ awk '{ $3 = "" } 1' run.txt >columns.txt; collsim compare --log columns.txt --topo dgx --nodes 2
collsim: no row of a table in 'columns.txt'; expected the output of nccl-tests, rccl-tests (text or -J), OSU or NCCL Inspector, or a CSV with bytes and time_us
? 2

# A run before and one after in one log: the second table has its change against the first.
$ again() { printf '#       size         count      type   redop    root     time   algbw   busbw #wrong\n'; collsim --topo dgx --library nccl -b 64K -e 256M -f 4 --csv 2>notes | awk -F, -v s=$1 'FNR > 1 { t = ($6 < 1048576 ? 1 : s) * $7; printf "%.0f %.0f float sum -1 %.6g %.2f %.2f 0\n", $6, $6 / 4, 1e6 * t, $6 / t / 1e9, $6 / t / 1e9 * 1.75 }'; printf '# Avg bus bandwidth    : 1\n'; }; { again 1; again 1.8; } >twice.txt; collsim compare --log twice.txt --topo dgx 2>notes | grep '^against'
against the table of line 1: below 1 MiB as before (2 sizes), from 1 MiB on 1.8 times the time (median of 5 sizes)
$ collsim compare --log twice.txt --topo dgx --json 2>notes | grep -c 'against the table of line 1'
1

# --expect is met inside the interval, and says so.
$ awk '/^[0-9]/ { $6 *= 1.15; $7 /= 1.15; $8 /= 1.15 } NR < 10' twice.txt | collsim compare --log - --topo dgx --expect 5% 2>&1 >out | sed -E 's/[0-9]+\.[0-9]+/#/g'
collsim: the table at line 1 names no collective; its columns are those of all-reduce
note: all-reduce of 256 MiB is # % short, and --expect is met as the largest sizes are not all below the 90 % interval

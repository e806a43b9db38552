# The best schedule of each size, by simulation; trees are packed by a linear program.
$ collsim synth --topo dgx-1 --collective all-gather -s 1KiB,1MiB 2>&1
note: 21 trees of depth 6, 137.1 GB/s of the vector together, 98.8 % of the best on these routes
best schedules found of all-gather on dgx-1, 8 ranks, fp32, model fifo

 size  schedule  parameters             time     lower    reach-      of       algbw  data flow
                                                 bound      able      it
-----  --------  -----------------  --------  --------  --------  ------  ----------  ---------
1 KiB  direct    peers=7            2.306 us   2.05 us   2.05 us  88.9 %  444.1 MB/s  verified
1 MiB  forest    chunks=5 trees=21  14.65 us  7.451 us  7.451 us  50.8 %  71.56 GB/s  verified
$ collsim synth --topo cluster:node=ascend910,nodes=4,fabric=rail --collective broadcast -s 256MiB 2>/dev/null | tail -n 2
-------  --------  -------------------  --------  --------  --------  ------  ----------  ----------------
256 MiB  forest    chunks=405 trees=24  3.779 ms  3.676 ms  3.676 ms  97.3 %  71.03 GB/s  by collsim check
$ collsim synth --topo dgx-1 --collective broadcast -s 1MiB --out b.xml >/dev/null 2>&1 && collsim check --algo msccl:b.xml --topo dgx-1 --size 1MiB
algorithm    ranks   size  messages  redundant  proved
                                        copies
-----------  -----  -----  --------  ---------  -------------------------
msccl:b.xml      8  1 MiB     1,008   7.342 MB  exactly, by sets of ranks

# What the format cannot hold is left to the next best, and a table is read by its ending.
$ collsim synth --topo dgx-h100 -s 1MiB --out n.xml 2>&1 | sed -n '/^note: nvls/p;$p'
note: nvls (chunks=24) takes 8.581 us, but cannot be written: MSCCL has GPUs only, but nvls has 1 parameter servers or reducing switches; the schedule is the fastest found that format msccl holds
1 MiB  forest    chunks=3 trees=8  9.406 us  3.004 us  6.299 us  67.0 %  111.5 GB/s  verified
$ collsim synth --topo dgx-1 -s 1KiB --out t.table >/dev/null 2>&1 && collsim check --algo t.table --topo dgx-1 | tail -n 1
t.table        8  1 GiB        56      7 GiB  exactly, by sets of ranks

# 128 ranks.
$ collsim synth --topo dgx-h100 --nodes 16 --fabric rail --collective all-gather -s 1GiB 2>/dev/null | tail -n 1
1 GiB  forest    chunks=8 trees=128  2.656 ms  2.622 ms  2.622 ms  98.7 %  404.3 GB/s  verified

# With a wire down: 128 GB/s is what is left of 6 wires into a GPU.
$ collsim synth --topo dgx-1 --collective all-gather -s 16MiB --fault gpu0-gpu1:down 2>/dev/null | tail -n 4
  size  schedule  parameters                                   time     lower    reach-      of       algbw  data flow   without   loss  of the
                                                                        bound      able      it                           faults          bound
------  --------  ---------------------------------------  --------  --------  --------  ------  ----------  ---------  --------  -----  ------
16 MiB  forest    chunks=56 trees=30 fault=gpu0-gpu1:down  138.5 us  131.6 us  131.6 us  95.0 %  121.1 GB/s  verified   128.6 us  7.2 %  15.1 %

# 64 ranks: with an adapter down in one of 8 nodes, 7 of 8 adapters carry what was even.
$ for c in all-gather broadcast; do collsim synth --topo dgx-h100 --nodes 8 --collective $c -s 1GiB --fault n0.nic0:down 2>&1 | sed -n '1p;$p'; done
note: 128 trees of depth 6, 384 GB/s of the vector together, 100.0 % of the best on these routes
1 GiB  forest    chunks=39 trees=128 fault=n0.nic0:down  2.845 ms  2.797 ms  2.797 ms  98.3 %  377.5 GB/s  by collsim check  2.536 ms  10.8 %   9.7 %
note: 42 trees of depth 5, 336 GB/s of the vector together, 100.0 % of the best on these routes
1 GiB  forest    chunks=118 trees=42 fault=n0.nic0:down  3.261 ms  3.196 ms  3.196 ms  98.0 %  329.3 GB/s  by collsim check  2.853 ms  12.5 %  12.5 %

# Sums go up no further ahead than they are due: they would delay those that come down.
$ collsim synth --topo hgx-a100-4 --nodes 4 --collective all-reduce -s 256MiB --fault n0.nic0:down 2>/dev/null | tail -n 1
256 MiB  forest    chunks=384 trees=3 fault=n0.nic0:down  11.38 ms  11.19 ms  11.19 ms  98.2 %  23.58 GB/s  verified   8.418 ms  26.1 %  25.0 %
$ for k in 1 2 3; do collsim check --topo dgx-1 --algo forest -s 1MiB --chunks $k | tail -n 1; done
forest         8  1 MiB       294      7 MiB  exactly, by sets of ranks
forest         8  1 MiB       588      7 MiB  exactly, by sets of ranks
forest         8  1 MiB       882      7 MiB  exactly, by sets of ranks

# Both ways around a ring of nodes; half of the blocks of an all-to-all pass the two wires between halves.
$ for c in broadcast all-to-all; do collsim synth --topo dgx-h100 --nodes 4 --fabric ring --collective $c -s 256MiB 2>/dev/null | tail -n 1; done
256 MiB  forest    chunks=1536 trees=2  2.828 ms  2.704 ms  2.704 ms  95.6 %  94.93 GB/s  verified
256 MiB  multipath  chunks=32   21.86 ms  21.63 ms  21.63 ms  98.9 %  12.28 GB/s  verified

# A slow link is known to synth: trees spare it.
$ collsim synth --topo dgx-1 --collective all-gather -s 16MiB --fault gpu0-gpu1:rate=50% 2>/dev/null | tail -n 1
16 MiB  forest    chunks=112 trees=21 fault=gpu0-gpu1:rate=50%,announced  140.9 us  120.8 us  120.8 us  85.8 %  119.1 GB/s  verified   128.6 us  8.7 %   7.5 %

# Blocks of an all-to-all take several paths in chunks: over meshes, sockets, and around a missing link.
$ for m in dgx-1 mi250x ascend910 'cluster:node=l40s,nodes=2' 'torus:dims=4x4 --fault rank0-rank1:down'; do collsim synth --topo $m --collective all-to-all -s 256MiB --csv 2>/dev/null | tail -n 1 | cut -d, -f 2-4,7; done
relay,chunks=32,0.0043350566399999995,0.9829007110661983
multipath,chunks=256,0.00163252883,0.9790516809666633
multipath,chunks=32,0.02245805271,0.9960646019577952
multipath,chunks=32,0.022701302026,0.9854113789470151
multipath,chunks=128 fault=rank0-rank1:down,0.0062330584,0.9844553302619875

# What is wrong.
$ collsim synth --topo dgx-1 -s 1KiB,1MiB --out b.goal
collsim: --out writes one schedule; expected one --size
? 2
$ collsim synth --topo dgx-1 -s 1MiB --out b.svg
collsim: --out: 'b.svg' does not end in .xml, .goal, .txt, .json, .table or .cs
? 2
$ collsim synth --topo dgx-1 --ranks 2,4
collsim: a schedule is for one number of ranks; expected --ranks N
? 2
$ collsim synth --topo dgx-1 --algo ring
collsim: --algo belongs to 'collsim run' and has no effect here; leave it out
? 2

# An algorithm like any.
$ for c in all-to-all all-gather; do collsim --topo dgx-1 --collective $c --algo synth -s 1MiB 2>/dev/null | grep -E '^  (algorithm |param|sim)'; done
  algorithm                 relay         found by synth
  parameters                chunks=8
  simulated                 20.91 us
  algorithm bandwidth       50.16 GB/s    size / time
  algorithm                 forest        found by synth
  parameters                chunks=5 trees=21
  simulated                 14.65 us
  algorithm bandwidth       71.56 GB/s    size / time
$ for a in any synth; do collsim --topo dgx --algo $a -s 8 2>/dev/null | grep '^  algorithm '; done
  algorithm                 ps
  algorithm bandwidth       3.802 MB/s    size / time
  algorithm                 oneshot       found by synth
  algorithm bandwidth       2.963 MB/s    size / time
$ collsim check --topo dgx-1 --algo synth -s 1MiB | tail -n 1
forest         8  1 MiB     1,470      7 MiB  exactly, by sets of ranks
$ for f in goal mscclpp; do collsim export --topo hgx-a100-4 --collective all-gather --algo synth -s 1MiB --format $f 2>/dev/null | head -n 2; done
// forest all-gather, 4 ranks
num_ranks 4
{"name": "all-gather_forest",
"collective": "allgather", "protocol": "Simple", "inplace": true,
$ collsim explain --topo hgx-a100-4 --collective all-gather --algo synth | head -n 1
note: 4 trees of depth 1, 320 GB/s of the vector together, 100.0 % of the best on these routes
forest all-gather of 4 MB on hgx-a100-4, 4 ranks, fp32, model fifo
$ collsim --topo dgx-1 --algo synth,ring
collsim: 'synth' is a choice of one among all algorithms; give it alone
? 2
$ collsim check --topo dgx-1 --algo synth -s 1KiB,2KiB
collsim: synth makes one schedule; expected one --size and one --ranks
? 2

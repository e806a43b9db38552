# Answers that other simulators were seen to give otherwise, or not at all.

# GB is 1e9 bytes and GiB 2^30, of sizes and of rates.
$ for size in 1GB 1GiB; do collsim --topo switch:ranks=2,bandwidth=1GB/s,latency=0us --collective broadcast --algo flat --size $size | grep 'simulated   '; done
  simulated                 1 s
  simulated                 1.074 s
$ collsim --topo switch:ranks=2,bandwidth=1GiB/s,latency=0us --collective broadcast --algo flat --size 1GiB | grep 'simulated   '
  simulated                 1 s

# More than 2^32 bytes, and links for which a byte takes no whole picosecond.
$ collsim --topo switch:ranks=2,bandwidth=450GB/s,latency=0us --collective broadcast --algo flat --size 45TB | grep 'simulated   '
  simulated                 100 s

# Numbers of ranks that are no power of two.
$ collsim --topo switch:ranks=6 --algo rabenseifner,double-tree,ring --size 6MB --csv | cut -d, -f1-5,7
topology,ranks,collective,algorithm,model,time_s
switch,6,all-reduce,rabenseifner,fifo,0.000846
switch,6,all-reduce,double-tree,fifo,0.00049874544
switch,6,all-reduce,ring,fifo,0.00041

# Who waits for whom, and a status that is not 0.
$ printf 'num_ranks 3\nrank 0 { recv 8b from 1 }\nrank 1 { recv 8b from 2 }\nrank 2 { recv 8b from 0 }\n' >circle.goal; collsim --topo switch:ranks=3 --algo goal:circle.goal
collsim: circle.goal:2: rank 0: waits for 8 bytes from rank 1, which never sends it; circle.goal:3: rank 1: waits for 8 bytes from rank 2; circle.goal:4: rank 2: waits for 8 bytes from rank 0: a circle of waits
? 1
$ collsim --topo switch:ranks=3 --algo goal:circle.goal --no-proof
collsim: deadlock: rank 0 waits in round 0 for 8 bytes from rank 1, which is never sent (3 of 3 lanes are not done); rank 1 waits in round 0 for 8 bytes from rank 2; rank 2 waits in round 0 for 8 bytes from rank 0: a circle of waits
? 1
$ printf 'num_ranks 2\nrank 0 { send 8b to 1 send 8b to 1 }\nrank 1 { recv 8b from 0 }\n' >over.goal; collsim --topo switch:ranks=2 --algo goal:over.goal --no-proof
collsim: rank 1 never receives 8 bytes that rank 0 sent in round 0
? 1
$ collsim --topo torus:dims=4x4,latency=0us --algo direct --link-model packet --buffer 8KiB --size 64MiB --no-proof
collsim: deadlock: 7 messages stay in the network, whose links wait for room in each other's buffers: rank13 -> rank1 (link), which waits for rank1 -> rank5 (link), which waits for rank5 -> rank9 (link), which waits for rank9 -> rank13 (link), which waits for the first; larger buffers (--buffer) may prevent it, unlimited ones (no --buffer) do
? 1
$ collsim --topo ring:ranks=16,latency=0us --algo direct --link-model packet --buffer 4KiB --size 64MiB --no-proof 2>&1 | grep -o ', and so on.*'
, and so on over 16 links back to the first; larger buffers (--buffer) may prevent it, unlimited ones (no --buffer) do

# Wires that lead one way alone, up at 10 GB/s and down at 1: what a switch
# reduces goes down at 1.
$ printf '%s\n' 'classes: {quick: {rate: 10 GB/s, latency: 0 s}, slow: {rate: 1 GB/s, latency: 0 s}}' 'devices: {r: {kind: gpu, count: 2}, s: {kind: switch, reduces: yes}}' 'links: [{from: s, to: r0, class: quick, direction: back}, {from: r0, to: s, class: slow, direction: back}, {from: r1, to: s, class: quick}]' >oneway.yaml
$ for a in sharp nvls overhear; do collsim --topo oneway.yaml --algo $a --size 100MB 2>/dev/null | grep -E '  (algorithm  |simulated|efficiency)'; done
  algorithm                 sharp
  simulated                 100 ms
  efficiency                100 %         lower bound / simulated
  algorithm                 nvls
  simulated                 150 ms
  efficiency                66.6 %        lower bound / simulated
  algorithm                 overhear
  simulated                 130 ms
  efficiency                76.9 %        lower bound / simulated
$ sed -i '/links:/s/{from: s, to: r0, class: quick, direction: back}, //' oneway.yaml; collsim --topo oneway.yaml --algo sharp
collsim: no wire leads from 'r0' straight to 's', as reduction in the switch needs
? 2

# Options without an effect, and rates of no machine.
$ printf 'num_ranks 2\nrank 0 { send 8b to 1 }\nrank 1 { recv 8b from 0 }\n' >one.goal; for size in "--size 1MB" "-b 1M -e 2M"; do collsim --topo switch:ranks=2 --algo goal:one.goal $size 2>&1 >/dev/null; done
note: --size has no effect on goal:one.goal, which states the bytes of each message
note: --begin has no effect on goal:one.goal, which states the bytes of each message
$ collsim --topo switch:ranks=4,bandwidth=1B/s --algo ring --size 16B | grep -E 'simulated  '
note: a link (link) has 1 B/s, less than 1 Mb/s: the unit may be wrong
  simulated                 24 s
$ collsim train --topo dgx --model resnet50 --system ps-sync --servers 100000 2>&1 >/dev/null | grep servers
note: 8 servers are as fast as 100000, within 1 %: pushes and pulls are limited by the ports of the 8 workers

# Schedules of a format that is held as a whole are counted first.
$ for format in msccl mscclpp table; do collsim export --topo switch:ranks=100000 --algo ring --format $format; done
collsim: the schedule has more than 8000000 ops; take fewer ranks or chunks
collsim: the schedule has more than 4000000 ops; take fewer ranks or chunks
collsim: the table has more than 4000000 lines; take fewer ranks or chunks
? 2

# A run that takes longer with fewer bytes or faster links says why: chunks, or the order of messages.

$ collsim --topo rtx4090 --algo direct --size 61004B,62008B --csv 2>&1 >/dev/null
note: direct of 61 kB takes 67.99 us, longer than of 62.01 kB (67.48 us): the message from rank 1 to rank 4 waits at cpu0 -> cpu1 (xgmi-socket) behind another from rank 3 to rank 6, which came after it there

$ collsim --topo rtx4090 --algo double-tree --size 62000B,63000B --link-model fluid --csv 2>&1 >/dev/null
note: double-tree of 62 kB takes 82.53 us, longer than of 63 kB (81.82 us): double-tree chooses chunks=4 channels=1 in place of chunks=3 channels=1

$ collsim --topo torus:dims=4x2x2 --collective all-gather --algo pat --size 1MiB --link-model postal --what-if each-link --csv 2>&1 >/dev/null
note: with rank1-rank9 at half its rate the run is faster: without that, the message from rank 2 to rank 4 waits at rank2 -> rank3 (link) behind another from rank 1 to rank 3, which came after it there
note: without rank4-rank12 the run is faster: with it, the message from rank 4 to rank 12 takes rank4 -> rank12 (link) in place of rank4 -> rank0 (link)
note: with rank4-rank12 at half its rate the run is faster: without that, the message from rank 1 to rank 3 waits at rank1 -> rank2 (link) behind another from rank 0 to rank 2, which came after it there
note: without rank5-rank13 the run is faster: with it, the message from rank 5 to rank 13 takes rank5 -> rank13 (link) in place of rank5 -> rank4 (link)
note: with rank5-rank13 at half its rate the run is faster: without that, the message from rank 2 to rank 4 waits at rank2 -> rank3 (link) behind another from rank 1 to rank 3, which came after it there

$ collsim why --topo dgx-1 --collective reduce --algo two-tree --size 1MiB 2>&1 >/dev/null
note: the rate of the links of the bottleneck (nvlink2 x2; against twice the rate): without, the run takes longer, 46.73 us: two-tree chooses chunks=26 channels=20 rings=10 in place of chunks=26 channels=12 rings=6

# With faults, too: a library or a plan that knows of a slow link may choose better than without.

$ collsim --topo hgx-h200 --nodes 3 --library nccl=2.22 --collective broadcast --fault n0.nic0:rate=50%,announced --size 1GiB,25MiB 2>&1 >/dev/null | grep 'less time'
note: 1 GiB takes less time with the faults: without them, nccl decides for ring simple; decided as there, for ring ll128, it would take 3.377 ms in place of 3.61 ms
$ collsim --topo dgx-1 --collective reduce --algo two-tree --size 1MiB --fault gpu0-gpu1:rate=80%,announced 2>&1 | grep -E 'less time|slowdown'
note: two-tree of 1 MiB takes less time with the faults: without them, two-tree chooses chunks=26 channels=12 rings=6 in place of chunks=26 channels=28 rings=14
  without faults            46.48 us      slowdown by the faults 0.9883 x

# A fault that no planner knows is unknown to --algo auto as well: the choice is that of the healthy machine, the time is with the fault.

$ for f in n0.nic0:rate=10% n0.nic0:rate=10%@1us n0.nic0:rate=10%,announced; do collsim --topo dgx-h100 --nodes 2 --size 1GiB --algo auto --no-proof --fault $f 2>&1 | grep -E 'note: auto chooses|ranks   size|GiB  '; done
note: auto chooses on the machine as announced, without the faults that no planner knows; times are with them
ranks   size  chosen         time     lower   effi-       busbw  then             time  with
   16  1 GiB  nvls-tree  28.03 ms  3.151 ms  11.2 %  71.82 GB/s  double-tree  28.32 ms  chunks=64 channels=16 rings=8 fault=n0.nic0:rate=10%
note: auto chooses on the machine as announced, without the faults that no planner knows; times are with them
ranks   size  chosen         time     lower   effi-       busbw  then             time  with
   16  1 GiB  nvls-tree  28.03 ms  2.797 ms  10.0 %  71.82 GB/s  double-tree  28.32 ms  chunks=64 channels=16 rings=8 fault=n0.nic0:rate=10%@1us
ranks   size  fastest       time     lower   effi-       busbw  then             time  with
   16  1 GiB  nvls-tree  3.45 ms  3.151 ms  91.3 %  583.6 GB/s  double-tree  5.818 ms  chunks=57 channels=14 rings=7 fault=n0.nic0:rate=10%,announced
$ collsim why --topo dgx-h100 --nodes 2 --algo ring --no-proof --fault n0.nic0:rate=10% 2>&1 | grep planned
planned for: the machine without its faults

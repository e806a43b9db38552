# Clusters: nodes, a number and a fabric.
$ collsim --topo cluster:node=dgx-h100,nodes=4,fabric=rail --algo hierarchical --size 1GiB
all-reduce of 1 GiB on 4 x dgx-h100 (rail), 32 ranks, fp32, model fifo
  algorithm                 hierarchical
  placement                 packed
  parameters                chunks=13 channels=4 rings=8

Time
  simulated                 5.07 ms
  closed form               5.675 ms      the simulation is 10.65 % below
  lower bound               4.195 ms      links between 4 groups of ranks (pcie5 x16); 4.968 ms without in-network reduction
  efficiency                82.7 %        lower bound / simulated; reachable / simulated 98.0 %
  reachable                 4.968 ms      over the links that messages take: the ranks' own links (370.8 GB/s nvlink4 x18 + 48 GB/s pcie5 x16 = 418.8 GB/s)

Rates
  algorithm bandwidth       211.8 GB/s    size / time
  bus bandwidth             410.3 GB/s    as nccl-tests counts it

Traffic
  messages                  33,280
  sent in total             62 GiB
  sent by the busiest rank  1984 MiB

Memory
  at the end                31 GiB        redundant copies, of all ranks
  peak rank                 2.581 MB      buffer memory in addition to the vectors

Bottleneck
  link                      n0.gpu0 -> n0.nvswitch (nvlink4 x18)
  busy                      99.9 %        of the simulated time

Critical path
  latency                   284.7 us        5.6 %  #
  bandwidth                 4.786 ms       94.4 %  ###################
  reduction                 0 s               0 %
  waiting                   0 s               0 %

Data flow
  verified                  every rank ends with the result that all-reduce specifies

$ collsim --nodes 2 --gpus 4 --platform dgx-a100 --fabric fat-tree,radix=8 --size 64MiB --csv | cut -d, -f1-8
topology,ranks,collective,algorithm,model,bytes,time_s,closed_form_s
2 x dgx-a100 (fat-tree),8,all-reduce,multi-ring,fifo,67108864,0.001227998676,0.0012885786666666666

$ collsim --topo torus:dims=4x4 --algo ring,bucket --dims 4x4 --size 1MiB
all-reduce of 1 MiB on torus, 16 ranks, fp32, model fifo

algorithm  parameters               time    closed     lower   effi-  algbw  busbw  messages      sent     extra  bottleneck
                                              form     bound  ciency   GB/s   GB/s            in total  per rank        busy
---------  -------------------  --------  --------  --------  ------  -----  -----  --------  --------  --------  ----------
ring       dims=4x4             108.6 us  108.6 us  20.16 us  18.6 %  9.652  18.10       480    30 MiB    64 KiB      72.4 %
bucket     channels=4 dims=4x4  25.66 us  25.66 us  20.16 us  78.6 %  40.86  76.62       768    30 MiB    64 KiB      76.6 %

bottleneck: rank0 -> rank1 (link)
data flow: verified; every rank ends with the result that all-reduce specifies

$ collsim --nodes 2 --fabric fat-tre
collsim: no fabric called 'fat-tre'; did you mean 'fat-tree'?
? 2

# In a grid of hosts routes lead through hosts, those that are searched, too.

$ collsim --topo torus:dims=4x4 --routing shortest --size 1MB --csv | cut -d, -f4,7
algorithm,time_s
ring,0.0001505

# Each GPU of a p5 has four EFA: a message over one, or by default over all; a lost
# one takes its share.
$ for s in off on; do collsim --topo cluster:node=p5,nodes=2,fabric=rail,stripe=$s --algo ring --size 256MiB 2>/dev/null | grep -E '^  (simulated|link)'; done
  simulated                 42.53 ms
  link                      n0.nic0 -> n0.plx0 (pcie4 x8)
  simulated                 11.08 ms
  link                      n0.gpu0 -> n0.plx0 (pcie5 x16)

$ collsim --topo cluster:node=p5,nodes=2,fabric=rail --algo ring --size 256MiB 2>&1 | grep -E '^note|^  (simulated|link)'
note: each port of a p5 is 4 NICs, over which every message is split, as by aws-ofi-nccl; stripe=off uses one NIC per rank
  simulated                 11.08 ms
  link                      n0.gpu0 -> n0.plx0 (pcie5 x16)
$ collsim --topo cluster:node=p5,nodes=2,fabric=rail --algo ring --size 256MiB --fault n0.nic2:down 2>&1 | grep -E '^  (simulated|without)'
  simulated                 14.57 ms
  without faults            11.08 ms      slowdown by the faults 1.316 x
  without faults            n0.gpu0 -> n0.plx0 (pcie5 x16)

# By default rings go over all adapters of several nodes, as NCCL's do; over one
# node, or one GPU a node, one ring is as good, and for many ranks it is quicker
# simulated, with a note.
$ for m in dgx "ib-2xdgx" "ib-2xdgx --ranks 8" gbe-4 cluster:node=dgx-h100,nodes=65,fabric=rail; do collsim --topo $m --size 64MiB --no-proof --csv | cut -d, -f1,4 | tail -1; done
dgx-a100,ring
ib-2xdgx,multi-ring
ib-2xdgx,ring
gbe-4,ring
note: above 512 ranks the default is ring, over one of the 8 NICs of each node; --algo multi-ring uses all of them and takes longer to simulate
65 x dgx-h100 (rail),ring
$ for c in all-gather reduce-scatter broadcast reduce alltoall; do collsim --topo ib-2xdgx --collective $c --size 64MiB --no-proof --csv 2>/dev/null | cut -d, -f3,4 | tail -1; done
all-gather,multi-ring
reduce-scatter,multi-ring
broadcast,multi-ring
reduce,multi-ring
all-to-all,pairwise

$ collsim --topo ib-2xdgx --size 256MiB --with allreduce:size=1MiB 2>/dev/null | grep allreduce
  parameters                channels=16 rings=8 with=allreduce:size=1MiB

# Rails and nodes at the same time: the NICs of a node are busy all the time.
$ for c in all-gather reduce-scatter; do collsim --topo p4d --nodes 2 --collective $c --algo hierarchical,multi-ring --size 1GiB | grep -E '^(hier|multi)'; done
hierarchical  chunks=10             11.4 ms  9.707 ms  11.19 ms  98.1 %  94.19  88.30     1,392    15 GiB  26.84 MB      98.1 %
multi-ring    channels=16 rings=8  21.34 ms  21.23 ms  11.19 ms  52.4 %  50.32  47.18     3,840    15 GiB    96 MiB      98.3 %
hierarchical  chunks=10             11.4 ms  9.707 ms  11.19 ms  98.1 %  94.19  88.30     1,392    15 GiB    64 MiB      98.1 %
multi-ring    channels=16 rings=8  21.34 ms  21.23 ms  11.19 ms  52.4 %  50.32  47.18     3,840    15 GiB   100 MiB      98.3 %

# Small vectors take few steps through all NICs at once.
$ for c in broadcast reduce; do collsim --topo dgx-h100 --nodes 4 --collective $c --algo hierarchical,two-tree --size 4MiB | grep -E '^(hier|two)'; done
hierarchical  chunks=2                       55.08 us  91.48 us  11.42 us  20.7 %  76.15  76.15       434   124 MiB       0 B  22.7 % [1]
two-tree      chunks=18 channels=16 rings=8  97.64 us  104.4 us  11.42 us  11.7 %  42.96  42.96     8,928   124 MiB  131.1 kB  11.6 % [2]
hierarchical  chunks=2                       55.08 us  91.48 us  11.42 us  20.7 %  76.15  76.15       434   124 MiB  599.2 kB  22.7 % [1]
two-tree      chunks=18 channels=16 rings=8  92.75 us  104.4 us  11.42 us  12.3 %  45.22  45.22     8,928   124 MiB  218.5 kB  12.2 % [2]

$ collsim --topo dgx-h100 --nodes 1,2,4 --algo ring,tree --size 1M --csv 2>/dev/null | cut -d, -f1,2,4
topology,ranks,algorithm
1 x dgx-h100 (star),8,ring
1 x dgx-h100 (star),8,tree
2 x dgx-h100 (star),16,ring
2 x dgx-h100 (star),16,tree
4 x dgx-h100 (star),32,ring
4 x dgx-h100 (star),32,tree
$ for o in '--trace t.json' '--memory m.csv' '--what-if each-link' '--channels 1,2'; do collsim --topo dgx-h100 --nodes 1,2 --size 1M $o; done; collsim --topo dgx --nodes 2,x; collsim topo show dgx --nodes 2,4; collsim plan --gpus 8 --model resnet50 --tp 1,2
collsim: --trace requires a single run; --nodes 1,2 is a list
collsim: --memory requires a single run; --nodes 1,2 is a list
collsim: --what-if requires a single run; --nodes 1,2 is a list
collsim: --nodes and --channels are both lists; expected one, or a file of axes for 'collsim sweep'
collsim: --nodes: 'x' is not a whole number
collsim: --nodes: '2,4' is a list; expected one number here
collsim: --tp: '1,2' is a list; expected one number here
? 2
$ collsim train --topo dgx --nodes 1,2 --model gpt2-small --csv 2>/dev/null | cut -d, -f1-4; collsim train --topo dgx --model gpt2-small --tp 1,2 --timeline
case,machine,system,ranks
1,"cluster:node=dgx,nodes=1",ddp
2,"cluster:node=dgx,nodes=2",ddp
collsim: --timeline and --trace are of a single job; leave --case and --vary out
? 2

$ for c in all-reduce all-gather reduce-scatter all-to-all; do collsim --topo torus:ranks=64 --collective $c --algo all --size 96MiB --no-proof --csv 2>/dev/null | grep -E ',(bucket|swing|torus),' | cut -d, -f3,4,7,8; done
all-reduce,bucket,0.00133020576,0.0013302057599999999
all-reduce,swing,0.00132720576,0.00132720576
all-gather,bucket,0.00066510288,0.0006651028799999999
reduce-scatter,bucket,0.00066510288,0.0006651028799999999
all-to-all,torus,0.00201626592,0.00201626592

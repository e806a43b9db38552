# Rings of a machine, and of NCCL's graph files.

# Six rings over the NVLinks of a cube mesh, and twelve that share them.
$ collsim --topo dgx-1 --algo ring,multi-ring,direct | grep -E '^(note|ring|multi|direct)'
note: 6 rings with lanes of their own, 20 GB/s each
ring                       47 ms     47 ms  14.24 ms  30.3 %  22.85  39.98       112    14 GiB   128 MiB   100 % [1]
multi-ring  channels=6  15.68 ms  15.68 ms  14.24 ms  90.8 %  68.49  119.9       672    14 GiB  22.37 MB  99.9 % [1]
direct                  550.3 ms  313.2 ms  14.24 ms   2.6 %  1.951  3.415       112    14 GiB   256 MiB  97.6 % [2]

$ collsim --topo dgx-1 --algo multi-ring --channels 12 | grep -E 'note|parameters|simulated  |closed'
note: 6 rings with lanes of their own, 20 GB/s each
  parameters                channels=12 rings=6
  simulated                 15.66 ms
  closed form               15.68 ms      the simulation is 0.11 % below

# The same rings for the other collectives, cut at the root.
$ for c in all-gather reduce-scatter broadcast reduce; do collsim --topo dgx-1 --collective $c --algo multi-ring --size 64MiB | grep -E 'parameters|simulated  |bus band'; done
note: 6 rings with lanes of their own, 20 GB/s each
  parameters                channels=6
  simulated                 498.8 us
  bus bandwidth             117.7 GB/s    as nccl-tests counts it
note: 6 rings with lanes of their own, 20 GB/s each
  parameters                channels=6
  simulated                 498.8 us
  bus bandwidth             117.7 GB/s    as nccl-tests counts it
note: 6 rings with lanes of their own, 20 GB/s each
  parameters                chunks=224 channels=12 rings=6
  simulated                 598.9 us
  bus bandwidth             112.1 GB/s    as nccl-tests counts it
note: 6 rings with lanes of their own, 20 GB/s each
  parameters                chunks=224 channels=12 rings=6
  simulated                 598.9 us
  bus bandwidth             112.1 GB/s    as nccl-tests counts it

$ collsim --topo dgx-1 --collective broadcast --algo multi-ring --root 5 --channels 7 --slices 2 --chunks 3 --size 64MiB | grep -E 'parameters|simulated  '
note: 6 rings with lanes of their own, 20 GB/s each
  parameters                root=5 chunks=3 slices=2 channels=7 rings=6
  simulated                 968.1 us

$ collsim --topo dgx-1 --algo any | grep 'algorithm  '
collsim: skipped sharp: no wire leads from 'gpu3' straight to 'plx0', as reduction in the switch needs
collsim: skipped sharp-tree: sharp-tree needs ranks on several switches, and --group 8 puts all on one; sharp is for one
collsim: skipped nvls: no wire leads from 'gpu3' straight to 'plx0', as reduction in the switch needs
collsim: skipped nvls-tree: nvls-tree needs several nodes, and all 8 ranks are in one; nvls is for one
collsim: skipped nvls-ring: no wire leads from 'gpu3' straight to 'plx0', as reduction in the switch needs
collsim: skipped nvls-sharp: nvls-sharp needs several nodes, and all 8 ranks are in one; nvls is for one
collsim: skipped collnet-chain: collnet-chain needs several nodes, and all 8 ranks are in one; sharp is for one
collsim: skipped overhear: no wire leads from 'gpu3' straight to 'plx0', as reduction in the switch needs
  algorithm                 multi-ring

# No circuit leads over the NVLinks of the first five GPUs: the rings also pass
# the PCIe switches, near GPUs side by side.
$ collsim --topo dgx-1 --ranks 5 --algo multi-ring | grep -E 'note|parameters'
  parameters                channels=4 rings=2

# A wire that is down is in no ring.
$ collsim --topo dgx-1 --algo multi-ring --fault gpu0-gpu1:down | grep -E 'note|parameters|simulated  '
note: 5 rings with lanes of their own, 20 GB/s each
note: planned for the machine with its faults: 5 channels, 1 chunks; without them 6 and 1
  parameters                channels=5 fault=gpu0-gpu1:down
  simulated                 18.81 ms

# Identical nodes: rings leave by different adapters.
$ collsim --topo ib-2xdgx --algo ring,multi-ring | grep -E '^(ring|multi)'
ring                             83.99 ms  83.99 ms  7.627 ms   9.1 %  12.78  23.97       480    30 GiB   384 MiB  99.9 % [1]
multi-ring  channels=16 rings=8  10.49 ms  10.59 ms  7.627 ms  72.7 %  102.4  191.9     7,680    30 GiB    52 MiB   100 % [2]

$ collsim --topo dgx-1 --collective broadcast --algo multi-ring --channels 64 --slices 1024
note: 6 rings with lanes of their own, 20 GB/s each
collsim: 64 channels of 1024 slices are 65536 parts; multi-ring has at most 2048
? 2

# NCCL's protocol Simple sends a chunk of a ring in two slices, but not of a chain.
$ for options in "nccl-simple" "nccl-simple --slices 1" nccl-ll; do collsim --topo dgx-1 --size 64MiB --algo multi-ring --transport $options | grep -E 'parameters|simulated  '; done; for c in broadcast all-gather; do collsim --topo dgx-1 --size 64MiB --collective $c --transport nccl-simple --algo multi-ring | grep parameters; done
note: 6 rings with lanes of their own, 20 GB/s each
  parameters                slices=2 channels=6 transport=nccl-simple
  simulated                 990.5 us
note: 6 rings with lanes of their own, 20 GB/s each
  parameters                slices=1 channels=6 transport=nccl-simple
  simulated                 1.035 ms
note: 6 rings with lanes of their own, 10 GB/s each
  parameters                slices=1 channels=6 transport=nccl-ll
  simulated                 1.972 ms
note: 6 rings with lanes of their own, 20 GB/s each
  parameters                chunks=164 channels=12 rings=6 transport=nccl-simple
note: 6 rings with lanes of their own, 20 GB/s each
  parameters                slices=2 channels=6 transport=nccl-simple

# All channels of a file, or the first.
$ printf '<graphs version="1">\n<graph id="0" pattern="4">\n<channel><gpu dev="0"/><gpu dev="1"/><gpu dev="3"/><gpu dev="2"/></channel>\n<channel><gpu dev="0"/><gpu dev="2"/><gpu dev="3"/><gpu dev="1"/></channel>\n<channel><gpu dev="0"/><gpu dev="1"/><gpu dev="2"/><gpu dev="3"/></channel>\n</graph>\n</graphs>\n' > rings.xml

$ collsim --topo hgx-a100-4 --algo multi-ring --ring-order graph:rings.xml | grep -E 'note|parameters|simulated  |closed|chain'
note: 3 rings of rings.xml, 40 GB/s each when all run at once
  parameters                channels=3
  simulated                 13.42 ms
  closed form               13.43 ms      the simulation is 0.05 % below

$ collsim --topo hgx-a100-4 --algo ring --ring-order graph:rings.xml | grep -E 'note|simulated  '
note: the ranks in order are on gpu0 gpu1 gpu3 gpu2, from ring 1 of 3 in rings.xml
note: --ring-order graph:rings.xml has no effect here
  simulated                 20.14 ms

$ sed -i 's/<gpu dev="1"\/><gpu dev="2"\/><gpu dev="3"/<gpu dev="1"\/><gpu dev="1"\/><gpu dev="3"/' rings.xml; collsim --topo hgx-a100-4 --algo multi-ring --ring-order graph:rings.xml
collsim: rings.xml:5: the ring has GPU 1 twice
? 2

$ collsim --topo dgx-1 --algo multi-ring --ring-order graph:rings.xml
collsim: rings.xml:3: the ring is for 4 ranks; the run has 8
? 2

# One adapter of 32 is lost: seven rings over the rails that are whole, an eighth slower.
$ for nic in n0.nic0 n1.nic5 n3.nic2; do for fabric in star rail; do collsim --topo dgx-h100 --nodes 4 --fabric $fabric --algo multi-ring --link-model fluid --size 1GiB --fault $nic:down | grep -E 'parameters|slowdown'; done; done
note: planned for the machine with its faults: 14 channels, 1 chunks; without them 16 and 1
  parameters                channels=14 rings=7 fault=n0.nic0:down
  without faults            5.625 ms      slowdown by the faults 1.138 x
note: planned for the machine with its faults: 14 channels, 1 chunks; without them 16 and 1
  parameters                channels=14 rings=7 fault=n0.nic0:down
  without faults            5.811 ms      slowdown by the faults 1.13 x
note: planned for the machine with its faults: 14 channels, 1 chunks; without them 16 and 1
  parameters                channels=14 rings=7 fault=n1.nic5:down
  without faults            5.625 ms      slowdown by the faults 1.138 x
note: planned for the machine with its faults: 14 channels, 1 chunks; without them 16 and 1
  parameters                channels=14 rings=7 fault=n1.nic5:down
  without faults            5.811 ms      slowdown by the faults 1.13 x
note: planned for the machine with its faults: 14 channels, 1 chunks; without them 16 and 1
  parameters                channels=14 rings=7 fault=n3.nic2:down
  without faults            5.625 ms      slowdown by the faults 1.138 x
note: planned for the machine with its faults: 14 channels, 1 chunks; without them 16 and 1
  parameters                channels=14 rings=7 fault=n3.nic2:down
  without faults            5.811 ms      slowdown by the faults 1.13 x

# Six circuits of a full mesh of four use every wire twice.
$ collsim --topo hgx-a100-4 --algo multi-ring --size 1GiB | grep -E 'note|parameters|simulated  |bus'
note: 6 rings with lanes of their own, 40 GB/s each
  parameters                channels=6
  simulated                 6.714 ms
  bus bandwidth             239.9 GB/s    as nccl-tests counts it
  sent by the busiest rank  1.5 GiB
  busy                      100 %         of the simulated time

# PCIe switches: one ring, switch by switch.  Two groups of four joined by sockets:
# four rings, each with sockets of its own.
$ for m in l40s rtx4090-p2p ascend910; do collsim --topo $m --algo ring,multi-ring --size 1GiB 2>/dev/null | grep -E '^(ring|multi)'; done
ring                            85.44 ms  85.44 ms  78.29 ms  91.6 %  12.57  21.99       112    14 GiB   128 MiB       100 %
multi-ring  channels=2 rings=1  85.41 ms  85.44 ms  78.29 ms  91.7 %  12.57  22.00       224    14 GiB    64 MiB       100 %
ring                            85.82 ms  85.82 ms  78.29 ms  91.2 %  12.51  21.90       112    14 GiB   128 MiB       100 %
multi-ring  channels=2 rings=1   85.8 ms  85.82 ms  78.29 ms  91.2 %  12.51  21.90       224    14 GiB    64 MiB       100 %
ring                            313.2 ms  313.2 ms  44.74 ms  14.3 %  3.428  6.000       112    14 GiB   256 MiB   100 % [1]
multi-ring  channels=8 rings=4  78.29 ms  78.31 ms  44.74 ms  57.1 %  13.71  24.00       896    14 GiB    80 MiB   100 % [2]

# The switch of a node was asked to reduce for ranks of other nodes: below the lower bound.
$ collsim --topo cluster:node=p6-b200,nodes=4,fabric=star --algo nvls-tree --placement round-robin --size 4MiB
collsim: nvls-tree needs the ranks of each node in their order, packed; rank 1 is on another node than ranks 0 to 7; leave the placement out
? 2

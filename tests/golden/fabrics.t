# Networks of the NICs of a node: rail-only and dual-plane.

# A message changes rails inside its node; up to radix= nodes a rail is one switch.
$ for f in rail-only rail-only,radix=4 dual-plane dual-plane,radix=16 fat-tree,radix=16; do collsim --topo dgx-h100 --nodes 8 --fabric $f --collective all-to-all --algo direct --size 64MiB --no-proof | grep 'simulated   '; done
  simulated                 1.23 ms
  simulated                 1.233 ms
  simulated                 1.23 ms
  simulated                 1.233 ms
  simulated                 1.233 ms
$ collsim --topo dgx-h100 --nodes 16 --fabric dual-plane,radix=32 --algo hierarchical --size 64MiB --no-proof --fold on | grep -E 'simulated   |folded'
  folded                    4 of 128 ranks simulated, 32 symmetries of ranks
  simulated                 520.2 us
$ collsim --topo dgx-h100 --nodes 16 --fabric dual-plane,radix=32 --algo hierarchical --size 64MiB --no-proof --fold off | grep -E 'simulated   |folded'
  simulated                 520.2 us
$ collsim topo check --topo cluster:node=dgx-h100,nodes=4,fabric=rail-only | tail -1
0 anomalies

# A lost plane, or rail: its traffic takes the adapters of the others.
$ collsim --topo dgx-h100 --nodes 4 --fabric dual-plane --size 64MiB --no-proof --what-if each-plane
multi-ring all-reduce takes 491.9 us; effect of losing each of 2 in use

lost                   time     slower  disconnected  rerouted      time   slower  bottleneck when down
                  when down  when down                           at half  at half
----------------  ---------  ---------  ------------  --------  --------  -------  ------------------------------
plane0.switch[*]   684.3 us    1.391 x  no            no        727.4 us  1.479 x  n0.gpu1 -> n0.plx1 (pcie5 x16)
plane1.switch[*]   684.3 us    1.391 x  no            no        727.4 us  1.479 x  n0.gpu0 -> n0.plx0 (pcie5 x16)
$ collsim --topo dgx-h100 --nodes 4 --fabric dual-plane,radix=8 --size 64MiB --no-proof --fault 'plane0.leaf[*]:down' | grep -E 'simulated   |without faults'
note: planned for the machine with its faults: 16 channels, 1 chunks; without them 32 and 1
  simulated                 686.1 us
  without faults            566.1 us      slowdown by the faults 1.212 x
  without faults            n0.gpu0 -> n0.plx0 (pcie5 x16)
$ collsim --topo dgx-h100 --nodes 4 --fabric fat-tree --what-if each-plane --size 1MiB
collsim: --what-if each-plane: '4 x dgx-h100 (fat-tree)' has no planes; write each-link or each-switch or each-nic
? 2

# Switches, cables and dollars: rails of up to 64 nodes save a tier of switches.
$ collsim plan --gpus 256 --spares 0 --fabric rail-only,dual-plane,fat-tree --mix all-reduce:1GiB --json | grep -E '"(fabric|switches|cables|network_usd)"'
      "fabric": "rail-only",
      "switches": 4,
      "cables": 256,
      "network_usd": 471680,
      "fabric": "dual-plane",
      "switches": 12,
      "cables": 512,
      "network_usd": 1087360,
      "fabric": "fat-tree",
      "switches": 12,
      "cables": 512,
      "network_usd": 1087360,

# Refusals.
$ collsim --topo dgx-h100 --nodes 4 --fabric dual-plain
collsim: no fabric called 'dual-plain'; did you mean 'dual-plane'?
? 2
$ collsim --topo dgx-h100 --nodes 6 --fabric rail-only,radix=4,tiers=1
collsim: 6 ports on a switch of 4; write tiers=2 or a larger radix
? 2
$ collsim --topo dgx-h100 --nodes 4 --fabric dual-plane,rails=4
collsim: a dual-plane has 2 planes, not rails=4; leave rails= out
? 2
$ collsim --topo fat-tree:ranks=8 --fabric rail-only
collsim: 'fat-tree:ranks=8' is not a node; expected a machine of the library, a file or node:gpu=MODEL,...
? 2
$ collsim --topo cluster:nodes=4,fabric=dual-plane
collsim: the 1 NICs of a node cannot be split among 2 planes
? 2

# Trees and blocks of Slurm.
$ printf 'SwitchName=leaf1 Nodes=node[01-16]\nSwitchName=leaf2 Nodes=node[17-32] LinkSpeed=200Gb/s\nSwitchName=top Switches=leaf[1-2]\n' >topology.conf; collsim topo --topo topology.conf --platform dgx-h100 | grep -E '^(ranks|device|link)'
note: the file has no number of cables: as many links go up from a switch as come from below, each as the port of a host; LinkSpeed with a unit, as 200Gb/s, is the rate of a link upwards
ranks 256, nodes 32, links 1328, routes computed
device     gpu                  256           -           -           -        -  -           n0.gpu0 ... n31.gpu7
device     cpu                   64           -           -           -        -  -           n0.cpu0 ... n31.cpu1
device     nic                  256           -           -           -        -  -           n0.nic0 ... n31.nic7
device     switch               312           -           -           -        -  -           n0.nvswitch ... rail7.top
link       nvlink4 x18          256    450 GB/s      82.4 %  370.8 GB/s  1.35 us  separate    [1]
link       pcie5 x16            768  63.02 GB/s      76.2 %     48 GB/s   500 ns  separate    [2]
link       upi2                  32     32 GB/s      68.8 %     22 GB/s    50 ns  separate    [3]
link       ib-ndr               256     50 GB/s      99.3 %  49.65 GB/s   675 ns  separate    [4]
link       16 of ib-ndr           8    800 GB/s      99.3 %  794.4 GB/s   675 ns  separate    [4]
link       16 of ib-ndr_200G      8    400 GB/s      99.3 %  397.2 GB/s   675 ns  separate    [4]
$ collsim topo check --topo topology.conf --platform dgx-h100
note: the file has no number of cables: as many links go up from a switch as come from below, each as the port of a host; LinkSpeed with a unit, as 200Gb/s, is the rate of a link upwards
check      where                              rate  latency      ratio  remark
---------  ---------------------------  ----------  -------  ---------  -------------------------------------------------------------------------------------
pair       n0.gpu0 -> n16.gpu1             48 GB/s   7.4 us          -  the slowest
pair       n4.gpu5 -> n12.gpu7             48 GB/s  6.05 us          -  the median
pair       n31.gpu7 -> n31.gpu6         370.8 GB/s   2.7 us          -  the fastest
bisection  the first half of the ranks  3.178 TB/s        -  0.05928 x  of some halves; other halves may be slower; ratio: to the sum of the ranks' own links
switch     n0.plx0                         48 GB/s        -        1 x  down to up; 256 switches 1 link from a rank, the least 1
switch     rail0.leaf2                  397.2 GB/s        -        2 x  down to up; 16 switches 3 links from a rank, the least 1

0 anomalies
$ collsim --topo topology.conf --algo any --size 1MiB 2>&1 | grep 'skipped ps'
collsim: skipped ps: no CPU for a parameter server in the hosts of a fabric's file; --platform MACHINE says what is inside
$ printf -- '- topology: racks\n  block:\n    block_sizes: [16]\n    blocks:\n    - block: rack1\n      nodes: n[01-18]\n    - block: rack2\n      nodes: n[19-34]\n' >topology.yaml; collsim topo --topo topology.yaml --platform gb200-nvl72 | head -2
note: a block is a rack, of which 16 trays count; no network joins blocks in the file: one that never blocks is assumed
2 x gb200-nvl72 (star): one switch that never blocks
ranks 128, nodes 2, links 648, routes computed
$ sed 's/leaf.1-2/leaf[1-3/' topology.conf >more.conf; collsim --topo more.conf --platform dgx-h100
collsim: more.conf:3: no switch called 'leaf3'; did you mean 'leaf1'?
? 2
$ collsim --topo topology.conf --platform gb200-nvl72
collsim: topology.conf: nodes of a tree are hosts, and a gb200-nvl72 is a rack; expected a host, as node:gpu=gb200,gpus=4,links=switch,port=ib-ndr
? 2
$ collsim topo --topo topology.conf --platform node:gpu=gb200,gpus=4,links=switch,port=ib-ndr 2>/dev/null | grep ^ranks
ranks 128, nodes 32, links 322, routes computed

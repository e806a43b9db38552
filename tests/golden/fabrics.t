# Networks of the NICs of a node: rail-only and dual-plane.

# A message changes rails inside its node; up to radix= nodes a rail is one switch.
$ for f in rail-only rail-only,radix=4 dual-plane dual-plane,radix=16 fat-tree,radix=16; do collsim --topo dgx-h100 --nodes 8 --fabric $f --collective all-to-all --algo direct --size 64MiB --no-proof | grep 'simulated   '; done
  simulated                 1.23 ms
  simulated                 1.233 ms
  simulated                 1.23 ms
  simulated                 1.233 ms
  simulated                 1.233 ms
$ collsim --topo dgx-h100 --nodes 16 --fabric dual-plane,radix=32 --algo hierarchical --size 64MiB --no-proof --fold on | grep -E 'simulated   |folded'
  folded                    32 of 128 ranks simulated, rotation by 32
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
      "network_usd": 471424,
      "fabric": "dual-plane",
      "switches": 12,
      "cables": 512,
      "network_usd": 1086848,
      "fabric": "fat-tree",
      "switches": 12,
      "cables": 512,
      "network_usd": 1086848,

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

# Hashed, sprayed and adaptive routes.

# Sixteen nodes on eight leaves, each with as many uplinks as ports: a hash by flow
# collides, queue pairs collide less, sprayed messages and adaptive ones do not.
$ for r in spread ecmp 'ecmp --qps 4' 'ecmp --qps 4 --hash flow' 'ecmp --qps 16' spray adaptive; do collsim --topo cluster:node=dgx-h100,nodes=16,fabric=fat-tree,radix=32,rails=1 --algo bucket --size 64MiB --no-proof --link-model fluid --routing $r | grep -E 'parameters|simulated   '; done
  simulated                 823.2 us
  parameters                routing=ecmp
  simulated                 1.446 ms
  parameters                routing=ecmp qps=4
  simulated                 1.05 ms
note: --qps 4 has no effect here
  parameters                routing=ecmp qps=4 hash=flow
  simulated                 1.446 ms
  parameters                routing=ecmp qps=16
  simulated                 823.2 us
  parameters                routing=spray
  simulated                 823.2 us
  parameters                routing=adaptive
  simulated                 823.2 us

# The mean and the percentiles over hashes; the same bytes for any number of processes.
$ for j in 1 2; do collsim --topo cluster:node=dgx-h100,nodes=8,fabric=fat-tree,radix=32,rails=1 --algo bucket --size 64MiB --no-proof --routing ecmp --qps 4 --runs 40 -j $j | sed -n '/^Hashes/,/^$/p' | md5sum; done
622a123889596579839402e174c5460f  -
622a123889596579839402e174c5460f  -
$ collsim --topo cluster:node=dgx-h100,nodes=8,fabric=fat-tree,radix=32,rails=1 --algo bucket --size 64MiB --no-proof --routing ecmp --qps 4 --runs 40 | sed -n '/^Hashes/,/^$/p'
Hashes of routes, 40 runs; figures above are for the median run
  mean                      834 us        95 % confidence: 817.5 us to 853.9 us
  standard deviation        51.55 us
  min                       776.6 us
  5th percentile            795.2 us
  median                    807.8 us
  95th percentile           907.5 us
  99th percentile           979.1 us
  max                       983.4 us

# A single run is one of them.
$ collsim --topo fat-tree:ranks=16,radix=4 --size 64MiB --routing ecmp --run 3 | grep -E '^Hashes|simulated   '
  simulated                 5.123 ms

# One shortest route.
$ collsim --topo dgx-h100 --routing spray --size 1MiB 2>&1 | grep -E '^note|simulated   '
note: --routing spray has no effect: there is one shortest route between any two ranks
  simulated                 42.75 us

# The cause, with the link and the flows.
$ collsim why --topo fat-tree:ranks=32,radix=8 --routing ecmp --algo direct --collective all-to-all --size 64MiB | tail -5
 1. hashed routes (--routing) share links; leaf2 -> spine0 (link) carries 39 flows (rank8 to rank0, rank8 to rank1, rank8 to rank2, ...), 1.42 times the mean of its 8 equals: without, 2.602 ms instead of 3.357 ms, 1.29 times as fast
 2. few hashes per connection (against --qps 16): without, 2.775 ms instead of 3.357 ms, 1.21 times as fast
 3. the rate of the links of the bottleneck (link; against twice the rate): without, 1.68 ms instead of 3.357 ms, 1.999 times as fast
 4. messages behind those of other ranks: 838.9 us of the critical path, 24.99 %
 5. the algorithm (against multipath): without, 2.718 ms instead of 3.357 ms, 1.235 times as fast

# Refusals.
$ collsim --topo fat-tree:ranks=16,radix=4 --routing ecmp --qps 2 --fold on
collsim: ring cannot be folded: messages take routes by queue pair, by chance or by load
? 2
$ collsim --topo fat-tree:ranks=16,radix=4 --routing ecmp --runs 2 --fold on
collsim: ring cannot be folded: messages take routes by queue pair, by chance or by load
? 2
$ collsim --routing sprya
collsim: --routing: no routing called 'sprya'; did you mean 'spray'?
? 2
$ collsim --routing ecmp --qps 0
collsim: --qps: '0' is out of range; expected 1 to 1024
? 2
$ collsim --qps 2
collsim: --qps requires --routing ecmp or adaptive (current: spread)
? 2
$ collsim --routing spray --qps 2
collsim: --qps requires --routing ecmp or adaptive (current: spray); spray uses every route already
? 2
$ collsim --hash qp
collsim: --hash requires --routing ecmp (current: spread)
? 2
$ collsim --routing ecmp --hash qpx
collsim: --hash: no hash called 'qpx'; did you mean 'qp'?
? 2

# On a tree of wires there is one route: the run folds as without the option.
$ collsim --topo switch:ranks=1048576 --routing adaptive --size 4GiB 2>/dev/null | grep -oE '1 of 1048576 ranks simulated|data flow.*|simulated  .*'
1 of 1048576 ranks simulated
simulated                 2.441 s

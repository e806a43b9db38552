# What messages are to models in which they share links.

# A message gets no more than the cap, and what it got without where that is less.
$ for cap in 1GB/s 10GB/s 1TB/s; do collsim --topo dgx --algo direct --size 64MiB --link-model fluid --flow-cap $cap | grep -E 'parameters|simulated   '; done
  parameters                flow-cap=1 GB/s
  simulated                 117.5 ms
  parameters                flow-cap=10 GB/s
  simulated                 11.78 ms
note: --flow-cap 1TB/s has no effect here
  parameters                flow-cap=1 TB/s
  simulated                 527.1 us
$ collsim --topo dgx --algo direct --size 64MiB --link-model fluid | grep "simulated   "
  simulated                 527.1 us

# A header of 64 B on 1 KiB is 6.25 % more time on the wire.
$ collsim --topo dgx --algo ring --size 64MiB --link-model packet --mtu 1KiB | grep "simulated   "
note: --mtu 1KiB has no effect here
  simulated                 527.1 us
$ collsim --topo dgx --algo ring --size 64MiB --link-model packet --mtu 1KiB --header 64B | grep -E 'parameters|simulated   '
  parameters                mtu=1 KiB header=64 B
  simulated                 557.7 us

# Less buffer than a link sends until the credit is back: it stands still.
$ collsim --topo ib-2xdgx --algo ring --size 4MiB --link-model packet --buffer 16KiB | grep -E 'parameters|simulated   '
  parameters                buffer=16 KiB
  simulated                 2.609 ms
$ collsim --topo ib-2xdgx --algo ring --size 4MiB --link-model packet | grep "simulated   "
  simulated                 427.8 us

# Of equal routes a hash chooses, and some get more than their share.
$ for seed in 1 3; do collsim --topo ib-2xdgx --algo direct --size 64MiB --link-model fluid --no-proof --routing ecmp --seed $seed | grep -E 'parameters|simulated   '; done
  parameters                routing=ecmp
  simulated                 10.98 ms
  parameters                routing=ecmp
  simulated                 10.87 ms
$ collsim --topo ib-2xdgx --algo direct --size 64MiB --link-model fluid --no-proof | grep 'simulated   '
  simulated                 9.415 ms
$ collsim --routing ecpm
collsim: --routing: no routing called 'ecpm'; did you mean 'ecmp'?
? 2

# What does not go together.
$ collsim --flow-cap 10GB/s
collsim: --flow-cap requires --link-model fluid (current: fifo)
? 2
$ collsim --flow-cap 0GB/s --link-model fluid
collsim: --flow-cap: '0GB/s' is zero; expected a rate above 0
? 2
$ collsim --mtu 1KiB --link-model fluid
collsim: --mtu requires --link-model packet (current: fluid)
? 2
$ collsim --mtu 8B --link-model packet
collsim: --mtu: '8B' is out of range; expected 16 B to 16 MiB
? 2
$ collsim --mtu 4KiB --buffer 4096B --header 64B --link-model packet
collsim: --buffer 4096 B does not hold a packet of 4160 B
? 2
$ collsim --header 1MiB --link-model packet
collsim: --header: '1MiB' is out of range; expected 0 B to 64 KiB
? 2
$ collsim --help network | head -1
network: transports, routing, packets, buffers, loss

# Ethernet that loses packets, and Ethernet that pauses.
$ for l in credits pfc drop; do collsim --topo switch:ranks=9,bandwidth=1.25GB/s,latency=5us --collective gather --algo flat --size 9MiB --link-model packet --mtu 1460B --header 78B --buffer 64KiB --loss $l | grep -E '^  (parameters|simulated|packets)'; done
note: --buffer 64KiB has no effect here
  parameters                mtu=1.46 kB header=78 B buffer=64 KiB
  simulated                 7.08 ms
note: --buffer 64KiB has no effect here
  parameters                mtu=1.46 kB header=78 B buffer=64 KiB loss=pfc
  simulated                 7.08 ms
  parameters                mtu=1.46 kB header=78 B buffer=64 KiB loss=drop
  simulated                 7.602 ms
  packets dropped           234
  packets resent            234

$ collsim --topo gbe-4 --link-model packet --loss drp
collsim: --loss: no loss called 'drp'; did you mean 'drop'?
? 2

$ collsim --topo gbe-4 --loss drop
collsim: --loss requires --link-model packet (current: fifo)
? 2

$ collsim --topo gbe-4 --link-model packet --rto 5ms
collsim: --rto requires --loss drop (current: credits)
? 2

# Machines with circles: messages have places of their own; with PFC buffers are
# without limit, unless one is set.
$ for l in credits pfc; do collsim --topo torus:dims=4x4 --link-model packet --loss $l --collective all-to-all --size 64MiB --no-proof | grep -E '^  simulated'; done
  simulated                 4.54 ms
note: buffers are unlimited, in place of the virtual channels with which such machines avoid deadlock; --buffer sets a limit
  simulated                 4.468 ms

$ collsim --link-model packet --mtu 9000 2>/dev/null | grep mtu; collsim --link-model packet --mtu 9X
  parameters                mtu=9 kB
collsim: --mtu: unknown unit 'X' in '9X'; write a size such as 256 MB or 1 GiB
? 2

# Between parties with a single route, routings make no difference.

$ for r in spread ecmp shortest; do for t in switch:ranks=4 gbe-4 fat-tree:ranks=16,radix=4; do collsim --topo $t --size 1MB --routing $r 2>&1 | grep -E '^note|  simulated'; done; done
  simulated                 66 us
  simulated                 12.87 ms
  simulated                 165 us
note: --routing ecmp has no effect: the routes are those of spread
  simulated                 66 us
note: --routing ecmp has no effect: the routes are those of spread
  simulated                 12.87 ms
note: --routing ecmp has no effect here
  simulated                 165 us
note: --routing shortest has no effect: the routes are those of spread
  simulated                 66 us
note: --routing shortest has no effect: the routes are those of spread
  simulated                 12.87 ms
note: --routing shortest has no effect here
  simulated                 165 us

# Incast: TCP's goodput collapses with the number of senders. Medians, as which
# packets are lost depends on little.

$ for n in 5 9; do collsim --topo switch:ranks=$n,bandwidth=1Gb/s,latency=25us --collective gather --algo flat --size $((n*256))KiB --link-model packet --mtu 1460B --header 40B --buffer 64KiB --loss drop --rto 200ms --jitter exponential,mean=20us --runs 41 2>/dev/null | grep -E '^  median'; done
  median                    8.703 ms
  median                    207.5 ms

# Several sizes, algorithms and numbers of ranks: an option has no effect on any.
$ for o in '--routing ecmp' '--fault gpu0-gpu1:rate=50%' '--fabric rail' '--seed 3'; do collsim --topo dgx-1 --algo ring,tree --ranks 4,8 --size 1KiB,1MiB $o 2>&1 >/dev/null | grep 'effect here'; done
note: --fabric rail has no effect here
note: --seed 3 has no effect here

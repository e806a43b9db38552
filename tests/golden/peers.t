# What other simulators answer: see their files for the numbers.

# LogGOPSim's example: a binomial reduction of 1024 B over 8 hosts ends at
# 34914, 24776, 13138, 13138 and 1500 ns.
$ printf 'num_ranks 8\nrank 0 { recv 1024b from 1 recv 1024b from 2 recv 1024b from 4 }\nrank 1 { a: recv 1024b from 3 b: recv 1024b from 5 s: send 1024b to 0\n s requires a s requires b }\nrank 2 { a: recv 1024b from 6 s: send 1024b to 0 s requires a }\nrank 3 { a: recv 1024b from 7 s: send 1024b to 1 s requires a }\nrank 4 { send 1024b to 0 } rank 5 { send 1024b to 1 }\nrank 6 { send 1024b to 2 } rank 7 { send 1024b to 3 }\n' > reduce8.goal; collsim --topo switch:ranks=8 --link-model loggp --algo goal:reduce8.goal --per-rank
note: model loggp has no links, only the parameters of --loggp: LogGOPSim's own, L=2500ns,o=1500ns,g=1000ns,G=6ns/B
custom of 1 KiB on switch, 8 ranks, fp32, model loggp
  algorithm                 goal:reduce8.goal
  placement                 packed

Time
  simulated                 34.91 us
  closed form               -             none for this run
  lower bound               -             nothing is promised
  efficiency                -             lower bound / simulated

Rates
  algorithm bandwidth       29.33 MB/s    size / time
  bus bandwidth             29.33 MB/s    as nccl-tests counts it

Traffic
  messages                  7
  sent in total             7 KiB
  sent by the busiest rank  1 KiB

Memory
  peak rank                 0 B           buffer memory in addition to the vectors

Bottleneck
  link                      -             no link carried anything

Critical path
  latency                   16.5 us        47.3 %  #########
  bandwidth                 18.41 us       52.7 %  ###########
  reduction                 0 s               0 %
  waiting                   0 s               0 %

Completion
  rank 0                    34914 ns
  rank 1                    24776 ns
  rank 2                    13138 ns
  rank 3                    13138 ns
  rank 4                    1500 ns
  rank 5                    1500 ns
  rank 6                    1500 ns
  rank 7                    1500 ns

Data flow
  matched                   every message is received; a custom schedule has no specification to prove

# A GOAL file gives messages, and no collective to compare with.
$ collsim check --topo switch:ranks=8 --algo goal:reduce8.goal --collective all-gather
collsim: 'goal:reduce8.goal' specifies no collective; expected a schedule of all-gather
? 2

$ collsim --topo switch:ranks=8 --link-model loggp --algo ring,recursive-doubling --size 8kB
note: model loggp has no links, only the parameters of --loggp: LogGOPSim's own, L=2500ns,o=1500ns,g=1000ns,G=6ns/B
all-reduce of 8 kB on switch, 8 ranks, fp32, model loggp

algorithm               time    closed  lower   effi-  algbw  busbw  messages      sent     extra  bottleneck
                                  form  bound  ciency   GB/s   GB/s            in total  per rank        busy
------------------  --------  --------  -----  ------  -----  -----  --------  --------  --------  ----------
ring                160.9 us  160.9 us  88 us  54.7 %  0.050  0.087       112    112 kB      1 kB           -
recursive-doubling  160.5 us  160.5 us  88 us  54.8 %  0.050  0.087        24    192 kB      8 kB           -

data flow: verified; every rank ends with the result that all-reduce specifies
? 0

# ASTRA-sim's own tests: 60093, 21031, 40062, 20531.
$ printf 'num_ranks 16 rank 1 { send 1048576b to 4 } rank 4 { recv 1048576b from 1 }' > one.goal; for t in ring switch; do for m in astra astra-unaware; do collsim --topo $t:ranks=16,bandwidth=50GiB/s,latency=500ns --compat $m --algo goal:one.goal --per-rank | grep 'rank 4'; done; done
  rank 4                    60093 ns
  rank 4                    21031 ns
  rank 4                    40062 ns
  rank 4                    20531 ns

# Rates that are shared unequally, with 5 % on the routes back, settle.
$ collsim --topo cluster:node=mi300x,nodes=12,fabric=rail --collective all-to-all --algo pairwise --link-model simgrid 2>/dev/null | grep '  simulated'
  simulated                 30.57 ms

# SimGrid: latency 13.01 times, rate 0.97 times, and 5 % for acknowledgements.
$ printf 'num_ranks 2 rank 0 { send 100000b to 1 } rank 1 { recv 100000b from 0 }' > two.goal; for m in simgrid simgrid-cm02 fluid; do collsim --topo ring:ranks=2,bandwidth=1Mb/s,latency=10ms,duplex=half --link-model $m --algo goal:two.goal | grep '  simulated'; done
  simulated                 996.1 ms
  simulated                 850 ms
  simulated                 810 ms

# A switch stores and forwards where it is asked to.
$ for h in cut store; do collsim --topo switch:ranks=8,bandwidth=1GB/s,latency=1us --switching $h --collective send-receive --size 1MB | grep '  simulated'; done
  simulated                 1.002 ms
  simulated                 2.002 ms
$ collsim --topo dgx --switching stoer
collsim: --switching: no switching called 'stoer'; did you mean 'store'?
? 2
$ collsim --topo dgx --switching store --link-model fluid
collsim: --switching requires --link-model fifo (current: fluid)
? 2
$ collsim --topo ring:ranks=4 --compat astra --switching cut
collsim: --switching requires --link-model fifo (current: astra)
? 2

$ collsim --topo ring:ranks=4 --compat astra | head -1
all-reduce of 1 GiB on ring, 4 ranks, fp32, model astra
? 0

$ collsim --topo dgx --compat astro
collsim: --link-model: no model called 'astro'; did you mean 'astra'?
? 2

# Numbers that are none.
$ collsim --topo dgx --link-model loggp --loggp X=2ns
collsim: --loggp: 'X=2ns' is not one of L=, o=, g=, G=, O=, S=; write L=2500ns,o=1500ns,g=1000ns,G=6ns/B,O=0,S=65535B
? 2
$ collsim --topo dgx --link-model loggp --loggp L=2
collsim: --loggp: L: '2' has no unit; write 2 ns, 2 us or 2 ms
? 2
$ collsim --topo dgx --link-model loggp --loggp G=6ns
collsim: --loggp: G: '6ns' is not a time per byte; write 6ns/B or the rate 160MB/s
? 2
$ collsim --topo dgx --link-model loggp --loggp L=1us,L=2us
collsim: --loggp: L is given twice
? 2
$ collsim --topo dgx --loggp L=1us
collsim: --loggp requires --link-model loggp (current: fifo)
? 2
$ collsim --topo dgx --link-model loggp --transport nccl-simple
collsim: --transport requires a model with links; --link-model loggp has none
? 2
# The bound of LogGP is that of its parameters: no link is named.
$ collsim --topo dgx --link-model loggp --algo ring --size 1MiB 2>/dev/null | grep 'lower bound  '
  lower bound               11.01 ms      the parameters of --loggp; the model has no links

# Links and devices that are lost or slower, and which of them matter.

$ collsim --topo dgx --size 64MiB --fault 'gpu[0-3]-nvswitch:rate=50%' | sed -n '/^Time/,/^$/p'
Time
  simulated                 1.016 ms
  closed form               1.016 ms      the simulation agrees
  lower bound               576.2 us      the ranks' own links (144 GB/s to 264 GB/s)
  efficiency                56.7 %        lower bound / simulated; reachable / simulated 64.3 %
  reachable                 653.8 us      over the links that messages take: the ranks' own links (120 GB/s to 240 GB/s)
  without faults            527.1 us      slowdown by the faults 1.928 x

$ collsim --topo gbe-4 --size 64MiB --fault ws0:rate=50%@100ms --fault ws0:up@300ms | sed -n '/^Time/,/^$/p'
note: in model fifo a message that has begun to cross a link keeps its rate; in fluid and packet the rate changes
Time
  simulated                 998 ms
  closed form               855.5 ms      the simulation is 16.66 % above
  lower bound               855.4 ms      the ranks' own links (117.7 MB/s gbe)
  efficiency                85.7 %        lower bound / simulated
  without faults            855.5 ms      slowdown by the faults 1.167 x

$ collsim --topo dgx-1 --size 64MiB --what-if each-link --csv | head -3
lost,down_s,down_slowdown,cut,detours,half_s,half_slowdown,bottleneck
gpu0-gpu4,0.019602118676,6.633738456173733,false,true,0.0058909256,1.9936038721684106,cpu1 -> cpu0 (qpi)
gpu1-gpu5,0.019602118676,6.633738456173733,false,true,0.0058909256,1.9936038721684106,cpu0 -> cpu1 (qpi)

$ collsim --topo gbe-4 --size 1MiB --what-if each-switch
ring all-reduce takes 13.48 ms; effect of losing each of 1 in use

lost    disconnected  rerouted      time   slower  bottleneck when down
                                 at half  at half
------  ------------  --------  --------  -------  --------------------
switch  yes           no        26.85 ms  1.991 x

# Without the switch that reduces the algorithm does not run.
$ collsim --topo dgx-h100 --algo nvls --what-if each-switch --csv
lost,down_s,down_slowdown,cut,detours,half_s,half_slowdown,bottleneck
nvswitch,,,true,false,0.006682480196,1.9983848546700833,

$ collsim --topo gbe-4 --what-if each-nic
collsim: --what-if each-nic: 'gbe-4' has no NICs; write each-link or each-switch
? 2

$ collsim --topo ib-2xdgx --what-if each-nic --ranks 8
collsim: --what-if each-nic: no NIC of 'ib-2xdgx' is in use; write each-link or each-switch
? 2

$ collsim --topo dgx --ranks 1 --what-if each-link
collsim: --what-if each-link: no link of 'dgx-a100' is in use
? 2

# With noise, the mean of as many runs.

$ collsim --topo gbe-4 --size 1MiB --what-if each-link --jitter exponential,mean=1us --runs 5
ring all-reduce takes 13.5 ms (all times: the mean of 5 runs); effect of losing each of 4 in use

lost        disconnected  rerouted      time   slower  bottleneck when down
                                     at half  at half
----------  ------------  --------  --------  -------  --------------------
ws0-switch  yes           no        26.86 ms   1.99 x
ws1-switch  yes           no        26.86 ms   1.99 x
ws2-switch  yes           no        26.86 ms   1.99 x
ws3-switch  yes           no        26.86 ms   1.99 x

$ collsim --topo gbe-4 --size 1MiB --what-if each-link --straggler rank=1,slow=20% | head -1
ring all-reduce takes 16.16 ms; effect of losing each of 4 in use

$ collsim --topo gbe-4 --fault ws2:down
collsim: ws2:down: gbe-4.yaml:12: 'ws2' cannot be reached from 'ws0'; only a cpu, nic, switch or bus passes messages on; a device alone means all of its links: ws2-switch
? 2

$ collsim --topo dgx-1 --fault gpu0:down
collsim: gpu0:down: dgx-1.yaml:26: 'gpu3' cannot be reached from 'gpu0'; only a cpu, nic, switch or bus passes messages on; a device alone means all of its links: gpu0-gpu3, gpu0-gpu4, gpu0-gpu1, gpu0-gpu2, ...
? 2

$ collsim --topo gbe-4 --fault swich:down
collsim: 'gbe-4' has no device 'swich'; did you mean 'switch'?
? 2

$ collsim --topo gbe-4 --fault ws0-ws1:down
collsim: 'gbe-4' has no link ws0-ws1; ws0 has links to switch
? 2

$ collsim --topo gbe-4 --fault ws0:dwon
collsim: --fault: 'dwon' is not a state; expected down, up or rate=50%
? 2

$ collsim --topo gbe-4 --fault ws0:rate=50%@1ms --link-model packet --buffer 64KiB
collsim: timed faults require separate buffers for each message; leave --buffer and --loss out
? 2

# The link is gone for 200 ms; 100 ms of a message are lost with it.
$ collsim --topo gbe-4 --size 64MiB --fault ws0:down@100ms --fault ws0:up@300ms | sed -n '/^Time/,/^$/p'
Time
  simulated                 1.155 s
  closed form               855.5 ms      the simulation is 35.07 % above
  lower bound               855.4 ms      the ranks' own links (117.7 MB/s gbe)
  efficiency                74.0 %        lower bound / simulated
  without faults            855.5 ms      slowdown by the faults 1.351 x
  lost and resent           2             messages

$ collsim --topo gbe-4 --size 64MiB --fault ws0:down@100ms --fault ws0:up@300ms --failover 50ms --link-model fluid | sed -n '/^Time/,/^$/p'
Time
  simulated                 1.205 s
  closed form               855.5 ms      the simulation is 40.91 % above
  lower bound               855.4 ms      the ranks' own links (117.7 MB/s gbe)
  efficiency                71.0 %        lower bound / simulated
  without faults            855.5 ms      slowdown by the faults 1.409 x
  lost and resent           2             messages

$ collsim --topo dgx-1 --size 64MiB --algo ring --fault gpu0-gpu4:down@1ms --failover 1ms --json | grep -E '"(time_s|bottleneck|slowdown|healthy_.*|messages.*)":'
      "time_s": 0.01600151334,
      "messages": 112,
      "bottleneck": "cpu1 -> cpu0 (qpi)",
      "healthy_s": 0.0029549128,
      "slowdown": 5.415223535530388,
      "healthy_bottleneck": "gpu0 -> gpu3 (nvlink2 x2)",
      "messages_resent": 1,
        "slowdown": null

$ collsim --topo gbe-4 --fault ws2:down --fault ws0:rate=50%
collsim: ws2:down: gbe-4.yaml:12: 'ws2' cannot be reached from 'ws0'; only a cpu, nic, switch or bus passes messages on; a device alone means all of its links: ws2-switch
? 2

$ collsim --topo gbe-4 --fault ws2:down@1ms
collsim: ws2:down@1ms: gbe-4.yaml:12: 'ws2' cannot be reached from 'ws0'; only a cpu, nic, switch or bus passes messages on; a device alone means all of its links: ws2-switch
? 2

# What comes after the end has no effect, whatever it would have done.

$ collsim --topo gbe-4 --size 1MiB --fault ws2:down@99s | grep -E 'note|simulated|without'
note: fault ws2:down@99s has no effect: the run ended at 13.48 ms
  planned for               the machine without its faults
  simulated                 13.48 ms
  efficiency                99.2 %        lower bound / simulated
  without faults            13.48 ms      slowdown by the faults 1 x
  busy                      99.1 %        of the simulated time
  without faults            ws0 -> switch (gbe)

$ collsim --topo gbe-4 --size 1MiB --fault ws2:up@2us --fault ws1:down@1ms --fault ws1:up@2ms | grep -E 'note|simulated '
note: fault ws2:up@2us has no effect: no link is down or slower at that time
  simulated                 15.48 ms
  busy                      86.3 %        of the simulated time

$ collsim --topo gbe-4 --failover 5
collsim: --failover: '5' has no unit; write 5 ns, 5 us or 5 ms
? 2

$ collsim --topo gbe-4 --what-if each-link --size 1MiB,2MiB
collsim: --what-if requires a single run; found a list
? 2

$ collsim --topo dgx-1 --algo auto --size 1MiB --what-if each-link 2>&1 | head -6; collsim --topo dgx-1 --algo auto --size 1MiB,2MiB --what-if each-link
note: auto chooses multi-ring, in all rows
multi-ring all-reduce takes 34.19 us; effect of losing each of 16 in use

lost            time     slower  disconnected  rerouted      time   slower  bottleneck when down
           when down  when down                           at half  at half
---------  ---------  ---------  ------------  --------  --------  -------  -------------------------
collsim: --what-if requires a single run; found a list
? 2

# A ring is a direct network: the other direction is a route.

$ collsim --topo ring:ranks=8,bandwidth=10GB/s,latency=1us --size 8MB --fault rank0-rank1:down | sed -n '/^Time/,/^$/p'
Time
  simulated                 1.498 ms
  closed form               1.498 ms      the simulation agrees
  lower bound               801 us        the ranks' own links (10 GB/s to 20 GB/s)
  efficiency                53.5 %        lower bound / simulated
  without faults            1.414 ms      slowdown by the faults 1.059 x
  rerouted over             rank2 -> rank1 (link) and 6 more

$ collsim --topo ring:ranks=8 --fault rank0-rank1:down --fault rank3-rank4:down
collsim: rank3-rank4:down: ring: 'rank1' cannot be reached from 'rank0'
? 2

# What is compared has the same noise, and the same other jobs.

$ collsim --topo switch:ranks=4,bandwidth=10GB/s --size 64MB --straggler rank=1,slow=50% --fault rank0-switch:rate=80% | grep slowdown
  without faults            14.41 ms      slowdown by the faults 1 x

$ collsim --topo switch:ranks=4,bandwidth=10GB/s --size 64MB --with allreduce --fault rank0-switch:rate=50% | grep -E 'slowdown|ring allreduce of'
  without faults            19.21 ms      slowdown by the faults 2 x
  job                       start      time     alone  slowdown

$ collsim --topo switch: --ranks 8 --size 1MB --with allreduce:ranks=0-3 --fault rank7-switch:rate=50% --csv | wc -l
2

$ collsim --topo gbe-4 --fault ws0:rate=50% --failover 1ms
collsim: --failover requires a fault with a time, as in --fault leaf0:down@2ms
? 2

# Noise is the same before and after a fault.

$ collsim --topo gbe-4 --size 64MiB --fault ws0:down@100ms --fault ws0:up@300ms --jitter exponential,mean=1ms --runs 20 | sed -n '/^Time/,/^$/p;/^Noise/,/^$/p'
Time
  simulated                 1.165 s
  closed form               855.5 ms      the simulation is 36.16 % above
  lower bound               855.4 ms      the ranks' own links (117.7 MB/s gbe)
  efficiency                73.4 %        lower bound / simulated
  without faults            865.5 ms      slowdown by the faults 1.346 x
  lost and resent           2             messages

Noise, 20 runs; figures above are for the median run
  without noise             1.155 s       mean with noise 1.008 x
  mean                      1.165 s       95 % confidence: 1.164 s to 1.167 s
  standard deviation        2.959 ms
  min                       1.16 s
  5th percentile            1.161 s
  median                    1.165 s
  95th percentile           1.171 s
  99th percentile           1.172 s
  max                       1.172 s

$ collsim --topo gbe-4 --size 64MiB --fault ws2:rate=50%@100ms --fault ws2:up@300ms --straggler rank=0,slow=100% --link-model postal | sed -n '/^Time/,/^$/p;/^Noise/,/^$/p'
note: in model postal a message that has begun to cross a link keeps its rate; in fluid and packet the rate changes
Time
  simulated                 1.711 s
  closed form               855.5 ms      the simulation is 99.99 % above
  lower bound               855.4 ms      the ranks' own links (117.7 MB/s gbe)
  efficiency                50.0 %        lower bound / simulated
  without faults            1.711 s       slowdown by the faults 1 x

Noise or slow ranks, 1 run
  without noise             998 ms        with noise 1.714 x

$ for j in '--jitter constant,value=0us' ''; do collsim --topo gbe-4 --size 64MiB --fault ws0:down@100ms --fault ws0:up@300ms $j --csv | tail -1 | cut -d, -f7; done
1.1554799406
1.1554799406

# A message that stands in line when the rate halves has the new rate: it begins
# at 10 ms and takes 20 ms.

$ printf 'num_ranks 3\nrank 0 {\na: send 10000000b to 1 tag 0\nb: send 10000000b to 2 tag 0\n}\nrank 1 {\na: recv 10000000b from 0 tag 0\n}\nrank 2 {\na: recv 10000000b from 0 tag 0\n}\n' > queued.goal; for m in fifo postal; do collsim --topo switch:ranks=3,bandwidth=1GB/s,latency=1us --algo goal:queued.goal --link-model $m --fault rank0-switch:rate=50%@5ms 2>/dev/null | grep -E '^  simulated'; done
  simulated                 30 ms
  simulated                 30 ms

# What was tried is kept as runs with that fault, and not run again.
$ collsim --topo gbe-4 --size 1MiB --what-if each-link --db lost.db >one; collsim --topo gbe-4 --size 1MiB --what-if each-link --db lost.db >two; cmp one two; collsim --topo gbe-4 --size 1MiB --fault ws2-switch:rate=50% --db lost.db | grep slowdown
note: 'lost.db' has 5 of 5 runs already; they are not run again
note: 'lost.db' has 1 of 1 runs; known runs are not repeated
  without faults            13.48 ms      slowdown by the faults 1.991 x

# And plotted, the costliest first.
$ collsim report --db lost.db --out lost --report what_if >/dev/null; grep -o '^[1-4] [0-9.]*' lost/what_if-gbe-4-all-reduce-ring-1-mib-4-fifo.dat
1 1.9911012225270692
2 1.9911012225270692
3 1.9911012225270692
4 1.9911012225270692

# Equal adapters of equal nodes are not equal losses: detours depend on the numbers of the ranks. Each is simulated, as --fault does.
$ collsim --topo hgx-h100-4 --nodes 2 --collective all-gather --algo circulant --size 16MiB --what-if each-nic --csv | grep '[.]nic1,' | cut -d, -f1,2
n1.nic1,0.000571328669
n0.nic1,0.000488297335
$ for n in 0 1; do collsim --topo hgx-h100-4 --nodes 2 --collective all-gather --algo circulant --size 16MiB --fault n$n.nic1:down --csv | tail -1 | cut -d, -f7; done
0.000488297335
0.000571328669

# Slowness is not announced by default: the slow adapter keeps its share of the rings, and of NCCL's channels.
$ collsim --topo dgx-h100 --nodes 4 --size 1GiB --no-proof --fault n0.nic0:rate=10% | grep -E 'planned|simulated|slowdown'
  planned for               the machine without its faults
  simulated                 54.18 ms
  efficiency                7.7 %         lower bound / simulated; reachable / simulated 9.2 %
  without faults            5.421 ms      slowdown by the faults 9.994 x
  busy                      100 %         of the simulated time
$ collsim --topo dgx-h100 --nodes 4 --size 1GiB --no-proof --fault n0.nic0:rate=10%,announced 2>/dev/null | grep -E 'planned|simulated|slowdown'
  planned for               the machine with its faults
  simulated                 6.195 ms
  efficiency                67.7 %        lower bound / simulated; reachable / simulated 80.5 %
  without faults            5.421 ms      slowdown by the faults 1.143 x
  busy                      99.9 %        of the simulated time
$ collsim --topo dgx-h100 --nodes 4 --size 1GiB --fault n0.nic0:rate=10% --library nccl 2>/dev/null | grep -E 'parameters|planned|predicted'
  parameters                launch=process-per-gpu fault=n0.nic0:rate=10%
  planned for               the machine without its faults
  predicted                 58.63 ms
  efficiency                7.2 %         lower bound / predicted
$ collsim --topo dgx-h100 --nodes 4 --size 1GiB --fault n0.nic0:rate=10%,announced --library nccl 2>/dev/null | grep -E 'parameters|planned|predicted'
  parameters                launch=process-per-gpu fault=n0.nic0:rate=10%,announced
  planned for               the machine with its faults
  predicted                 6.79 ms
  efficiency                61.8 %        lower bound / predicted
$ collsim --topo dgx-h100 --nodes 4 --fault n0.nic0:rate=10%,announced@1ms
collsim: --fault: 'announced' is for faults of the start; plans precede a fault with '@'
? 2
$ collsim --topo dgx-h100 --nodes 4 --fault n0.nic0:down,announced
collsim: --fault: 'announced' is for rates, as in rate=50%,announced; links that are down are known to planners
? 2

# A packet waits for its tail in front of a faster link: slower, that link saves the wait.
$ printf '%s\n' 'classes: {slow: {rate: 1 GB/s, latency: 1 us}, fast: {rate: 10 GB/s, latency: 1 us}}' 'devices: {r: {kind: gpu, count: 2}, s: {kind: switch, count: 2}}' 'links: [{from: r0, to: s0, class: slow}, {from: s0, to: s1, class: fast}, {from: s1, to: r1, class: slow}]' >store.yaml; for f in '' '--fault s0-s1:rate=10%'; do collsim --topo store.yaml --algo ring --size 64KiB --link-model packet $f 2>&1 | grep -E 'simulated  |takes less'; done
  simulated                 78.91 us
note: ring of 64 KiB takes less time with the faults: without them, the message from rank 0 to rank 1 is stored in front of s0 -> s1 (fast), which is faster than the link before it
  simulated                 71.54 us

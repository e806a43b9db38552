# What a person sees first: the main job, a comparison, and the textbook's
# numbers on the textbook's machines.

$ collsim --topo dgx.yaml --algo ring
all-reduce of 1 GiB on dgx-a100, 8 ranks, fp32, model fifo
  algorithm                 ring
  placement                 packed

Time
  simulated                 7.867 ms
  closed form               7.867 ms      the simulation agrees
  lower bound               7.118 ms      the ranks' own links (240 GB/s nvlink3 x12 + 24 GB/s pcie4 x16 = 264 GB/s)
  efficiency                90.5 %        lower bound / simulated; reachable / simulated 99.5 %
  reachable                 7.831 ms      over the links that messages take: the ranks' own links (240 GB/s nvlink3 x12)

Rates
  algorithm bandwidth       136.5 GB/s    size / time
  bus bandwidth             238.8 GB/s    as nccl-tests counts it

Traffic
  messages                  112
  sent in total             14 GiB
  sent by the busiest rank  1.75 GiB

Memory
  after the reduce-scatter  7 GiB         redundant copies, of all ranks
  at the end                7 GiB         redundant copies, of all ranks
  peak rank                 128 MiB       buffer memory in addition to the vectors

Bottleneck
  link                      gpu0 -> nvswitch (nvlink3 x12)
  busy                      99.5 %        of the simulated time

Critical path
  latency                   37.8 us         0.5 %
  bandwidth                 7.829 ms       99.5 %  ####################
  reduction                 0 s               0 %
  waiting                   0 s               0 %

Data flow
  verified                  every rank ends with the result that all-reduce specifies

$ collsim --topo switch:ranks=8,bandwidth=10GB/s,latency=2.5us,gamma=100GB/s --algo naive,ring,tree,ps --size 8MB
all-reduce of 8 MB on switch, 8 ranks, fp32, model fifo

algorithm      time    closed     lower   effi-  algbw  busbw  messages      sent     extra  bottleneck
                         form     bound  ciency   GB/s   GB/s            in total  per rank        busy
---------  --------  --------  --------  ------  -----  -----  --------  --------  --------  ----------
naive      6.195 ms  6.195 ms  1.402 ms  22.6 %  1.291  2.260        56    448 MB      8 MB  90.4 % [1]
ring        1.54 ms   1.54 ms  1.402 ms  91.1 %  5.195  9.091       112    112 MB      1 MB  90.9 % [1]
tree        5.07 ms   5.07 ms  1.402 ms  27.7 %  1.578  2.761        14    112 MB      8 MB  47.3 % [1]
ps         12.89 ms  12.89 ms  802.5 us   6.2 %  0.621  1.086        16    128 MB       0 B  49.7 % [2]

bottleneck [1]: rank0 -> switch (link)
bottleneck [2]: server0 -> switch (link)
data flow: verified; every rank ends with the result that all-reduce specifies

$ collsim --topo bus:ranks=8,bandwidth=10GB/s,latency=0us --algo naive --size 8MB --csv
topology,ranks,collective,algorithm,model,bytes,time_s,closed_form_s,lower_bound_s,algbw_Bps,busbw_Bps,messages,bytes_sent_total,bytes_sent_per_rank_max,redundant_bytes_after_reduce_scatter,redundant_bytes,peak_extra_bytes_per_rank,bottleneck,bottleneck_utilisation,critical_path_latency_s,critical_path_bandwidth_s,critical_path_reduction_s,critical_path_wait_s,verified,seed,version,dtype,placement,bound,agents,peak_bytes_per_agent,parameters,folding,data_flow,healthy_s,slowdown,healthy_bottleneck,detour,hypothetical,messages_resent,packets_dropped,packets_resent,noise_runs,noise_baseline_s,noise_mean_s,noise_mean_low_s,noise_mean_high_s,noise_sd_s,noise_min_s,noise_p5_s,noise_median_s,noise_p95_s,noise_p99_s,noise_max_s,noise_slowdown,topology_spec,agent_kind,library,library_call_protocol,library_call_channels,library_call_launch_s,library_call_latency_s,library_call_transfer_s,library_call_low_s,library_call_high_s,library_call_own_estimate_s,library_call_unmodelled,padded_bytes,planned_for,data_flow_skipped,own_bound_s,reachable_s,reachable,network,matters_most,matters_next
bus,8,all-reduce,naive,fifo,8000000,0.0448,0.0056,0.0064,178571428.57142857,312500000,56,448000000,56000000,,56000000,8000000,bus,1,0,0.0056,0,0.0392,true,1,0.1.0,fp32,packed,the ranks' own links (10 GB/s link),0,0,,,verified,,,,,,0,0,0,0,,,,,,,,,,,,,"bus:ranks=8,bandwidth=10GB/s,latency=0us",,,,,,,,,,,,0,,,0.0112,0.0112,the ranks' own links (10 GB/s link),,,

$ collsim --topo switch:ranks=3,bandwidth=10GB/s,latency=1us --collective reduce-scatter --size 12B --json
{
  "runs": [
    {
      "topology": "switch",
      "ranks": 3,
      "collective": "reduce-scatter",
      "algorithm": "ring",
      "model": "fifo",
      "bytes": 12,
      "time_s": 0.0000040008,
      "closed_form_s": 4.0008e-06,
      "lower_bound_s": 2e-06,
      "algbw_Bps": 2999400.119976005,
      "busbw_Bps": 1999600.0799840032,
      "messages": 6,
      "bytes_sent_total": 24,
      "bytes_sent_per_rank_max": 8,
      "redundant_bytes_after_reduce_scatter": 24,
      "redundant_bytes": 24,
      "peak_extra_bytes_per_rank": 4,
      "bottleneck": "rank0 -> switch (link)",
      "bottleneck_utilisation": 0.0001999600079984003,
      "critical_path": {
        "latency_s": 0.000004,
        "bandwidth_s": 0.0000000008,
        "reduction_s": 0,
        "wait_s": 0
      },
      "verified": true,
      "seed": 1,
      "version": "0.1.0",
      "dtype": "fp32",
      "placement": "packed",
      "bound": "latency to the farthest rank",
      "agents": 0,
      "peak_bytes_per_agent": 0,
      "parameters": "",
      "folding": "",
      "data_flow": "verified",
      "healthy_s": null,
      "slowdown": null,
      "healthy_bottleneck": "",
      "detour": "",
      "hypothetical": "",
      "messages_resent": 0,
      "packets_dropped": 0,
      "packets_resent": 0,
      "noise": {
        "runs": 0,
        "baseline_s": null,
        "mean_s": null,
        "mean_low_s": null,
        "mean_high_s": null,
        "sd_s": null,
        "min_s": null,
        "p5_s": null,
        "median_s": null,
        "p95_s": null,
        "p99_s": null,
        "max_s": null,
        "slowdown": null
      },
      "topology_spec": "switch:ranks=3,bandwidth=10GB/s,latency=1us",
      "agent_kind": "",
      "library": "",
      "library_call": {
        "protocol": null,
        "channels": null,
        "launch_s": null,
        "latency_s": null,
        "transfer_s": null,
        "low_s": null,
        "high_s": null,
        "own_estimate_s": null,
        "unmodelled": null
      },
      "padded_bytes": 0,
      "planned_for": "",
      "data_flow_skipped": "",
      "own_bound_s": null,
      "reachable_s": 2e-06,
      "reachable": "latency to the farthest rank",
      "network": null,
      "matters_most": null,
      "matters_next": null
    }
  ]
}

$ collsim --topo switch:ranks=1 --algo ring --json
{
  "runs": [
    {
      "topology": "switch",
      "ranks": 1,
      "collective": "all-reduce",
      "algorithm": "ring",
      "model": "fifo",
      "bytes": 1073741824,
      "time_s": 0,
      "closed_form_s": 0,
      "lower_bound_s": 0,
      "algbw_Bps": 0,
      "busbw_Bps": 0,
      "messages": 0,
      "bytes_sent_total": 0,
      "bytes_sent_per_rank_max": 0,
      "redundant_bytes_after_reduce_scatter": 0,
      "redundant_bytes": 0,
      "peak_extra_bytes_per_rank": 0,
      "bottleneck": "",
      "bottleneck_utilisation": 0,
      "critical_path": {
        "latency_s": 0,
        "bandwidth_s": 0,
        "reduction_s": 0,
        "wait_s": 0
      },
      "verified": true,
      "seed": 1,
      "version": "0.1.0",
      "dtype": "fp32",
      "placement": "packed",
      "bound": "nothing has to move",
      "agents": 0,
      "peak_bytes_per_agent": 0,
      "parameters": "",
      "folding": "",
      "data_flow": "verified",
      "healthy_s": null,
      "slowdown": null,
      "healthy_bottleneck": "",
      "detour": "",
      "hypothetical": "",
      "messages_resent": 0,
      "packets_dropped": 0,
      "packets_resent": 0,
      "noise": {
        "runs": 0,
        "baseline_s": null,
        "mean_s": null,
        "mean_low_s": null,
        "mean_high_s": null,
        "sd_s": null,
        "min_s": null,
        "p5_s": null,
        "median_s": null,
        "p95_s": null,
        "p99_s": null,
        "max_s": null,
        "slowdown": null
      },
      "topology_spec": "switch:ranks=1",
      "agent_kind": "",
      "library": "",
      "library_call": {
        "protocol": null,
        "channels": null,
        "launch_s": null,
        "latency_s": null,
        "transfer_s": null,
        "low_s": null,
        "high_s": null,
        "own_estimate_s": null,
        "unmodelled": null
      },
      "padded_bytes": 0,
      "planned_for": "",
      "data_flow_skipped": "",
      "own_bound_s": null,
      "reachable_s": 0,
      "reachable": "nothing has to move",
      "network": null,
      "matters_most": null,
      "matters_next": null
    }
  ]
}

# 'all' are those that can run; here is nothing that could be a server.

$ printf 'name: two\ndevices: {host: {kind: host, count: 2}, switch: {kind: switch}}\nlinks: [{from: "host[0-1]", to: switch, class: 10gbe}]\n' >two.yaml; collsim --topo two.yaml --algo all --size 1MiB --csv 2>left-out | grep -c ,ring,; grep 'skipped ps:' left-out
1
collsim: skipped ps: two.yaml: 1 parameter servers requested, room for 0; list more devices under 'servers'

$ collsim --topo two.yaml --algo ring,ps --size 1MiB --csv | grep -c ,ring,
collsim: ps: two.yaml: 1 parameter servers requested, room for 0; list more devices under 'servers'
1

# Ranks that are interchangeable are simulated once, where that is so.

$ collsim --topo switch:ranks=64 --algo ring --size 64MiB --fold on | grep -E 'simulated|folded|messages'
  folded                    1 of 64 ranks simulated, rotation by 1
  simulated                 5.411 ms
  efficiency                97.7 %        lower bound / simulated
  messages                  8,064
  busy                      97.7 %        of the simulated time

# The switches keep their places and exchange their channels.
$ for f in on off; do collsim --topo cluster:node=dgx-h100,nodes=4,fabric=rail --algo nvls-tree --size 64MiB --no-proof --fold $f | grep -E 'folded|simulated  |messages  |peak|waiting  '; done
  folded                    2 of 32 ranks simulated, 16 symmetries of ranks and channels, buffers of agents as if all channels held most at one time
  simulated                 392.9 us
  messages                  18,944
  peak rank                 256 KiB       buffer memory in addition to the vectors
  peak agent                96 MiB        reduced data and waiting messages
  waiting                   126.5 us       32.2 %  ######
  simulated                 392.9 us
  messages                  18,944
  peak rank                 256 KiB       buffer memory in addition to the vectors
  peak agent                80 MiB        reduced data and waiting messages
  waiting                   126.5 us       32.2 %  ######

# One rank has nothing to do, as the formula says.
$ collsim --topo switch:ranks=1 --algo ring --size 1MiB | grep 'closed form'
  closed form               0 s           the simulation agrees

# 1 MiB are no 1000 equal blocks: the longer ones set the time.

$ collsim --topo switch:ranks=1000 --algo ring --size 1MiB --fold on | grep -E 'simulated|folded'
note: the proof of ring is skipped beside a run: the proof takes about 0.7 s; collsim check runs the proof
  folded                    1 of 1000 ranks simulated, rotation by 1, buffers as if all blocks were of the longest
  simulated                 2.082 ms
  efficiency                4.0 %         lower bound / simulated
  busy                      4.0 %         of the simulated time

$ collsim --topo cluster:node=dgx-h100,nodes=3 --algo hierarchical --size 1MiB --fold on
collsim: hierarchical cannot be folded: its 96 blocks are unequal; with a multiple of 384 B, such as 1048320 B, they fold
? 2

# Fair shares fold; where the cause of a wait depends on the order of links, they say so.

$ collsim --topo torus:dims=2x8 --algo direct --link-model fluid --fold on --size 1MiB | grep -E 'simulated|folded|waiting'
  folded                    8 of 16 ranks simulated, rotation by 8
  simulated                 232.7 us
  efficiency                11.5 %        lower bound / simulated
  busy                      45.1 %        of the simulated time
  waiting                   110.1 us       47.3 %  #########
$ collsim --topo torus:dims=2x8 --algo direct --link-model fluid --fold off --size 1MiB | grep -E 'simulated  |waiting'
  simulated                 232.7 us
  waiting                   110.1 us       47.3 %  #########
$ for fold in on off; do collsim --topo cluster:node=dgx-h100,nodes=4,fabric=rail --algo multi-ring --link-model fluid --fold $fold --size 1MiB | grep -E 'simulated  |folded|waiting'; done
  folded                    8 of 32 ranks simulated, rotation by 8, the order of links divides waits into bandwidth and waiting
  simulated                 380.4 us
  waiting                   0 s               0 %
  simulated                 380.4 us
  waiting                   0 s               0 %
$ collsim --topo switch:ranks=8 --algo direct --link-model fluid --fold on --size 1MiB | grep -E 'simulated|folded|waiting'
  folded                    1 of 8 ranks simulated, rotation by 1
  simulated                 87.4 us
  efficiency                84.6 %        lower bound / simulated
  busy                      84.0 %        of the simulated time
  waiting                   0 s               0 %

# Blocks of two lengths that also wait for each other: the next vector of equal ones.

$ collsim --topo cluster:node=dgx-h100,nodes=5,fabric=rail --algo multi-ring --size 1MiB --fold on
collsim: multi-ring cannot be folded: its 40 blocks are unequal; with a multiple of 160 B, such as 1048480 B, they fold
? 2

# Rings over nodes without symmetry are simulated node by node.

$ for f in on off; do collsim --topo cluster:node=dgx-1,nodes=13,fabric=fat-tree --algo multi-ring --collective allgather --size 798720B --no-proof --fold $f | grep -E 'folded|simulated  |messages  |peak|waiting  '; done
  folded                    104 of 104 ranks simulated, in 13 regions without common links, 152,256 messages in rounds that repeat
  simulated                 433.5 us
  messages                  257,088
  peak rank                 37.12 kB      buffer memory in addition to the vectors
  waiting                   80 ns          <0.1 %
  simulated                 433.5 us
  messages                  257,088
  peak rank                 37.12 kB      buffer memory in addition to the vectors
  waiting                   80 ns          <0.1 %

# Rates of 150 s are summed in another order where all ranks are simulated.

$ for fold in on off; do collsim --topo hpc6a --nodes 4 --fabric star --algo naive --size 40MiB --no-proof --link-model fluid --fold $fold --json | grep '"time_s'; done
      "time_s": 93.521974916446,
      "time_s": 93.521974916446,

# A long run with such blocks is padded, and says so.

$ collsim --topo cluster:node=dgx-h100,nodes=125,fabric=rail --algo multi-ring --size 64MiB --no-proof | grep -E 'padded|folded|simulated  |algorithm b'
note: the 1000 blocks of multi-ring are unequal: simulated with a vector of 67112000 B, longer by 3136 B (0.0047 %), whose equal blocks fold; --fold off simulates 64 MiB
  folded                    8 of 1000 ranks simulated, rotation by 8, sampled: equal in 262,144 of 31,968,000 rounds, 31,072,000 messages in rounds that repeat
  padded by                 3.136 kB      so that equal blocks fold; --fold off simulates the size
  simulated                 12.26 ms
  algorithm bandwidth       5.473 GB/s    size / time
$ collsim --topo cluster:node=dgx-h100,nodes=125,fabric=rail --algo multi-ring --size 64MiB --no-proof --json 2>/dev/null | grep -E '"(padded_)?bytes'
      "bytes": 67108864,
      "bytes_sent_total": 134089776000,
      "bytes_sent_per_rank_max": 134089776,
      "padded_bytes": 3136,
$ collsim --topo cluster:node=dgx-h100,nodes=125,fabric=rail --algo multi-ring --size 64MiB --no-proof --fold on
collsim: multi-ring cannot be folded: its 1000 blocks are unequal; with a multiple of 4000 B, such as 67108000 B, they fold
? 2

$ collsim --topo switch:ranks=1000000 --algo oneshot --size 1GiB 2>&1 | sed 's/has [0-9.]* [A-Z]*B$/has less/'
collsim: oneshot over 1000000 ranks has 999,999,000,000 messages in flight at once, which take 9 TB of memory or more; this host has less

$ collsim --topo switch:ranks=8 --algo tree --fold on
collsim: tree cannot be folded: no two ranks do the same
? 2

$ collsim --topo switch:ranks=8 --algo ring --routing ecmp --fold on --size 1MiB | grep -E 'simulated|folded'
note: --routing ecmp has no effect: the routes are those of spread
  folded                    1 of 8 ranks simulated, rotation by 1
  simulated                 87.4 us
  efficiency                84.6 %        lower bound / simulated
  busy                      84.0 %        of the simulated time
$ collsim --topo switch:ranks=65536 --algo ring --routing ecmp --no-proof --size 1GiB | grep -E 'simulated|folded'
  folded                    1 of 65536 ranks simulated, rotation by 1, sampled: equal in 262,144 of 8,589,803,520 rounds, 8,589,213,696 messages in rounds that repeat
  simulated                 217 ms
  efficiency                39.6 %        lower bound / simulated
  busy                      39.6 %        of the simulated time
$ collsim --topo torus:dims=2x8 --algo direct --fold on --size 1MiB | grep -E 'simulated|folded'
  folded                    8 of 16 ranks simulated, rotation by 8
  simulated                 211.7 us
  efficiency                12.6 %        lower bound / simulated
  busy                      49.5 %        of the simulated time
$ collsim --topo torus:dims=2x8 --algo direct --link-model packet --fold on --size 1MiB
collsim: direct cannot be folded: messages or reductions wait for each other, so that the order of events of equal time may matter
? 2
$ collsim --topo torus:dims=4x4 --algo ring --routing shortest --fold on --size 1MiB
collsim: ring cannot be folded: ranks share a link
? 2
$ collsim --topo ring:ranks=8 --algo bidirectional-ring --fold on --size 1MiB
collsim: bidirectional-ring cannot be folded: messages of several ranks meet at a link, and the order of the ranks decides
? 2
$ collsim --topo switch:ranks=8 --algo sharp --fold on --size 1MiB
note: sharp is hypothetical here: switch is not known to reduce messages in the network, as SHARP does (`reduces: yes` in a machine's file)
collsim: sharp cannot be folded: agents have no equals
? 2
$ collsim --fold maybe
collsim: --fold: no fold called 'maybe'; expected auto, on, off
? 2

# A sweep goes on where it was left; what it then says is what it said.

$ for n in 2 4; do collsim --topo gbe-4 --algo ring,tree -b 1M -e ${n}M --db runs.db --csv 2>&1 | cut -d, -f4,6,7; done
algorithm,bytes,time_s
ring,1048576,0.013484999076
tree,1048576,0.035719997528
ring,2097152,0.026849998146
tree,2097152,0.071359995052
note: 'runs.db' has 4 of 6 runs; known runs are not repeated
algorithm,bytes,time_s
ring,1048576,0.013484999076
tree,1048576,0.035719997528
ring,2097152,0.026849998146
tree,2097152,0.071359995052
ring,4194304,0.053579996292
tree,4194304,0.1426399901

$ again() { collsim "$@" --db again.db --json >first; collsim "$@" --db again.db --json >second && cmp first second; }; again --topo dgx-1 --size 1MB --jitter exponential,mean=2us --runs 20; again --topo dgx-1 --size 1MB --fault gpu0-gpu4:down; again --topo switch:ranks=8 --fold on --size 1MB; again --topo dgx --size 1MB --jitter exponential,mean=2us --runs 20; again --topo dgx --size 1MB --jitter exponential,mean=2us --runs 21
note: 'again.db' has 1 of 1 runs; known runs are not repeated
note: 'again.db' has 1 of 1 runs; known runs are not repeated
note: 'again.db' has 1 of 1 runs; known runs are not repeated
note: 'again.db' has 1 of 1 runs; known runs are not repeated
note: 'again.db' has 1 of 1 runs; known runs are not repeated

# What was changed is run again, and so is what is not kept.

$ for rate in 1 2 2; do printf 'classes: {c: {rate: %s GB/s, latency: 1 us, efficiency: 1, source: made up}}\ndevices: {h: {kind: host, count: 2}, s: {kind: switch}}\nlinks: [{from: "h[0-1]", to: s, class: c}]\n' $rate >my.yaml; collsim --topo my.yaml --size 1MB --db my.db | grep -E '^note|  simulated'; done
  simulated                 1.004 ms
  simulated                 504 us
note: 'my.db' has 1 of 1 runs; known runs are not repeated
  simulated                 504 us

$ for i in 1 2; do collsim --topo gbe-4 --size 1MB --per-rank --db rank.db | grep -E '^note|rank 3'; done
  rank 3                    12865856.358 ns
  rank 3                    12865856.358 ns

# One rank.
$ collsim --topo gb10 --algo tree --slices 3 --size 1MiB 2>&1 >/dev/null
note: --slices has no effect on tree

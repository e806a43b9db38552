# The other collectives: compared on a textbook's machine, and what is refused.

$ collsim --topo switch:ranks=6,bandwidth=10GB/s,latency=2.5us --collective broadcast --algo flat,binomial,chain,scatter-allgather --size 6MB --root 3
broadcast of 6 MB on switch, 6 ranks, fp32, model fifo

algorithm          parameters            time    closed     lower   effi-  algbw  busbw  messages      sent     extra  bottleneck
                                                   form     bound  ciency   GB/s   GB/s            in total  per rank        busy
-----------------  ----------------  --------  --------  --------  ------  -----  -----  --------  --------  --------  ----------
flat               root=3            3.025 ms  3.025 ms  602.5 us  19.9 %  1.983  1.983         5     30 MB       0 B  99.2 % [1]
binomial           root=3            1.815 ms  1.815 ms  602.5 us  33.2 %  3.306  3.306         5     30 MB       0 B  99.2 % [1]
chain              root=3 chunks=22  839.1 us  839.1 us  602.5 us  71.8 %  7.151  7.151       110     30 MB       0 B  71.5 % [2]
scatter-allgather  root=3             1.04 ms   1.04 ms  602.5 us  57.9 %  5.769  5.769        35     37 MB      1 MB  96.2 % [1]

bottleneck [1]: rank3 -> switch (link)
bottleneck [2]: rank0 -> switch (link)
data flow: verified; every rank ends with the result that broadcast specifies

$ collsim --topo switch:ranks=6 --collective all-to-all --size 6MB --algo pairwise,bruck
all-to-all of 6 MB on switch, 6 ranks, fp32, model fifo

algorithm    time  closed     lower   effi-  algbw  busbw  messages      sent     extra  bottleneck
                     form     bound  ciency   GB/s   GB/s            in total  per rank        busy
---------  ------  ------  --------  ------  -----  -----  --------  --------  --------  ----------
pairwise   205 us  205 us  200.5 us  97.8 %  29.27  24.39        30     30 MB       0 B      97.6 %
bruck      283 us  283 us  200.5 us  70.8 %  21.20  17.67        18     42 MB       0 B      98.9 %

bottleneck: rank0 -> switch (link)
data flow: verified; every rank ends with the result that all-to-all specifies

$ collsim --topo switch:ranks=6 --collective reduce-scatter --size 6MB --algo halving
collsim: halving needs a power of two of ranks, not 6
? 2

$ collsim --topo switch:ranks=6 --collective all-to-all --size 1MB
note: all-to-all requires 6 equal blocks: the vector is padded by 8 B
all-to-all of 1 MB on switch, 6 ranks, fp32, model fifo
  algorithm                 pairwise
  placement                 packed

Time
  simulated                 38.33 us
  closed form               38.33 us      the simulation agrees
  lower bound               33.83 us      the ranks' own links (25 GB/s link)
  efficiency                88.3 %        lower bound / simulated

Rates
  algorithm bandwidth       26.09 GB/s    size / time
  bus bandwidth             21.74 GB/s    as nccl-tests counts it

Traffic
  messages                  30
  sent in total             5 MB
  sent by the busiest rank  833.3 kB

Memory
  at the end                0 B           redundant copies, of all ranks
  peak rank                 0 B           buffer memory in addition to the vectors

Bottleneck
  link                      rank0 -> switch (link)
  busy                      87.0 %        of the simulated time

Critical path
  latency                   5 us           13.0 %  ###
  bandwidth                 33.33 us       87.0 %  #################
  reduction                 0 s               0 %
  waiting                   0 s               0 %

Data flow
  verified                  every rank ends with the result that all-to-all specifies
? 0

$ collsim --topo switch:ranks=6 --collective barrier --size 1MB
collsim: a barrier carries nothing; leave the size out
? 2

$ collsim --topo switch:ranks=6 --collective barrier --csv
topology,ranks,collective,algorithm,model,bytes,time_s,closed_form_s,lower_bound_s,algbw_Bps,busbw_Bps,messages,bytes_sent_total,bytes_sent_per_rank_max,redundant_bytes_after_reduce_scatter,redundant_bytes,peak_extra_bytes_per_rank,bottleneck,bottleneck_utilisation,critical_path_latency_s,critical_path_bandwidth_s,critical_path_reduction_s,critical_path_wait_s,verified,seed,version,dtype,placement,bound,agents,peak_bytes_per_agent,parameters,folding,data_flow,healthy_s,slowdown,healthy_bottleneck,detour,hypothetical,messages_resent,packets_dropped,packets_resent,noise_runs,noise_baseline_s,noise_mean_s,noise_mean_low_s,noise_mean_high_s,noise_sd_s,noise_min_s,noise_p5_s,noise_median_s,noise_p95_s,noise_p99_s,noise_max_s,noise_slowdown,topology_spec,agent_kind,library,library_call_protocol,library_call_channels,library_call_launch_s,library_call_latency_s,library_call_transfer_s,library_call_low_s,library_call_high_s,library_call_own_estimate_s,library_call_unmodelled,padded_bytes,planned_for,data_flow_skipped,own_bound_s,reachable_s,reachable,network,matters_most,matters_next
switch,6,barrier,dissemination,fifo,0,0.000003,3e-06,1e-06,0,0,18,0,0,,0,0,,0,0.000003,0,0,0,true,1,0.1.0,fp32,packed,latency to the farthest rank,0,0,,,verified,,,,,,0,0,0,0,,,,,,,,,,,,,switch:ranks=6,,,,,,,,,,,,0,,,,1e-06,latency to the farthest rank,,,


# Pieces of an all-to-all have equal sizes, and --root needs a collective with a root.

$ collsim --topo switch:ranks=7 --collective all-to-all --algo pairwise --size 1000B --csv | cut -d, -f1-7
note: all-to-all requires 7 equal blocks: the vector is padded by 8 B
topology,ranks,collective,algorithm,model,bytes,time_s
switch,7,all-to-all,pairwise,fifo,1008,0.00000603456

$ collsim --root 2
collsim: --root has no effect on all-reduce, in which all ranks have equal roles; leave it out
? 2

$ collsim --algo msccl:
collsim: 'msccl:' lacks a file name; expected msccl:FILE
? 2

$ collsim --algo chain --chunks 1048576 --size 4B | grep parameters
note: --chunks has no effect on chain
  parameters                chunks=1

# Sums in a tree of switches: leaves of four ranks, and one switch above.

$ collsim --topo fat-tree:ranks=16,radix=8,bandwidth=25GB/s,latency=1us --algo sharp-tree,ring --group 4 --size 64MiB
note: sharp-tree is hypothetical here: leaf0 is not known to reduce messages in the network, as SHARP does (`reduces: yes` in a machine's file)
all-reduce of 64 MiB on fat-tree, 16 ranks, fp32, model fifo

algorithm   parameters          hypo-         time    closed     lower   effi-  algbw  busbw  messages       sent     extra  bottleneck
                                thetical                form     bound  ciency   GB/s   GB/s             in total  per rank        busy
----------  ------------------  --------  --------  --------  --------  ------  -----  -----  --------  ---------  --------  ----------
sharp-tree  chunks=256 group=4  yes        2.72 ms   2.72 ms  2.685 ms  98.7 %  24.67  46.26    10,240    2.5 GiB       0 B      98.7 %
ring        group=4                       5.153 ms  5.153 ms  5.034 ms  97.7 %  13.02  24.42       480  1.875 GiB     4 MiB      97.7 %

bottleneck: rank0 -> leaf0 (link)
data flow: verified; every rank ends with the result that all-reduce specifies

$ collsim --topo dgx --algo sharp-tree --group 4
collsim: rank 4 is on 'nvswitch', as is the group of 4 ranks before it
? 2

# All wires of a mesh carry messages at once; with one peer a rank uses one wire at a time.
$ for peers in 1 3 7; do collsim --topo mi300x --collective all-to-all --algo direct --size 1GiB --peers $peers | grep -E 'parameters|simulated  |bus band'; done
  parameters                peers=1
  simulated                 19.58 ms
  bus bandwidth             47.98 GB/s    as nccl-tests counts it
  parameters                peers=3
  simulated                 8.393 ms
  bus bandwidth             111.9 GB/s    as nccl-tests counts it
  parameters                peers=7
  simulated                 2.798 ms
  bus bandwidth             335.8 GB/s    as nccl-tests counts it
$ collsim --topo mi300x --collective all-to-all --algo pairwise --size 1GiB --peers 3 2>&1 | grep note
note: --peers has no effect on pairwise
$ for peers in 1 3; do collsim --topo mi300x --collective scatter --size 1GiB --peers $peers | grep 'simulated  '; done
  simulated                 19.58 ms
  simulated                 8.393 ms

# GPUs without a common NVLink: over PCIe and the sockets, or through a third GPU.
$ collsim --topo dgx-1 --collective all-to-all --algo any --size 1GiB | sed -n '3,5p;/simulated  /p;/lower/p'
collsim: skipped torus: the machine is no torus; --dims states the sides of a grid
ranks   size  fastest      time     lower   effi-       busbw  then           time  with
ranks   size  fastest      time     lower   effi-       busbw  then           time  with
                                    bound  ciency
-----  -----  -------  --------  --------  ------  ----------  ---------  --------  ---------
  simulated                 17.33 ms
  lower bound               17.04 ms      routes between all pairs, over 2 x nvlink2 x2 + 2 x nvlink2 x1 + 1 x qpi
  efficiency                98.3 %        lower bound / simulated
$ collsim --topo mi300x --collective all-to-all --algo relay
collsim: relay needs pairs without a wire of their own that gain by a third rank with wires to both, among at most 64 ranks
? 2

# Channels that are lines of ranks are simulated node by node.
$ for fold in on off; do collsim --topo cluster:node=dgx-h100,nodes=4 --collective reduce --algo multi-ring --size 1MiB --root 5 --fold $fold | grep -E 'folded|simulated  |waiting'; done
  folded                    32 of 32 ranks simulated, in 4 regions without common links
  simulated                 103.5 us
  waiting                   308.4 ns        0.3 %
  simulated                 103.5 us
  waiting                   308.4 ns        0.3 %

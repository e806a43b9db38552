# Causes of a run's time, each by a simulation without it.
$ collsim why --topo dgx --algo ring --size 64MiB --straggler rank=3,slow=30%
all-reduce of 64 MiB on dgx-a100, 8 ranks, ring: 673.9 us, 1.513 times the lower bound of 445.4 us
critical path: 94.39 % bandwidth, 5.609 % latency, 0 % reduction, 0 % waiting
busiest link gpu3 -> nvswitch (nvlink3 x12): 112 MiB, busy 94.39 % of the time
      then gpu0 -> nvswitch (nvlink3 x12): 112 MiB, busy 72.61 % of the time

 1. slow ranks (--straggler): without, 527.1 us instead of 673.9 us, 1.278 times as fast
 2. one ring or chain uses few of the machine's links (against multi-ring): without, 638.8 us instead of 673.9 us, 1.055 times as fast
 3. the rate of the links of the bottleneck (nvlink3 x12; against twice the rate): without, 355.9 us instead of 673.9 us, 1.894 times as fast
 4. latencies of links and steps: 37.8 us of the critical path, 5.609 %
 5. the algorithm (against multi-ring): without, 638.8 us instead of 673.9 us, 1.055 times as fast
$ collsim why --topo switch:ranks=8 --algo ring --size 1GiB --csv | cut -d, -f2-6
cause,time_s,without_s,gain,by
bandwidth,0.07517592768,0.03759496384,1.9996276096963523,simulation

# Mistakes.
$ collsim why --topo dgx --algo ring,tree
collsim: 'collsim why' explains one run; expected one algorithm, size and number of ranks
? 2
$ collsim why --topo dgx --algo auto
all-reduce of 1 GiB on dgx-a100, 8 ranks, multi-ring: 7.832 ms, 1.1 times the lower bound of 7.118 ms
critical path: 99.52 % bandwidth, 0.4826 % latency, 0 % reduction, 0 % waiting
busiest link gpu0 -> nvswitch (nvlink3 x12): 1.75 GiB, busy 99.97 % of the time

 1. the rate of the links of the bottleneck (nvlink3 x12; against twice the rate): without, 3.917 ms instead of 7.832 ms, 1.999 times as fast
? 0
$ collsim why --topo dgx --algo rnig
collsim: no algorithm called 'rnig' for all-reduce; did you mean 'ring'?
? 2

# Bad input.
$ collsim why --topo dgx --algo ring --ranks 1
collsim: the run takes no time, as no rank sends anything; expected two ranks or more
? 2
$ collsim why --topo dgx --algo ring --ranks 1 --json
{
  "error": "the run takes no time, as no rank sends anything; expected two ranks or more",
  "exit": 2
}
? 2
$ collsim why --topo dgx --algo ring --size 0B
collsim: --size: size '0B' is zero; the minimum is one element
? 2
$ collsim why --topo dgx --algo ring --ranks 9
collsim: 'dgx' has 8 ranks; 9 requested; expected --nodes 2 --ranks 9
? 2
$ collsim why --topo dgx --algo ring --fault gpu3:down
collsim: gpu3:down: dgx.yaml:25: 'gpu3' cannot be reached from 'gpu0'; only a cpu, nic, switch or bus passes messages on; a device alone means all of its links: gpu3-nvswitch, gpu3-plx1
? 2
$ collsim why --topo cluster:node=dgx,nodes=2,fabric=ral --algo ring
collsim: no fabric called 'ral'; did you mean 'rail'?
? 2
$ collsim why --topo dgxx --algo ring
collsim: no file and no library machine called 'dgxx'; did you mean 'dgx'?
? 2
$ collsim why --topo dgx --algo ring --link-model astraa
collsim: --link-model: no model called 'astraa'; did you mean 'astra'?
? 2
$ collsim why --topo dgx --algo ring --json --size
{
  "error": "--size needs a value: --size SIZES",
  "exit": 2
}
? 2

# Options without effect on the run itself, here and where an algorithm is proven or written.
$ for o in '--group 4' '--chunks 4' '--qps 4 --routing ecmp' '--seed 3' '--fabric rail'; do collsim why --topo dgx-1 --algo ring --size 64MiB $o 2>&1 >/dev/null | grep effect; done; collsim check --topo dgx-1 --algo ring --group 4 2>&1 >/dev/null; collsim export --algo ring --ranks 4 --chunks 3 2>&1 >/dev/null; collsim why --topo cluster:node=p5,nodes=2 --library nccl --size 1MiB --setting NCCL_IB_DISABLE=1 2>&1 >/dev/null | grep effect
note: --group has no effect on ring
note: --chunks has no effect on ring
note: --routing ecmp has no effect: there is one shortest route between any two ranks
note: --qps 4 has no effect here
note: --seed 3 has no effect here
note: --fabric rail has no effect here
note: --group has no effect on ring
note: --chunks has no effect on ring
note: --setting NCCL_IB_DISABLE=1 has no effect here: 1: kernel TCP in place of InfiniBand and RoCE verbs; of InfiniBand over one interface, as IPoIB or the node's Ethernet

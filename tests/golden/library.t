# Calls of a library by its cost model: --library.  Times are those of parameters that are estimated from published
# tables, and tested there; here they are # signs.

# A row per size: the library's own choice, the interval, and the bound of the links.
$ collsim --topo cluster:node=dgx-h100,nodes=2 --collective all-reduce -b 8 -e 8G -f 32 --library nccl 2>&1 | sed -E 's/(<?[0-9.]+ (us|ms|%)|<?[0-9]+\.[0-9]+)/#/g; s/ +#/ #/g; s/^-.*/---/; s/  +/  /g'
note: a cost model of nccl gives the times, no simulation; # of published measurements that the model has not seen lie from low to high
all-reduce on 2 x dgx-h100 (star), 16 ranks, fp32, library nccl, network ib

algorithm  size  time  lower  effi-  algbw  busbw  protocol  channels # #
  bound  ciency  GB/s  GB/s  low  high
---
tree  8 B # # # # #  ll  1 # #
tree  256 B # # # # #  ll  1 # #
tree  8 KiB # # # # #  ll  2 # #
tree  256 KiB # # # # #  ll128  16 # #
nvls-tree  8 MiB # # # # #  simple  16 # #
nvls-tree  256 MiB # # # # #  simple  16 # #
nvls-tree  8 GiB # # # # #  simple  16 # #

# The choice of the library, and forced algorithms.
$ collsim --topo dgx-h100 --library nccl --algo auto,ring,nvls --size 256MiB --json 2>/dev/null | grep -E '"(algorithm|protocol)"' | paste - -
      "algorithm": "nvls",	        "protocol": "simple",
      "algorithm": "ring",	        "protocol": "simple",
      "algorithm": "nvls",	        "protocol": "simple",

# A single call with its parts; a machine of one node has one process by default.
$ collsim --topo dgx-h100 --library nccl=2.27 --size 1MiB 2>&1 | sed -E 's/  #+$//; s/<?[0-9.]+ (us|ms|%|GB.s) */# /g'
note: a cost model of nccl gives the times, no simulation; # of published measurements that the model has not seen lie from low to high
note: tables from the known differences between NCCL's versions; details of this one may differ
all-reduce of 1 MiB on dgx-h100, 8 ranks, fp32, library nccl=2.27
  algorithm                 ring
  placement                 packed
  parameters                launch=one-process
  library                   nccl=2.27
  protocol                  ll
  channels                  24

Time
  predicted                 # 
  lower bound               # the ranks' own links (# nvlink4 x18 + # pcie5 x16 = # ); # without in-network reduction
  efficiency                # lower bound / predicted
  # interval from        # to # 
  the library's estimate    # by which it chooses the algorithm
  if                        the GPUs of a node had no direct access to each other: # , 3.05 times; NCCL_DEBUG=INFO has via SHM in place of via P2P in the lines of channels
  if                        each GPU had its own process (--launch process-per-gpu): # , 0.683 times; the Pids of the Rank lines of nccl-tests

Rates
  algorithm bandwidth       # size / time
  bus bandwidth             # as nccl-tests counts it

Parts
  launch                    # # 
  latency                   # # 
  transfer                  # # 

$ collsim --topo dgx-h100 --library nccl --protocol ll -b 1M -e 4M 2>/dev/null | head -1
all-reduce on dgx-h100, 8 ranks, fp32, library nccl, algorithm ring

# All protocols but one, as in NCCL_PROTO; sends and receives do not read it.
$ for p in ll128 ^ll128 ^simple; do collsim --topo cluster:node=gh200,nodes=2 --library nccl --protocol $p --size 4MiB 2>/dev/null | grep '^  protocol'; done; collsim --topo cluster:node=gh200,nodes=2 --library nccl --protocol ^ll128 --size 8KiB 2>/dev/null | grep '^  protocol'; collsim --topo dgx-h100 --library nccl --collective alltoall --protocol ^ll128 --size 1MiB 2>/dev/null | grep '^  protocol'; collsim --topo dgx-h100 --library nccl --collective alltoall --protocol ^ll12 --size 1MiB; collsim --topo dgx-h100 --library nccl --protocol ^ll12 --size 1MiB
  protocol                  ll128
  protocol                  simple
  protocol                  ll128
  protocol                  ll
  protocol                  simple
collsim: NCCL has no protocol 'll12'; did you mean 'll128'?
collsim: NCCL has no protocol 'll12'; did you mean 'll128'?
? 2

$ for how in graph process-per-gpu one-process blocking; do collsim --topo ib-2xdgx --library nccl --size 8B --launch $how 2>/dev/null | grep -E 'parameters'; done; collsim --topo ib-2xdgx --library nccl --size 8B 2>/dev/null | grep parameters
  parameters                launch=graph
  parameters                launch=process-per-gpu
  parameters                launch=one-process
  parameters                launch=blocking
  parameters                launch=process-per-gpu

$ collsim --topo mi300x --library rccl --collective all-gather --ranks 4,8 --size 64MiB 2>/dev/null | sed -E 's/<?[0-9.]+ (us|ms|%)/#/g' | head -1
all-gather of 64 MiB on mi300x, fp32, library rccl, algorithm ring

# Ranks of MPI and Gloo are processes on CPU cores.
$ collsim --topo 100gbe-8 --library mpi -b 8 -e 1G -f 64 --json 2>/dev/null | grep -E '"(bytes|algorithm)"' | paste - -
      "algorithm": "recursive-doubling",	      "bytes": 8,
      "algorithm": "recursive-doubling",	      "bytes": 512,
      "algorithm": "rabenseifner",	      "bytes": 32768,
      "algorithm": "rabenseifner",	      "bytes": 2097152,
      "algorithm": "rabenseifner",	      "bytes": 134217728,

$ collsim --topo 100gbe-8 --library gloo --size 1MiB 2>&1 | sed -n 2,6p
all-reduce of 1 MiB on 100gbe-8, 8 ranks, fp32, library gloo, network socket
  algorithm                 ring
  placement                 packed
  library                   gloo
  protocol                  tcp

$ collsim --topo ascend910 --library hccl --size 1MiB 2>&1 | sed -n 1,3p
note: a cost model of hccl gives the times, no simulation; no published measurement tests the model, and the interval is assumed
all-reduce of 1 MiB on ascend910, 8 ranks, fp32, library hccl
  algorithm                 pair

# JSON has the parts and the interval, and null for everything that only a simulation knows.
$ collsim --topo dgx --library nccl --size 16MiB --json 2>/dev/null | sed -nE 's/(_s": )[0-9].*/\1#,/; /"library"/,$p; /messages"/p; /closed_form/p'
      "closed_form_s": null,
      "messages": null,
      "library": "nccl",
      "library_call": {
        "protocol": "ll128",
        "channels": 24,
        "launch_s": #,
        "latency_s": #,
        "transfer_s": #,
        "low_s": #,
        "high_s": #,
        "own_estimate_s": #,
        "unmodelled": ""
      },
      "padded_bytes": null,
      "planned_for": "",
      "data_flow_skipped": null,
      "own_bound_s": null,
      "reachable_s": null,
      "reachable": null,
      "network": "",
      "matters_most": "the GPUs of a node had no direct access to each other: 3.964 ms, 20.3 times; NCCL_DEBUG=INFO has via SHM in place of via P2P in the lines of channels",
      "matters_next": ""
    }
  ]
}

# A database keeps equal calls once, beside simulated runs.
$ for run in 1 2; do collsim --topo dgx --library nccl -b 1M -e 16M -f 4 --db calls.db >/dev/null 2>&1; done; collsim --topo dgx -b 1M -e 16M -f 4 --db calls.db >/dev/null 2>&1; for w in ranks=8 library=nccl model=fifo; do collsim report --db calls.db --out all --force --where $w >/dev/null; grep -c '<tr><td' all/index.html; done
6
3
3

$ collsim list libraries --csv | cut -d, -f1-3
name,description,versions
nccl,NVIDIA NCCL 2.4 to 2.30: own choice of algorithm and protocol,2.4 to 2.30
rccl,AMD RCCL 2.18 to 2.27 on xGMI and RDMA,2.18 to 2.27
mpi,"Open MPI: collectives of processes on CPU cores, and of GPU buffers through the host"
gloo,Gloo: collectives of processes over TCP or InfiniBand verbs,all
hccl,"HCCL: collectives of Ascend NPUs; not validated, no published table"

# Wrong names and what a library does not serve.
$ collsim --topo dgx --library nccx
collsim: unknown library 'nccx'; did you mean 'nccl'?
? 2

$ collsim --topo dgx --library nccl=2.3
collsim: nccl 2.3 is not modelled; expected 2.4 to 2.30
? 2

# A newer version than the modelled ones, and one between two that have tables.
$ for version in 2.31 2.25.1 2.5.6; do collsim --topo dgx --library nccl=$version 2>&1 >/dev/null | sed 1d; done; collsim --topo mi300x --library rccl=2.28 2>&1 >/dev/null | sed 1d
note: tables of NCCL 2.30.7; the cost models that 2.32 adds for symmetric kernels and pipelines are not modelled
note: nccl may choose an engine of 2.31 or newer, which is not modelled
note: tables from the known differences between NCCL's versions; details of this one may differ
note: tables of NCCL 2.8, the oldest that are known; older versions may differ
note: rccl of this version counts as 2.27

$ collsim --topo dgx --library nccl=3.0
collsim: nccl 3.0 is not modelled; expected 2.4 to 2.30
? 2

$ collsim --topo dgx --library nccl=latest
collsim: 'latest' is not a version; expected 2.27 or 2.27.5
? 2

$ collsim --topo dgx --library nccl --algo rnig
collsim: NCCL has no algorithm 'rnig'; did you mean 'ring'?
? 2

# An algorithm that does not fit the machine ends none of the others.
$ collsim --topo dgx --library nccl --algo nvls,ring,pat --size 1MiB --csv 2>&1 | cut -d, -f1-6
note: a cost model of nccl gives the times, no simulation; 90 % of published measurements that the model has not seen lie from low to high
note: NCCL has no pat for all-reduce on this machine: it is for all-gather and reduce-scatter
collsim: NCCL has no nvls for all-reduce on this machine: it needs GPUs and NVSwitches of NVLink 4 or later, whose switches reduce, and two GPUs of a node
topology,ranks,collective,algorithm,model,bytes
dgx-a100,8,all-reduce,ring,nccl,1048576

# RCCL has names of its own, and schedules in a node that a name or a protocol selects.
$ collsim --topo mi300x --library rccl --algo direct,ring,auto --size 1MiB --csv 2>/dev/null | cut -d, -f4
algorithm
direct
ring
direct

$ collsim --topo mi300x --library rccl --algo nvls
collsim: RCCL has no algorithm 'nvls'; expected tree, ring, direct
? 2

$ collsim --topo cluster:node=mi300x,nodes=2 --library rccl --algo direct
collsim: RCCL's direct exchange needs xGMI between all GPUs of one node
? 2

$ collsim --topo dgx --library gloo=1
collsim: the model of gloo has no versions; leave =1 out
? 2

$ collsim --topo dgx --library nccl --algo all
collsim: --algo all is for simulations; with --library name algorithms of nccl, or leave --algo out for its choice
? 2

$ collsim --topo dgx --library nccl --algo nvls
collsim: NCCL has no nvls for all-reduce on this machine: it needs GPUs and NVSwitches of NVLink 4 or later, whose switches reduce, and two GPUs of a node
? 2

$ collsim --topo dgx --library nccl --collective all-to-all --algo ring
collsim: NCCL has no algorithm of sends and receives 'ring'; expected p2p
? 2

$ collsim --topo dgx --library nccl --protocol ll64
collsim: NCCL has no protocol 'll64'; expected ll, ll128, simple
? 2

$ collsim --topo dgx --library nccl --launch grph
collsim: --launch: no launch called 'grph'; did you mean 'graph'?
? 2

$ collsim --topo dgx --library nccl --collective barrier
collsim: NCCL has no barrier
? 2

$ collsim --topo dgx --library mpi --launch graph
collsim: --launch has no effect on mpi, which starts no kernels; leave it out
? 2

$ collsim --topo dgx --library gloo=1.0
collsim: the model of gloo has no versions; leave =1.0 out
? 2

$ collsim --topo 100gbe-8 --library mpi --collective scatter
collsim: MPI's scatter is not modelled; expected all-reduce, broadcast, reduce, reduce-scatter, all-gather, all-to-all, send-receive or barrier
? 2

$ collsim --topo dgx --library rccl
collsim: RCCL runs on GPUs of AMD, and this machine has none; NCCL runs on GPUs of NVIDIA
? 2

$ collsim --topo 100gbe-8 --library nccl
collsim: NCCL runs on GPUs of NVIDIA, and this machine has none
? 2

$ collsim --topo dgx --library nccl --ranks 1
collsim: one rank has no communication
? 2

# Options of simulations have no effect beside a library, options of a library none without.
$ collsim --topo dgx --library nccl --link-model fluid
collsim: --link-model has no effect with --library, whose cost model simulates no messages; leave one of them out
? 2

$ collsim --topo dgx --library nccl --transport nccl-simple
collsim: --transport has no effect with --library, whose cost model simulates no messages; leave one of them out
? 2

$ collsim --topo dgx --library nccl --fault gpu0-nvswitch:rate=50%@1ms
collsim: --fault gpu0-nvswitch:rate=50%@1ms: a cost model of a library has no point in time; expected a fault without '@'
? 2

$ collsim --topo dgx --protocol ll
collsim: --protocol requires --library: a simulation takes a protocol from --transport nccl-ll, nccl-ll128 or nccl-simple
? 2

$ collsim --topo dgx --launch graph
collsim: --launch requires --library: a simulation takes the launch from --transport
? 2

$ collsim explain --library nccl
collsim: --library belongs to 'collsim run' and has no effect here; leave it out
? 2

$ collsim check --library nccl
collsim: --library belongs to 'collsim run' and has no effect here; leave it out
? 2

# A cost model reads the machine with its faults and its switches: an adapter lost in any node has the same effect, and
# a third of the rate between leaves slows an all-to-all, not the ring of an all-gather.
$ for f in n1.nic1:down n2.nic5:down; do collsim --topo dgx-h100 --nodes 4 --library nccl --size 1GiB --fault $f --csv 2>/dev/null | tail -1 | cut -d, -f7; done | uniq | wc -l
1

$ for c in all-to-all all-gather; do for o in 1 3; do collsim --topo dgx-h100 --nodes 32 --fabric fat-tree,radix=32,oversubscription=$o --library nccl --collective $c --size 1GiB --csv 2>/dev/null | tail -1 | cut -d, -f7; done | paste -s | awk '{ print ($2 > 2 * $1 ? "slower" : "equal") }'; done
slower
equal

# Settings: variables of NCCL and conditions of the node, in the record and in the time.
$ for s in acs=off acs=on acs=ats acs=ats,NCCL_IB_PCI_RELAXED_ORDERING=0 NCCL_NET_GDR_LEVEL=LOC NCCL_IB_DISABLE=1 NCCL_NVLS_ENABLE=0; do echo $s $(collsim --topo dgx-h100 --nodes 2 --library nccl --size 1GiB --setting $s --csv 2>/dev/null | tail -1 | cut -d, -f7); done | awk '!off { off = $2 } { print $1, ($2 > 1.1 * off ? "slower" : "equal") }'
acs=off equal
acs=on slower
acs=ats equal
acs=ats,NCCL_IB_PCI_RELAXED_ORDERING=0 slower
NCCL_NET_GDR_LEVEL=LOC slower
NCCL_IB_DISABLE=1 slower
NCCL_NVLS_ENABLE=0 slower
$ collsim --topo dgx-h100 --nodes 2 --library nccl --size 1GiB --setting acs=on --setting nccl_nvls_enable=0 2>/dev/null | grep parameters
  parameters                launch=process-per-gpu acs=on NCCL_NVLS_ENABLE=0
$ collsim list settings --csv | cut -d, -f1 | head -4
name
adapter-socket
NCCL_NET_GDR_LEVEL
NCCL_P2P_LEVEL
$ collsim --topo dgx-h100 --library nccl --setting NCCL_NVLS_ENABEL=0
collsim: --setting: no setting called 'NCCL_NVLS_ENABEL'; did you mean 'NCCL_NVLS_ENABLE'?
? 2
$ collsim --topo dgx-h100 --library nccl --setting acs=maybe
collsim: --setting: acs=maybe: expected off, on, ats
? 2
$ collsim --topo gbe-4 --library mpi --setting acs=on
collsim: --setting is for NCCL and RCCL; mpi has none
? 2
$ collsim --topo dgx-h100 --setting acs=on
collsim: --setting requires --library: a simulation has no library to set
? 2

# Broadcast and reduce over several nodes: the second channel of a call ends the overlap of successive calls.
$ for m in "dgx-h100 --nodes 2" dgx-h100; do collsim --topo $m --library nccl --collective broadcast --size 64KiB,128KiB 2>&1 >/dev/null | grep -c 'overlap on a chain'; done
1
0
? 1

# A setting or a fabric that changes nothing is named.
$ collsim --topo p5 --nodes 2 --library nccl --setting NCCL_IB_DISABLE=1,NCCL_IB_QPS_PER_CONNECTION=2,NCCL_P2P_DISABLE=1 --size 1MiB 2>&1 | grep -E 'effect|parameters'
note: --setting NCCL_IB_DISABLE=1 has no effect here: 1: kernel TCP in place of InfiniBand and RoCE verbs; of InfiniBand over one interface, as IPoIB or the node's Ethernet
note: --setting NCCL_IB_QPS_PER_CONNECTION=2 has no effect here: queue pairs of a connection; a message divided among them has a post and a completion on each; routes by hash: a simulation with --qps
  parameters                launch=process-per-gpu NCCL_P2P_DISABLE=1
$ collsim --topo dgx --fabric rail --size 1MiB 2>&1 >/dev/null
note: --fabric rail has no effect here
$ for o in '--seed 8' '--seed 8 --jitter exponential,mean=1us' '--seed 1'; do collsim --topo dgx $o --size 1MiB 2>&1 >/dev/null; done; collsim --topo ascend910 --fabric rail --size 1MiB 2>&1 >/dev/null | grep effect
note: --seed 8 has no effect here
note: --fabric rail has no effect here
$ collsim explain --topo ring:ranks=3 --algo ring --out x.xyz
collsim: --out: 'x.xyz' does not end in .txt, .text, .html, .htm, .json, .svg, .gif, .tikz or .tex
? 2

# Of several sizes and numbers of ranks, where it changes none of the calls.
$ collsim --topo pcie-4gpu --library nccl -n 2,4 --size 1MiB,4MiB --setting NCCL_CROSS_NIC=1,NCCL_IB_DISABLE=1 2>&1 | grep -o 'note: --setting.*here'
note: --setting NCCL_CROSS_NIC=1 has no effect here
note: --setting NCCL_IB_DISABLE=1 has no effect here
$ for s in 64KiB 64KiB,1GiB; do collsim --topo dgx-h100 --library nccl --size $s --setting NCCL_NVLS_ENABLE=0 2>&1 | grep -c 'no effect'; done
1
0
? 1

# What a command leaves open and moves the time most; what is said is not open.

$ collsim --topo dgx-h100 --nodes 2 --library nccl --size 8B 2>/dev/null | sed -nE 's/^  if +([^:]*):.*/\1/p'
kernel TCP ran in place of RDMA
the GPUs of a node had no direct access to each other
$ collsim --topo dgx-h100 --nodes 2 --library nccl --size 8B --setting NCCL_NET=IB 2>/dev/null | sed -nE 's/^  if +([^:]*):.*/\1/p'
the GPUs of a node had no direct access to each other
each call waited for the end of the previous
$ collsim --topo dgx-h100 --library nccl=2.18 --size 8KiB --launch process-per-gpu 2>/dev/null | sed -nE 's/^  if +([^:]*):.*/\1/p'
the GPUs of a node had no direct access to each other
$ collsim --topo a100-pcie --library nccl --size 1GiB 2>/dev/null | sed -nE 's/^  if +([^:]*):.*/\1/p'
the GPUs of a node had no direct access to each other
the GPUs had a quarter of their PCIe lanes

# Gloo sends over kernel TCP; what to look for in NCCL's messages is not said of MPI.
$ collsim --topo dgx-h100 --nodes 2 --library gloo --size 1M 2>/dev/null | grep '^  network'; collsim --topo hpc7g --nodes 4 --library mpi --size 1M 2>/dev/null | grep '^  if'
  network                   ipoib: kernel TCP over InfiniBand (IPoIB)
  if                        kernel TCP ran in place of RDMA: 1.263 ms, 1.83 times

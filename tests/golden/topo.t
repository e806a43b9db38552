# Looking at machines, and writing them.

$ collsim topo show --topo nvlink-pair
nvlink-pair: 2 GPUs with an NVLink bridge (RTX 3090, A6000), PCIe 4.0 to one socket
ranks 2, nodes 1, links 3, routes found by search

part       what               count     payload  efficiency  effective  latency  directions  names, or source
                                           each                   each
---------  -----------------  -----  ----------  ----------  ---------  -------  ----------  ----------------
device     gpu                    2           -           -          -        -  -           gpu0 ... gpu1
device     cpu                    1           -           -          -        -  -           cpu
placement  rank                   2           -           -          -        -  -           gpu0 ... gpu1
placement  server                 1           -           -          -        -  -           cpu
link       nvlink3-bridge x4      1  56.25 GB/s      85.3 %    48 GB/s  1.15 us  separate    [1]
link       pcie4 x16              2  31.51 GB/s      76.2 %    24 GB/s   500 ns  separate    [2]

[1] payload: 56.2 GB/s of 4 links, NVIDIA data sheets of RTX 3090 and A6000 (112.5 GB/s for both directions); effective: NVIDIA/nccl src/graph/topo.h SM86_NVLINK_BW 12.0; latency: half of 2.2-2.3 us, CUDA sample p2pBandwidthLatencyTest on a bridged pair of 3090, unverified as to what it counts
[2] payload: PCIe 4.0, 16 GT/s with 128b/130b; effective: 24 GB/s for x16, NVIDIA/nccl src/graph/topo.cc speed table; latency: as pcie3

$ collsim topo matrix --topo hgx-a100-4
      gpu0  gpu1  gpu2  gpu3  nic0  nic1
----  ----  ----  ----  ----  ----  ----
gpu0  X     NV4   NV4   NV4   PHB   PHB
gpu1  NV4   X     NV4   NV4   PHB   PHB
gpu2  NV4   NV4   X     NV4   PHB   PHB
gpu3  NV4   NV4   NV4   X     PHB   PHB
nic0  PHB   PHB   PHB   PHB   X     PHB
nic1  PHB   PHB   PHB   PHB   PHB   X

NV# number of NVLinks; XGMI, HCCS links of AMD, Huawei; PIX one PCIe switch;
PXB several; PHB a CPU; NODE within a NUMA node; SYS two sockets; NET a network

$ collsim topo matrix --topo nvlink-pair --csv
device,gpu0,gpu1
gpu0,X,NV4
gpu1,NV4,X

$ collsim topo check --topo fat-tree:ranks=16,radix=6,oversubscription=2
check      where                            rate  latency  ratio  remark
---------  ---------------------------  --------  -------  -----  -------------------------------------------------------------------------------------
pair       rank0 -> rank4                25 GB/s     2 us      -  the slowest
pair       rank10 -> rank0               25 GB/s     2 us      -  the median
pair       rank15 -> rank14              25 GB/s     1 us      -  the fastest
bisection  the first half of the ranks  100 GB/s        -  0.5 x  of some halves; other halves may be slower; ratio: to the sum of the ranks' own links
switch     leaf0                         50 GB/s        -    2 x  down to up; 4 switches 1 link from a rank, the least 2

0 anomalies
? 0

$ collsim topo check --topo dgx-1 --fault gpu0-gpu4:rate=50% --strict
collsim: 3 findings, and --strict was given
check      where                          rate  latency     ratio  remark
---------  -------------------------  --------  -------  --------  --------------------------------------------------------
pair       gpu0 -> gpu5                 6 GB/s  2.05 us         -  the slowest
pair       gpu3 -> gpu7                20 GB/s  1.35 us         -  the median
pair       gpu4 -> gpu7                40 GB/s  1.35 us         -  the fastest
bisection  gpu0 gpu3 gpu2 gpu1        106 GB/s        -  0.2087 x  of all halves; ratio: to the sum of the ranks' own links
switch     plx0                        12 GB/s        -       2 x  down to up; 4 switches 1 link from a rank, the least 2
anomaly    gpu0                       112 GB/s        -  0.8485 x  links of this gpu over the median
anomaly    gpu4                       112 GB/s        -  0.8485 x  links of this gpu over the median
anomaly    gpu0 -> gpu4 (nvlink2 x2)   20 GB/s        -     0.5 x  effective rate differs from the link kind's

3 anomalies
? 1

$ collsim topo check --topo switch:ranks=3 --json
{
  "checks": [
    {
      "check": "pair",
      "where": "rank0 -> rank1",
      "rate_Bps": 25000000000,
      "latency_s": 0.000001,
      "ratio": null,
      "remark": "the slowest"
    },
    {
      "check": "pair",
      "where": "rank1 -> rank2",
      "rate_Bps": 25000000000,
      "latency_s": 0.000001,
      "ratio": null,
      "remark": "the median"
    },
    {
      "check": "pair",
      "where": "rank2 -> rank1",
      "rate_Bps": 25000000000,
      "latency_s": 0.000001,
      "ratio": null,
      "remark": "the fastest"
    }
  ]
}

$ collsim topo export --topo cluster:node=hgx-a100-4,nodes=2 | tee two.yaml
note: the file has no parameter servers, and no routes for --routing ecmp, spray and adaptive; --topo 'cluster:node=hgx-a100-4,nodes=2' has them
name: "2 x hgx-a100-4 (star)"
about: "one switch that never blocks"
devices:
  n0.gpu: {kind: gpu, count: 4, model: a100-40gb}
  n0.cpu: {kind: cpu, reduce: 68 GB/s, vendor: amd}
  n0.nic: {kind: nic, count: 2}
  n1.gpu: {kind: gpu, count: 4, host: 1, model: a100-40gb}
  n1.cpu: {kind: cpu, host: 1, reduce: 68 GB/s, vendor: amd}
  n1.nic: {kind: nic, count: 2, host: 1}
  switch: {kind: switch, count: 1}
links:
  - {from: [n0.gpu0, n0.gpu0, "n0.gpu[0-1]", "n0.gpu[1-2]"], to: ["n0.gpu[1-3]", "n0.gpu[2-3]", n0.gpu3], class: nvlink3 x4}
  - {from: ["n0.gpu[0-3]", "n0.nic[0-1]"], to: n0.cpu, class: pcie4 x16}
  - {from: [n1.gpu0, n1.gpu0, "n1.gpu[0-1]", "n1.gpu[1-2]"], to: ["n1.gpu[1-3]", "n1.gpu[2-3]", n1.gpu3], class: nvlink3 x4}
  - {from: ["n1.gpu[0-3]", "n1.nic[0-1]"], to: n1.cpu, class: pcie4 x16}
  - {from: ["n0.nic[0-1]", "n1.nic[0-1]"], to: switch0, class: slingshot11}
routes:
  - {from: [n0.gpu0, n0.gpu2], to: [n1.gpu1, n1.gpu3], over: [n0.cpu, n0.nic0, switch0, n1.nic1, n1.cpu]}
  - {from: [n0.gpu1, n0.gpu3], to: [n1.gpu0, n1.gpu2], over: [n0.cpu, n0.nic1, switch0, n1.nic0, n1.cpu]}
  - {from: n0.gpu2, to: [n1.gpu0, n1.gpu2], over: [n0.cpu, n0.nic0, switch0, n1.nic0, n1.cpu]}
  - {from: n0.gpu3, to: [n1.gpu1, n1.gpu3], over: [n0.cpu, n0.nic1, switch0, n1.nic1, n1.cpu]}
  - {from: n1.gpu0, to: [n0.gpu0, n0.gpu2], over: [n1.cpu, n1.nic0, switch0, n0.nic0, n0.cpu]}
  - {from: [n1.gpu0, n1.gpu2], to: [n0.gpu1, n0.gpu3], over: [n1.cpu, n1.nic0, switch0, n0.nic1, n0.cpu]}
  - {from: [n1.gpu1, n1.gpu3], to: [n0.gpu0, n0.gpu2], over: [n1.cpu, n1.nic1, switch0, n0.nic0, n0.cpu]}
  - {from: n1.gpu1, to: [n0.gpu1, n0.gpu3], over: [n1.cpu, n1.nic1, switch0, n0.nic1, n0.cpu]}

$ collsim topo export --topo two.yaml | diff - two.yaml && echo the same
the same

$ collsim topo export --topo switch:ranks=2 --format simgrid
note: models of GPUs and classes of links are omitted; link rates include the efficiency
<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1">
  <zone id="switch" routing="Full">
    <prop id="collsim-device switch" value="switch"/>
    <host id="rank0" speed="1Gf"><prop id="collsim-device" value="host 0"/></host>
    <host id="rank1" speed="1Gf"><prop id="collsim-device" value="host 1"/></host>
    <link id="0 rank0 - switch" bandwidth="25000000000Bps" latency="500000ps" sharing_policy="SPLITDUPLEX"><prop id="collsim-ends" value="rank0"/><prop id="collsim-ends" value="switch"/></link>
    <link id="1 rank1 - switch" bandwidth="25000000000Bps" latency="500000ps" sharing_policy="SPLITDUPLEX"><prop id="collsim-ends" value="rank1"/><prop id="collsim-ends" value="switch"/></link>
    <route src="rank0" dst="rank1" symmetrical="NO"><link_ctn id="0 rank0 - switch" direction="UP"/><link_ctn id="1 rank1 - switch" direction="DOWN"/></route>
    <route src="rank1" dst="rank0" symmetrical="NO"><link_ctn id="1 rank1 - switch" direction="UP"/><link_ctn id="0 rank0 - switch" direction="DOWN"/></route>
  </zone>
</platform>

$ collsim topo export --topo nvlink-pair --format nccl --out pair.xml; collsim topo matrix --topo pair.xml
note: latencies and efficiencies are omitted: NCCL has its own
wrote pair.xml
      gpu0  gpu1
----  ----  ----
gpu0  X     NV4
gpu1  NV4   X

NV# number of NVLinks; XGMI, HCCS links of AMD, Huawei; PIX one PCIe switch;
PXB several; PHB a CPU; NODE within a NUMA node; SYS two sockets; NET a network

$ collsim topo svg --topo dgx | head -2
<svg xmlns="http://www.w3.org/2000/svg" width="1520" height="524" viewBox="0 0 1520 524">
<style>text{font:12px sans-serif;fill:#222}.small{font-size:11px}</style>

$ collsim topo lint --topo nvlink-pair --csv | cut -c1-60
where,line,word,text
nvlink3-bridge x4,11,unverified,"payload: 56.2 GB/s of 4 lin

$ collsim topo export --topo ring:ranks=5
note: the file has no parameter servers; --topo 'ring:ranks=5' has them
note: the file's ranks are hosts, of which --algo auto compares what MPI or Gloo runs
name: "ring"
about: "links between neighbours; alpha = latency per link"
forward: ranks
classes:
  link: {rate: 25 GB/s, latency: 0.5 us, source: "given by the user"}
devices:
  rank: {kind: host, count: 5}
links:
  - {from: "rank[0-4]", to: ["rank[1-4]", rank0], class: link}
? 0

$ collsim topo shw
collsim: topo has no 'shw'; did you mean 'show'?
? 2

$ collsim topo matrix --out x.txt
collsim: 'topo matrix' does not take --out
? 2

$ collsim topo export --format yml
collsim: --format: no format called 'yml'; did you mean 'yaml'?
? 2

$ collsim topo show --algo ring
collsim: --algo belongs to 'collsim run' and has no effect here; leave it out
? 2

$ collsim topo show --json --csv
{
  "error": "--json and --csv cannot be combined; give one",
  "exit": 2
}
? 2

$ collsim topo check --fault gpu0-gpu4:down@2ms
collsim: --fault gpu0-gpu4:down@2ms: topo shows a machine without time; leave '@' out
? 2

# What a fault takes away is not written.
$ collsim topo export --topo nvlink-pair --fault gpu0-gpu1:down | sed -n '/^links/,$p'
note: 1 links that are down are omitted
links:
  - {from: "gpu[0-1]", to: cpu, class: pcie4 x16}

# Servers, a wire in two, figures of one's own, and names that need care.
$ printf '%s\n' 'name: "a<b>: \"c\""' 'classes: {own: {rate: 3 GB/s, latency: 5 us, efficiency: 0.0123456789, source: "a: \"b\""}}' 'devices: {größe&<x>: {kind: host}, "a b: c": {kind: host}, yes: {kind: host}, s: {kind: switch}}' 'links: [{from: [größe&<x>, "a b: c", yes], to: s, class: own}]' 'servers: ["yes"]' >odd.yaml; collsim topo export --topo odd.yaml | tee again.yaml; collsim topo export --topo again.yaml | diff again.yaml - && collsim topo export --topo odd.yaml --format simgrid --out odd.xml && collsim topo show --topo odd.xml --csv
name: "a<b>: \"c\""
classes:
  own: {rate: 3 GB/s, latency: 5 us, efficiency: 0.0123456789, source: "a: \"b\""}
devices:
  "größe&<x>": {kind: host}
  "a b: c": {kind: host}
  "yes": {kind: host}
  s: {kind: switch}
links:
  - {from: ["größe&<x>", "a b: c", "yes"], to: s, class: own}
ranks: ["größe&<x>", "a b: c"]
servers: "yes"
note: models of GPUs and classes of links are omitted; link rates include the efficiency
wrote odd.xml
part,what,count,payload_Bps,efficiency,effective_Bps,latency_s,shared,details
device,host,2,,,,,,größe&<x> ... a b: c
device,switch,2,,,,,,yes ... s
placement,rank,2,,,,,,größe&<x> ... a b: c
link,link,3,37037036.7,1,37037036.7,0.000005,separate,odd.xml

# Links that lead one way.
$ sed 's/<prop id="collsim-ends[^>]*>//g' odd.xml >buses.xml; collsim topo export --topo buses.xml --out one.yaml; grep direction: one.yaml; collsim topo check --topo one.yaml
wrote one.yaml
  - {from: "joint 4|7", to: "link 0 größe&<x> - s", class: link, direction: back}
  - {from: "a b: c", to: "link 1 a b: c - s down", class: link, direction: back}
  - {from: "joint 5|6", to: "link 1 a b: c - s", class: link, direction: back}
  - {from: "größe&<x>", to: "link 0 größe&<x> - s down", class: link, direction: back}
check      where                      rate  latency  ratio  remark
---------  -------------------  ----------  -------  -----  --------------------------------------------------------
pair       größe&<x> -> a b: c  37.04 MB/s    10 us      -  the slowest
pair       a b: c -> größe&<x>  37.04 MB/s    10 us      -  the median
pair       a b: c -> größe&<x>  37.04 MB/s    10 us      -  the fastest
bisection  größe&<x>            37.04 MB/s        -    1 x  of all halves; ratio: to the sum of the ranks' own links

0 anomalies
? 0

# A fabric of its own file is not the route of the generator.
$ collsim topo export --topo torus:dims=2x4
note: the file has no parameter servers; --topo 'torus:dims=2x4' has them
note: the file's ranks are hosts, of which --algo auto compares what MPI or Gloo runs
name: "torus"
about: "neighbours in every dimension: dims=AxBxC; dimension order"
forward: ranks
classes:
  link: {rate: 25 GB/s, latency: 0.5 us, source: "assumed: a port of 200 Gb/s"}
devices:
  rank: {kind: host, count: 8}
links:
  - {from: [rank0, rank2, rank4, rank6, "rank[0-6]"], to: [rank1, rank3, rank5, rank7, "rank[2-7]", rank0], class: link}
  - {from: rank7, to: rank1, class: link}
routes:
  - {from: rank0, to: [rank3, rank7], over: rank1}
  - {from: rank7, to: rank3, over: rank1}
  - {from: rank0, to: rank5, over: [rank1, rank3]}
  - {from: rank1, to: rank5, over: rank3}
  - {from: rank2, to: rank6, over: rank4}
  - {from: rank5, to: [rank2, rank6], over: rank4}
  - {from: rank2, to: rank7, over: [rank3, rank5]}
  - {from: rank3, to: [rank0, rank4], over: rank2}
  - {from: rank3, to: rank6, over: [rank2, rank4]}
  - {from: rank5, to: rank0, over: [rank4, rank6]}
  - {from: rank5, to: rank1, over: rank7}
  - {from: rank6, to: [rank1, rank5], over: rank7}
  - {from: rank6, to: rank3, over: [rank7, rank1]}
  - {from: rank7, to: rank2, over: [rank6, rank0]}
? 0

$ collsim topo export --out nosuch/x.yaml
collsim: cannot write 'nosuch/x.yaml': No such file or directory
? 2

$ collsim topo export --topo gbe-4 --format nccl
collsim: 'ws0' has no path to a CPU; an NCCL file is a tree below CPUs
? 2

# What NCCL's format has no place for.
$ collsim topo export --topo ascend910 --format nccl --out ascend.xml
note: latencies and efficiencies are omitted: NCCL has its own
note: links between sockets are given by the CPU's vendor and model
note: 20 links are omitted that are neither in the PCIe tree nor NVLink, xGMI or C2C; the first is npu0 -> npu1 (hccs x1)
note: 8 NICs without a path to a CPU are omitted
note: in this file rates between ranks are up to 80 % lower
note: in this file latencies between ranks are up to 350 ns shorter
note: in this file ranks have other routes, whose busiest links are as busy as those of the machine
wrote ascend.xml

$ collsim topo show --topo ascend.xml --json | grep -A3 '"link"'
note: the file has no links between GPUs, which NCCL may detect at run time; without --platform all traffic uses PCIe
      "part": "link",
      "what": "pcie4 x16",
      "count": 8,
      "payload_Bps": 31507692307.69231,
--
      "part": "link",
      "what": "arm-socket",
      "count": 6,
      "payload_Bps": 6000000000,

# Options that have no effect are refused.
$ collsim topo check --topo dgx --what-if each-link
collsim: --what-if belongs to 'collsim run' and has no effect here; leave it out
? 2
$ collsim topo check --topo dgx --failover 3ms
collsim: --failover belongs to 'collsim run' and has no effect here; leave it out
? 2
$ collsim topo show --topo dgx --nodes 4 --fabric star,pxn=on
collsim: pxn= has no effect with all NICs on one fabric; use it with fabric=rail or rails=
? 2

# NVSwitches of several nodes stay apart, and those of one NVLink domain one.
$ collsim topo export --topo ib-2xdgx --format nccl --out two.xml 2>/dev/null; collsim topo check --topo two.xml
note: the file does not describe the inter-node network; one switch is assumed
check      where                            rate  latency      ratio  remark
---------  ---------------------------  --------  -------  ---------  -------------------------------------------------------------------------------------
pair       n0.gpu0 -> n1.gpu8            24 GB/s  3.33 us          -  the slowest
pair       n1.gpu15 -> n0.gpu0           24 GB/s  3.33 us          -  the median
pair       n1.gpu15 -> n1.gpu14         240 GB/s   2.7 us          -  the fastest
bisection  the first half of the ranks  192 GB/s        -  0.09091 x  of some halves; other halves may be slower; ratio: to the sum of the ranks' own links
switch     n0.pci0                       24 GB/s        -        2 x  down to up; 8 switches 1 link from a rank, the least 2

0 anomalies
$ collsim topo export --topo gb200-nvl72 --format nccl --out domain.xml 2>/dev/null; collsim topo check --topo domain.xml | grep pair
pair       gpu0 -> gpu1                 721.8 GB/s   2.7 us         -  the slowest
pair       gpu36 -> gpu0                721.8 GB/s   2.7 us         -  the median
pair       gpu71 -> gpu70               721.8 GB/s   2.7 us         -  the fastest

# What SimGrid's platform can carry is what the machine can.
$ collsim topo export --topo pcie-4gpu --format simgrid --out four.xml 2>/dev/null; collsim topo check --topo four.xml | grep bisection; collsim topo check --topo pcie-4gpu | grep bisection
bisection  gpu0 gpu1     10 GB/s        -  0.2083 x  of all halves; ratio: to the sum of the ranks' own links
bisection  gpu0 gpu1     10 GB/s        -  0.2083 x  of all halves; ratio: to the sum of the ranks' own links

# A bus whose wires differ in latency is exported exactly; one whose rates differ is refused.
$ printf '%s\n' 'classes: {a: {rate: 1 GB/s, latency: 1 us, duplex: bus}, b: {rate: 1 GB/s, latency: 9 us, duplex: bus}}' 'devices: {r: {kind: gpu, count: 2}, m: {kind: bus}}' 'links: [{from: r0, to: m, class: a}, {from: r1, to: m, class: b}]' >bus.yaml; collsim topo export --topo bus.yaml --format simgrid --out bus.xml 2>/dev/null; for m in bus.yaml bus.xml; do collsim --topo $m --collective broadcast --root 1 --size 1MB | grep '  simulated'; done
  simulated                 1.009 ms
  simulated                 1.009 ms
$ sed -i 's/1 GB\/s, latency: 9/4 GB\/s, latency: 9/' bus.yaml; collsim topo export --topo bus.yaml --format simgrid
collsim: 'r0 - m' with 1 GB/s and 'r1 - m' with 4 GB/s share a bus with different rates; a link of SimGrid has one rate
? 2

# InfraGraph: what a file has to say.
$ printf '%s\n' 'devices: [{name: d, components: [{name: gpu, choice: xpu, count: 2}], links: [{name: nvlink}], edges: [{ep1: {component: "gpu[0]"}, ep2: {component: "gpu[1]"}, scheme: one2one, link: nvlink}]}]' 'instances: [{name: i, device: d, count: 1}]' >pair.yaml; collsim topo matrix --topo pair.yaml; collsim topo matrix --topo pair.yaml --gpu h100
collsim: pair.yaml:1: link 'nvlink' has no bandwidth, and its name and description name no link of a known GPU (--gpu h100 names the model); expected physical: {bandwidth: {choice: gigabits_per_second, gigabits_per_second: 400}}
note: link in line 1 has no bandwidth: the 18 links of h100, divided among the edges of a GPU
      gpu0  gpu1
----  ----  ----
gpu0  X     NV18
gpu1  NV18  X

NV# number of NVLinks; XGMI, HCCS links of AMD, Huawei; PIX one PCIe switch;
PXB several; PHB a CPU; NODE within a NUMA node; SYS two sockets; NET a network
$ collsim topo matrix --topo infragraph:pair.yaml --gpu h10
collsim: no GPU called 'h10'; did you mean 'h100'?
? 2

# A topology of SimAI, and a network of ASTRA-sim's first version.
$ printf '%s\n' '6 2 2 1 9 H100' '4 5 6' >bad.simai; collsim topo show --topo simai:bad.simai
collsim: bad.simai:2: a switch: '6' is out of range; expected 0 to 5
? 2
$ printf '%s\n' '7 2 2 1 8 H100' '4 5 6' '0 4 3600Gbps 0.000025ms 0' '1 4 3600Gbps 0.000025ms 0' '2 5 3600Gbps 0.000025ms 0' '3 5 3600Gbps 0.000025ms 0' '0 6 400Gbps 0.0005ms 0' '1 6 400Gbps 0.0005ms 0' '2 6 400Gbps 0.0005ms 0' '3 6 400Gbps 0.0005ms 0' >two.simai; collsim topo matrix --topo two.simai; collsim topo check --topo two.simai | head -4
note: links have the whole rate of the file: ns-3's packet headers are left out
      gpu0  gpu1  gpu2  gpu3
----  ----  ----  ----  ----
gpu0  X     NV18  NET   NET
gpu1  NV18  X     NET   NET
gpu2  NET   NET   X     NV18
gpu3  NET   NET   NV18  X

NV# number of NVLinks; XGMI, HCCS links of AMD, Huawei; PIX one PCIe switch;
PXB several; PHB a CPU; NODE within a NUMA node; SYS two sockets; NET a network
note: links have the whole rate of the file: ns-3's packet headers are left out
check      where                                rate  latency    ratio  remark
---------  -------------------------------  --------  -------  -------  --------------------------------------------------------
pair       gpu0 -> gpu2                      50 GB/s     1 us        -  the slowest
pair       gpu3 -> gpu0                      50 GB/s     1 us        -  the median
$ printf '%s\n' '{"topologies-per-dim": ["FullyConnected", "Switch"], "units-count": [4, 2], "links-count": [6, 1], "link-bandwidth": [25, 12.5], "link-latency": [500, 700], "nic-latency": [0, 100]}' >first.json; collsim topo check --topo first.json | head -4
note: bandwidths are GB/s of 10^9 bytes, as in version 1 of ASTRA-sim
check      where                         rate  latency     ratio  remark
---------  -----------------------  ---------  -------  --------  --------------------------------------------------------
pair       npu0 -> npu5             12.5 GB/s   2.1 us         -  the slowest
pair       npu4 -> npu0             12.5 GB/s   1.6 us         -  the median

# Routes of a generator that are not the cheapest paths are in the file, and read back: through the GPU of an adapter (PXN).

$ collsim topo export --topo dgx-b200 --nodes 2 --fabric rail -o rail.yaml; grep -A1 routes: rail.yaml; for m in '--topo dgx-b200 --nodes 2 --fabric rail' '--topo rail.yaml'; do for model in fifo fluid; do collsim $m --algo ring --link-model $model --size 4MiB --no-proof --csv 2>/dev/null | tail -1 | cut -d, -f7; done; done
note: the file has no parameter servers, and no routes for --routing ecmp, spray and adaptive; --topo 'cluster:node=dgx-b200,nodes=2,fabric=rail' has them
wrote rail.yaml
routes:
  - {from: [n0.gpu0, "n0.gpu[2-7]"], to: n1.gpu1, over: [n0.nvswitch, n0.gpu1, n0.plx1, n0.nic1, rail1.switch0, n1.nic1, n1.plx1]}
0.00034534002
0.00034534002
0.00034534002
0.00034534002
$ collsim topo export --topo p5 --nodes 2 -o port.yaml 2>/dev/null; grep -o 'bond.*' port.yaml | head -1
bond: [nic0, nic1, nic2, nic3]}
$ for r in '{from: gpu0, to: gpu1, over: [s, s]}' '{from: gpu0, to: gpu1}' '{from: gpu0, over: s}' '{from: gpu0, to: gpu1, over: s, nth: [0, 1]}' '{from: "gpu[0-1]", to: gpu2, over: s}, {from: gpu1, to: gpu2, over: s}'; do printf '%s\n' 'devices: {gpu: {kind: gpu, count: 3}, s: {kind: switch}}' 'links: [{from: "gpu[0-2]", to: s, class: nvlink4}]' "routes: [$r]" > r.yaml; collsim --topo r.yaml; done
collsim: r.yaml:3: a route passes 's' twice; expected each device once
collsim: r.yaml:3: a route leads from 'gpu0' to 'gpu1', which no link joins in that direction
collsim: r.yaml:3: a route has no 'to'
collsim: r.yaml:3: a route leads from 's' to 'gpu1', which no such link joins in that direction
collsim: r.yaml:3: two routes from 'gpu1' to 'gpu2'
? 2

$ collsim topo export --topo dgx-h100 --format yaml >h.yaml 2>/dev/null; for topo in h.yaml "$(cat h.yaml)"; do collsim --topo "$topo" --nodes 2 --json | grep '"time_s"'; done
      "time_s": 0.00524623004,
      "time_s": 0.00524623004,

$ collsim --topo "$(printf 'devices: {gpu: {kind: gpu, count: 2}}\nlinsk: []')"
collsim: machine:2: no key called 'linsk' in a machine; did you mean 'links'?
? 2

$ collsim train --topo "$(cat h.yaml)" --model resnet50 --batch 128 --csv 2>/dev/null | cut -d, -f1-4
model,machine,gpu,ranks
resnet50,machine,h100,8

$ for f in yaml nccl simgrid; do collsim topo export --topo dgx-h100 --format $f 2>/dev/null | collsim --topo - --size 1MB --json 2>/dev/null | grep '"time_s"'; done; echo switch:ranks=3 | collsim --topo - --size 1MB | head -1; collsim --topo - </dev/null
      "time_s": 0.000042519526,
      "time_s": 0.000042519526,
      "time_s": 0.000042519526,
all-reduce of 1 MB on switch, 3 ranks, fp32, model fifo
collsim: --topo: '-' is standard input, which is empty; expected a machine
? 2
$ echo dgx | collsim topo show - | head -1; echo '{"generator": "switch:ranks=3"}' | collsim topo check - | tail -1; collsim --topo '<x/>'
dgx-a100: NVIDIA DGX A100, 8 x A100 SXM4, NVSwitch, 8 x HDR 200 Gb/s
0 anomalies
collsim: machine:1: XML of an unknown format; expected a file of NCCL (<system>), SimGrid (<platform>) or hwloc (<topology>)
? 2
$ text="$(collsim topo export --topo dgx)"; collsim topo show "$text" | head -1; collsim topo show "$text" --topo "$text" | head -1; collsim topo show "$text" --topo dgx
dgx-a100: NVIDIA DGX A100, 8 x A100 SXM4, NVSwitch, 8 x HDR 200 Gb/s
dgx-a100: NVIDIA DGX A100, 8 x A100 SXM4, NVSwitch, 8 x HDR 200 Gb/s
collsim: two machines, 'machine' and 'dgx'; name one
? 2

$ collsim topo export --topo mesh:ranks=1000; collsim topo export --topo cluster:node=dgx,nodes=129 --ranks 1024 --format nccl 2>&1 | grep -c '<gpu'
name: "mesh"
generator: "mesh:ranks=1000"
1024

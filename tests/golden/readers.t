# Machines out of other tools' files: what is assumed is reported, and so is what is
# wrong.

$ printf 'GPU0 GPU1 CPU Affinity\nGPU0 X NV4 0-9\nGPU1 NV4 X 0-9\n' >pair.txt; collsim --topo pair.txt --algo ring --size 64MiB | grep link
note: the GPU model is unknown; guessed rtx3090 with nvlink3-bridge and pcie4 x16 from 4 NVLinks; --gpu NAME sets it
  lower bound               932.6 us      the ranks' own links (48 GB/s nvlink3-bridge x4 + 24 GB/s pcie4 x16 = 72 GB/s)
  reachable                 1.399 ms      over the links that messages take: the ranks' own links (48 GB/s nvlink3-bridge x4)
  link                      gpu0 -> gpu1 (nvlink3-bridge x4)
$ collsim --topo pair.txt --gpu a100 --algo ring --size 64MiB | grep link
  lower bound               645.8 us      the ranks' own links (80 GB/s nvlink3 x4 + 24 GB/s pcie4 x16 = 104 GB/s)
  reachable                 840.2 us      over the links that messages take: the ranks' own links (80 GB/s nvlink3 x4)
  link                      gpu0 -> gpu1 (nvlink3 x4)
$ collsim --topo pair.txt --gpu l41 --algo ring
collsim: no GPU called 'l41'; did you mean 'l4'?
? 2
$ collsim --topo pair.txt --gpu l40s --algo ring
collsim: pair.txt:1: --gpu l40s has 0 NVLinks; a GPU of this matrix has 4
? 2
$ collsim --topo nccl:pair.txt --algo ring
collsim: pair.txt:1: not well-formed XML: syntax error
? 2
$ collsim --topo nccl:none.xml --algo ring
collsim: cannot open 'none.xml': No such file or directory
? 2
$ printf '<system version="1"><cpu numaid="0"><pci busid="0000:01:00.0"/></cpu></system>' >cloud.xml; collsim --topo cloud.xml --algo ring; cp cloud.xml p4d-24xl-topo.xml; collsim --topo ./p4d-24xl-topo.xml --algo ring
collsim: cloud.xml:1: a PCI device without a class, which could be a GPU or a NIC; expected a file written by NCCL_TOPO_DUMP_FILE on the machine itself
collsim: ./p4d-24xl-topo.xml:1: a PCI device without a class, which could be a GPU or a NIC; expected a file written by NCCL_TOPO_DUMP_FILE on the machine itself, or the library's machine of that name: --topo p4d
? 2
$ printf '{"server_list": [{"device": [{"device_id": "3", "rank_id": "0"}, {"device_id": "4", "rank_id": "1"}]}], "status": "completed"}' >table.json; collsim --topo table.json --algo ring
collsim: table.json:1: 2 NPUs in both groups of four; HCCL on Ascend 910 requires 2 or 4 of 0 to 3, or of 4 to 7
? 2

# A line of 1 GB is not read to its end.
$ head -c 1000000000 /dev/zero | tr '\0' x | collsim --topo nccl:/dev/stdin 2>&1
collsim: /dev/stdin: the file is larger than 16 MiB
? 2

# Adapters keep the speed of the file in a cluster; a rate that the file lacks is assumed, with a note.
$ gpu() { printf '<pci busid="0000:0%s:00.0" class="0x030200" link_speed="32.0 GT/s PCIe" link_width="16"><gpu dev="%s" sm="90" rank="%s"><nvlink target="0000:0a:00.0" count="18" tclass="0x068000"/></gpu></pci>' $1 $2 $2; }; nic() { printf '<pci busid="0000:0%s:00.0" class="0x020000" link_speed="32.0 GT/s PCIe" link_width="16"><nic>%s</nic></pci>' $1 "$2"; }; { printf '<system version="1"><cpu numaid="0" arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="143">'; gpu 1 0; gpu 2 1; nic 3 '<net name="mlx5_0" speed="200000" port="1"/><net name="mlx5_1" speed="200000" port="2"/>'; nic 4 '<net name="eno1" speed="25000"/>'; printf '<nic><net name="docker0" speed="10000"/></nic></cpu></system>'; } >ports.xml; collsim topo show --topo ports.xml | grep -E '^(port |note)'
note: 1 interfaces of containers, Wi-Fi or management are left out: the file has other network interfaces
port       200gbe-roce x2      1     50 GB/s      98.0 %  49.02 GB/s     1 us  separate    [3]
port       25gbe               1  3.125 GB/s      94.1 %  2.942 GB/s  3.61 us  separate    [4]
$ collsim --topo ports.xml --nodes 2 --size 1GB --no-proof | grep -E '^note|bus b'
note: 1 interfaces of containers, Wi-Fi or management are left out: the file has other network interfaces
note: 1 of the 2 NICs of a ports join no fabric: slower than 200gbe-roce x2, or farther from the GPUs, or of unknown rate
  bus bandwidth             47.99 GB/s    as nccl-tests counts it
$ sed 's/<net [^>]*>//g' ports.xml >bare.xml; collsim --topo bare.xml --nodes 2 --size 1GB --no-proof | grep -E '^note|bus b'
note: the rate of the NICs of bare is unknown; a port of 400 Gb/s is assumed; link=CLASS or bandwidth=RATE of the fabric sets it
  bus bandwidth             95.98 GB/s    as nccl-tests counts it

# Eight adapters of 200 Gb/s below the switches of the GPUs, and one of storage with two ports at the CPU, in PCIe 5: data
# take the eight, as NCCL's do, unless --nics (NCCL_IB_HCA) names others.  Wi-Fi and management join nothing.
$ pci() { printf '<pci busid="0000:%s:00.0" class="%s" link_speed="32.0 GT/s PCIe" link_width="16">%s</pci>' "$1" "$2" "$3"; }; ib() { printf '<nic><net name="mlx5_%s" speed="%s" port="1"/>%s</nic>' "$1" "$2" "$3"; }; { printf '<system version="1"><cpu numaid="0" arch="x86_64" vendor="GenuineIntel" familyid="6" modelid="143">'; for i in 0 1 2 3 4 5 6 7; do pci "${i}0" 0x060400 "$(pci "${i}1" 0x030200 "<gpu dev=\"$i\" sm=\"90\" rank=\"$i\"><nvlink target=\"0000:0a:00.0\" count=\"18\" tclass=\"0x068000\"/></gpu>")$(pci "${i}2" 0x020700 "$(ib $i 200000)")"; done; pci 90 0x020700 "$(ib 8 200000 '<net name="mlx5_9" speed="200000" port="2"/>')"; pci 91 0x028000 '<nic><net name="wlp1s0" speed="10000"/></nic>'; printf '<nic><net name="enx0a" speed="1000"/></nic></cpu></system>'; } >storage.xml
$ collsim --topo storage.xml --nodes 2 --library nccl --size 1GB | grep -E '^note.*(join|left)|network|bus b|channels'
note: 2 interfaces of containers, Wi-Fi or management are left out: the file has other network interfaces
note: 1 of the 9 NICs of a storage join no fabric: slower than ib-hdr, or farther from the GPUs, or of unknown rate
note: a cost model of nccl gives the times, no simulation; 90 % of published measurements that the model has not seen lie from low to high
all-reduce of 1 GB on 2 x storage (star), 16 ranks, fp32, library nccl, network ib
  channels                  16
  network                   ib: InfiniBand, verbs
  if                        the GPUs of a node had no direct access to each other: 63.06 ms, 9.41 times; NCCL_DEBUG=INFO has via SHM in place of via P2P in the lines of channels
  bus bandwidth             279.9 GB/s    as nccl-tests counts it
$ collsim --topo storage.xml --nodes 2 --library nccl --size 1GB --nics mlx5_8 2>/dev/null | grep -E 'bus b'
  bus bandwidth             69.63 GB/s    as nccl-tests counts it
$ collsim --topo storage.xml --nodes 2 --nics mlx4
collsim: nics=mlx4 names no NIC of storage; expected mlx5_0, mlx5_1, mlx5_2, mlx5_3, mlx5_4, mlx5_5, mlx5_6, mlx5_7, mlx5_8
? 2

# Four GPUs without peer access, each on a NUMA node of its own: no more than the link of a NUMA node.
$ { printf '<system version="1">'; for i in 0 1 2 3; do printf '<cpu numaid="%s" arch="x86_64" vendor="AuthenticAMD" familyid="175" modelid="49"><pci busid="0000:%s1:00.0" class="0x030000" vendor="0x10de" device="0x2684" link_speed="16.0 GT/s PCIe" link_width="16"><gpu dev="%s" sm="89" rank="%s" gdr="0"/></pci></cpu>' $i $i $i $i; done; printf '</system>'; } >numa.xml; collsim --topo numa.xml --algo multi-ring --size 1GB --no-proof | grep 'bus b'
  bus bandwidth             16 GB/s       as nccl-tests counts it

# JSON is YAML, and a plan of another tool no machine.
$ printf '{"name": "x", "gpus": []}' >plan.json; collsim --topo plan.json --algo ring
collsim: plan.json:1: JSON of an unknown format; expected a rank table of HCCL with 'server_list' or 'group_list', or a machine with 'devices', 'node' or 'generator'
? 2
$ printf '[1]' >plan.json; collsim --topo plan.json --algo ring
collsim: plan.json:1: JSON of an unknown format; expected a rank table of HCCL with 'server_list' or 'group_list', or a machine with 'devices', 'node' or 'generator'
? 2
$ collsim --topo '{"generator": "switch:ranks=4"}' --size 1MB | head -1
all-reduce of 1 MB on machine, 4 ranks, fp32, model fifo
$ printf '<algo name="x"/>' >plan.xml; collsim --topo plan.xml --algo ring
collsim: plan.xml: a schedule of MSCCL, not a machine; write --algo msccl:plan.xml
? 2

# What is odd about a machine, in words.
$ printf 'GPU0 GPU1 GPU2 GPU3 CPU Affinity NUMA Affinity\nGPU0 X NV18 NODE NV18 0-9 0\nGPU1 NV18 X NODE NV18 0-9 0\nGPU2 NODE NODE X NODE 0-9 0\nGPU3 NV18 NV18 NODE X 0-9 0\n' >lost.txt; collsim topo check --topo lost.txt --gpu h100 | grep -E '^(note|anomaly|[0-9])'
note: GPU2 has no NVLinks, other GPUs have 18: PCIe carries all its traffic
anomaly    gpu2             48 GB/s         -  0.1146 x  links of this gpu over the median
anomaly    gpu2                   -         -         -  no links to other GPUs, which 3 GPUs have: PCIe carries all its traffic
2 anomalies (--strict: exit status 1)

# Files that gzip compressed are read as what they hold: machines, logs, traces.
$ gzip -k pair.txt; for f in pair.txt pair.txt.gz; do collsim --topo $f --gpu a100 --algo ring --size 64MiB | grep simulated; done
  simulated                 841.6 us
  efficiency                76.7 %        lower bound / simulated; reachable / simulated 99.8 %
  busy                      99.7 %        of the simulated time
  simulated                 841.6 us
  efficiency                76.7 %        lower bound / simulated; reachable / simulated 99.8 %
  busy                      99.7 %        of the simulated time
$ head -c 40 pair.txt.gz >cut.txt; collsim --topo cut.txt
collsim: cut.txt: damaged or cut gzip data
? 2
$ printf '# nThread 1 nGpus 8\n#  size count type redop root time algbw busbw #wrong\n1048576 262144 float sum -1 122.9 8.53 14.9 0\n2097152 524288 float sum -1 142.9 14.67 25.7 0\n' | gzip >log.gz; collsim compare log.gz --topo dgx --csv 2>&1 | cut -d, -f1-3
collsim: the file ends before the table at line 2 does; its 2 whole sizes count
collsim: the table at line 2 names no collective; its columns are those of all-reduce
table,bytes,measured_s
1,1048576,0.0001229
1,2097152,0.0001429
$ printf '{"traceEvents": [{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":1,"dur":9}]}' | gzip >t.json.gz; collsim train --replay t.json.gz --topo dgx 2>&1 | head -4 | cut -c1-60
note: the trace has no marks of steps (ProfilerStep); the wh
note: the trace has no collective that can be predicted
t.json.gz on dgx, 8 ranks, nccl
  measured                  rank not stated

# The legend of nvidia-smi names the adapters: those of Amazon and HPE say which network they are of.
$ { printf '\tGPU0\tGPU1\tNIC0\tNIC1\nGPU0\t X \tNV18\tPXB\tSYS\nGPU1\tNV18\t X \tSYS\tPXB\nNIC0\tPXB\tSYS\t X \tSYS\nNIC1\tSYS\tPXB\tSYS\t X \n\nNIC Legend:\n\n  NIC0: mlx5_0\n  NIC1: mlx5_1\n'; } >smi.txt; for n in mlx5_ rdmap cxi; do sed "s/mlx5_/$n/" smi.txt >named.txt; collsim --topo named.txt --gpu h100 --nodes 2 --library nccl --size 1GB 2>&1 | grep -E 'NICs|  network'; done
note: the rate of the NICs of named is unknown; a port of 400 Gb/s is assumed; link=CLASS or bandwidth=RATE of the fabric sets it
  network                   ib: InfiniBand, verbs, assumed from the latency
note: the NICs have names of Amazon EFA, generation 4; ports of efa-400 are assumed
  network                   efa4: Amazon EFA, generation 4
note: the NICs have names of Slingshot, libfabric (CXI); ports of slingshot11 are assumed
  network                   slingshot: Slingshot, libfabric (CXI)

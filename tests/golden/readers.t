# Machines out of other tools' files: what is assumed is reported, and so is what is
# wrong.

$ printf 'GPU0 GPU1 CPU Affinity\nGPU0 X NV4 0-9\nGPU1 NV4 X 0-9\n' >pair.txt; collsim --topo pair.txt --algo ring --size 64MiB | grep link
note: the GPU model is unknown; guessed rtx3090 with nvlink3-bridge and pcie4 x16 from 4 NVLinks; --gpu NAME sets it
  lower bound               932.6 us      the ranks' own links (48 GB/s nvlink3-bridge x4 + 24 GB/s pcie4 x16 = 72 GB/s)
  link                      gpu0 -> gpu1 (nvlink3-bridge x4)
$ collsim --topo pair.txt --gpu a100 --algo ring --size 64MiB | grep link
  lower bound               645.8 us      the ranks' own links (80 GB/s nvlink3 x4 + 24 GB/s pcie4 x16 = 104 GB/s)
  link                      gpu0 -> gpu1 (nvlink3 x4)
$ collsim --topo pair.txt --gpu l40 --algo ring
collsim: no GPU called 'l40'; did you mean 'a40'?
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
$ printf '<system version="1"><cpu numaid="0"><pci busid="0000:01:00.0"/></cpu></system>' >cloud.xml; collsim --topo cloud.xml --algo ring
collsim: cloud.xml:1: a PCI device without a class, which could be a GPU or a NIC; expected a file written by NCCL_TOPO_DUMP_FILE on the machine itself
? 2
$ printf '{"server_list": [{"device": [{"device_id": "3", "rank_id": "0"}, {"device_id": "4", "rank_id": "1"}]}], "status": "completed"}' >table.json; collsim --topo table.json --algo ring
collsim: table.json:1: 2 NPUs in both groups of four; HCCL on Ascend 910 requires 2 or 4 of 0 to 3, or of 4 to 7
? 2

# A line of 1 GB is not read to its end.
$ head -c 1000000000 /dev/zero | tr '\0' x | collsim --topo nccl:/dev/stdin 2>&1
collsim: /dev/stdin: the file is larger than 16 MiB
? 2

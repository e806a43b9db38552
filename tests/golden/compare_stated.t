# What a log states about its run: hosts, processes, threads and GPUs of nccl-tests' first lines.

$ rank() { printf '#  Rank %2d Group  0 Pid %6d on %s device %2d [0000:%02x:00] %s\n' $1 $2 $3 $4 $((16 + $4)) "$5"; }; head() { echo "# nThread $1 nGpus $2 minBytes 1048576 maxBytes 4194304 step: 2(factor) warmup iters: 5 iters: 20 agg iters: 1 validation: 1 graph: $3"; }; rows() { echo '#       size         count      type   redop    root     time   algbw   busbw #wrong'; echo "1048576 262144 float sum -1 60.00 17.48 $1 0"; echo "4194304 1048576 float sum -1 110.0 38.13 $2 0"; echo '# Avg bus bandwidth    : 50'; }; { head 1 1 0; for r in 0 1 2 3 4 5 6 7; do rank $r $((100 + r)) node-a $r 'NVIDIA A100-SXM4-80GB'; done; for r in 0 1 2 3 4 5 6 7; do rank $((8 + r)) $((200 + r)) node-b $r 'NVIDIA A100-SXM4-80GB'; done; rows 32.77 71.50; } >two.txt; { head 1 8 0; for r in 0 1 2 3 4 5 6 7; do rank $r 100 node-a $r 'NVIDIA A100-SXM4-80GB'; done; rows 30.58 66.73; } >one.txt; sed 's/graph: 0/graph: 1/' one.txt >graph.txt; { head 1 1 0; rank 0 100 node-a 0 'NVIDIA A100-SXM4-80GB'; rows 0 0; } >alone.txt; wc -l <two.txt
21

# Nodes and launch are those of the log where the command line has none.
$ collsim compare --log two.txt --topo dgx 2>notes | grep -E 'ranks|taken'
all-reduce on cluster:node=dgx,nodes=2,gpus=8, 16 ranks, library nccl; two.txt, line 18
taken from the log: 2 nodes (hosts), launch process-per-gpu (Pids)
$ collsim compare --log one.txt --topo dgx 2>notes | grep taken
taken from the log: launch one-process (-g)
$ collsim compare --log graph.txt --topo dgx 2>notes | grep taken
taken from the log: launch graph (-G)
$ collsim compare --log graph.txt --topo dgx --launch blocking 2>notes | grep -c taken
0
? 1
$ collsim compare --log two.txt --topo dgx --json 2>notes | grep taken
    "taken": "2 nodes (hosts), launch process-per-gpu (Pids)",

# The same table with colours, as Markdown, in UTF-16, with decimal commas, and behind prefixes of srun.
$ collsim compare --log one.txt --topo dgx --csv 2>/dev/null >plain.csv; esc=$(printf '\033'); sed "s/60.00/$esc[1;31m60.00$esc[0m/" one.txt >colour.txt; sed 's/\([0-9]\)\.\([0-9]\)/\1,\2/g' one.txt >comma.txt; sed 's/^/3: /' one.txt >srun.txt; awk '/^#  *size/ || /^[0-9]/ { sub(/^#/, ""); gsub(/ +/, " | "); print "| " $0 " |"; next } { print }' one.txt >table.md; iconv -f ASCII -t UTF-16 one.txt >wide.txt; for f in colour.txt comma.txt srun.txt table.md wide.txt; do collsim compare --log $f --topo dgx --csv 2>/dev/null >got.csv; cmp plain.csv got.csv && echo $f; done
colour.txt
comma.txt
srun.txt
table.md
wide.txt

# Without --topo the devices name the machine; of those that are not known none is guessed.
$ for d in 'NVIDIA H100 80GB HBM3' 'NVIDIA H100 PCIe' 'NVIDIA A100-PCIE-40GB' 'NVIDIA GeForce RTX 3070'; do sed "s/NVIDIA A100-SXM4-80GB/$d/" one.txt >other.txt; collsim compare --log other.txt 2>&1 | grep -E 'taken|known'; done
taken from the log: --topo dgx-h100 (devices), launch one-process (-g)
taken from the log: --topo h100-pcie (devices), launch one-process (-g)
taken from the log: --topo a100-pcie (devices), launch one-process (-g)
collsim: the table at line 10 is of NVIDIA GeForce RTX 3070, whose machine is not known; expected --topo ('collsim list topologies')

# Another machine is refused.
$ collsim compare --log two.txt --topo dgx-h100 2>&1 | tail -1
collsim: the table at line 18 is of NVIDIA A100-SXM4-80GB, and the machine has GPUs of kind h100; expected --topo dgx, a100-pcie, hgx-a100-4, oci-a100 ('collsim list topologies' has all), or --any-machine
$ collsim compare --log two.txt --topo dgx-h100 --any-machine 2>notes | grep -c 'sizes are inside'
1
$ collsim compare --log two.txt --topo dgx --nodes 16 --gpus 1 2>&1 | tail -1
collsim: the table at line 18 lists 2 hosts, and the machine has its ranks on 16 nodes; expected --nodes 2, or --any-machine
$ collsim compare --log alone.txt --topo dgx --ranks 2 2>&1 | tail -1
collsim: the table at line 3 lists one device: its calls cross no link; expected a log of two ranks or more

# Two hosts in the list: the ranks were not on eight nodes.
$ awk '/^[0-9]/ { $6 *= 6; $7 /= 6; $8 /= 6 } { print }' two.txt >slow.txt; collsim compare --log slow.txt --topo dgx --json 2>notes | awk '/"cause": "placement"/ { getline; getline; print "placement:", ($2 + 0 < .01) }'
placement: 1

# A list of devices that is cut says nothing about the nodes.
$ sed '/Rank  *[2-9]/d; /Rank 1[0-5]/d' two.txt >cut.txt; collsim compare --log cut.txt --topo dgx --nodes 2 2>&1 | grep -E 'lists|ranks, library'
collsim: the table at line 4 lists 2 devices, and its bandwidths fit 16 ranks
all-reduce on cluster:node=dgx,nodes=2, 16 ranks, library nccl; cut.txt, line 4

# Several logs side by side: a log per pair of nodes names the slow one.
$ mkdir pairs; for p in 0 1 2 3 4; do sed "s/node-a/n$p/; s/node-b/n$((p + 1))/" two.txt >pairs/pair-$p.txt; done; awk '/^[0-9]/ { $6 *= 2; $7 /= 2; $8 /= 2 } { print }' pairs/pair-3.txt >slow && mv slow pairs/pair-3.txt; collsim compare --log pairs --topo dgx 2>notes | sed -E 's/[0-9.]+ GB\/s  +[0-9.]+ %/# GB\/s  # %/; s/  +/  /g'
log  hosts  collective  ranks  largest  busbw  busbw  measured /  of the
  size  measured  expected  expected  median
----------------  ------  ----------  -----  -------  ----------  ----------  ----------  -------
pairs/pair-3.txt  n3, n4  all-reduce  16  4 MiB  35.75 GB/s  # GB/s  # %  50.0 %
pairs/pair-0.txt  n0, n1  all-reduce  16  4 MiB  71.49 GB/s  # GB/s  # %  100.0 %
pairs/pair-1.txt  n1, n2  all-reduce  16  4 MiB  71.49 GB/s  # GB/s  # %  100.0 %
pairs/pair-2.txt  n2, n3  all-reduce  16  4 MiB  71.49 GB/s  # GB/s  # %  100.0 %
pairs/pair-4.txt  n4, n5  all-reduce  16  4 MiB  71.49 GB/s  # GB/s  # %  100.0 %

pairs/pair-3.txt is slow: hosts n3, n4, 35.7 GB/s, 50 % of the median of 5 logs
to find out: 'collsim compare' of a slow log alone has its sizes and causes
$ sed 's/n3/n2/; s/n4/n3/' pairs/pair-3.txt >pairs/pair-2.txt; collsim compare --log pairs --topo dgx 2>notes | tail -2; wc -l <notes
n3 is in each slow log and in no other: look at its adapters, cables and GPUs first
to find out: 'collsim compare' of a slow log alone has its sizes and causes
1
$ collsim compare --log pairs/pair-0.txt --log pairs/pair-1.txt --topo dgx --csv 2>notes | cut -d, -f1,4,5
log,ranks,bytes
pairs/pair-0.txt,all-reduce,16
pairs/pair-1.txt,all-reduce,16
$ mkdir empty; collsim compare --log empty --topo dgx
collsim: --log: no file in the directory 'empty'
? 2
$ collsim compare --log pairs --log nowhere --topo dgx 2>&1 | tail -1
collsim: cannot open 'nowhere': No such file or directory

# A fit takes machine, nodes, launch and release of each log, and refuses the same.
$ sed 's/NVIDIA A100-SXM4-80GB/NVIDIA H100 80GB HBM3/' one.txt >h100.txt; sed 's/NVIDIA A100-SXM4-80GB/NVIDIA H100 80GB HBM3/; s/60.00/61.00/' two.txt >h100s.txt; collsim fit --log h100.txt --log h100s.txt 2>notes | sed -n 1,3p; collsim fit --log h100.txt --json 2>notes | grep taken
nccl on dgx-h100: 4 sizes, 2 tables, 2 files
fitted to all-reduce of 1 MiB to 4 MiB on 1 node, all-reduce of 1 MiB to 4 MiB on 2 nodes
taken from the log: --topo dgx-h100 (devices), launch one-process (-g); --topo dgx-h100 (devices), 2 nodes (hosts), launch process-per-gpu (Pids)
  "taken": "--topo dgx-h100 (devices), launch one-process (-g)",
$ collsim fit --log h100.txt --topo dgx 2>&1 | tail -1 | cut -c1-107; collsim fit --log h100.txt --topo dgx --any-machine 2>&1 | grep '^fitted'
collsim: h100.txt: the table at line 10 is of NVIDIA H100 80GB HBM3, and the machine has GPUs of kind a100;
fitted to all-reduce of 1 MiB to 4 MiB on 1 node
$ (cat h100.txt; echo 'NCCL version 2.18.3+cuda12.2') >old.txt; collsim fit --log old.txt -o old.yaml 2>notes >out; grep ^library old.yaml
library: nccl=2.18.3
$ (echo '# OSU MPI Allreduce Latency Test v7.4'; echo '# Size       Avg Latency(us)'; echo '1024 9.1'; echo '2048 9.9') >osu.txt; collsim fit --log h100.txt --log osu.txt
collsim: h100.txt: the table at line 10 names no collective; its columns are those of all-reduce
collsim: the log names no machine; --topo dgx.yaml is assumed
collsim: h100.txt is a log of nccl, osu.txt one of mpi; expected one library
? 2

# Hosts with one GPU each are nodes of one GPU; one GPU of two ranks is no pair of GPUs.
$ { grep -E 'nThread|Rank  [08] ' two.txt | sed 's/Rank  8/Rank  1/'; echo '#  size count type redop root time algbw busbw #wrong'; echo '1048576 262144 float sum -1 60.00 17.48 17.48 0'; echo '4194304 1048576 float sum -1 110.0 38.13 38.13 0'; echo '# Avg bus bandwidth    : 28'; } >pair.txt; collsim compare --log pair.txt --topo dgx --nodes 2 2>&1 | grep -E 'ranks,|taken'
all-reduce on cluster:node=dgx,nodes=2,gpus=1, 2 ranks, library nccl; pair.txt, line 4
taken from the log: 1 GPU per node (devices), launch process-per-gpu (Pids)
$ sed 's/node-b/node-a/' pair.txt >shared.txt; collsim compare --log shared.txt 2>&1 | tail -1
collsim: the table at line 4 has 2 ranks on 1 GPU: its calls are copies inside one; expected a log with a GPU for each rank, or --any-machine

# The command before the table names causes, and so do NCCL's channels.
$ awk '/^[0-9]/ { $6 *= 12; $7 /= 12; $8 /= 12 } { print }' one.txt >slow.txt; { echo 'me@node-a:~$ NCCL_P2P_DISABLE=1 NCCL_DEBUG=WARN ./build/all_reduce_perf -b 1M -e 4M -f 4 -g 8'; cat slow.txt; } >command.txt; { echo 'node-a:1:2 [0] NCCL INFO Channel 00 : 0[10000] -> 1[11000] via SHM/direct/direct'; cat slow.txt; } >shm.txt; for f in command.txt shm.txt; do collsim compare --log $f --topo dgx 2>notes | grep -E '^as if|names the cause'; done
as if the GPUs of a node had no direct access to each other (100 %)
the log names the cause: NCCL_P2P_DISABLE 1; next: unset NCCL_P2P_DISABLE; nvidia-smi topo -p2p r
as if the GPUs of a node had no direct access to each other (100 %)
the log names the cause: GPUs by SHM; next: unset NCCL_P2P_DISABLE; nvidia-smi topo -p2p r

# Without a list of devices the hosts of messages are nodes, and the machine is an assumption.
$ { for r in 0 1; do echo "node-$r:7:8 [0] NCCL INFO comm 0x7f rank $r nranks 2 cudaDev 0 - Init COMPLETE"; done; sed 1,3d pair.txt; } >messages.txt; collsim compare --log messages.txt 2>&1 | grep -E 'ranks,|taken|assumed'
collsim: the log names no machine; --topo cluster:node=dgx.yaml,nodes=2,gpus=1 is assumed
all-reduce on cluster:node=dgx.yaml,nodes=2,gpus=1, 2 ranks, library nccl; messages.txt, line 3
taken from the log: 2 nodes (messages)

# GPUs of two kinds are reported.
$ sed '/node-b/s/A100-SXM4-80GB/H100 PCIe/' pair.txt >mixed.txt; collsim compare --log mixed.txt 2>&1 | grep 'of the first'
collsim: the table at line 4 lists NVIDIA A100-SXM4-80GB and NVIDIA H100 PCIe; the machine is that of the first

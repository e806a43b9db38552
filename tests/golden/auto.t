# The fastest of all algorithms for each size, and who comes next.
$ collsim --topo switch:ranks=6,bandwidth=10GB/s,latency=2us --algo ring,tree --size 1KiB,64KiB,1MiB
all-reduce on switch, 6 ranks, fp32, model fifo

algorithm    size      time    closed     lower   effi-  algbw  busbw  messages      sent     extra  bottleneck
                                 form     bound  ciency   GB/s   GB/s            in total  per rank        busy
---------  ------  --------  --------  --------  ------  -----  -----  --------  --------  --------  ----------
ring        1 KiB  40.17 us  40.17 us      4 us  10.0 %  0.025  0.042        60    10 KiB     172 B   0.4 % [1]
tree        1 KiB  24.61 us  24.61 us      4 us  16.3 %  0.042  0.069        10    10 KiB     1 KiB   1.2 % [2]
ring       64 KiB  50.92 us  50.92 us  12.92 us  25.4 %  1.287  2.145        60   640 KiB  10.92 kB  21.5 % [1]
tree       64 KiB  63.32 us  63.32 us  12.92 us  20.4 %  1.035  1.725        10   640 KiB    64 KiB  31.0 % [2]
ring        1 MiB  214.8 us  214.8 us  176.8 us  82.3 %  4.882  8.137        60    10 MiB  174.8 kB  81.4 % [1]
tree        1 MiB  653.1 us  653.1 us  176.8 us  27.1 %  1.605  2.676        10    10 MiB     1 MiB  48.2 % [2]

bottleneck [1]: rank4 -> switch (link)
bottleneck [2]: rank0 -> switch (link)
data flow: verified; every rank ends with the result that all-reduce specifies

$ collsim --topo switch:ranks=6,bandwidth=10GB/s,latency=2us --algo any --collective reduce-scatter --size 64KiB --ranks 1,2
collsim: skipped bucket: the machine is no torus; --dims states the sides of a grid
collsim: skipped hierarchical: hierarchical needs nodes of several ranks, equally many in each; --group says how many
collsim: skipped hierarchical-leader: hierarchical-leader needs nodes of several ranks, equally many in each; --group says how many
reduce-scatter of 64 KiB on switch, fp32, model fifo, algorithm ring

ranks    size  fastest      time     lower   effi-       busbw  then            time  with
                                     bound  ciency
-----  ------  -------  --------  --------  ------  ----------  ----------  --------  ----
    1  64 KiB  ring          0 s       0 s       -       0 B/s  multi-ring       0 s
    2  64 KiB  ring     7.277 us  5.277 us  72.5 %  4.503 GB/s  multi-ring  7.277 us

# What every algorithm is proved to do.
$ collsim check --topo switch:ranks=4 --algo ring,naive --size 12B,16B
algorithm  ranks  size  messages      redundant  redundant  proved
                                  after scatter     copies
---------  -----  ----  --------  -------------  ---------  -------------------------
ring           4  12 B        24           36 B       36 B  exactly, by sets of ranks
naive          4  12 B        12              -       36 B  exactly, by sets of ranks
ring           4  16 B        24           48 B       48 B  exactly, by sets of ranks
naive          4  16 B        12              -       48 B  exactly, by sets of ranks

$ collsim check --topo switch:ranks=70 --algo ring --size 1MB
algorithm  ranks  size  messages      redundant  redundant  proved
                                  after scatter     copies
---------  -----  ----  --------  -------------  ---------  -----------------------------
ring          70  1 MB     9,660          69 MB      69 MB  by sums, wrong with p < 2^-50

# What a switch is not known to do is not chosen: plain Ethernet switches reduce
# nothing, and an NVSwitch of NVLink 4 has multimem (nvls), which is not SHARP.
$ collsim --topo gbe-4 --algo any --size 64MB 2>left-out | grep -E 'algorithm |simulated '; grep -E 'skipped (sharp|nvls|overhear):' left-out
  algorithm                 multi-ring
  simulated                 815.8 ms
  algorithm bandwidth       78.45 MB/s    size / time
  busy                      100 %         of the simulated time
collsim: skipped sharp: switch is not known to reduce messages in the network, as SHARP does (`reduces: yes` in a machine's file)
collsim: skipped nvls: switch is not known to have NVLink SHARP, which NVSwitches of NVLink 4 and later have
collsim: skipped overhear: switch is not known to copy a message to all ports
$ collsim --topo dgx-h100 --algo any --size 64MB 2>left-out | grep -E 'algorithm |simulated '; grep -E 'skipped (sharp|sharp-tree):' left-out
  algorithm                 nvls-ring
  simulated                 202.4 us
  efficiency                75.8 %        lower bound / simulated; reachable / simulated 85.9 %
  algorithm bandwidth       316.2 GB/s    size / time
  busy                      85.3 %        of the simulated time
collsim: skipped sharp: nvswitch is not known to reduce messages in the network, as SHARP does (`reduces: yes` in a machine's file)
collsim: skipped sharp-tree: sharp-tree needs ranks on several switches, and --group 8 puts all on one; sharp is for one

# Named, it is simulated all the same, and marked wherever the result is shown.
$ collsim --topo dgx-h100 --algo sharp,nvls --size 64MB | cut -c1-50
note: sharp is hypothetical here: nvswitch is not known to reduce messages in the network, as SHARP does (`reduces: yes` in a machine's file)
all-reduce of 64 MB on dgx-h100, 8 ranks, fp32, mo

algorithm  parameters  hypo-         time  closed 
                       thetical              form 
---------  ----------  --------  --------  ------ 
sharp      chunks=256  yes         176 us  176 us 
nvls       chunks=200            232.3 us       - 

bottleneck: gpu0 -> nvswitch (nvlink4 x18)
data flow: verified; every rank ends with the resu
$ collsim --topo dgx-h100 --algo sharp --size 64MB 2>&1 | grep hypothetical
note: sharp is hypothetical here: nvswitch is not known to reduce messages in the network, as SHARP does (`reduces: yes` in a machine's file)
  hypothetical              nvswitch is not known to reduce messages in the network, as SHARP does (`reduces: yes` in a machine's file)
$ collsim --topo dgx-h100 --algo sharp,nvls --size 64MB --json 2>/dev/null | grep hypothetical
      "hypothetical": "nvswitch is not known to reduce messages in the network, as SHARP does (`reduces: yes` in a machine's file)",
      "hypothetical": "",

# An algorithm of a list that does not fit the machine ends none of the others.
$ printf 'name: two\ndevices: {host: {kind: host, count: 2}, switch: {kind: switch}}\nlinks: [{from: "host[0-1]", to: switch, class: 10gbe}]\n' >two.yaml; collsim --topo two.yaml --algo ps,ring,sharp-tree,tree --size 1MiB,2MiB --csv | cut -d, -f4,6
collsim: sharp-tree needs nodes of several ranks, equally many in each; --group says how many
collsim: ps: two.yaml: 1 parameter servers requested, room for 0; list more devices under 'servers'
algorithm,bytes
ring,1048576
tree,1048576
ring,2097152
tree,2097152

$ collsim --topo switch:ranks=6 --algo any --size 64KiB 2>/dev/null | sed -n '3,5p'
ranks    size  fastest     time     lower   effi-       busbw  then       time  with
                                    bound  ciency
-----  ------  -------  -------  --------  ------  ----------  ------  -------  ----

$ collsim --topo switch:ranks=6 --algo ring,any
collsim: 'any' is a choice of one among all algorithms; give it alone
? 2

# An algorithm that does not fold ends none of the others.
$ collsim --topo dgx-1 --collective all-gather --algo any --fold on --size 64MiB 2>/dev/null | grep -E '8 ranks|folded|ring|neigh'
all-gather of 64 MiB on dgx-1, 8 ranks, fp32, model fifo
    8  64 MiB  multi-ring  498.8 us  445.4 us  89.3 %  117.7 GB/s  neighbour-exchange  1.473 ms  channels=6
all-gather of 64 MiB on dgx-1, 8 ranks, fp32, model fifo
  algorithm                 multi-ring
  folded                    4 of 8 ranks simulated, rotation by 4

# A root that is no rank is an error of the call, not of each algorithm.
$ collsim --topo dgx --collective broadcast --algo any --root 8 --size 1MiB
collsim: root 8 is beyond the last rank, 7
? 2
$ for j in 1 2 7; do collsim --topo switch:ranks=100 --algo auto --size 4MiB,64MiB,5MB,1GB --fold off --json -j $j 2>&1 >$j.json | grep -v 'to go' >$j.txt; done; cmp 1.json 2.json && cmp 1.json 7.json && cmp 1.txt 2.txt && cmp 1.txt 7.txt && grep -c '"bytes"' 1.json
4

# auto compares what a library of the machine's kind runs, any all algorithms: a parameter server through PCIe for 8 B,
# reduction inside NVSwitch, or hierarchical rings, which no NCCL has.
$ for m in dgx-h100 mi300x ascend910 gbe-4 switch:ranks=8 pcie-4gpu; do collsim --topo $m --algo auto --size 1MiB --no-proof 2>&1 >/dev/null | grep note.*auto; done
note: auto compares the 11 of 29 algorithms of all-reduce that NCCL runs; --algo any compares all, and --algo synth searches beyond what libraries run
note: auto compares the 7 of 29 algorithms of all-reduce that RCCL runs; --algo any compares all, and --algo synth searches beyond what libraries run
note: auto compares the 5 of 29 algorithms of all-reduce that HCCL runs; --algo any compares all, and --algo synth searches beyond what libraries run
note: auto compares the 9 of 29 algorithms of all-reduce that MPI or Gloo runs; --algo any compares all, and --algo synth searches beyond what libraries run
note: auto compares the 16 of 29 algorithms of all-reduce that a library runs; --algo any compares all, and --algo synth searches beyond what libraries run
note: auto compares the 19 of 29 algorithms of all-reduce that a library runs; --algo any compares all, and --algo synth searches beyond what libraries run
$ for m in rtx4090 ib-2xdgx; do for a in auto any; do collsim --topo $m --algo $a --size 8B --no-proof --csv 2>/dev/null | tail -1 | cut -d, -f1,4; done; done
rtx4090,oneshot
rtx4090,oneshot
ib-2xdgx,double-tree
ib-2xdgx,oneshot
$ collsim list algorithms --csv | grep -E '^all-reduce,(ring|ps|nvls),' | sed 's/.*,"/"/; s/.*,\([A-Za-z]*\)$/\1/'
"NCCL, RCCL, MPI, Gloo, HCCL"

NCCL

# GPUs of two makers: what libraries of any maker run.
$ collsim --topo cluster:node=dgx+mi300x,nodes=1+1,link=ib-hdr --algo auto --size 1KiB 2>&1 | head -1
note: auto compares the 9 of 29 algorithms of all-reduce that MPI or Gloo runs; --algo any compares all, and --algo synth searches beyond what libraries run

# Large algorithms that do not fold are refused once.
$ collsim --topo switch:ranks=600 --algo auto --fold on --size 64KiB 2>&1 | grep -E 'direct|multi-ring|600  64'
collsim: skipped direct: direct cannot be folded: its 600 blocks are unequal; with a multiple of 2400 B, such as 64800 B, they fold
collsim: skipped multi-ring: multi-ring cannot be folded: its 600 blocks are unequal; with a multiple of 2400 B, such as 64800 B, they fold
  600  64 KiB  ring     1.203 ms  5.734 us   0.5 %  108.7 MB/s

# NCCL runs PAT over nodes of one rank only.
$ for m in "dgx-h100 --nodes 2" "g5 --nodes 8 --ranks 64" "g4dn --nodes 8"; do for c in all-gather reduce-scatter; do collsim --topo $m --collective $c --algo auto --size 64KiB --no-proof 2>&1 | grep -c ' pat '; done; done
0
0
0
0
1
1

# Layouts of kinds that no publication has say so.
$ collsim train --topo cluster:node=dgx-h100,nodes=8 --model llama3-70b --system auto --global-batch 64 2>/dev/null | grep -cE 'zero3 .* no published step has zero3 with tp with cp$'
1

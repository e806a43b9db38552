# Execution plans of MSCCL++: two GPUs exchange their parts of an all-gather.
$ gpu() { printf '{"id": %s, "input_chunks": 1, "output_chunks": 2, "scratch_chunks": 0,\n"channels": [{"channel_type": "memory", "connected_to": [%s]}],\n"remote_buffers": [{"rank": %s, "type": "o"}],\n"threadblocks": [{"id": 0, "channels": [{"channel_type": "memory", "channel_ids": [0]}],\n"remote_buffer_refs": [{"access_channel_type": "memory", "remote_buffer_ids": [0]}],\n"ops": [\n{"name": "signal", "channel_type": "memory", "channel_ids": [0]},\n{"name": "wait", "channel_type": "memory", "channel_ids": [0]},\n{"name": "nop"},\n{"name": "put", "channel_type": "memory", "src_buff": [{"type": "o", "index": %s, "size": 1}], "dst_buff": [{"buffer_id": 0, "index": %s, "size": 1}]},\n{"name": "nop"},\n{"name": "signal", "channel_type": "memory", "channel_ids": [0]},\n{"name": "wait", "channel_type": "memory", "channel_ids": [0]}\n]}]}' $1 $2 $2 $1 $1; }; { printf '{"name": "swap", "collective": "allgather", "protocol": "Simple", "inplace": true,\n"gpus": ['; gpu 0 1; printf ',\n'; gpu 1 0; echo ']}'; } > swap.json; collsim check --topo switch:ranks=2 --algo mscclpp:swap.json --size 1MiB
algorithm          ranks   size  messages  redundant  proved
                                              copies
-----------------  -----  -----  --------  ---------  --------------------------------------------
mscclpp:swap.json      2  1 MiB         4      1 MiB  exactly, by sets of ranks; launches in a row

$ collsim --topo switch:ranks=2,bandwidth=10GB/s,latency=1us --algo mscclpp:swap.json --size 1MiB | grep -E '^  (simulated|messages|sent in)'
  simulated                 56.43 us
  messages                  4
  sent in total             1.049 MB

# Each plan without one operation of synchronisation is refused.
$ sed '12d' swap.json > race.json; collsim check --topo switch:ranks=2 --algo mscclpp:race.json
collsim: race.json:11: put 3 of thread block 0 of GPU 0 writes the vector of GPU 1, which ends without waiting for it
? 1

$ sed '8d' swap.json > race.json; collsim check --topo switch:ranks=2 --algo mscclpp:race.json
collsim: race.json:27: wait 6 of thread block 0 of GPU 1 waits for a signal that GPU 0 never sends
? 1

$ sed '9d' swap.json > race.json; collsim check --topo switch:ranks=2 --algo mscclpp:race.json
collsim: race.json:10: put 2 of thread block 0 of GPU 0 writes chunk 0 of GPU 1, which may not have started: a wait for a signal of that GPU is missing
? 1

$ collsim --topo switch:ranks=4 --algo mscclpp:swap.json
collsim: 'swap.json' is for 2 ranks, not 4; write --ranks 2 or choose another machine
? 2

$ collsim topo show --topo swap.json
collsim: swap.json: a plan of MSCCL++, not a machine; write --algo mscclpp:swap.json
? 2

# Algorithms as plans: the same time when read back.
$ collsim export --algo ring --ranks 3 --format mscclpp -o ring.json; for a in ring mscclpp:ring.json; do collsim --topo switch:ranks=3,bandwidth=10GB/s,latency=1us --algo $a --size 3MB | grep '^  simulated'; done; grep -c '"put"' ring.json
wrote ring.json
  simulated                 408 us
  simulated                 408 us
12

$ sed '0,/"signal"/s/"signal"/"rlxsignal"/' ring.json > race.json; collsim check --topo switch:ranks=3 --algo mscclpp:race.json
collsim: race.json:59: re 5 of thread block 0 of GPU 1 reads scratch chunk 0 of GPU 1 and races with put 0 of thread block 0 of GPU 0 (line 16), which writes it: the signal in between is relaxed or not of the same channel, so that the data may come later
? 1

# MSCCL++ has no name for gather: the plan is custom, and proven as the collective of the command.
$ collsim export --collective gather --algo binomial --ranks 5 --topo switch:ranks=5 --format mscclpp -o g.json; grep -o '"collective": [^,]*' g.json; for c in gather scatter reduce; do collsim check --topo switch:ranks=5 --collective $c --algo mscclpp:g.json --size 5MB 2>&1 | tail -n 1; done; collsim export --collective reduce --algo flat --ranks 5 --topo switch:ranks=5 --format mscclpp -o r.json; for c in reduce all-to-all; do collsim check --topo switch:ranks=5 --collective $c --algo mscclpp:r.json --size 5MB 2>&1 | tail -n 1; done
wrote g.json
note: read back, it may take another time: in mscclpp connections or lanes of a GPU are thread blocks, and messages of one moment may leave in another order
note: read back, it may take another time: in mscclpp a receiver of which its sender never hears signals first
"collective": "custom"
mscclpp:g.json      5  5 MB         8       5 MB  exactly, by sets of ranks; launches in a row, by double scratch
collsim: rank 1 ends without rank 0's contribution to chunk 1, which it never receives
collsim: rank 0 ends without rank 1's contribution to chunk 0, which it never receives
wrote r.json
note: read back, it may take another time: in mscclpp connections or lanes of a GPU are thread blocks, and messages of one moment may leave in another order
note: read back, it may take another time: in mscclpp a receiver of which its sender never hears signals first
mscclpp:r.json      5  5 MB         8      20 MB  exactly, by sets of ranks; launches in a row, by double scratch
collsim: 'mscclpp:r.json' cuts the vector into 1 block, not a multiple of the 5 ranks of the all-to-all

# Launches in a row: by double scratch; of a broadcast, by signals of the receivers, too.
$ both() { collsim export --collective $1 --algo $2 --ranks 3 --topo switch:ranks=3 --format mscclpp -o $2.json --force; sed 's/_buffer": true/_buffer": false/' $2.json >once.json; for f in $2 once; do collsim check --topo switch:ranks=3 --algo mscclpp:$f.json --size 3MB 2>&1 | grep -o 'note.*\|exactly.*'; done; grep -c '"signal"' $2.json; }; both all-gather direct; both broadcast flat; both all-reduce ring
wrote direct.json
note: read back, it may take another time: in mscclpp connections or lanes of a GPU are thread blocks, and messages of one moment may leave in another order
exactly, by sets of ranks; launches in a row, by double scratch
note: safe for one launch only; in the next, once.json:16: put 0 of thread block 0 of GPU 0 writes scratch chunk 0 of GPU 1 and races with copy 6 of thread block 0 of GPU 1 (line 41), which reads it in the launch before: a signal and a wait, or a nop between the access and the signal, are missing; 'use_double_scratch_buffer: true' orders launches in a row
exactly, by sets of ranks; one launch
3
wrote flat.json
note: read back, it may take another time: in mscclpp connections or lanes of a GPU are thread blocks, and messages of one moment may leave in another order
note: read back, it may take another time: in mscclpp a receiver of which its sender never hears signals first
exactly, by sets of ranks; launches in a row, by double scratch
note: safe for one launch only; in the next, once.json:16: put 0 of thread block 0 of GPU 0 writes scratch chunk 0 of GPU 1 and races with copy 3 of thread block 0 of GPU 1 (line 37), which reads it in the launch before: a signal and a wait, or a nop between the access and the signal, are missing; 'use_double_scratch_buffer: true' orders launches in a row
exactly, by sets of ranks; one launch
4
wrote ring.json
exactly, by sets of ranks; launches in a row
exactly, by sets of ranks; launches in a row
12

$ collsim export --algo ps --ranks 3 --topo switch:ranks=3 --format mscclpp
collsim: MSCCL++ has GPUs only, but ps has 1 parameter servers or reducing switches
? 2

$ collsim export --algo chain --ranks 8 --chunks 200 --topo switch:ranks=8 --format mscclpp
collsim: chain all-reduce needs 33 barriers between thread blocks of 64 operations; MSCCL++ has 16, take fewer ranks or chunks
? 2

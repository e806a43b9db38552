# Proofs for programs to read, and schedules that promise nothing.

$ collsim check --topo switch:latency=1us --collective reduce-scatter --ranks 4,6 --algo halving --json
{
  "error": "halving needs a power of two of ranks, not 6",
  "exit": 2,
  "checks": [
    {
      "algorithm": "halving",
      "ranks": 4,
      "bytes": 1073741824,
      "messages": 8,
      "redundant_bytes_after_reduce_scatter": 3221225472,
      "redundant_bytes": 3221225472,
      "proved": "exactly, by sets of ranks"
    }
  ]
}
? 2

$ printf 'num_ranks 2\nrank 0 {\nl1: send 8b to 1 tag 0\n}\nrank 1 {\nl1: recv 8b from 0 tag 0\n}\n' >pair.goal

$ collsim check --topo switch:ranks=2 --algo goal:pair.goal
algorithm       ranks   size  messages  proved
--------------  -----  -----  --------  --------------------------------
goal:pair.goal      2  1 GiB         1  messages match; no specification

# GOAL is read from pipes and compressed files, too; binary errors name rank and op.
$ gzip -k pair.goal && collsim check --topo switch:ranks=2 --algo goal:pair.goal.gz --csv && cat pair.goal | collsim check --topo switch:ranks=2 --algo goal:/dev/stdin --csv
algorithm,ranks,bytes,messages,redundant_bytes_after_reduce_scatter,redundant_bytes,proved
goal:pair.goal.gz,2,1073741824,1,,,messages match; no specification
algorithm,ranks,bytes,messages,redundant_bytes_after_reduce_scatter,redundant_bytes,proved
goal:/dev/stdin,2,1073741824,1,,,messages match; no specification
$ head -c 60 pair.goal.gz >cut.gz; collsim --topo switch:ranks=2 --algo goal:cut.gz
collsim: cut.gz: damaged or cut gzip data
? 2
$ collsim --topo switch:ranks=2 --algo goal:.
collsim: '.' is a directory; expected a file
? 2
$ printf '\177\020\0\0\0\0\0\0\001\0\0\0\0\0\026\0\0\0\0\0\0\0\115\0\0\0\0\0\0\0\001\0\0\0\001\0\0\0\0\0\0\0\0\0\0\0\004' >bad.bin; head -c 60 /dev/zero >>bad.bin; collsim --topo switch:ranks=1 --algo goal:bad.bin
collsim: bad.bin: rank 0, op 0: kind 4; expected 1 (send), 2 (recv) or 3 (calc)
? 2

$ collsim --topo switch:ranks=2 --algo goal:pair.goal --json | grep -oE '"(verified|data_flow|redundant[a-z_]*)": [^,]*'
"redundant_bytes_after_reduce_scatter": null
"redundant_bytes": null
"verified": null
"data_flow": "matched"

$ collsim --topo switch:ranks=2 --algo ring --no-proof --json | grep -oE '"(verified|data_flow|redundant[a-z_]*)": [^,]*'
"redundant_bytes_after_reduce_scatter": null
"redundant_bytes": null
"verified": null
"data_flow": "not verified"

# A proof that would take far longer than the run is skipped, with a note.
$ collsim --topo switch:ranks=8192 --algo rabenseifner --size 64MiB | grep 'skipped '
note: the proof of rabenseifner is skipped beside a run: the proof takes about 5.8 s; collsim check runs the proof
  skipped                   the proof takes longer than the run
? 0

# One that does not is made.
$ collsim --topo switch:ranks=1024 --algo rabenseifner --size 64MiB | grep 'verified '
  verified                  every rank ends with the result that all-reduce specifies

# Thread blocks of MSCCL that add to one chunk follow one another.
$ collsim export --collective reduce-scatter --algo direct --ranks 3 --topo switch:ranks=3 --format msccl -o direct.xml; sed '/rrc/s/depid="2" deps="0"/depid="-1" deps="-1"/' direct.xml >lost.xml; for f in direct lost; do collsim check --topo switch:ranks=3 --algo msccl:$f.xml --size 3MB | grep -o 'exactly.*'; done
wrote direct.xml
note: read back, it may take another time: in msccl connections or lanes of a GPU are thread blocks, and messages of one moment may leave in another order
exactly, by sets of ranks
collsim: lost.xml:10: rank 0: races for a chunk with lane 3 (lost.xml:13: rank 0): nothing says which is first (chunk 0)
? 1

# A race in a schedule of TE-CCL, whose GPUs begin at 1, is at the flows of the round.
$ printf '%s\n' '{"6-Demand_Met": {"GPU 1": {"GPU 2": {"Chunk 0": 1}, "GPU 3": {"Chunk 0": 1}},' '"GPU 2": {"GPU 1": {"Chunk 0": 1}, "GPU 3": {"Chunk 0": 1}}, "GPU 3": {"GPU 1": {"Chunk 0": 1}, "GPU 2": {"Chunk 0": 1}}},' '"7-Flows": [' '"Chunk 0 from 3 traveled over 3->1 in epoch 0",' '"Chunk 0 from 1 traveled over 1->2 in epoch 0", "Chunk 0 from 1 traveled over 2->3 in epoch 0"]}' >race.json; collsim check --algo teccl:race.json --ranks 3
note: ranks are the file's GPUs in order of number: rank 0 is GPU 1, rank 1 is GPU 2, rank 2 is GPU 3
collsim: race.json:5: rank 1: uses a chunk that another op of the round writes (chunk 0)
? 1

# MSCCL names a broadcast or reduce, whose root is rank 0.

$ for c in reduce broadcast; do collsim export --format msccl --collective $c --algo binomial --root 1 --topo switch:ranks=4; done
collsim: a reduce of MSCCL has no root other than rank 0, not 1
collsim: a broadcast of MSCCL has no root other than rank 0, not 1
? 2

# Messages are packed in scratch, more of it than the vector has.

$ collsim export --format msccl --collective all-to-all --algo bruck --topo switch:ranks=16 --out packed.xml 2>/dev/null; collsim check --algo msccl:packed.xml --topo switch:ranks=16 | tail -1
msccl:packed.xml     16  1 GiB        64        0 B  exactly, by sets of ranks

# What changes neither a schedule nor a run with it is named by commands that do not run, too.

$ for command in check explain export; do collsim $command --topo dgx --algo ring --fabric rail 2>&1 >/dev/null; done
note: --fabric rail has no effect here
note: --fabric rail has no effect here
note: --fabric rail has no effect here

$ collsim --topo dgx --algo ring,direct --group 4 --size 1MiB 2>&1 >/dev/null; collsim --topo dgx --algo ring,chain --chunks 4 --size 1MiB 2>&1 >/dev/null
note: --group 4 has no effect here

$ collsim check --topo dgx-h100 --nodes 3 --algo multi-ring,ring --size 1000 --group 4 --radix 4 2>&1 >/dev/null
note: --group 4 has no effect here
note: --radix 4 has no effect here

# What collsim-cuda runs: a line for each op.
$ collsim export --algo ring --ranks 2 --format table
collsim-table 1
algorithm ring
collective all-reduce
ranks 2
agents 0
lanes 1
blocks 2
parts 1
chunks 1
shards 1
slices 1
op 0 0 0 send 1 0 out 1 1
op 0 0 0 add 1 0 out 0 1
op 0 0 1 send 1 0 out 0 1
op 0 0 1 recv 1 0 out 1 1
op 1 0 0 send 0 0 out 0 1
op 1 0 0 add 0 0 out 1 1
op 1 0 1 send 0 0 out 1 1
op 1 0 1 recv 0 0 out 0 1
end
? 0
$ collsim export --algo bruck --collective all-to-all --ranks 3 --format table
collsim: 'bruck' moves blocks to other places, which a table cannot express
? 2
$ collsim export --algo ring --ranks 2 --format tabel
collsim: --format: no format called 'tabel'; did you mean 'table'?
? 2

# A schedule of a file has a table that takes the same time, unless a rank stores a chunk elsewhere.
$ for a in ring pairwise; do c=all-gather; [ $a = ring ] || c=all-to-all; collsim export --collective $c --algo $a --ranks 3 --format msccl -o $a.xml 2>/dev/null; collsim export --algo msccl:$a.xml --ranks 3 --format table -o $a.table; done; for f in msccl:ring.xml ring.table; do collsim --algo $f --topo switch:ranks=3 --size 3MB | grep 'simulated  '; done
wrote ring.table
collsim: 'msccl:pairwise.xml' moves blocks to other places, which a table cannot express
  simulated                 82 us
  simulated                 82 us
? 0
$ printf '%s\n' '<Algo nchunkspernode="1">' '<tree root="a" index="0" nchunks="1" height="2"><send src="a" dst="b" path="x"/><send src="b" dst="c" path="x"/></tree>' '<tree root="b" index="0" nchunks="1" height="1"><send src="b" dst="a" path="x"/><send src="b" dst="c" path="x"/></tree>' '<tree root="c" index="0" nchunks="1" height="1"><send src="c" dst="a" path="x"/><send src="c" dst="b" path="x"/></tree>' '</Algo>' >f.xml; collsim export --algo forestcoll:f.xml --ranks 3 --format table -o f.table; for f in forestcoll:f.xml f.table; do collsim --algo $f --topo switch:ranks=3 --size 3MB | grep 'simulated  '; done
wrote f.table
  simulated                 121 us
  simulated                 121 us
? 0
$ printf '%s\n' '{"6-Demand_Met": {"GPU 0": {"GPU 1": {"Chunk 0": 1}}, "GPU 1": {"GPU 0": {"Chunk 0": 1}}},' '"7-Flows": ["Chunk 0 from 0 traveled over 0->1 in epoch 0", "Chunk 0 from 1 traveled over 1->0 in epoch 1"]}' >t.json; collsim export --algo teccl:t.json --ranks 2 --format table -o t.table; for f in teccl:t.json t.table; do collsim --algo $f --topo switch:ranks=2 --size 2MB | grep 'simulated  '; done
wrote t.table
  simulated                 82 us
  simulated                 82 us
? 0

# Of one rank each format is read back.
$ for f in table msccl:xml mscclpp:json goal; do collsim export --topo gb10 --algo ring --size 1MiB --format ${f%:*} --out one.${f#*:} 2>/dev/null; name=${f%:*}; collsim --topo gb10 --algo $(echo $name | sed s/table/text/):one.${f#*:} | grep -E 'algorithm  |simulated  '; done
  algorithm                 text:one.table
  simulated                 0 s
  algorithm                 msccl:one.xml
  simulated                 0 s
  algorithm                 mscclpp:one.json
  simulated                 0 s
  algorithm                 goal:one.goal
  simulated                 0 s

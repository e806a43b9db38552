# The timeline of a run as a Chrome trace.

$ collsim --topo switch:ranks=2,bandwidth=1GB/s,latency=1us --algo ring --size 8kB --trace two.json >run.out && grep -c '"ph":"X"' two.json
wrote two.json
8

# A message is the span of its sender and of its receiver, joined by an arrow.
$ grep -E '"ph":"[Xsf]"' two.json | head -4
{"name":"to rank 1 (rank1)","cat":"send","ph":"X","ts":0.000000,"dur":6.000000,"pid":1,"tid":1,"args":{"bytes":4000}},
{"name":"message","cat":"flow","ph":"s","id":1,"ts":0.000000,"pid":1,"tid":1},
{"name":"to rank 1 (rank1)","cat":"send","ph":"X","ts":6.000000,"dur":6.000000,"pid":1,"tid":1,"args":{"bytes":4000}},
{"name":"message","cat":"flow","ph":"s","id":3,"ts":6.000000,"pid":1,"tid":1},

$ tail -3 two.json
],
"displayTimeUnit":"ns",
"otherData":{"title":"all-reduce of 8 kB on switch, 2 ranks, fp32, model fifo, ring"}}

# An existing file is kept.
$ collsim --topo switch:ranks=2 --algo ring --trace two.json
collsim: 'two.json' exists; --force replaces it, another name keeps it
? 2

$ collsim --topo switch:ranks=2,bandwidth=1GB/s,latency=1us --algo ring --size 8kB --trace two.json --force >run.out && grep -c '"ph":"C"' two.json
wrote two.json
32

# Equal input gives equal bytes.
$ collsim --topo switch:ranks=2,bandwidth=1GB/s,latency=1us --algo ring --size 8kB --trace again.json >run.out && cmp two.json again.json
wrote again.json

# More intervals than the file may hold are merged.
$ collsim --topo cluster:node=dgx-h100,nodes=32 --algo ring --size 64MiB --trace many.json >run.out && tail -1 many.json && test $(wc -c <many.json) -lt 50000000
wrote many.json
"note 1":"261120 intervals are drawn as 94880: those that begin in the same 52.49 us of a thread are one, without arrows"}}

$ collsim --topo switch:ranks=2 --algo ring,tree --trace t.json
collsim: --trace draws a single run; give one algorithm, one size and one number of ranks
? 2

$ collsim --topo switch:ranks=2 --algo ring --trace t.html
collsim: --trace: 't.html' does not end in .json
? 2

$ collsim --topo switch:ranks=2 --algo ring --fold on --trace t.json
collsim: --trace requires every rank; leave --fold out
? 2

$ collsim --topo dgx --library nccl --trace t.json
collsim: --trace has no effect with --library, whose cost model simulates no messages; leave one of them out
? 2

$ collsim --topo switch:ranks=2 --algo ring --trace nosuch/t.json
collsim: cannot write 'nosuch/t.json': No such file or directory
? 2

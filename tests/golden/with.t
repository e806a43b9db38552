# Two jobs on one machine.

$ collsim --topo switch:ranks=4,bandwidth=10GB/s --size 64MB --with allreduce:algo=ring | sed -n '/^Concurrent/,/^$/p'
Concurrent jobs; figures above, except those of links, are for the first job
  job                       start      time     alone  slowdown
--------------------------  -----  --------  --------  --------
  ring all-reduce of 64 MB    0 s  19.21 ms  9.606 ms   1.999 x
  ring all-reduce of 64 MB    0 s  19.21 ms  9.606 ms   1.999 x

$ collsim --topo switch:ranks=8,bandwidth=10GB/s --size 64MB --link-model fluid --with all-to-all:size=64MB,start=1ms,ranks=0-3,repeat=2 | sed -n '/^Concurrent/,/^$/p'
Concurrent jobs; figures above, except those of links, are for the first job
  job                           start      time     alone  slowdown
------------------------------  -----  --------  --------  --------
  ring all-reduce of 64 MB        0 s   20.8 ms  11.21 ms   1.855 x
  pairwise all-to-all of 64 MB   1 ms  19.19 ms  9.606 ms   1.998 x

$ collsim --topo dgx --size 1MB --json --with allreduce:size=1MB | sed -n '/"jobs"/,$p'
      "jobs": [
        {
          "job": "ring all-reduce of 1 MB",
          "start_s": 0,
          "took_s": 0.000052383338,
          "alone_s": 0.000045091676,
          "slowdown": 1.1617074956362234
        },
        {
          "job": "ring all-reduce of 1 MB",
          "start_s": 0,
          "took_s": 0.000052383338,
          "alone_s": 0.000045091676,
          "slowdown": 1.1617074956362234
        }
      ]
    }
  ]
}

$ collsim --topo dgx --size 1MB --csv --with allreduce:size=4B,algo=tree --db with.db | grep -o 'with=[^ "]*tree'
with=allreduce:size=4B,algo=tree

$ collsim --topo dgx --with alreduce:size=1MB
collsim: --with alreduce:size=1MB: no collective called 'alreduce'; did you mean 'all-reduce'?
? 2

$ collsim --topo dgx --with allreduce:siz=1MB
collsim: --with: no key called 'siz'; did you mean 'size'?
? 2

$ collsim --topo dgx --with allreduce:ranks=0-9
collsim: --with allreduce:ranks=0-9: the machine has 8 ranks, 0 to 7
? 2

$ collsim --topo dgx --with allreduce:ranks=5
collsim: --with: 'ranks=5' is not a range of ranks; expected ranks=0-3
? 2

# In the tree a message waits until its receiver asks, in the ring it does not.

$ collsim --topo dgx --algo ring --size 1MiB --with allreduce:algo=tree,size=4B | sed -n '/^Concurrent/,/^$/p'
Concurrent jobs; figures above, except those of links, are for the first job
  job                       start      time     alone  slowdown
--------------------------  -----  --------  --------  --------
  ring all-reduce of 1 MiB    0 s  45.45 us  45.45 us       1 x
  tree all-reduce of 4 B      0 s   16.2 us   16.2 us       1 x

$ collsim --topo dgx --size 1MB --with allreduce:algo=ps
collsim: --with: ps requires parameter servers, which only the main job can have
? 2

# Noise holds all jobs back; alone each has the noise that it has here.

$ collsim --topo switch:ranks=4,bandwidth=10GB/s --size 64MB --with allreduce --jitter exponential,mean=20us --runs 20 | sed -n '/^Bottleneck/,/^$/p;/^Concurrent/,/^$/p'
Bottleneck
  link                      rank0 -> switch (link)
  busy                      99.6 %        of the time until all jobs end

Concurrent jobs; figures above, except those of links, are for the first job
  job                       start      time     alone  slowdown
--------------------------  -----  --------  --------  --------
  ring all-reduce of 64 MB    0 s  19.26 ms  9.791 ms   1.968 x
  ring all-reduce of 64 MB    0 s  19.28 ms  9.826 ms   1.962 x

$ collsim --topo switch:ranks=4,bandwidth=10GB/s --size 64MB --with allreduce --straggler rank=1,slow=50% | sed -n '/^Concurrent/,/^$/p'
Concurrent jobs; figures above, except those of links, are for the first job
  job                       start      time     alone  slowdown
--------------------------  -----  --------  --------  --------
  ring all-reduce of 64 MB    0 s  28.81 ms  14.41 ms       2 x
  ring all-reduce of 64 MB    0 s  28.81 ms  14.41 ms       2 x

# Who is late is late to each; noise of nothing changes nothing.

$ collsim --topo switch:ranks=4,bandwidth=10GB/s --size 1MB --with allreduce:ranks=0-1,start=1ms --jitter constant,value=3ms@rank | sed -n '/^Concurrent/,/^$/p'
Concurrent jobs; figures above, except those of links, are for the first job
  job                      start      time     alone  slowdown
-------------------------  -----  --------  --------  --------
  ring all-reduce of 1 MB    0 s  3.156 ms  3.156 ms       1 x
  ring all-reduce of 1 MB   1 ms  3.102 ms  3.102 ms       1 x

$ for j in '--run 0 --jitter constant,value=0us' ''; do collsim --topo dgx-1 --size 64MB --with all-to-all:ranks=2-6,start=1us --fault gpu0-gpu4:down@1ms --link-model fluid $j | grep -E 'slowdown|all.* of|resent'; done
all-reduce of 64 MB on dgx-1, 8 ranks, fp32, model fluid
  without faults            3.138 ms      slowdown by the faults 7.401 x
  lost and resent           1             messages
  job                           start      time     alone  slowdown
  ring all-reduce of 64 MB        0 s  23.22 ms  14.35 ms   1.618 x
  pairwise all-to-all of 64 MB   1 us  15.36 ms  10.67 ms   1.439 x
all-reduce of 64 MB on dgx-1, 8 ranks, fp32, model fluid
  without faults            3.138 ms      slowdown by the faults 7.401 x
  lost and resent           1             messages
  job                           start      time     alone  slowdown
  ring all-reduce of 64 MB        0 s  23.22 ms  14.35 ms   1.618 x
  pairwise all-to-all of 64 MB   1 us  15.36 ms  10.67 ms   1.439 x

# A run among many is that run alone.

$ collsim --topo switch:ranks=4 --size 1MB --with allreduce --jitter exponential,mean=2us --runs 3 --db three.db --csv | cut -d, -f7
time_s
0.000132109768

$ for k in 0 1 2; do collsim --topo switch:ranks=4 --size 1MB --with allreduce --jitter exponential,mean=2us --run $k --csv | sed -n 2p | cut -d, -f7; done
0.000130093349
0.000137153489
0.000132109768

# Jobs share links, unless another model is named: a small job beside a large one
# is slowed by what it shares, not by whole messages of the other before its own.

$ for m in '' '--link-model packet' '--link-model fifo'; do collsim --topo dgx --size 1GiB --with all-to-all:size=64MiB,start=1ms $m | grep -E 'note|fp32|slowdown|alltoall of'; done
all-reduce of 1 GiB on dgx-a100, 8 ranks, fp32, model fluid
  job                            start      time     alone  slowdown
all-reduce of 1 GiB on dgx-a100, 8 ranks, fp32, model packet
  job                            start      time     alone  slowdown
note: in model fifo a message waits until the whole messages before it are through, of other jobs too: with messages of unequal size the job with the smaller ones looks many times slower than it is; --link-model fluid or packet shares links
all-reduce of 1 GiB on dgx-a100, 8 ranks, fp32, model fifo
  job                            start      time     alone  slowdown

$ collsim --topo dgx --size 1MB --with allreduce --compat simgrid | grep -E 'fp32'
all-reduce of 1 MB on dgx-a100, 8 ranks, fp32, model simgrid


# Each job has columns in CSV, too.

$ collsim --topo switch:ranks=4,bandwidth=10GB/s --algo ring,direct --size 64MB --csv --with all-to-all:size=8MB,start=1ms | grep -o '[a-z0-9_]*job1_name.*\|[a-z]* allreduce of.*'
job1_name,job1_start_s,job1_took_s,job1_alone_s,job1_slowdown,job2_name,job2_start_s,job2_took_s,job2_alone_s,job2_slowdown
$ collsim --topo dgx --with allreduce:size=3B
collsim: size 3 B is not a whole number of fp32 elements of 4 B
? 2
$ collsim --topo dgx --with allreduce:size=0B
collsim: --with: size '0B' is zero; the minimum is one element
? 2

# Jobs on ranks of their own: each is what it is alone, unless they share links.

$ collsim --topo switch:ranks=32 --ranks 16 --size 64MB --with all-to-all:ranks=16-31 | sed -n '/^Concurrent/,/^$/p'
Concurrent jobs; figures above, except those of links, are for the first job
  job                           start      time     alone  slowdown
------------------------------  -----  --------  --------  --------
  ring all-reduce of 64 MB        0 s   4.83 ms   4.83 ms       1 x
  pairwise all-to-all of 64 MB    0 s  2.415 ms  2.415 ms       1 x
$ collsim --topo switch:ranks=32 --ranks 16 --size 64MB --json --link-model fluid | grep -E '"(ranks|time_s|lower_bound_s|bytes_sent_total)"'
      "ranks": 16,
      "time_s": 0.00483,
      "lower_bound_s": 0.004800499999999999,
      "bytes_sent_total": 1920000000,
$ collsim --topo switch:ranks=32 --ranks 16 --size 64MB --json --with all-to-all:ranks=16-31 | grep -E '"(ranks|time_s|lower_bound_s|bytes_sent_total)"'
      "ranks": 16,
      "time_s": 0.00483,
      "lower_bound_s": 0.004800499999999999,
      "bytes_sent_total": 1920000000,
$ collsim --topo fat-tree:ranks=16,radix=4,oversubscription=3 --ranks 8 --algo ring,direct --size 64MB --with all-to-all:ranks=8-15 --placement round-robin --csv | cut -d, -f2-12
note: --placement round-robin has no effect here
ranks,collective,algorithm,model,bytes,time_s,closed_form_s,lower_bound_s,algbw_Bps,busbw_Bps,messages
8,all-reduce,ring,fluid,64000000,0.007540593623,0.004522,0.004480499999999999,8487395449.184519,14852942036.072908,112
8,all-reduce,direct,fluid,64000000,0.011511620676,0.004522,0.004480499999999999,5559599451.833085,9729299040.7079,112
$ collsim --topo switch:ranks=32 --ranks 16 --size 64MB --with all-to-all:ranks=8-23,size=1MB --with allreduce:ranks=24-31 | sed -n '/^Concurrent/,/^$/p'
Concurrent jobs; figures above, except those of links, are for the first job
  job                          start      time     alone  slowdown
-----------------------------  -----  --------  --------  --------
  ring all-reduce of 64 MB       0 s   4.87 ms   4.83 ms   1.008 x
  pairwise all-to-all of 1 MB    0 s  93.62 us   52.5 us   1.783 x
  ring all-reduce of 64 MB       0 s  4.494 ms  4.494 ms       1 x
$ collsim --topo switch:ranks=32 --ranks 16 --with all-to-all:ranks=16-32
collsim: 33 ranks requested, but 'switch:' has ranks=32
? 2
$ collsim --topo dgx --ranks 4 --with all-to-all:ranks=4-8
collsim: 'dgx' has 8 ranks; 9 requested; expected --nodes 2 --ranks 9
? 2

# Agents in switches serve the main job's ranks alone.

$ collsim --topo fat-tree:ranks=32,radix=8 --ranks 16 --group 4 --algo sharp-tree --size 64MB --with all-to-all:ranks=16-31 | grep -E 'alone|of 64 MB'
note: sharp-tree is hypothetical here: leaf0 is not known to reduce messages in the network, as SHARP does (`reduces: yes` in a machine's file)
all-reduce of 64 MB on fat-tree, 16 ranks, fp32, model fluid
  job                             start      time     alone  slowdown
  sharp-tree all-reduce of 64 MB    0 s  2.592 ms  2.592 ms       1 x
  pairwise all-to-all of 64 MB      0 s   2.43 ms   2.43 ms       1 x
$ collsim explain --topo switch:ranks=8 --ranks 4 --with all-to-all:ranks=4-7
collsim: --with belongs to 'collsim run' and has no effect here; leave it out
? 2

# In a table of runs each job has columns.

$ collsim --topo switch:ranks=8,bandwidth=10GB/s --ranks 4 --algo ring,direct --size 64MB --with all-to-all:size=8MB,ranks=2-5 --with allreduce:ranks=4-7 | sed -n '3,$p'
algorithm      time    closed   lower   effi-  algbw  busbw  messages      sent     extra  bottleneck     job 1     job 1    job 1     job 2   job 2    job 2     job 3     job 3    job 3
                         form   bound  ciency   GB/s   GB/s            in total  per rank        busy      time     alone   slower      time   alone   slower      time     alone   slower
---------  --------  --------  ------  ------  -----  -----  --------  --------  --------  ----------  --------  --------  -------  --------  ------  -------  --------  --------  -------
ring       10.21 ms  9.606 ms  9.6 ms  94.1 %  6.271  9.406        24    384 MB     16 MB      99.9 %  10.21 ms  9.606 ms  1.062 x  1.203 ms  603 us  1.995 x  10.21 ms  9.606 ms  1.062 x
direct     10.21 ms  9.606 ms  9.6 ms  94.1 %  6.271  9.406        24    384 MB     16 MB      99.9 %  10.21 ms  9.606 ms  1.062 x  1.203 ms  603 us  1.995 x  10.21 ms  9.606 ms  1.062 x

job 2: pairwise all-to-all of 8 MB
job 3: ring all-reduce of 64 MB
bottleneck: rank2 -> switch (link)
data flow: verified; every rank ends with the result that all-reduce specifies

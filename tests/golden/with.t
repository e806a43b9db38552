# Two jobs on one machine.

$ collsim --topo switch:ranks=4,bandwidth=10GB/s --size 64MB --with allreduce:algo=ring | sed -n '/^Jobs/,/^$/p'
Jobs at once; all but links is of the first
  job                      start    takes     alone   slower
-------------------------  -----  -------  --------  -------
  ring allreduce of 64 MB    0 s  17.6 ms  9.606 ms  1.832 x
  ring allreduce of 64 MB    0 s  19.2 ms  9.606 ms  1.999 x

$ collsim --topo switch:ranks=8,bandwidth=10GB/s --size 64MB --model fluid --with alltoall:size=64MB,start=1ms,ranks=0-3,repeat=2 | sed -n '/^Jobs/,/^$/p'
Jobs at once; all but links is of the first
  job                         start     takes     alone   slower
----------------------------  -----  --------  --------  -------
  ring allreduce of 64 MB       0 s   20.8 ms  11.21 ms  1.855 x
  pairwise alltoall of 64 MB   1 ms  19.19 ms  9.606 ms  1.998 x

$ collsim --topo dgx --size 1MB --json --with allreduce:size=1MB | sed -n '/"jobs"/,$p'
  "jobs": [
    {
      "job": "ring allreduce of 1 MB",
      "start_s": 0,
      "took_s": 0.000045091662,
      "alone_s": 0.000045091662,
      "slowdown": 1
    },
    {
      "job": "ring allreduce of 1 MB",
      "start_s": 0,
      "took_s": 0.000045612495,
      "alone_s": 0.000045091662,
      "slowdown": 1.0115505389887824
    }
  ]
}

$ collsim --topo dgx --with alreduce:size=1MB
collsim: --with alreduce:size=1MB: no collective called 'alreduce'; 'collsim list collectives' shows them
? 2

$ collsim --topo dgx --with allreduce:siz=1MB
collsim: --with: no key called 'siz'; did you mean 'size'?
? 2

$ collsim --topo dgx --with allreduce:ranks=0-9
collsim: --with allreduce:ranks=0-9: there are 8 ranks, 0 to 7
? 2

$ collsim --topo dgx --with allreduce:ranks=5
collsim: --with: 'ranks=5' is no range of ranks; write ranks=0-3
? 2

$ collsim --topo dgx --size 1MB --with allreduce:algo=tree
collsim: --with: of ring and tree one waits for its receivers and one does not; they cannot run together
? 2

$ collsim --topo dgx --size 1MB --with allreduce:algo=ps
collsim: --with: ps needs parameter servers, which another job cannot have
? 2

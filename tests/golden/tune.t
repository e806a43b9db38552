# Faster choices than the library's: tune.  Times follow estimated parameters, so that figures and ranges stay out.
$ collsim tune --topo dgx -b 1K -e 1K | sed -E 's/[0-9]+\.[0-9]+ ?[a-z%]*/#/g; s/  +/  /g; /^-/d'
all-reduce on dgx, 8 ranks, library nccl

collective  from  to  library's  library's  library's  fastest  fastest  fastest  fastest  gain  gain  verdict
  algorithm  protocol  time  algorithm  protocol  channels  time  least  most
all-reduce  1 KiB  1 KiB  ring  ll  #  ring  ll  1  #  #  #  no gain

no choice is faster than the library's by more than the 90 % interval of its time

$ collsim tune --topo dgx --csv 2>&1 | head -1
collective,from_bytes,to_bytes,chosen_algorithm,chosen_protocol,chosen_s,algorithm,protocol,channels,time_s,least_gain,most_gain,verdict
$ collsim tune --topo dgx --json | head -4
{
  "ranges": [
    {
      "collective": "all-reduce",

# No gain beyond the interval: no line, and a note.
$ collsim tune --topo dgx --format tuner
collsim: no choice is faster than the library's by more than the 90 % interval of its time
# collective,min_bytes,max_bytes,algorithm,protocol,channels,nNodes,nRanks,numPipeOps,regBuff
? 0
$ collsim tune --topo dgx --format env
collsim: no choice is faster than the library's by more than the 90 % interval of its time
? 0

# With --all, every line has the ten fields of the tuner, and ranges do not overlap.
$ collsim tune --topo dgx-h100 --nodes 4 --format tuner --all -o tuner.csv && awk -F, '!/^#/ { if (NF != 10 || $1 != "allreduce" || $2 <= last || $3 < $2 || $7 != 4 || $8 != 32 || $9 != -1) print "wrong: " $0; last = $3; n++ } END { print (n > 0) }' tuner.csv
wrote tuner.csv
1
? 0
$ collsim tune --topo dgx-h100 --nodes 4 --all --format env | grep -vcE '^NCCL_ALGO=[A-Z]+ NCCL_PROTO=(LL|LL128|SIMPLE)( NCCL_MAX_NCHANNELS=[0-9]+)?  # all-reduce of '
0
? 1

# What a tuner's file forces is predicted beside the library's choice.
$ printf '# mine\nallreduce,0,65536,tree,ll,-1,-1,-1,-1,-1\nallreduce,65537,1048576,ring,ll,1,1,8\nallreduce,1048577,4194304,nvls,default,-1,1,-1,-1,-1\n' >rules.csv; collsim tune --topo dgx --rules rules.csv -b 8K -e 32M -f 16 --csv | cut -d, -f1,2,6-7
collective,bytes,line,algorithm
all-reduce,8192,2,tree
all-reduce,131072,3,ring
all-reduce,2097152,4,ring
all-reduce,33554432,0,ring
$ collsim tune --topo dgx --rules rules.csv -b 1M -e 32M -f 32 --csv | cut -d, -f12
verdict
a loss
no rule
$ collsim tune --topo dgx --rules rules.csv -b 4M -e 4M | tail -1
0 sizes gain, 0 lose, 0 lie inside the 90 % interval of the library's choice, 0 have no rule, 1 rules are not available
$ collsim tune --topo dgx-h100 --nodes 4 --rules tuner.csv -b 1M -e 1G -f 32 --json | grep -c '"gain": -'
0
? 1
$ printf 'allreduce,0,5,rin,ll,1,1,1\n' >bad.csv; collsim tune --topo dgx --rules bad.csv
collsim: bad.csv:1: field 4: unknown name 'rin'; did you mean 'ring'?
? 2
$ collsim tune --topo dgx --rules nowhere.csv
collsim: cannot open 'nowhere.csv': No such file or directory
? 2
$ collsim tune --topo dgx --rules rules.csv --all
collsim: --rules prints a table of the rules' times; leave --all out
? 2

# Mistakes.
$ collsim tune --topo dgx --library mpi
collsim: mpi has no NCCL_ALGO and NCCL_PROTO; expected --library nccl or rccl
? 2
$ collsim tune --topo dgx --collective all-to-all
collsim: nccl sends all-to-all from rank to rank, without a choice of algorithm; expected all-reduce, all-gather, reduce-scatter, broadcast or reduce
? 2
$ collsim tune --topo mi300x
collsim: NCCL runs on GPUs of NVIDIA, and this machine has none; RCCL runs on GPUs of AMD
? 2
$ collsim tune --topo dgx --format tuner --json
{
  "error": "--json and --csv print the table; leave --format out",
  "exit": 2
}
? 2
$ collsim tune --topo dgx --out file
collsim: --out is for --format env and tuner
? 2
$ collsim tune --topo dgx --format tunr
collsim: --format: no format called 'tunr'; did you mean 'tuner'?
? 2
$ collsim tune --topo dgx --ranks 2,4
collsim: a tuning is for one number of ranks; expected --ranks N
? 2

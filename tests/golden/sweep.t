# Sweeps over the axes of a file.
$ printf 'topo: dgx\naxes:\n  algo: [ring, tree]\n  size: {from: 1KiB, to: 4KiB, factor: 2}\nzip:\n  ranks: [2, 4]\n  seed: [1, 2]\n' >s.yaml; collsim sweep s.yaml --db s.db --csv | cut -d, -f1-7
file,db,shard,cases,known,finished,refused
s.yaml,s.db,,12,0,12,0
$ collsim sweep s.yaml --db s.db -j 1 --csv | cut -d, -f1-7
file,db,shard,cases,known,finished,refused
s.yaml,s.db,,12,12,0,0
$ printf 'topo: dgx\nsize: 1KiB\naxes:\n  algo: [ring, sharp-tree]\n  ranks: [4, 64]\n' >r.yaml; collsim sweep r.yaml --db r.db --csv 2>&1 | cut -d, -f1-7 | cut -c1-80
note: cases without a result:
  2 x 'dgx' has 8 ranks; 64 requested; expected --nodes 8 --ranks 64
  1 x sharp-tree needs ranks on several switches, and --group 4 puts all on one;
file,db,shard,cases,known,finished,refused
r.yaml,r.db,,4,0,4,3
$ for i in 1 2 3; do collsim sweep s.yaml --db p.db --shard $i/3 --csv | tail -1 | cut -d, -f2-6; done; collsim merge --out all.db p.*-of-3.db
p.1-of-3.db,1/3,4,0,4
p.2-of-3.db,2/3,4,0,4
p.3-of-3.db,3/3,4,0,4
'all.db': 12 cases, 0 missing
wrote all.db
$ collsim merge --out all.db p.1-of-3.db r.db
collsim: 'r.db' is a part of another sweep; expected parts of one scenario file
? 2
$ collsim sweep s.yaml --db s.db --emit slurm --time-per-task 10m | grep -E '^#SBATCH --(array|requeue)'
#SBATCH --array=1-1
#SBATCH --requeue
? 0
$ collsim sweep s.yaml --db s.db --emit parallel | grep -c 'seq 1 1 | parallel .* sweep .s.yaml. --db .s.db. -j 1 --shard {}/1'
1
$ collsim sweep s.yaml --search --csv | cut -d, -f1,4,5
case,cases,refused
ranks=2 seed=1 algo=ring size=1024B,12,0

# Long runs of unequal blocks.
$ printf 'topo: cluster:node=dgx-h100,nodes=125,fabric=rail\nalgo: multi-ring\naxes:\n  size: [64MiB, 32000kB]\n' >u.yaml; collsim sweep u.yaml --db u.db -j 1 --csv | cut -d, -f4-7
note: the vectors of 1 of 2 cases are padded to equal blocks (padded_bytes); 'fold: off' simulates the sizes
cases,known,finished,refused
2,0,2,0
$ collsim sweep u.yaml --search --csv | cut -d, -f1
case
size=32000kB

# Mistakes.
$ printf 'topo: dgx\nname: x\naxes: {seed: [1]}\n' >name.yaml; collsim sweep name.yaml --db s.db
collsim: name.yaml:2: unknown option '--name'; --help all lists them
? 2
$ collsim sweep s.yaml --db s.db --emit slurm --time-per-task 10q
collsim: --time-per-task: '10q' is not a number with a unit; expected 30s, 10min, 50700h, 2d or 4y
? 2
$ collsim sweep s.yaml --db s.db --emit slurm --time-per-task 0s
collsim: --time-per-task: '0s' is below 1ms
? 2
$ collsim sweep
collsim: no file of a sweep: collsim sweep FILE --db FILE
? 2
$ collsim sweep s.yaml
collsim: no database; add --db FILE
? 2
$ collsim sweep nosuch.yaml --db s.db
collsim: cannot open 'nosuch.yaml': No such file or directory
? 2
$ printf 'topo: dgx\nsize: 1KiB\n' >b.yaml; collsim sweep b.yaml --db b.db
collsim: b.yaml: no axes; expected axes: {size: [1KiB, 1MiB]}
? 2
$ printf 'topo: dgx\naxes:\n  algo: [ring, rnig]\n' >b.yaml; collsim sweep b.yaml --db b.db
collsim: b.yaml:3: no algorithm called 'rnig' for all-reduce; did you mean 'ring'?
? 2
$ printf 'topo: dgx\naxes:\n  ranks: [64]\n' >b.yaml; collsim sweep b.yaml --db b.db --csv | cut -d, -f4-7
note: cases without a result:
  1 x 'dgx' has 8 ranks; 64 requested; expected --nodes 8 --ranks 64
collsim: b.yaml: no case has a result
cases,known,finished,refused
1,0,1,1
? 0
$ printf 'topo: dgx\naxes:\n  sise: [1KiB]\n' >b.yaml; collsim sweep b.yaml --db b.db
collsim: b.yaml:3: unknown option '--sise'; did you mean '--size'?
? 2
$ printf 'topo: dgx\naxes:\n  size: [1KiB, 5X]\n' >b.yaml; collsim sweep b.yaml --db b.db
collsim: b.yaml:3: --size: unknown unit 'X' in '5X'; write a size such as 256 MB or 1 GiB
? 2
$ printf 'topo: dgx\naxes:\n  size: {from: 1KiB, to: 1MiB, factor: 1}\n' >b.yaml; collsim sweep b.yaml --db b.db
collsim: b.yaml:3: the range is empty or endless; expected from <= to, a step above 0, a factor from 2
? 2
$ printf 'topo: dgx\nsize: 1KiB\naxes:\n  size: [1KiB]\n' >b.yaml; collsim sweep b.yaml --db b.db
collsim: b.yaml: 'size' stands twice, among options, axes and zip
? 2
$ printf 'zip:\n  size: [1KiB, 2KiB]\n  seed: [1]\n' >b.yaml; collsim sweep b.yaml --db b.db
collsim: b.yaml:3: 1 values beside 2 of 'size'; the lists of a zip have one length
? 2
$ printf 'db: x\naxes:\n  size: [1KiB]\n' >b.yaml; collsim sweep b.yaml --db b.db
collsim: b.yaml:1: 'db' is an output of a command; a case has the options of a single run
? 2
$ printf 'size: [1KiB]\naxes:\n  seed: [1]\n' >b.yaml; collsim sweep b.yaml --db b.db
collsim: b.yaml:1: size is a list; lists of values stand below 'axes:'
? 2
$ printf 'axes:\n  size: []\n' >b.yaml; collsim sweep b.yaml --db b.db
collsim: b.yaml:2: 'size' has no values
? 2
$ collsim sweep s.yaml --db s.db --shard 4/3
collsim: --shard: '4/3' is not a part of a whole; expected 1/3 to 3/3
? 2
$ collsim sweep s.yaml --db s.db --emit pbs
collsim: --emit: no emit called 'pbs'; expected slurm, parallel
? 2
$ collsim sweep s.yaml --db s.db --search
collsim: --search finds one case and keeps none; leave --db, --emit and --shard out
? 2
$ collsim merge p.1-of-3.db
collsim: expected collsim merge --out ALL.db PART.db ...
? 2
$ collsim merge --out all.db s.yaml
collsim: 's.yaml' is not a results database; the file is unchanged
? 2

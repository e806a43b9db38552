# Two databases: what changed.
$ collsim --topo dgx --algo ring,tree --size 1MiB,2MiB --db a.db >/dev/null; collsim --topo dgx --algo ring,naive --size 1MiB --db b.db >/dev/null; collsim compare a.db b.db
0 runs changed, 1 are equal; 3 only in 'a.db', 1 only in 'b.db'
$ cp a.db c.db && printf 'topo: dgx\naxes:\n  size: [1KiB]\n' >s.yaml && collsim sweep s.yaml --db c.db >/dev/null 2>&1; collsim compare a.db c.db --json
0 runs changed, 4 are equal; 0 only in 'a.db', 1 only in 'c.db'
{
  "changes": []
}

# Databases of two machines have no run in common: calls are compared.
$ collsim --topo switch:ranks=4,bandwidth=10GB/s,latency=1us --algo ring,naive --size 1MB --db slow.db >/dev/null; collsim --topo switch:ranks=4,bandwidth=20GB/s,latency=1us --algo ring --size 1MB,2MB --db fast.db >/dev/null; collsim compare slow.db fast.db
note: no run has the same options in both; compared by collective, algorithm, model, seed, ranks and size
1 runs changed, 0 are equal; 1 only in 'slow.db', 1 only in 'fast.db'
machine  collective  algorithm  model  ranks  size  before  after  after/before
-------  ----------  ---------  -----  -----  ----  ------  -----  ------------
switch   all-reduce  ring       fifo       4  1 MB  162 us  87 us       0.537 x
$ collsim --topo switch:ranks=4,bandwidth=30GB/s,latency=1us --algo ring --size 1MB --db fast.db >/dev/null; collsim compare slow.db fast.db
0 runs changed, 0 are equal; 2 only in 'slow.db', 3 only in 'fast.db'

# Mistakes.
$ collsim compare a.db nosuch.db
collsim: results database 'nosuch.db' does not exist
? 2
$ collsim compare a.db s.yaml
collsim: 's.yaml' is not a results database; the file is unchanged
? 2
$ collsim compare a.db b.db --log x
collsim: --log is compared with a machine; leave it out beside two databases
? 2
$ collsim compare a.db
collsim: 'a.db' alone; expected --log FILE, or two databases
? 2

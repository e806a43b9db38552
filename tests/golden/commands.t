# What a user types first.
$ collsim help | head -3
usage: collsim [run] --topo MACHINE --algo NAMES [OPTION ...]
       collsim COMMAND [OPTION ...]
$ collsim --help | grep -A1 '^Example'
Example: collsim --topo dgx --algo ring,tree --size 64MiB
Sizes: 1024 is bytes, 1G and 1GiB are 2^30, 1GB is 1e9. Rates: 25GB/s, 200Gb/s.
$ collsim help topo | head -1; collsim help noise | head -1
usage: collsim topo [WORD [MACHINE]] [--topo MACHINE] [OPTION ...]
noise: jitter, stragglers, Monte Carlo
$ collsim help nosuch
collsim: no command or group of options called 'nosuch'; 'collsim help' lists both
? 2
$ test "$(collsim version)" = "$(collsim --version)" && collsim version | sed 's/[0-9][0-9.]*$/N/'
collsim N
$ collsim topo show gbe-4 | head -2
gbe-4: 4 workstations on a gigabit Ethernet switch, TCP
ranks 4, nodes 5, links 5, routes found by search
$ collsim topo show gbe-4 --topo dgx
collsim: two machines, 'gbe-4' and 'dgx'; name one
? 2
$ collsim topo gbe-4
collsim: topo has no 'gbe-4'; did you mean 'collsim topo show gbe-4'?
? 2
$ collsim dgx
collsim: no command called 'dgx'; did you mean 'collsim --topo dgx'?
? 2
$ collsim ring
collsim: no command called 'ring'; did you mean 'collsim --algo ring'?
? 2
$ collsim rnu
collsim: no command called 'rnu'; did you mean 'run'?
? 2

# Lists for programs.
$ collsim list models --json | head -5
{
  "models": [
    {
      "name": "fifo",
      "description": "every link on the route serves messages in order, cut-through"
$ collsim list formats --csv | head -2
command,name,description
export,msccl,"MSCCL XML, for MSCCL, RCCL and their simulators"
$ collsim list dtypes --csv | head -2
name,bytes
fp32,4
$ collsim list --json | grep -c '"name": "links"'
1
$ collsim list links --json --csv
{
  "error": "--json and --csv cannot be combined; give one",
  "exit": 2
}
? 2

# Engines of communication libraries: those without a model are listed, too; a
# machine shows the sizes that run on each.
$ collsim list engines --csv | cut -d, -f1-4 | grep -E '^(library|nccl,(nvls|symmetric|copy-engine))'
library,engine,since,modelled
nccl,nvls,2.17,yes
nccl,nvls-tree,2.18,yes
nccl,symmetric,2.27,off by default
nccl,copy-engine,2.28,off by default
$ collsim list engines --topo dgx-h100 --csv | cut -d, -f2,5 | grep nvls
nvls,all-reduce from 2 MiB
nvls-tree,none
$ collsim list links --topo dgx
collsim: only 'list engines' takes --topo
? 2
$ collsim list engines --ranks 2
collsim: --ranks needs a machine; add --topo MACHINE
? 2

# Ranges of ranks, and numbers with an exponent.
$ collsim --ranks 2-4,8 --csv | cut -d, -f2
ranks
2
3
4
8
$ collsim --ranks 4-2
collsim: --ranks: the range '4-2' is empty
? 2
$ collsim --size 1e6B --csv | cut -d, -f6
bytes
1000000

# Without another algorithm there is none that comes next.
$ collsim --collective barrier --topo switch:ranks=4 --algo auto | sed -n '3,5p'
ranks  size  fastest        time  lower   effi-  busbw  with
                                  bound  ciency
-----  ----  -------------  ----  -----  ------  -----  ----

# A command lists the options that mean something there, and refuses the others.
$ options() { collsim $1 --help all | grep -oE '^  (-., )?--[a-z-]+' | grep -oE -- '--[a-z-]+' | grep -vE -- '--(help|version|jobs)$' | sort; }; options '' >all; for c in check export explain; do options $c | sort -u >shown; comm -23 all shown >hidden; test -s hidden && for o in $(cat hidden); do collsim $c $o 2>&1 | grep -q "belongs to 'collsim run'" || echo "$c takes $o"; done; for o in $(cat shown); do collsim $c $o 2>&1 | grep "belongs to"; done; done; rm all shown hidden

# Plots and a page of runs that a database keeps.
$ collsim --topo switch:ranks=4 --algo ring,tree --size 1MiB,4MiB --db runs.db >/dev/null; collsim report --db runs.db --out all >/dev/null; grep -c '<tr><td' all/index.html
4

# Some of them.
$ for w in algorithm=ring 'algorithm!=ring' bytes=1MiB; do collsim report --db runs.db --out some --force --where "$w" >/dev/null; grep -c '<tr><td' some/index.html; done
2
2
2

$ collsim report --db runs.db --out some --force --where algorithm=ring --where algorithm=tree --where bytes=4MiB >/dev/null; grep -c '<tr><td' some/index.html
2

$ collsim report --db runs.db --out some --force --where algoritm=ring
collsim: --where: no column called 'algoritm'; did you mean 'algorithm'?
? 2

$ collsim report --db runs.db --out some --force --where algorithm=rnig
collsim: none of the 4 runs has algorithm=rnig; did you mean 'ring'?
? 2

$ collsim report --db runs.db --out some --force --where ring
collsim: --where: 'ring': expected COLUMN=VALUE or COLUMN!=VALUE
? 2

# Fabrics of one name.
$ for o in 1 3; do collsim --topo fat-tree:ranks=8,radix=8,oversubscription=$o --algo ring --size 1MiB,4MiB --db fabrics.db >/dev/null; done; collsim report --db fabrics.db --out fabrics >/dev/null; ls fabrics | grep gp; grep -ho "label 1 '[^']*'" fabrics/time*.gp; grep -o '<td class="t">fat-tree:[^<]*' fabrics/index.html | sort -u
busbw_size-fat-tree-radix-8-oversubscription-1-all-reduce-8-ranks-fifo.gp
busbw_size-fat-tree-radix-8-oversubscription-3-all-reduce-8-ranks-fifo.gp
time_size-fat-tree-radix-8-oversubscription-1-all-reduce-8-ranks-fifo.gp
time_size-fat-tree-radix-8-oversubscription-3-all-reduce-8-ranks-fifo.gp
label 1 'all-reduce on fat-tree, radix=8, oversubscription=1, 8 ranks'
label 1 'all-reduce on fat-tree, radix=8, oversubscription=3, 8 ranks'
<td class="t">fat-tree:ranks=8,radix=8,oversubscription=1
<td class="t">fat-tree:ranks=8,radix=8,oversubscription=3

# A run that fails leaves no database, nor does one whose directory is not there.
$ collsim --topo switch:ranks=4 --algo hierarchical --db none.db; ls none.db* 2>&1 | wc -l
collsim: hierarchical needs nodes of several ranks, equally many in each; --group says how many
1

$ collsim --topo switch:ranks=4 --algo ring --size 4B --db no/where.db
collsim: cannot open results database 'no/where.db': No such file or directory
? 2

# Training steps have pages of their own; conditions are about runs.
$ for n in 1 2; do collsim train --topo cluster:node=dgx,nodes=$n --model resnet50 --batch 64 --system ddp --db steps.db >/dev/null 2>&1; done; collsim train --topo dgx --model resnet50 --batch 64 --system ddp --vary bucket-cap=1MiB,25MiB --db steps.db >/dev/null 2>&1; collsim report --db steps.db --out steps; grep -E '^(#|\*)|^ +collsim' steps/training.md; grep -E '^\| (resnet50|1MiB|25MiB) \|' steps/training.md | cut -d'|' -f2-8 | sed -E 's/[0-9.e+]+ (ms|us|%)/# \1/g; s/\| [0-9]{4,} \|/| # |/g'; grep -c '<svg viewBox="0 0 760' steps/training.html
steps/training.html
steps/training.md
# Training steps
**2 steps and 2 cases of variations.**
## Steps
## Variation
    collsim train --topo dgx --model resnet50 --batch 64 --system ddp --vary bucket-cap=1MiB,25MiB
 resnet50 | cluster:node=dgx,nodes=1 | a100 | 8 | ddp | bf16 | tp 1, pp 1, dp 8, 64 x 1 
 resnet50 | cluster:node=dgx,nodes=2 | a100 | 16 | ddp | bf16 | tp 1, pp 1, dp 16, 64 x 1 
 1MiB | dgx | ddp | 8 | # ms | # | # % 
 25MiB | dgx | ddp | 8 | # ms | # | # % 
 1MiB | # ms | # us |
 25MiB | # ms | # us |
4
? 0
$ collsim --topo switch:ranks=4 --algo ring --size 1MiB,4MiB --db steps.db >/dev/null; collsim report --db steps.db --out both | grep -c training; grep -o 'href="training.html"' both/index.html; collsim report --db steps.db --out runs --where algorithm=ring | grep -c training
2
href="training.html"
0
? 1

# A page stands until --force.
$ collsim report --db runs.db --out some
collsim: 'some/index.html' exists; --force replaces it, another name keeps it
? 2

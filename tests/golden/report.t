# Plots and a page of runs that a database keeps.
$ collsim --topo switch:ranks=4 --algo ring,tree --size 1MiB,4MiB --db runs.db >/dev/null; collsim report --db runs.db --out all >/dev/null; grep -c '<tr><td' all/index.html
4

# Some of them.
$ for w in algorithm=ring 'algorithm!=ring' bytes=1MiB; do collsim report --db runs.db --out some --where "$w" >/dev/null; grep -c '<tr><td' some/index.html; done
2
2
2

$ collsim report --db runs.db --out some --where algorithm=ring --where algorithm=tree --where bytes=4MiB >/dev/null; grep -c '<tr><td' some/index.html
2

$ collsim report --db runs.db --out some --where algoritm=ring
collsim: --where: no column called 'algoritm'; did you mean 'algorithm'?
? 2

$ collsim report --db runs.db --out some --where algorithm=rnig
collsim: none of the 4 runs has algorithm=rnig; did you mean 'ring'?
? 2

$ collsim report --db runs.db --out some --where ring
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


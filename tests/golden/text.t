# An algorithm as text: written by hand, proven over a range of ranks, beside the built-in one.
$ printf '%s\n' 'collective all-reduce' 'blocks p' 'for step in 0..p-2:' '    send block r-step-1 to (r+1)%p; add block r-step-2 from (r-1)%p' 'for step in 0..p-2:' '    send block r-step to (r+1)%p; recv block r-step-1 from (r-1)%p' >ring.cs; collsim check --topo switch: --algo ring.cs --ranks 2-4
algorithm  ranks   size  messages  redundant  proved
                                      copies
---------  -----  -----  --------  ---------  -------------------------
ring.cs        2  1 GiB         4      1 GiB  exactly, by sets of ranks
ring.cs        3  1 GiB        12   2.147 GB  exactly, by sets of ranks
ring.cs        4  1 GiB        24      3 GiB  exactly, by sets of ranks
$ collsim --topo switch:ranks=6,bandwidth=10GB/s,latency=1us --algo ring,ring.cs,text:ring.cs --size 6MB --csv | cut -d, -f4,7
algorithm,time_s
ring,0.00102
ring.cs,0.00102
text:ring.cs,0.00102
$ sed 's/r-step-2/r-step-3/' ring.cs >wrong.cs; collsim check --topo switch:ranks=4 --algo wrong.cs
collsim: rank 0 ends without rank 1's contribution to chunk 0, last received in round 1
? 1
$ sed 's/step in/stp in/' ring.cs >wrong.cs; collsim check --topo switch:ranks=4 --algo wrong.cs
collsim: wrong.cs:4: no name called 'step' so far; did you mean 'stp'?
? 2
$ printf 'collective all-reduce\nrequire p == 2**log2(p)\nfor s in 0..log2(p)-1:\n    send block 0 count p to r^(1<<s); add block 0 count p from r^(1<<s)\n' >double.cs; collsim check --topo switch:ranks=8 --ranks 6,8 --algo double.cs; collsim check --topo switch:ranks=8 --algo double.cs
collsim: double.cs:2: not for 6 ranks; expected p == 2 ** log2 ( p )
algorithm  ranks   size  messages  redundant  proved
                                      copies
---------  -----  -----  --------  ---------  -------------------------
double.cs      8  1 GiB        24      7 GiB  exactly, by sets of ranks
algorithm  ranks   size  messages  redundant  proved
                                      copies
---------  -----  -----  --------  ---------  -------------------------
double.cs      8  1 GiB        24      7 GiB  exactly, by sets of ranks
$ collsim export --topo switch:ranks=8 --algo double-tree --chunks 32 --size 8MiB --format table --out tree.cs; collsim --topo switch:ranks=8 --algo double-tree,tree.cs --chunks 32 --size 8MiB --csv | cut -d, -f4,7
wrote tree.cs
algorithm,time_s
double-tree,0.00070330304
tree.cs,0.00070330304
$ for a in tree rabenseifner; do collsim export --topo switch:ranks=6 --algo $a --size 6MB --format table --out my-$a.cs; collsim --topo switch:ranks=6 --algo $a,my-$a.cs --size 6MB --csv | cut -d, -f4,7; done
wrote my-tree.cs
algorithm,time_s
tree,0.001446
my-tree.cs,0.001446
wrote my-rabenseifner.cs
algorithm,time_s
rabenseifner,0.000846
my-rabenseifner.cs,0.000846
$ collsim export --topo dgx --algo nvls --ranks 2 --format table --out nvls.cs
wrote nvls.cs
note: read back, it may take another time: in table agents are servers beside the ranks, not in switches
$ grep -n '^turn\|^order' tree.cs | head -2; sed 's/^turn 4 0 2/turn 4 0 1/' tree.cs >wrong.cs; collsim --topo switch:ranks=8 --algo wrong.cs; sed 's/^turn 4 0 2/turn 4 0 9/' tree.cs >wrong.cs; collsim --topo switch:ranks=8 --algo wrong.cs; sed 's/^lanes.*/lanes 1000000/' tree.cs >wrong.cs; collsim --topo switch:ranks=8 --algo wrong.cs
12:order 4 7
13:turn 4 0 2
collsim: wrong.cs: place 1 of two lanes; expected a place of each
collsim: wrong.cs:13: place 9 for rank 4 of 8; expected 0 to 3
collsim: wrong.cs: 1000000 lanes of 8 parties; with 'turn' at most 4194304 in all
? 2
$ collsim new ""; collsim new here/.cs
collsim: expected collsim new NAME [--like NAME]
collsim: expected collsim new NAME [--like NAME]
? 2
$ collsim --algo ""
collsim: --algo: the list is empty
? 2

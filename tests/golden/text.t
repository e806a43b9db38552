# An algorithm as text: written by hand, proven over a range of ranks, beside the built-in one.
$ printf '%s\n' 'collective all-reduce' 'blocks p' 'for step in 0..p-2:' '    send block r-step-1 to (r+1)%p; add block r-step-2 from (r-1)%p' 'for step in 0..p-2:' '    send block r-step to (r+1)%p; recv block r-step-1 from (r-1)%p' >ring.cs; collsim check --topo switch: --algo ring.cs --ranks 2-4
algorithm  ranks   size  messages      redundant  redundant  proved
                                   after scatter     copies
---------  -----  -----  --------  -------------  ---------  -------------------------
ring.cs        2  1 GiB         4              -      1 GiB  exactly, by sets of ranks
ring.cs        3  1 GiB        12              -   2.147 GB  exactly, by sets of ranks
ring.cs        4  1 GiB        24              -      3 GiB  exactly, by sets of ranks
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
algorithm  ranks   size  messages      redundant  redundant  proved
                                   after scatter     copies
---------  -----  -----  --------  -------------  ---------  -------------------------
double.cs      8  1 GiB        24              -      7 GiB  exactly, by sets of ranks
$ collsim export --topo switch:ranks=8 --algo double-tree --chunks 32 --size 8MiB --format table --out tree.cs; collsim --topo switch:ranks=8 --algo double-tree,tree.cs --chunks 32 --size 8MiB --csv | cut -d, -f4,7
wrote tree.cs
algorithm,time_s
double-tree,0.00070330304
tree.cs,0.00070430304

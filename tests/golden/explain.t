# An algorithm step by step, as a teacher would draw it.

$ collsim explain --topo switch:ranks=3,bandwidth=10GB/s,latency=1us --algo ring --size 3MB
ring all-reduce of 3 MB on switch, 3 ranks, fp32, model fifo

ring: reduce-scatter, then all-gather, around a ring. At the end every rank ends with the sum of all
vectors.
Each row is the contents of a rank, | separates its chunks; the digits are the ranks that
contributed, - is empty, * marks results that the rank must have at the end. 0>1 +2: rank 0 sends
chunk 2 to rank 1, which reduces it; 0>1 =2: which stores it.

at the start
  rank 0: 0   |0   |0
  rank 1: 1   |1   |1
  rank 2: 2   |2   |2

step 1 of 4   3 messages; so far 3 MB sent, 102 us
  0>1 +2   1>2 +0   2>0 +1
  rank 0: 0   |02  |0
  rank 1: 1   |1   |01
  rank 2: 12  |2   |2

step 2 of 4   3 messages; so far 6 MB sent, 204 us
  0>1 +1   1>2 +2   2>0 +0
  rank 0: 012*|02  |0
  rank 1: 1   |012*|01
  rank 2: 12  |2   |012*

step 3 of 4   3 messages; so far 9 MB sent, 306 us
  0>1 =0   1>2 =1   2>0 =2
  rank 0: 012*|02  |012*
  rank 1: 012*|012*|01
  rank 2: 12  |012*|012*

step 4 of 4   3 messages; so far 12 MB sent, 408 us
  0>1 =2   1>2 =0   2>0 =1
  rank 0: 012*|012*|012*
  rank 1: 012*|012*|012*
  rank 2: 012*|012*|012*

  sent            12 MB           in 12 messages, at most 4 MB by one rank
  simulated       408 us
  closed form     408 us          2(p-1) (alpha + V/p/beta) + (p-1) V/p gamma
  lower bound     401 us          the ranks' own links (10 GB/s link)

memory: contents of the vectors of all ranks
after    time    sent    held by    result   extra  partial  partial  redundant  peak
 step          so far  all ranks  one copy  copies     live    stale             rank
-----  ------  ------  ---------  --------  ------  -------  -------  ---------  ----
    0     0 s     0 B       9 MB       0 B     0 B     9 MB      0 B        0 B  3 MB
    1  102 us    3 MB       9 MB       0 B     0 B     6 MB     3 MB       3 MB  3 MB
    2  204 us    6 MB       9 MB      3 MB     0 B      0 B     6 MB       6 MB  3 MB
    3  306 us    9 MB       9 MB      3 MB    3 MB      0 B     3 MB       6 MB  3 MB
    4  408 us   12 MB       9 MB      3 MB    6 MB      0 B      0 B       6 MB  3 MB

$ collsim explain --topo switch:ranks=4,bandwidth=10GB/s,latency=1us --algo tree
tree all-reduce of 4 MB on switch, 4 ranks, fp32, model fifo

tree: binomial reduce to rank 0, then binomial broadcast. At the end every rank ends with the sum of
all vectors.
Each row is the contents of a rank; the digits are the ranks that contributed, - is empty, * marks
results that the rank must have at the end. 0>1 +: rank 0 sends its vector to rank 1, which reduces
it; 0>1 =: which stores it.

at the start
  rank 0: 0
  rank 1: 1
  rank 2: 2
  rank 3: 3

step 1 of 4   2 messages; so far 8 MB sent, 402 us
  1>0 +   3>2 +
  rank 0: 01
  rank 1: 1
  rank 2: 23
  rank 3: 3

step 2 of 4   1 message; so far 12 MB sent, 804 us
  2>0 +
  rank 0: 0123*
  rank 1: 1
  rank 2: 23
  rank 3: 3

step 3 of 4   1 message; so far 16 MB sent, 1.206 ms
  0>2 =
  rank 0: 0123*
  rank 1: 1
  rank 2: 0123*
  rank 3: 3

step 4 of 4   2 messages; so far 24 MB sent, 1.608 ms
  0>1 =   2>3 =
  rank 0: 0123*
  rank 1: 0123*
  rank 2: 0123*
  rank 3: 0123*

  sent            24 MB           in 6 messages, at most 8 MB by one rank
  simulated       1.608 ms
  closed form     1.608 ms        2 L (alpha + V/beta) + L V gamma, L = ceil(log2 p)
  lower bound     601 us          the ranks' own links (10 GB/s link)

memory: contents of the vectors of all ranks
after      time    sent    held by    result   extra  partial  partial  redundant  peak
 step            so far  all ranks  one copy  copies     live    stale             rank
-----  --------  ------  ---------  --------  ------  -------  -------  ---------  ----
    0       0 s     0 B      16 MB       0 B     0 B    16 MB      0 B        0 B  4 MB
    1    402 us    8 MB      16 MB       0 B     0 B     8 MB     8 MB       8 MB  4 MB
    2    804 us   12 MB      16 MB      4 MB     0 B      0 B    12 MB      12 MB  4 MB
    3  1.206 ms   16 MB      16 MB      4 MB    4 MB      0 B     8 MB      12 MB  4 MB
    4  1.608 ms   24 MB      16 MB      4 MB   12 MB      0 B      0 B      12 MB  4 MB

# What is drawn goes into files.

$ collsim explain --topo switch:ranks=3,bandwidth=10GB/s,latency=1us --out ring.html; head -c 15 ring.html
wrote ring.html
<!DOCTYPE html>
\ no newline at the end

$ collsim explain --topo switch:ranks=3,bandwidth=10GB/s,latency=1us --out ring.svg; grep -c marker-end ring.svg
wrote ring.svg
14

# Reductions are bars, where they take time: two for each rank of a ring of 3.
$ for gamma in '' ,gamma=20GB/s; do collsim explain --topo switch:ranks=3,bandwidth=10GB/s,latency=1us$gamma --out ring.svg --force; grep -c 'class="sum"' ring.svg; grep -c '>reducing<' ring.svg; done
wrote ring.svg
0
0
wrote ring.svg
7
1

# In a GIF arrows are areas with colours of their own: 6 messages are added, 6
# are put in place, of which the 3 of the last step stay for 3 more frames.
# (This gnuplot draws nothing.)
$ mkdir nothing; printf '#!/bin/sh\n' >nothing/gnuplot; chmod +x nothing/gnuplot; PATH=$PWD/nothing:$PATH collsim explain --topo switch:ranks=3,bandwidth=10GB/s,latency=1us --out ring.gif; grep '^set object polygon' ring.gif.gp | grep -o 'fc rgb "#[0-9a-f]*"' | sort | uniq -c; grep -c 'set arrow' ring.gif.gp
collsim: gnuplot could not write all of './ring.gif'; is the disk full?
     15 fc rgb "#0b5fa5"
      6 fc rgb "#b8410b"
0
? 1

$ collsim explain --topo switch:ranks=17,bandwidth=10GB/s,latency=1us
collsim: text takes up to 16 ranks, not 17; --format html, json or svg takes 64
? 2

$ collsim explain --topo switch:ranks=65,bandwidth=10GB/s,latency=1us --format json
collsim: steps are drawn for up to 64 ranks, not 65
? 2

# Blocks that move have their origin beside the set of ranks.
$ collsim explain --topo switch:ranks=49,bandwidth=10GB/s,latency=1us --collective all-to-all --algo bruck --format json
note: all-to-all requires 49 equal blocks: the vector is padded by 84 B
collsim: steps are drawn for up to 48 ranks of an algorithm that moves blocks, not 49
? 2

# The data of the page: messages with their times, then contributions and complete blocks.
$ collsim explain --topo switch:ranks=2,bandwidth=10GB/s,latency=1us --size 2MB --format json | sed -n '/"steps"/,$p'
"steps":[
{"sent":"2 MB","time":"102 us","s":0.000102,"m":[[0,1,1,1,1,1,0,0,102000000,0],[1,0,0,1,0,1,0,0,102000000,0]]},
{"sent":"4 MB","time":"204 us","s":0.000204,"m":[[0,1,0,1,0,0,0,102000000,204000000,0],[1,0,1,1,1,0,0,102000000,204000000,0]]}],
"states":[
[[131073,262145],[131074,262146]],
[[196611,262145],[131074,327683]],
[[196611,327683],[196611,327683]]],
"works":[],
"links":[
["rank0 -\u003e switch (link)","2 MB",0.9804,[0,100000000,102000000,202000000]],
["switch -\u003e rank0 (link)","2 MB",0.9804,[1000000,101000000,103000000,203000000]],
["rank1 -\u003e switch (link)","2 MB",0.9804,[0,100000000,102000000,202000000]],
["switch -\u003e rank1 (link)","2 MB",0.9804,[1000000,101000000,103000000,203000000]]],
"ranks":2,"blocks":2,"sums":true,"places":false,"cells":true
}

$ collsim explain --topo switch:ranks=17,bandwidth=10GB/s,latency=1us --algo ring --format json | grep -A3 '"states"' | cut -c1-60
"states":[
[[17,0],[17,0],[17,0],[17,0],[17,0],[17,0],[17,0],[17,0],[17
[[18,0],[18,0],[18,0],[18,0],[18,0],[18,0],[18,0],[18,0],[18
[[20,0],[20,0],[20,0],[20,0],[20,0],[20,0],[20,0],[20,0],[20

# An agent is named after its device, and the note of a run is printed here too.
$ collsim explain --topo dgx --algo sharp --ranks 2 | grep -E 'S is|switch:' | uniq
note: sharp is hypothetical here: nvswitch is not known to reduce messages in the network, as SHARP does (`reduces: yes` in a machine's file)
chunk 2 to rank 1, which reduces it; 0>1 =2: which stores it. S is a switch.
  switch: -  |-  |-  |-
  switch: 01 |01 |01 |01

$ collsim explain --format htlm
collsim: --format: no format called 'htlm'; did you mean 'html'?
? 2

$ collsim explain --format gif
collsim: a GIF requires a file; give --out FILE.gif
? 2

$ collsim explain --algo ring,tree
collsim: explain draws a single run; give one algorithm, one size and one number of ranks
? 2

$ collsim explain --json --db x.db
{
  "error": "--json belongs to 'collsim run' and has no effect here; leave it out",
  "exit": 2
}
? 2

$ collsim explain --ranks 3 --out nowhere/ring.html
collsim: cannot write 'nowhere/ring.html': No such file or directory
? 2

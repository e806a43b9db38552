# Labs and quizzes: every number is computed by the commands that a lab names.
$ collsim lab
1-latency   Lab 1: latency and bandwidth
2-ring      Lab 2: the ring
3-trees     Lab 3: trees and pipelines
4-machine   Lab 4: the machine decides
5-faults    Lab 5: what a fault costs
$ for i in 1 2 3 4 5; do collsim lab $i | sed -n '/^# Keys/,$p' | grep -v -e '^# Keys' -e '^ ' -e '^$'; done
1. **14.06 us**. 14 steps follow one another, and each waits for the message of the step before: 14
latencies of 1 us. The bytes hardly count.
2. **4.98 times**. 70 us and 14.06 us: a message of 4 kB needs 4 us beside its 1 us of latency. While latency
rules, more bytes are almost free.
3. **recursive-doubling**. The ring takes 14 steps, the tree 6, up and down again, and recursive doubling
3: in each of its steps every rank learns the sum of twice as many. It takes
3.096 us, the ring 14.06 us.
4. **ring**. Now bytes count. A rank of the ring sends 112 MB, one of recursive doubling
192 MB: the whole vector in every step. The ring takes 112 ms, recursive
doubling 192 ms, the tree 384 ms.
1. **112**. 14 steps, in each of which each of the 8 ranks sends one: 2 (p-1) p.
2. **023**. Rank 2 sent chunk 1 to rank 3, which added its own and sent the sum to rank 0: 023. In the next
step rank 1 completes it.
3. **1.25 times**. 24 MB and 30 MB: 2 (p-1)/p of the vector, which never
reaches twice the vector. No algorithm without help of the switch sends fewer: the bound is 30 ms here,
and the ring takes 30.03 ms.
4. **4 times**. 56.01 ms against 14.01 ms: each rank sends 56 MB in place of
14 MB.
1. **4**. The number of ranks with the vector doubles in each step: log2(16) = 4.
2. **2.33 times**. 7 steps of the whole vector against 3: 56.01 ms and 24 ms.
3. **5.87 times**. The last rank has the first chunk after 7 short steps, and one more with each step: 7 + 31 steps of a 32th
of the vector each, 9.538 ms in place of 56.01 ms. More chunks cost more latencies; the best number balances
the two.
4. **chain**. The chain takes 9.538 ms, near the bound of 8.001 ms: while a rank receives a chunk it
sends the one before. Scatter and all-gather take 14.01 ms, as nearly every byte is sent twice, and the
tree 24 ms.
1. **7.99 times**. 112 ms and 14.01 ms: the 8 messages of a step go one after another.
2. **1 times**. 112 ms and 112 ms. Where all share one medium only the bytes in total count, and both send
112 MB: the ring's advantage is that its ranks send at the same time.
3. **8.11 times**. One ring crosses from server to server by one adapter, n0.plx0 -> n0.gpu0 (pcie4 x16); rings over all of them share the
bytes: 5.343 ms and 658.7 us.
4. **dgx**. 84.5 % of the bound on the DGX A100, where one link of a GPU carries all that it can; 30.1 %
on the DGX-1, where a single ring leaves most of a GPU's wires idle.
1. **6.63 times**. 19.6 ms in place of 2.955 ms. The program looks for another ring over what is left; the slowest
link is now cpu1 -> cpu0 (qpi).
2. **2 times**. 28.01 ms in place of 14.01 ms: every chunk passes the slow rank, and all wait for it.
3. **tree**. The ring takes 1.999 x its time, the tree 1.333 x and the naive algorithm 2 x. Rank 3 is
a leaf of the tree: it sends and receives once, while others do so several times.
$ collsim lab latency | sed -n '1,14p;/# Keys/,/explain/p'
# Lab 1: latency and bandwidth

Eight ranks on a switch: a message crosses two links of 0.5 us, so it takes at least 1 us, and a link carries 1 GB/s.
Which of the two rules the time of a collective depends on the size.

## 1. Messages that carry almost nothing

A ring of 8 ranks sums 32 bytes: one number of each rank's chunk travels in a message. How long does it
take? (in us)

## 2. Thousand times the bytes

How many times as long do 32 kB take as 32 bytes?

# Keys

1. **14.06 us**. 14 steps follow one another, and each waits for the message of the step before: 14
latencies of 1 us. The bytes hardly count.

       collsim explain --algo ring --topo switch:ranks=8,bandwidth=1GB/s,latency=0.5us --size 32B
? 0
$ collsim quiz --seed 7
# Quiz on collectives, seed 7

Ranks are on a switch. A message crosses two links, and each has the bandwidth and the latency of the question.

## 1. The fastest

Which all-reduce of 1MB is the fastest for 8 ranks on a switch of 10GB/s and 2us?

- ring
- recursive-doubling
- naive

## 2. A slow rank

Rank 3 of 8 has only 25% of the rate. How many times as long does an all-reduce of 8 MB by tree take, on a
switch of 1GB/s and 1us?

## 3. Time of ring

How long does an all-reduce by ring of 16kB take for 8 ranks on a switch of 10GB/s and 1us? (in us)

## 4. What a chunk holds

In a ring all-reduce of 4 ranks rank r sends its chunk r-1 first. Whose contributions are in chunk 0 of rank
2 after step 1? Write the numbers of the ranks together, as in 012.

## 5. Bytes of tree

How much does the busiest rank send in an all-reduce of 16 MB by tree with 8 ranks? (in MB)

## 6. Steps of scatter-allgather

How many steps does a broadcast by scatter-allgather take for 16 ranks, in one chunk?

## 7. How near to the bound

What share of the lower bound does an all-reduce of 64 MB by naive reach with 16 ranks on a switch of 10GB/s and
1us (lower bound / time)? (in %)

## 8. Memory of recursive-doubling

How many redundant bytes do all ranks together hold after an all-reduce of 8 MB by recursive-doubling with 4 ranks? (in MB)

## 9. Messages of ring

How many messages does an all-reduce by ring of 8 ranks send in all?

## 10. Memory of naive

How many redundant bytes do all ranks together hold after an all-reduce of 8 MB by naive with 8 ranks? (in MB)

# Keys

1. **ring**. The ring takes 231 us, recursive doubling 312 us, the naive algorithm 728 us.

       collsim explain --algo ring --topo switch:ranks=8,bandwidth=10GB/s,latency=2us --size 1MB
       collsim explain --algo recursive-doubling --topo switch:ranks=8,bandwidth=10GB/s,latency=2us --size 1MB
       collsim explain --algo naive --topo switch:ranks=8,bandwidth=10GB/s,latency=2us --size 1MB

2. **2 x**. 96.01 ms; the slowest link is rank3 -> switch (link).

       collsim explain --algo tree --topo switch:ranks=8,bandwidth=1GB/s,latency=1us --size 8MB --fault rank3-switch:rate=25%

3. **30.8 us**. 14 steps, and the busiest rank sends 28 kB.

       collsim explain --algo ring --topo switch:ranks=8,bandwidth=10GB/s,latency=1us --size 16kB

4. **12**. In step s rank r receives chunk r-1-s with the contributions of the s ranks before it, and adds its own; up to then
its chunks hold its own alone.

       collsim explain --algo ring --topo switch:ranks=4,bandwidth=10GB/s,latency=1us --size 840kB

5. **48 MB**. All ranks together send 224 MB.

       collsim explain --algo tree --topo switch:ranks=8,bandwidth=10GB/s,latency=1us --size 16MB

6. **19**. It sends 255 messages and takes 225.5 us at 10 GB/s and 1 us.

       collsim explain --algo scatter-allgather --collective broadcast --topo switch:ranks=16,bandwidth=10GB/s,latency=1us --size 1MB --chunks 1

7. **12.5 %**. The bound is 12 ms and the time 96.03 ms.

       collsim explain --algo naive --topo switch:ranks=16,bandwidth=10GB/s,latency=1us --size 64MB

8. **24 MB**. The proof finds every rank with the whole result, of which one copy is needed.

       collsim explain --algo recursive-doubling --topo switch:ranks=4,bandwidth=10GB/s,latency=1us --size 8MB

9. **112**. In 14 steps.

       collsim explain --algo ring --topo switch:ranks=8,bandwidth=10GB/s,latency=1us --size 1MB

10. **56 MB**. The proof finds every rank with the whole result, of which one copy is needed.

       collsim explain --algo naive --topo switch:ranks=8,bandwidth=10GB/s,latency=1us --size 8MB
? 0
$ collsim quiz --seed 7 --questions 4 --format gift; collsim quiz --seed 18446744073709551615 --questions 1 --format gift --out last.gift
// Quiz on collectives, seed 7

::1. The fastest::[markdown]Which all-reduce of 1MB is the fastest for 8 ranks on a switch of 10GB/s and 2us? { =ring ~recursive-doubling ~naive
#### The ring takes 231 us, recursive doubling 312 us, the naive algorithm 728 us.}

::2. A slow rank::[markdown]Rank 3 of 8 has only 25% of the rate. How many times as long does an all-reduce of 8 MB by tree take, on a switch of 1GB/s and 1us? {#2:0.1
#### 96.01 ms; the slowest link is rank3 -> switch (link).}

::3. Time of ring::[markdown]How long does an all-reduce by ring of 16kB take for 8 ranks on a switch of 10GB/s and 1us? (in us) {#30.8:1.54
#### 14 steps, and the busiest rank sends 28 kB.}

::4. What a chunk holds::[markdown]In a ring all-reduce of 4 ranks rank r sends its chunk r-1 first. Whose contributions are in chunk 0 of rank 2 after step 1? Write the numbers of the ranks together, as in 012. {=12
#### In step s rank r receives chunk r-1-s with the contributions of the s ranks before it, and adds its own; up to then its chunks hold its own alone.}
wrote last.gift
? 0
$ collsim quiz --seed 7 >a; collsim quiz --seed 7 >b; cmp a b; collsim quiz --seed 8 | cmp -s a - || echo another
another
$ collsim lab rings; collsim lab ring --format gft; collsim lab ring --out ring.gif; collsim quiz --seed -1; collsim lab none.md; collsim quiz --questions 65
collsim: no lab called 'rings', nor a file .md; expected 1-latency, 2-ring, 3-trees, 4-machine, 5-faults, quiz
collsim: --format: no format called 'gft'; did you mean 'gift'?
collsim: --out: 'ring.gif' does not end in .md, .markdown, .gift, .html, .htm or .json
collsim: --seed: '-1' is out of range; expected at least 0
collsim: cannot open 'none.md': No such file or directory
collsim: --questions: '65' is out of range; expected 1 to 64
? 2

# A lab of one's own, and its mistakes by line.
$ printf '# Mine\n\nHello.\n\n## One\n\n    p = 4 8\n    a: --ranks {p} --algo ring --size 1MB\n\n**Predict.** How many messages among {p}? `a.messages`\n\n**Explain.** {a.steps} steps, {a.time_s}.\n' >mine.md; collsim lab mine.md
# Mine

Hello.

## 1. One

How many messages among 4?

# Keys

1. **24**. 6 steps, 22.45 us.

       collsim explain --ranks 4 --algo ring --size 1MB
? 0
$ sed 's/a.messages/a.mesages/' mine.md >wrong.md; collsim lab wrong.md; sed 's/a.messages/b.messages/' mine.md >wrong.md; collsim lab wrong.md; sed 's/`a.messages`/none/' mine.md >wrong.md; collsim lab wrong.md; sed 's/--algo ring/--algo rng/' mine.md >wrong.md; collsim lab wrong.md; sed 's/^## .*/text/' mine.md >wrong.md; collsim lab wrong.md; sed 's/a.messages/a.holds 9 0 0/' mine.md >wrong.md; collsim lab wrong.md; sed 's/\*\*Explain.*//' mine.md >wrong.md; collsim lab wrong.md
collsim: wrong.md:5: no result called 'mesages'; did you mean 'messages'?
collsim: wrong.md:5: no run called 'b'; expected a
collsim: wrong.md:5: a question without a key; expected `RUN.time_s` at its end
collsim: wrong.md:8: no algorithm called 'rng' for all-reduce; did you mean 'ring'?
collsim: wrong.md:7: expected 'NAME: OPTIONS' or 'NAME = VALUES' in a task
collsim: wrong.md:5: 'holds 9 0 0'; expected 'holds RANK CHUNK STEP' of 4 ranks, 4 chunks and 6 steps, at most 16 ranks
collsim: wrong.md:5: a task without its reason; expected a paragraph that begins with **Explain.**
? 2

# No question twice; where values are few there are fewer.
$ for s in 4 11 13 29; do collsim quiz --seed $s --format gift | grep -o 'markdown.*{' | sort | uniq -d; done; sed '/p = /d;s/{p}/4/g' mine.md >fixed.md; collsim quiz fixed.md | grep -c '^## '; collsim quiz mine.md --questions 9 --out two.md; rm two.md
note: 1 of 10 questions: the values to draw allow no others
1
note: 2 of 9 questions: the values to draw allow no others
wrote two.md

# What has no effect on a lab is refused, and --json is a format.
$ collsim lab --out all.html; collsim lab --json; collsim lab ring --seed 3; collsim lab ring --questions 3; collsim lab ""; collsim lab ring --json | head -c 26
collsim: options of a lab without its name; expected collsim lab NAME OPTIONS
{
  "error": "options of a lab without its name; expected collsim lab NAME OPTIONS",
  "exit": 2
}
collsim: unknown option '--seed' here; an option of 'collsim run', 'collsim explain', 'collsim why', ...
collsim: unknown option '--questions' here; an option of 'collsim quiz'
collsim: no lab called '', nor a file .md; expected 1-latency, 2-ring, 3-trees, 4-machine, 5-faults, quiz
{"title":"Lab 2: the ring"
\ no newline at the end

# Without JavaScript a lab's page has the questions, and no key.
$ collsim lab ring --out lab.html 2>/dev/null; sed -n '/<noscript>/,/<.noscript>/p' lab.html | grep -c '^## '; sed -n '/<noscript>/,/<.noscript>/p' lab.html | grep -c -i 'keys\|collsim explain'
4
0
? 1

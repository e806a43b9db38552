# The textbook's claims: which hold on which medium, and what holds instead.
$ collsim claims >all.txt; sed '/^redundancy against/,$d' all.txt
p ranks, V bytes each, bandwidth beta; alpha = gamma = 0; measured for p from 2 to 16

  shared bus             one transfer at a time in the whole system, at beta
  half duplex            a port that sends or receives, at beta; a switch with buffers between
  one-port full duplex   a port that sends and receives at beta at once
  mesh                   a link of beta in each direction between every two ranks: p-1 ports
  broadcast medium       one transmission at a time, heard by all
  in-network reduction   full-duplex ports, and a switch that reduces

naive all-reduce sends p(p-1)V
  shared bus             holds
  half duplex            holds
  one-port full duplex   holds
  mesh                   holds
  broadcast medium       no: pV                     0.06667 to 1 times the claim (overhear)
  in-network reduction   no: pV                     0.06667 to 1 times the claim (sharp)
  when: in every unicast medium; where all hear it, or the switch reduces, each vector is sent once

naive all-reduce takes p(p-1)V/beta
  shared bus             holds
  half duplex            no: 2(p-1)V/beta           0.125 to 1 times the claim (naive)
    with odd p           2pV/beta if the switch had no buffer (derived)
  one-port full duplex   no: (p-1)V/beta            0.0625 to 0.5 times the claim (naive)
  mesh                   no: V/beta                 0.004167 to 0.5 times the claim (oneshot)
  broadcast medium       no: pV/beta                0.06667 to 1 times the claim (overhear)
  in-network reduction   no: (1+1/k)V/beta, k chunks 0.004183 to 0.502 times the claim (sharp)
  when: only where the system carries one transfer at a time

a ring phase sends, each rank (p-1)V/p
  shared bus             holds
  half duplex            holds
  one-port full duplex   holds
  mesh                   holds
  broadcast medium       holds
  in-network reduction   holds
  when: always: it is a count; p divides V

a ring phase sends, all ranks (p-1)V
  shared bus             holds
  half duplex            holds
  one-port full duplex   holds
  mesh                   holds
  broadcast medium       holds
  in-network reduction   holds
  when: always: it is a count

a ring phase takes (p-1)V/(p beta)
  shared bus             no: (p-1)V/beta            2 to 16 times the claim (ring)
  half duplex            no: 2(p-1)V/(p beta)       2 times the claim (ring)
    with odd p           2V/beta if the switch had no buffer (derived)
  one-port full duplex   holds
  mesh                   holds
  broadcast medium       no: (p-1)V/beta            2 to 16 times the claim (ring)
  in-network reduction   holds
  when: ports that send and receive at once, no edge of the ring shared; it tends to V/beta for many ranks

ring all-reduce sends, all ranks 2(p-1)V
  shared bus             holds
  half duplex            holds
  one-port full duplex   holds
  mesh                   holds
  broadcast medium       holds
  in-network reduction   holds
  when: two phases of (p-1)V; no element-wise algorithm of unicasts needs less

ring all-reduce takes 2(p-1)V/(p beta)
  shared bus             no: 2(p-1)V/beta           2 to 16 times the claim (ring)
  half duplex            no: 4(p-1)V/(p beta)       2 times the claim (ring)
    with odd p           4V/beta if the switch had no buffer (derived)
  one-port full duplex   holds
  mesh                   holds
  broadcast medium       no: 2(p-1)V/beta           2 to 16 times the claim (ring)
  in-network reduction   holds
  when: as the phase: it tends to 2V/beta, not V/beta

redundant after the reduce-scatter (p-1)V
  shared bus             holds
  half duplex            holds
  one-port full duplex   holds
  mesh                   holds
  broadcast medium       holds
  in-network reduction   holds
  when: stale partial sums, until they are freed

redundant after the all-gather (p-1)V
  shared bus             holds
  half duplex            holds
  one-port full duplex   holds
  mesh                   holds
  broadcast medium       holds
  in-network reduction   holds
  when: p equal copies of the result

redundancy = bytes sent: ring phase (p-1)V
  shared bus             holds
  half duplex            holds
  one-port full duplex   holds
  mesh                   holds
  broadcast medium       holds
  in-network reduction   holds
  when: each received block makes one copy, or one stale sum

redundancy = bytes sent: all-reduce (p-1)V
  shared bus             no: 2(p-1)V                2 times the claim (ring)
  half duplex            no: 2(p-1)V                2 times the claim (ring)
  one-port full duplex   no: 2(p-1)V                2 times the claim (ring)
  mesh                   no: 2(p-1)V                2 times the claim (ring)
  broadcast medium       no: 2(p-1)V                2 times the claim (ring)
  in-network reduction   no: 2(p-1)V                2 times the claim (ring)
  when: fails: two phases are sent and one redundancy is left

redundancy = bytes sent: naive (p-1)V
  shared bus             no: p(p-1)V                2 to 16 times the claim (naive)
  half duplex            no: p(p-1)V                2 to 16 times the claim (naive)
  one-port full duplex   no: p(p-1)V                2 to 16 times the claim (naive)
  mesh                   no: p(p-1)V                2 to 16 times the claim (naive)
  broadcast medium       no: pV                     1.067 to 2 times the claim (overhear)
  in-network reduction   no: pV                     1.067 to 2 times the claim (sharp)
  when: fails: p times the redundancy is sent

redundancy = bytes sent: tree (p-1)V
  shared bus             no: 2(p-1)V                2 times the claim (tree)
  half duplex            no: 2(p-1)V                2 times the claim (tree)
  one-port full duplex   no: 2(p-1)V                2 times the claim (tree)
  mesh                   no: 2(p-1)V                2 times the claim (tree)
  broadcast medium       no: 2(p-1)V                2 times the claim (tree)
  in-network reduction   no: 2(p-1)V                2 times the claim (tree)
  when: fails: every vector goes up and the sum comes down

redundancy = bytes sent: parameter server (p-1)V
  shared bus             no: 2pV                    2.133 to 4 times the claim (ps)
  half duplex            no: 2pV                    2.133 to 4 times the claim (ps)
  one-port full duplex   no: 2pV                    2.133 to 4 times the claim (ps)
  mesh                   no: 2pV                    2.133 to 4 times the claim (ps)
  broadcast medium       no: 2pV                    2.133 to 4 times the claim (ps)
  in-network reduction   no: 2pV                    2.133 to 4 times the claim (ps)
  when: fails: a vector to the server and the sum back, for every worker

ring reduce-scatter takes the minimum time
  shared bus             holds
  half duplex            holds
    with odd p           2V/beta if the switch had no buffer (derived)
  one-port full duplex   holds
  mesh                   no: (p-1)V/(p beta)        1 to 15 times the claim (ring)
  broadcast medium       holds
  in-network reduction   holds
  when: one port a rank, or one medium for all

ring all-reduce takes the minimum time
  shared bus             holds
  half duplex            holds
    with odd p           4V/beta if the switch had no buffer (derived)
  one-port full duplex   holds
  mesh                   no: 2(p-1)V/(p beta)       1 to 15 times the claim (ring)
  broadcast medium       no: 2(p-1)V/beta           1 to 1.875 times the claim (ring)
  in-network reduction   no: 2(p-1)V/(p beta)       1 to 1.868 times the claim (ring)
  when: one port a rank, or one medium for all; not where ranks have more ports, all hear, or the switch reduces

the right all-reduce takes the minimum time
  shared bus             holds
  half duplex            holds
    with odd p           4V/beta if the switch had no buffer (derived)
  one-port full duplex   holds
  mesh                   holds
  in-network reduction   no: (1+1/k)V/beta, k chunks 1.004 times the claim (sharp)
  when: with the algorithm that is optimal on the medium

$ sed -n '/^redundancy against/,/^---/p' all.txt | head -2
redundancy against traffic, 8 ranks on a switch: equal in the phases of least volume,
where each block that is sent makes one copy or one stale sum; nowhere else

$ collsim claims --topo switch:ranks=1
collsim: 'switch:ranks=1' has one rank; claims need at least two
? 2

$ collsim claims --topo ring:ranks=4,bandwidth=1GB/s,latency=0us --csv | head -3
claim,claimed,medium,verdict,correct,algorithm,least_ratio,most_ratio,odd_ranks_unbuffered
naive all-reduce sends,p(p-1)V,"ring:ranks=4,bandwidth=1GB/s,latency=0us",holds,,naive,1,1,
naive all-reduce takes,p(p-1)V/beta,"ring:ranks=4,bandwidth=1GB/s,latency=0us",otherwise,,naive,0.3333333333333333,0.3333333333333333,

# Redundancy equals traffic in the phases of least volume, and nowhere else.

$ collsim claims --redundancy --csv >all.csv; head -1 all.csv; grep -E '^[a-z-]+,(ring|naive|tree|ps),' all.csv
collective,algorithm,sent_per_v,redundant_per_v_after_reduce_scatter,redundant_per_v,sent_per_redundant,equal,why
reduce-scatter,ring,7,7,7,1,true,one phase of least volume
all-gather,ring,7,,7,1,true,one phase of least volume
all-reduce,naive,56,,7,8,false,sends more than two least phases
all-reduce,ring,14,7,7,2,false,"two phases of least volume, one redundancy left"
all-reduce,tree,14,,7,2,false,"two phases of least volume, one redundancy left"
all-reduce,ps,16,,7,2.2857142857142856,false,sends more than two least phases

$ awk -F, '$7 == "true" && ($1 == "allreduce" || $3 != $5)' all.csv

$ awk -F, '$7 == "true" { print $1 }' all.csv | sort -u
all-gather
reduce-scatter

$ collsim claims --redundancy --topo dgx
collsim: --redundancy and --topo cannot be combined: redundancy is the same on every machine
? 2
$ collsim claims --json --csv
{
  "error": "--json and --csv cannot be combined; give one",
  "exit": 2
}
? 2

# Jitter, slow ranks, and many runs of the same.

$ collsim --topo switch:ranks=4,bandwidth=10GB/s,latency=1us --size 1MB --jitter exponential,mean=2us --runs 200 | sed -n '/^Noise/,/^$/p'
Noise, 200 runs; figures above are for the median run
  without noise             162 us        mean with noise 1.136 x
  mean                      184 us        95 % confidence: 183.2 us to 184.7 us
  standard deviation        5.399 us
  min                       172 us
  5th percentile            176.4 us
  median                    183 us
  95th percentile           193.7 us
  99th percentile           196.8 us
  max                       198.7 us

# Run 17 alone is run 17 of many.

$ collsim --topo switch:ranks=4 --size 1MB --jitter pareto,least=1us,shape=1.5 --run 17 --json | grep -E 'time_s|baseline_s'
      "time_s": 0.000132857111,
        "baseline_s": 6.6e-05,

# A ring moves bytes at the rate of its slowest rank; latency stays.

$ collsim --topo switch:ranks=4,bandwidth=10GB/s,latency=1us --size 1MB --straggler rank=2,slow=20% | sed -n '/^Noise/,/^$/p'
Noise or slow ranks, 1 run
  without noise             162 us        with noise 1.185 x

$ collsim --topo switch:ranks=4,bandwidth=10GB/s --size 1MB --algo ring,tree,direct --jitter normal,mean=1us,sd=1us --jitter constant,value=5us@rank --runs 20
all-reduce of 1 MB on switch, 4 ranks, fp32, model fifo

algorithm      time  closed     lower   effi-  algbw  busbw  messages      sent     extra  bottleneck  without        95th
                       form     bound  ciency   GB/s   GB/s            in total  per rank        busy    noise  percentile
---------  --------  ------  --------  ------  -----  -----  --------  --------  --------  ----------  -------  ----------
ring       171.6 us  156 us  150.5 us  87.7 %  5.826  8.739        24      6 MB    250 kB      87.4 %   156 us    174.4 us
tree       414.5 us  404 us  150.5 us  36.3 %  2.413  3.619         6      6 MB      1 MB      48.3 %   404 us    416.8 us
direct     171.1 us  156 us  150.5 us  88.0 %  5.845  8.768        24      6 MB    250 kB      87.7 %   156 us    174.4 us

bottleneck: rank0 -> switch (link)
data flow: verified; every rank ends with the result that all-reduce specifies

$ collsim --jitter exponental,mean=2us
collsim: --jitter: no distribution called 'exponental'; did you mean 'exponential'?
? 2

$ collsim --jitter exponential,mean=2us@lnik
collsim: --jitter: no place of noise called 'lnik'; did you mean 'link'?
? 2

$ collsim --jitter pareto,least=1us,shape=1
collsim: --jitter: shape is at or below 1: '1'; the mean would be infinite
? 2

$ collsim --straggler 3
collsim: --straggler: '3' does not name a straggler; expected rank=3,slow=20% or device=gpu3,slow=20%
? 2

$ collsim --straggler rank=9,slow=10%
collsim: straggler rank=9 is beyond the last rank, 7
? 2

$ collsim --jitter constant,value=1us --fold on
collsim: with jitter or stragglers no two ranks do the same; leave --fold out
? 2

# All that is sent at once passes the slow rank's one port.

$ collsim --topo switch:ranks=8,bandwidth=10GB/s,latency=0us --size 8MB --algo naive,direct,oneshot --straggler rank=3,slow=100% --csv | cut -d, -f4,7
algorithm,time_s
naive,0.0112
direct,0.0028
oneshot,0.0112

$ collsim --runs 100
collsim: --runs requires --jitter or --routing ecmp: without random numbers every run is the same; write --jitter exponential,mean=2us
? 2

$ collsim --straggler rank=1,slow=5% --run 3
collsim: --run requires --jitter or --routing ecmp: without random numbers every run is the same; write --jitter exponential,mean=2us
? 2

$ collsim --link-model loggp --jitter exponential,mean=1us@link
collsim: jitter @link requires a model with links; --link-model loggp has none
? 2

# The times of all runs are kept, and drawn.

$ collsim --topo switch:ranks=4 --size 1MB --jitter exponential,mean=2us --runs 60 --db noise.db --csv | wc -l
2

$ collsim report --db noise.db --out figures --report spread | grep -c spread-switch-all-reduce-1-mb-4-fifo
1

$ sed -n 3,4p figures/spread-switch-all-reduce-1-mb-4-fifo.dat
75.983482 0.016666666666666666 NaN
77.912561 0.03333333333333333 NaN

$ collsim --straggler rank=2,slow=-20%
collsim: --straggler: '-20%' is not a slowdown; expected slow=20% for a rank that takes 1.2 times as long
? 2

$ collsim --topo switch:ranks=4 --size 1MB --jitter pareto,least=1us,shape=1.5 --runs 3 --csv | wc -l
note: a pareto of shape 2 or less has no variance: neither the standard deviation nor the interval of the mean settles with more runs
2

# By device: a rank, or a parameter server, which both may be slow.

$ collsim --topo switch:ranks=4,bandwidth=10GB/s,latency=0us --size 1MB --algo ring,ps --straggler device=rank2,slow=100% --csv | cut -d, -f4,7
algorithm,time_s
ring,0.0003
ps,0.0008

$ collsim --topo pcie-4gpu --size 1MB --algo ps --straggler device=cpu0,slow=100% --csv | cut -d, -f4,7
algorithm,time_s
ps,0.000631511766

$ collsim --topo dgx --straggler device=gup3,slow=10%
collsim: straggler: 'dgx-a100' has no device 'gup3'; did you mean 'gpu3'?
? 2

$ collsim --topo dgx --straggler device=nvswitch,slow=10%
collsim: straggler: no rank is placed on 'nvswitch'; --fault nvswitch:rate=80% slows its links
? 2

$ collsim --topo dgx --straggler device=gpu3
collsim: --straggler: 'device=gpu3' has no slowdown; expected device=gpu3,slow=20%
? 2

# Who is busy posts a receive late: what is held back is so from then on.

$ collsim --topo switch:ranks=2 --link-model loggp --algo tree --size 40kB --loggp L=5ns,o=700ns,g=100ns,G=0.01ns/B,O=0.03ns/B,S=1000B --jitter exponential,mean=500ns --straggler rank=1,slow=30% --csv | cut -d, -f4,7
algorithm,time_s
tree,0.000006585797

$ collsim --jitter expo,mean=1us
collsim: --jitter: no distribution called 'expo'; did you mean 'exponential'?
? 2

# Another order may be the better one.

$ collsim --topo pcie-4gpu --algo bidirectional-ring --size 1MB --jitter exponential,mean=200ns --runs 20 | grep -E '^note|noise|mean'
note: 19 of 20 runs with noise are faster than 162.3 us, the time without noise; the minimum is 152.1 us, and the mean is faster as well: noise changes the order in which messages queue
  parameters                jitter=exponential,mean=200ns
  without noise             162.3 us      mean with noise 0.9622 x
  mean                      156.2 us      95 % confidence: 154 us to 158.7 us

# Heavy tails and few runs: the interval of the mean is not quite what it says.

$ for n in 20 1000; do collsim --topo switch:ranks=4 --size 1MB --jitter pareto,least=1us,shape=2.5 --runs $n | grep -E 'note|^  mean'; done
note: a pareto of shape 3 or less has heavy tails: with 20 runs the interval of the mean may hold it in fewer than 95 % of cases (in 87 to 94 %, where shape 2.5 was tried); --runs 1000 or more
  mean                      80.52 us      95 % confidence: 77.79 us to 85.29 us
  mean                      80.76 us      95 % confidence: 80.41 us to 81.17 us

# The fastest with noise or beside another job is that of all candidates, simulated to the end.

$ for d in '--straggler rank=1,slow=50%' '--jitter exponential,mean=5us --runs 3' '--with all-reduce:size=1MiB'; do for m in dgx-1 'gbe-4' 'dgx --nodes 2'; do for a in any all; do collsim --topo $m --algo $a --size 256KiB $d --no-proof --csv 2>/dev/null | awk -F, 'NR > 1 && $4 !~ /sharp|nvls|collnet|overhear/ && (!t || $7 + 0 < t) { t = $7 + 0; n = $4 } END { print n, t }'; done | uniq | wc -l; done; done | uniq -c | sed 's/^ *//'
9 1

# What ranks hold beside their vectors over time.

$ collsim --topo switch:ranks=4,bandwidth=1GB/s,latency=1us,gamma=1GB/s --algo oneshot --size 4kB --memory held.csv | grep 'peak rank'
wrote held.csv
  peak rank                 8 kB          buffer memory in addition to the vectors

$ sed -n '1p;$p' held.csv
time_s,all_ranks_bytes,peak_rank_bytes
0.000017956864,16000,4000

$ awk -F, 'NR > 1 && $2 > all { all = $2 } NR > 1 && $3 > one { one = $3 } END { print all, one, NR <= 257 }' held.csv
32000 8000 1

# Buffers take the time in which their messages arrive: 3 blocks of a ring, one
# after the other, at each of the 4 ranks; then there is nothing to reduce.
$ collsim --topo switch:ranks=4,bandwidth=1GB/s,latency=1us --algo ring --size 4MB --memory held.txt >held.out; sed -n '4p;$p' held.txt
wrote held.txt
     0 s       4 MB       1 MB
6.006 ms        0 B        0 B

$ collsim --topo switch:ranks=2,bandwidth=1GB/s,latency=1us,gamma=1GB/s --algo ring --size 4kB --memory held.json >held.out && head -6 held.json
wrote held.json
{
  "memory": [
    {
      "time_s": 0,
      "all_ranks_bytes": 0,
      "peak_rank_bytes": 0

$ collsim --topo switch:ranks=2 --algo ring,tree --memory held.csv
collsim: --memory describes a single run; give one algorithm, one size and one number of ranks
? 2

$ collsim --topo switch:ranks=2 --algo ring --memory held.pdf
collsim: --memory: 'held.pdf' does not end in .txt, .text, .json, .csv, .svg or .png
? 2

$ collsim check --topo switch:ranks=2 --algo ring --memory held.csv
collsim: --memory belongs to 'collsim run' and has no effect here; leave it out
? 2

$ collsim --topo switch:ranks=2 --algo ring --fold on --memory held.csv
collsim: --memory requires every rank; leave --fold out
? 2

$ collsim --topo switch:ranks=2 --algo ring --memory nosuch/held.csv
collsim: cannot write 'nosuch/held.csv': No such file or directory
? 2

$ collsim explain --algo ring --ranks 2 --memory vectors.csv >vectors.out && cat vectors.csv
wrote vectors.csv
step,time_s,sent_bytes,held_bytes,result_bytes,copies_bytes,live_partial_bytes,stale_partial_bytes,redundant_bytes,peak_rank_bytes
0,0,0,8000000,0,0,8000000,0,0,4000000
1,0.000011033334,4000000,8000000,4000000,0,0,4000000,4000000,4000000
2,0.000022066668,8000000,8000000,4000000,4000000,0,0,4000000,4000000

$ collsim explain --algo ring --ranks 2 --memory vectors.json >vectors.out && sed -n '1,13p' vectors.json
wrote vectors.json
{
  "memory": [
    {
      "step": 0,
      "time_s": 0,
      "sent_bytes": 0,
      "held_bytes": 8000000,
      "result_bytes": 0,
      "copies_bytes": 0,
      "live_partial_bytes": 8000000,
      "stale_partial_bytes": 0,
      "redundant_bytes": 0,
      "peak_rank_bytes": 4000000

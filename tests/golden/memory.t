# What ranks hold beside their vectors over time.

$ collsim --topo switch:ranks=4,bandwidth=1GB/s,latency=1us,gamma=1GB/s --algo oneshot --size 4kB --memory held.csv | grep 'at the peak'
  at the peak               8 kB          extra: per rank, beside input and output

$ sed -n '1p;$p' held.csv
time_s,all_ranks_bytes,fullest_rank_bytes
0.000017956864,16000,4000

$ awk -F, 'NR > 1 && $2 > all { all = $2 } NR > 1 && $3 > one { one = $3 } END { print all, one, NR <= 257 }' held.csv
32000 8000 1

$ collsim --topo switch:ranks=2,bandwidth=1GB/s,latency=1us,gamma=1GB/s --algo ring --size 4kB --memory held.json >held.out && head -6 held.json
[
  {
    "time_s": 0,
    "all_ranks_bytes": 0,
    "fullest_rank_bytes": 0
  },

$ collsim --topo switch:ranks=2 --algo ring,tree --memory held.csv
collsim: --memory is of one run; say one algorithm, one size and one number of ranks
? 2

$ collsim --topo switch:ranks=2 --algo ring --memory held.pdf
collsim: --memory: 'held.pdf' does not end in .csv, .json, .txt, .svg or .png
? 2

$ collsim check --topo switch:ranks=2 --algo ring --memory held.csv
collsim: --memory belongs to 'collsim run'
? 2

$ collsim --topo switch:ranks=2 --algo ring --fold on --memory held.csv
collsim: --memory needs every rank; leave --fold out
? 2

$ collsim --topo switch:ranks=2 --algo ring --memory nosuch/held.csv
collsim: cannot write 'nosuch/.held.csv.part': No such file or directory
? 2

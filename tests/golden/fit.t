# Parameters of a cost model from logs: fit.  The logs are made here; figures follow estimated parameters and are # signs.

# Times of a DGX A100 whose sizes take 8 % longer.
$ printf '#       size         count      type   redop    root     time   algbw   busbw #wrong\n' >head; collsim --topo dgx --library nccl -b 1K -e 8G -f 2 --csv 2>notes | awk -F, 'FNR == NR { print; next } $1 != "topology" { t = 1.08 * $7; printf "%.0f %.0f float sum -1 %.6g %.2f %.2f 0\n", $6, $6 / 4, 1e6 * t, $6 / t / 1e9, $6 / t / 1e9 * 1.75 }' head - >run.txt; wc -l <run.txt
25
$ collsim fit --from run.txt --topo dgx --out mine.yaml 2>notes | sed -E 's/[0-9.]+ %/#/g; s/[0-9]+\.[0-9]+/#/g; s/^[0-9]+ of/# of/' | sed -n '1,2p; /^mean/,/^# of/p'
nccl on dgx: 24 sizes, 1 table, 1 file
fitted to all-reduce of 1 KiB to 8 GiB on 1 node
mean |ln(measured / predicted)|: # before, # fitted (in sample)
held out, 5 folds: # before, # fitted
noise of a size #, correlation of neighbours #, 0 of 24 sizes are outliers
# of 17 parameters are not identified: the error is that of the prior
? 0
$ grep -cE '^  [A-Z0-9_]+: \{value: [0-9.e-]+( us)?, standard_error: [0-9.e-]+, prior: ' mine.yaml; grep -c '^  - "[0-9a-f]*"$' mine.yaml; sed -n '2,4p' mine.yaml
16
24
profile: 1
library: nccl
machine: "dgx"

# The fit is better than no fit on sizes that it has not seen, and its parameters cover the machine.
$ collsim fit --from run.txt --topo dgx --json 2>notes | awk -F'[:,]' '/"(before|fitted|held_out|held_out_before)":/ && !(1 in done) { v[$1] = $2 } /"parameters"/ { done[1] } END { for (k in v) { n = k; gsub(/[ "]/, "", n); w[n] = v[k] } print (w["held_out"] < w["held_out_before"]), (w["fitted"] < w["before"]) }'
1 1

# Where all sizes take three times as long the rows are off, not noisy.
$ awk 'NR > 1 { $6 *= 3 } { print }' run.txt >three.txt; collsim fit --from three.txt --topo dgx --out three.yaml --json 2>notes | awk -F'[:,]' '/"(before|fitted|held_out)":/ && !($1 in v) { v[$1] = $2 } END { for (k in v) { n = k; gsub(/[ "]/, "", n); w[n] = v[k] } print (w["fitted"] < .6 * w["before"]), (w["held_out"] < .6 * w["before"]) }'
1 1

# The profile is a library in every command.
$ collsim --topo dgx --library mine.yaml -b 1M -e 1M --csv 2>notes | cut -d, -f1,6 | tail -1
dgx-a100,1048576
$ (collsim --topo dgx --library nccl -b 1G -e 1G --csv; collsim --topo dgx --library mine.yaml -b 1G -e 1G --csv) 2>notes | awk -F, '$1 ~ "^dgx" { t[++n] = $7 } END { print (t[2] > 1.02 * t[1]) }'
1
$ collsim tune --topo dgx --library mine.yaml --csv 2>notes | head -1
collective,from_bytes,to_bytes,chosen_algorithm,chosen_protocol,chosen_s,algorithm,protocol,channels,time_s,least_gain,most_gain,verdict
$ collsim train --topo dgx --model resnet50 --library mine.yaml >out 2>&1
? 0
$ collsim validate published --library mine.yaml --csv >out 2>&1
? 0

# A call of another kind than those of the fit has a note.
$ grep -A1 '^calls' mine.yaml; for o in "" "--collective all-gather" "--nodes 2" "--size 8B"; do collsim --topo dgx --library mine.yaml $o 2>&1 >/dev/null | grep 'fitted to other'; done
calls: # behind the values; others have a note
  - {collective: all-reduce, nodes: 1, least: 1024 B, most: 8589934592 B}
note: mine.yaml was fitted to other calls: all-reduce of 1 KiB to 8 GiB on 1 node
note: mine.yaml was fitted to other calls: all-reduce of 1 KiB to 8 GiB on 1 node
note: mine.yaml was fitted to other calls: all-reduce of 1 KiB to 8 GiB on 1 node
$ sed 's/collective: all-reduce/collective: all-redcue/' mine.yaml >bad.yaml; collsim --topo dgx --library bad.yaml
collsim: bad.yaml:46: no collective called 'all-redcue'; did you mean 'all-reduce'?
? 2
$ sed 's/least: 1024 B/least: 1K/' mine.yaml >bad.yaml; collsim --topo dgx --library bad.yaml
collsim: bad.yaml:46: '1K' is ambiguous: write 1 kB (1e3 bytes) or 1 KiB (2^10 bytes)
? 2

# A published all-to-all whose sizes take 3 times as long: the wires have a third of their rate; and with 10 us for each of 7 peers: the work of a peer.
$ a2a() { printf '#       size         count      type   redop    root     time   algbw   busbw #wrong\n'; collsim validate published --points --csv 2>notes | awk -F, -v f=$1 -v a=$2 '$1 == "a100_8x_superbench_alltoall" { t = 1e6 * f * $4 + a; printf "%.0f %.0f float none -1 %.6g 0 0 0\n", $3, $3 / 4, t }'; }; a2a 3 0 >slow.txt; a2a 1 70 >late.txt; for log in slow late; do collsim fit --log $log.txt --topo ndv4 --collective all-to-all --library nccl=2.11.4 --json --out $log.yaml 2>notes | awk -F'[:,]' '/"parameters"/ { exit } /"(before|fitted|held_out)":/ { printf "%s%s", $1, ($2 < .3 ? " below" : " above") " 30 %" } END { print "" }'; awk '/NODE_WIRES|PEER_WORK/ { v = $3 + 0; sub(/.*verdict: /, ""); print (v > .27 && v < .42 ? "1/3" : v > .9 && v < 1.1 ? "1" : v < .1 ? "0 us" : v > 5 && v < 25 ? "about 10 us" : v), $0 }' $log.yaml; done
  "before" above 30 %  "fitted" below 30 %  "held_out" below 30 %
1/3 identified}
0 us not identified}
  "before" above 30 %  "fitted" below 30 %  "held_out" below 30 %
1 identified}
about 10 us identified}

# What all-to-all has taught of the wires is known to all-reduce, and the interval of a call outside of the fit is no narrower.
$ for by in nccl=2.11.4 slow.yaml; do collsim --topo ndv4 --library $by -b 1G -e 1G --csv 2>notes; done | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $1 != "topology" { t[++n] = $at["time_s"]; w[n] = $at["library_call_high_s"] / $at["library_call_low_s"] } END { print (t[2] / t[1] > 2.4 && t[2] / t[1] < 3.6), (w[2] > .999 * w[1]) }'
1 1

# So it is to a plan of a mix.
$ for by in nccl=2.11.4 slow.yaml; do collsim plan --gpus 8 --mix all-reduce:1GiB --node ndv4 --library $by --csv 2>notes; done | awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) at[$i] = i } $1 != "node" { t[++n] = $at["time_s"] } END { print (t[2] / t[1] > 2.4 && t[2] / t[1] < 3.6) }'
1

# Of the few per cent that all-reduce has taught less than half is carried to reduce-scatter; a fit of reduce-scatter would hold whole.
$ sed 's/collective: all-reduce/collective: reduce-scatter/' mine.yaml >scatter.yaml; for by in nccl mine.yaml scatter.yaml; do collsim --topo dgx --library $by --collective reduce-scatter -b 1G -e 1G --csv 2>notes; done | awk -F, '$1 ~ "^dgx" { t[++n] = $7 } END { print (t[3] > 1.02 * t[1]), (t[2] > t[1]), (t[2] - t[1] < .5 * (t[3] - t[1])) }'
1 1 1

# A profile is no test of itself.
$ collsim compare --log run.txt --topo dgx --library mine.yaml 2>&1 | tail -1
collsim: the profile mine.yaml was fitted to 24 of the 24 sizes of the table at line 1; expected another log, or --in-sample
$ collsim compare --log run.txt --topo dgx --library mine.yaml --in-sample 2>&1 | tail -1
in sample: the profile was fitted to 24 of these 24 sizes
$ awk 'NR > 4 { $6 *= 1.01 } 1' run.txt >other.txt; collsim compare --log other.txt --topo dgx --library mine.yaml 2>&1 | tail -1
collsim: the profile mine.yaml was fitted to 3 of the 24 sizes of the table at line 1; expected another log, or --in-sample
$ collsim fit --from run.txt --topo dgx --library mine.yaml 2>&1 | tail -1
collsim: run.txt: line 2: the profile of --library was fitted to this row; expected other logs, or --library nccl
$ collsim validate published --in-sample
collsim: --in-sample is for a profile; expected --library FILE
? 2

# Mistakes.
$ collsim fit --topo dgx
collsim: no log to fit; expected --log FILE, the output of nccl-tests or rccl-tests
? 2
$ collsim fit nowhere --topo dgx
collsim: cannot open 'nowhere': No such file or directory
? 2
$ collsim fit --from run.txt --topo dgx --out mine.yaml
collsim: --out: 'mine.yaml' exists; --force replaces it
? 2
$ collsim fit --from run.txt --topo dgx --out mine
collsim: --out: 'mine' is no name of a profile; expected 'mine.yaml', which --library reads
? 2
$ collsim fit --from run.txt --topo dgx --out nowhere/mine.yaml 2>&1 | tail -1
collsim: cannot write 'nowhere/mine.yaml': No such file or directory
$ collsim fit --from run.txt --topo dgx --library hccl 2>&1 | tail -1
collsim: the model of hccl has no parameters to fit; expected logs of nccl, rccl, mpi or gloo
$ awk 'NR > 1 { $6 *= 1000 } 1' run.txt >slow.txt; collsim fit --from slow.txt --topo dgx 2>&1 | tail -1 | sed -E 's/[0-9.]+e\+03/#/'
collsim: measured times differ from the model's by a factor of # at the median; expected at most 8, as of another --topo, --nodes or --collective
$ sed -n '1,2p' run.txt >one.txt; collsim fit --from one.txt --topo dgx 2>&1 | tail -1
collsim: 1 measured size; expected at least 2 for a fit
$ collsim fit run.txt --log run.txt --topo dgx 2>&1 | tail -1
collsim: run.txt has the rows of run.txt; expected each log once
$ collsim fit --from run.txt --topo mi300x 2>&1 | tail -1
collsim: NCCL runs on GPUs of NVIDIA, and this machine has none; RCCL runs on GPUs of AMD
$ printf 'library: nccl\nparameters:\n  MESH_RAT: {value: 1}\n' >bad.yaml; collsim --topo dgx --library bad.yaml
collsim: bad.yaml:3: no parameter 'MESH_RAT'; did you mean 'MESH_RATE'?
? 2
$ collsim --topo dgx --library nowhere.yaml
collsim: cannot open 'nowhere.yaml': No such file or directory
? 2

# MPI: the log of two nodes whose calls take 20 % longer.
$ printf '# OSU MPI Allreduce Latency Test v7.4\n# Size       Avg Latency(us)\n' >osu.txt; collsim --topo hpc7g --nodes 2 --library mpi -b 1K -e 8M -f 2 --csv 2>notes | awk -F, 'NR > 1 { printf "%.0f %.2f\n", $6, 1.2e6 * $7 }' >>osu.txt; collsim fit --from osu.txt --topo hpc7g --nodes 2 --out host.yaml 2>notes | sed -E 's/[0-9.]+ %/#/g' | sed -n '1p; /^held/p'; sed -n '3p' host.yaml
mpi on cluster:node=hpc7g,nodes=2: 14 sizes, 1 table, 1 file
held out, 5 folds: # before, # fitted
library: mpi
$ collsim --topo hpc7g --nodes 2 --library host.yaml -b 1M -e 1M --csv 2>notes | awk -F, 'NR > 1 { printf "%.0f\n", 1e6 * $7 }' >fitted; awk '$1 == 1048576 { print $2 }' osu.txt | paste - fitted | awk '{ print ($1 / $2 > .95 && $1 / $2 < 1.05) }'
1

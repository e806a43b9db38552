# Comparison with recorded measurements; the figures are in the tests' own.
$ collsim validate --data nothing.jsonl
collsim: cannot open 'nothing.jsonl': No such file or directory
? 2
$ mkdir empty; collsim validate --data empty
collsim: no measurements in empty; run 'make gpu' on a node with a GPU
? 3
$ collsim validate
collsim: no measurements in validate/data; run 'make gpu' on a node with a GPU
? 3
$ echo 'Bus error' >rubbish.jsonl; collsim validate --data rubbish.jsonl
collsim: rubbish.jsonl:1: not a measurement: expected a JSON object
? 2
$ printf '{"collsim_cuda": 1}\n' | head -c 16 >cut.jsonl; collsim validate --data cut.jsonl
collsim: cut.jsonl:1: the line is cut off: a measurement is a JSON object, from '{' to '}'
? 2
$ echo '{"collsim_cuda": 1, "kind": "run", "gpu": "X", "algorithm": "ring", "dtype": "fp32", "transport": "device", "ranks": 2, "bytes": 1024, "channels": 1, "runs": 20, "time_s": 1e-5}' >bare.jsonl; collsim validate --data bare.jsonl
collsim: 'X' is not calibrated: no stream of role put
? 2
# A made-up GPU: 10 GB/s a thread block, 2 us a message, 1 us a slice beyond its
# copy; and a ring that took what it took.
$ awk 'BEGIN { f = "{\"collsim_cuda\": 1, \"kind\": \"%s\", \"gpu\": \"made up\", \"slice_bytes\": 32768, \"threads\": 512, %s}\n"; n = split("put get add copy", roles); for (r = 1; r <= n; r++) for (b = 1; b <= 64; b *= 2) printf f, "stream", sprintf("\"role\": \"%s\", \"slots\": \"device\", \"vectors\": \"device\", \"blocks\": %d, \"bytes\": 1048576, \"vector_bytes\": 1048576, \"time_s\": %.9g", roles[r], b, 1048576 / (1e10 * b)); for (b = 16; b <= 2097152; b *= 2) printf f, "pingpong", sprintf("\"transport\": \"device\", \"ranks\": 2, \"bytes\": %d, \"time_s\": %.9g", b, 2e-6 + (b + (b < 32768 ? b : 32768)) / 1e10 + int((b - 1) / 32768) * 1e-6) }' >made.jsonl; awk 'BEGIN { f = "{\"collsim_cuda\": 1, \"kind\": \"run\", \"gpu\": \"made up\", \"slice_bytes\": 32768, \"threads\": 512, \"algorithm\": \"ring\", \"dtype\": \"fp32\", \"transport\": \"device\", \"ranks\": 4, \"channels\": 4, \"gpus_used\": 1, \"runs\": 20, %s}\n"; for (b = 4096; b <= 16777216; b *= 64) printf f, sprintf("\"bytes\": %d, \"time_s\": %.6g, \"table\": \"15f76937eb8ecb71\"", b, 13e-6 + b / 12e9); printf f, "\"bytes\": 1048576, \"time_s\": 1, \"table\": \"0123456789abcdef\""; printf f, "\"bytes\": 1048576, \"failed\": \"the kernel was stuck\"" }' >runs.jsonl; collsim validate --data made.jsonl
collsim: the data has microbenchmarks only, no run to compare
? 3
$ collsim validate --data made.jsonl --data runs.jsonl --points --csv
gpu,algorithm,setup,ranks,dtype,bytes,measured_s,p10_s,p90_s,event_s,clocks,predicted_s,error,registered,closed_form_s,bound_s,copies,unknown
made up,ring,device,4,fp32,4096,1.33413e-05,,,,,1.23072e-05,-0.07751118706572824,,1.2307200000000001e-05,2.56e-08,,
made up,ring,device,4,fp32,262144,3.48453e-05,,,,,3.16608e-05,-0.09138965656774378,,3.1660799999999993e-05,1.6384e-06,,
made up,ring,device,4,fp32,16777216,0.0014111,,,,,0.0014562912,0.03202551201190573,,0.0014562912,0.0001048576,,
made up,ring,device,4,fp32,1048576,1,,,,,,,,,,,the run used op table 0123456789abcdef; this version of 'ring' has table 15f76937eb8ecb71
made up,ring,device,4,fp32,1048576,,,,,,,,,,,,failed: the kernel was stuck
$ mkdir -p validate/data; cat made.jsonl runs.jsonl >validate/data/made-up.jsonl; collsim validate
GPU      algorithm  setup   sizes        runs  |error|  |error|   error  left  beyond  clocks
                                                median     90 %  median   out      L2  differ
-------  ---------  ------  -----------  ----  -------  -------  ------  ----  ------  ------
made up  ring       device  below 1 MiB     2    9.2 %    9.9 %  -8.4 %     0       0       0
made up  ring       device  from 1 MiB      1    3.2 %    3.2 %   3.2 %     2       0       0

3 runs predicted; left out: 0 skipped, 1 failed, 0 with wrong sums, 0 repeated, 1 others; 0 duplicate lines dropped.
Predictions registered before the run: 0; after the run: 0; changed since: 0.
$ collsim validate --gated
collsim: made up, ring by device, small sizes: 2 runs without a gate in gates.yaml
GPU      algorithm  setup   sizes        runs  |error|  |error|   error  left  beyond  clocks
                                                median     90 %  median   out      L2  differ
-------  ---------  ------  -----------  ----  -------  -------  ------  ----  ------  ------
made up  ring       device  below 1 MiB     2    9.2 %    9.9 %  -8.4 %     0       0       0
made up  ring       device  from 1 MiB      1    3.2 %    3.2 %   3.2 %     2       0       0

3 runs predicted; left out: 0 skipped, 1 failed, 0 with wrong sums, 0 repeated, 1 others; 0 duplicate lines dropped.
Predictions registered before the run: 0; after the run: 0; changed since: 0.
? 2
$ printf 'gates:\n  - {gpu: made up, algorithm: ring, setup: device, sizes: small, runs: 2, median: 20 %%, p90: 30 %%}\n  - {gpu: made up, algorithm: ring, way: device, sizes: large, runs: 1, median: 25 %%, p90: 25 %%}\n' >validate/data/gates.yaml; collsim validate --gated >/dev/null
? 0
$ sed -i 's/runs: 2/runs: 3/' validate/data/gates.yaml; collsim validate --gated >/dev/null
collsim: made up, ring by device, small sizes: 2 predicted runs; the gate expects 3
? 1
$ sed -i 's/runs: 3, median: 20/runs: 2, median: 1/' validate/data/gates.yaml; collsim validate --gated >/dev/null
collsim: made up, ring by device, small sizes: the median |error| is 9.23 %, more than the gate of 1 %
? 1
$ sed -i 's/median: 1 %/median: 20 %/' validate/data/gates.yaml; collsim validate >/dev/null
? 0
$ echo 'gates: []' >validate/data/gates.yaml; collsim validate >/dev/null
collsim: validate/data/gates.yaml:1: 'gates' is empty
? 2
$ rm validate/data/gates.yaml
$ collsim validate predict --data runs.jsonl
collsim: no GPU was calibrated
? 3
$ collsim validate predict --data made.jsonl
collsim: 'made up': the number of resident thread blocks is not calibrated
? 3
# The grid is that of the script that measures: every point once.
$ for b in 2 128; do echo '{"collsim_cuda": 1, "kind": "launch", "gpu": "made up", "blocks": '$b', "time_s": 5e-6}'; done | cat made.jsonl - >whole.jsonl; collsim validate predict --data whole.jsonl --out predicted.jsonl 2>&1 | sed 's/by [^,]*, hash [0-9a-f]*/by COMMIT, hash HASH/'
wrote predicted.jsonl
925 predictions by COMMIT, hash HASH; 600 not calibrated
$ collsim measure cuda --all --with --dry | awk '/ by [0-9]+ from / { split($3, name, /-[0-9]+$/); p = $3; sub(/.*-/, "", p); for (i = 1; i <= NF; i++) { if ($i == "by") f = $(i + 1); if ($i == "from") b = $(i + 1); if ($i == "to") e = $(i + 1) } via = /--transport host/ ? "host" : /--transport copy/ ? "copy" : "device"; s = /--servers device/ ? "device" : "host"; for (; b <= e; b *= f) { printf "%s %s %s %s fp32 %.0f\n", name[1], p, via, s, b; if (/fp16/) printf "%s %s %s %s fp16 %.0f\n", name[1], p, via, s, b } }' | sort -u >plan; sed 's/.*"algorithm": "\([^"]*\)", "transport": "\([^"]*\)", "servers": "\([^"]*\)", "ranks": \([0-9]*\), .*"bytes": \([0-9]*\), "dtype": "\([^"]*\)".*/\1 \4 \2 \3 \6 \5/' predicted.jsonl | sort -u >grid; diff plan grid && wc -l <grid
1496
$ sed -n 's/.*"algorithm": "ring", "transport": "device".*"ranks": 8, .*"bytes": 268435456, "dtype": "fp32", "channels": \([0-9]*\).*/\1/p' predicted.jsonl | xargs
16 1 2 4 8 32
$ collsim measure cuda --all --with --dry | sed -n 's/.* \([a-z]*\)-8 --delay rank=\([0-9]*\),\([0-9]*\)us by 16 from 4096 to 67108864$/\1 \2 \3/p' | sort >late; sed -n 's/.*"algorithm": "\([^"]*\)", .*"bytes": 4096, .*"delay_rank": \([0-9]*\), "delay_s": \([^,]*\), "ends_s": "\([^,"]*,\)\{7\}.*/\1 \2 \3/p' predicted.jsonl | awk '{ print $1, $2, 1e6 * $3 }' | sort | diff - late && cat late
chain 0 20
chain 0 200
chain 7 20
chain 7 200
ring 3 20
ring 3 200

# A file of predictions is not written over.
$ collsim validate predict --data whole.jsonl --out predicted.jsonl
collsim: 'predicted.jsonl' exists; predictions are never overwritten, choose another name
? 2
# Nor is it before what is measured.
$ collsim validate predict --data whole.jsonl --data runs.jsonl 2>&1 >/dev/null | tail -n 1
5 runs are measured already, hence not predicted beforehand

# Rings that take 10 % longer than predicted, trees 10 % less, and what becomes of
# lines that are copied, measured again, skipped, or of one rank.
$ sed -i 's/"commit": "[^"]*"/"commit": "abc1234"/; s/"date": "[^"]*"/"date": "2026-11-22T12:00:00Z"/' predicted.jsonl; sed -n '/"ranks": 4,.*"bytes": \(4096\|65536\|1048576\), "dtype": "fp32"/ { s/"kind": "predicted"/"kind": "run", "runs": 20/; s/12:00:00Z/12:00:01Z/; /"algorithm": "\(ring\|tree\|naive\)", "transport": "device"/p }' predicted.jsonl | awk '{ at = match($0, /"time_s": [^,]*/); t = substr($0, at + 10, RLENGTH - 10); t *= /ring/ ? 1.1 : /tree/ ? 0.9 : 1.05; for (i = 1; i <= (NR == 2 ? 2 : 1); i++) printf "%s\"time_s\": %.6g}\n", substr($0, 1, at - 1), t * (1 + 0.02 * (i - 1)) }' >measured.jsonl; wc -l <measured.jsonl
10
$ mkdir data; { cat predicted.jsonl whole.jsonl measured.jsonl; sed -n '1p; 1s/"ranks": 4/"ranks": 1/p' measured.jsonl; sed -n '1{s/"time_s.*/"skipped": "too long"}/; s/"bytes": [0-9]*/"bytes": 1073741824/; s/"channels": [0-9]*/"channels": 0/p}' measured.jsonl; } >data/all.jsonl; collsim validate --data data
GPU      algorithm  setup   sizes        runs  |error|  |error|   error  left  beyond  clocks
                                                median     90 %  median   out      L2  differ
-------  ---------  ------  -----------  ----  -------  -------  ------  ----  ------  ------
made up  ring       device  below 1 MiB     2   10.0 %   10.0 %  -9.1 %     2       0       0
made up  ring       device  from 1 MiB      1   10.0 %   10.0 %  -9.1 %     1       0       0
made up  tree       device  below 1 MiB     2   11.1 %   11.1 %  11.1 %     0       0       0
made up  tree       device  from 1 MiB      1   11.1 %   11.1 %  11.1 %     0       0       0
made up  naive      device  below 1 MiB     2    5.0 %    5.0 %  -4.8 %     0       0       0
made up  naive      device  from 1 MiB      1    5.0 %    5.0 %  -4.8 %     0       0       0

9 runs predicted; left out: 1 skipped, 0 failed, 0 with wrong sums, 1 repeated, 1 others; 1 duplicate lines dropped.
Predictions registered before the run: 9; after the run: 0; changed since: 0.
Of 9 runs with a registered prediction, 9 were measured by the predicting commit, 9 use the same calibration here.
Of 1525 predicted points, 1515 have no measured line; 1 further points were measured.
The first missing point: ring by device, 8 ranks, fp32, 4096 bytes, 1 channels.
Repeated runs differ by 2.0 % (median), 2.0 % (max).

# Sums that are wrong stand with the lines of steps that failed.
$ sed -n '4s/}$/, "wrong": 7}/p; 5p; 6s/.....$//p' measured.jsonl >data/failed.txt; collsim validate --data data --csv
collsim: data/failed.txt:1: the run has 7 wrong sums
gpu,algorithm,setup,sizes,runs,median_error,p90_error,bias,left_out,copies,copies_runs,clocks_differ,median_gate,p90_gate
made up,ring,device,below 1 MiB,2,0.10000107177445211,0.10000142383723205,-0.09090997667209239,2,,0,0,,
made up,ring,device,from 1 MiB,1,0.1000006316959772,0.1000006316959772,-0.09090961297158218,2,,0,0,,
made up,tree,device,below 1 MiB,2,0.1111116209958688,0.11111296474858208,0.1111116209958688,0,,0,0,,
made up,tree,device,from 1 MiB,1,0.11110966778163878,0.11110966778163878,0.11110966778163878,0,,0,0,,
made up,naive,device,below 1 MiB,2,0.04999936830402266,0.04999987366080448,-0.04761847465148533,0,,0,0,,
made up,naive,device,from 1 MiB,1,0.050000441290687064,0.050000441290687064,-0.04761944788254113,0,,0,0,,
? 1
$ sed -i 's/\("kind": "run.*\)abc1234/\1fffffff/; s/12:00:01Z/11:00:00Z/' data/all.jsonl; rm data/failed.txt; echo '{"collsim_cuda": 1, "kind": "timer", "gpu": "made up", "time_s": 1e-9}' >>data/all.jsonl; collsim validate --data data | grep -E 'Predictions|Of .* runs'
Predictions registered before the run: 0; after the run: 9; changed since: 0.
Of 9 runs with a registered prediction, 0 were measured by the predicting commit, 0 use the same calibration here.

# A rank that starts late: runs that take 10 % longer than predicted.
$ sed -n '/"delay_rank"\|"chain"/ { s/"kind": "predicted"/"kind": "run", "runs": 20/; p }' predicted.jsonl | awk '{ at = match($0, /"time_s": [^,]*/); t = substr($0, at + 10, RLENGTH - 10); printf "%s\"time_s\": %.6g}\n", substr($0, 1, at - 1), 1.1 * t }' | cat whole.jsonl - >delayed.jsonl; collsim validate --data delayed.jsonl | grep -E 'delayed|by a delay'
made up  ring       device, a delayed rank  below 1 MiB     4   10.0 %   10.0 %  -9.1 %     0       0       0
made up  ring       device, a delayed rank  from 1 MiB      4   10.0 %   10.0 %  -9.1 %     0       0       0
made up  chain      device, a delayed rank  below 1 MiB     8   10.0 %   10.0 %  -9.1 %     0       0       0
made up  chain      device, a delayed rank  from 1 MiB      8   10.0 %   10.0 %  -9.1 %     0       0       0
Time added by a delay, in 16 pairs of runs: |error| median 9.6 % of the delay, max 10.0 %

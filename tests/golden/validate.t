# Comparison with recorded measurements; the figures are in the tests' own.
$ collsim validate --data nothing.jsonl
collsim: cannot open 'nothing.jsonl': No such file or directory
? 2
$ mkdir empty; collsim validate --data empty
collsim: no measurements recorded in empty; 'make gpu' on a computer with a GPU makes them
? 3
$ collsim validate
collsim: no measurements recorded in validate/data; 'make gpu' on a computer with a GPU makes them
? 3
$ echo 'Bus error' >rubbish.jsonl; collsim validate --data rubbish.jsonl
collsim: rubbish.jsonl:1: not a measurement, which is a JSON object
? 2
$ echo '{"collsim_cuda": 1, "kind": "run", "gpu": "X", "algorithm": "ring", "dtype": "fp32", "transport": "device", "ranks": 2, "bytes": 1024, "channels": 1, "runs": 20, "time_s": 1e-5}' >bare.jsonl; collsim validate --data bare.jsonl
collsim: 'X' is not calibrated: there is no stream of role put
? 2
# A made-up GPU: 10 GB/s a thread block, 2 us a message, 1 us a slice beyond its
# copy; and a ring that took what it took.
$ awk 'BEGIN { f = "{\"collsim_cuda\": 1, \"kind\": \"%s\", \"gpu\": \"made up\", \"slice_bytes\": 32768, \"threads\": 512, %s}\n"; n = split("put get add copy", roles); for (r = 1; r <= n; r++) for (b = 1; b <= 64; b *= 2) printf f, "stream", sprintf("\"role\": \"%s\", \"slots\": \"device\", \"vectors\": \"device\", \"blocks\": %d, \"bytes\": 1048576, \"vector_bytes\": 1048576, \"time_s\": %.9g", roles[r], b, 1048576 / (1e10 * b)); for (b = 16; b <= 2097152; b *= 2) printf f, "pingpong", sprintf("\"transport\": \"device\", \"ranks\": 2, \"bytes\": %d, \"time_s\": %.9g", b, 2e-6 + (b + (b < 32768 ? b : 32768)) / 1e10 + int((b - 1) / 32768) * 1e-6) }' >made.jsonl; awk 'BEGIN { f = "{\"collsim_cuda\": 1, \"kind\": \"run\", \"gpu\": \"made up\", \"slice_bytes\": 32768, \"threads\": 512, \"algorithm\": \"ring\", \"dtype\": \"fp32\", \"transport\": \"device\", \"ranks\": 4, \"channels\": 4, \"gpus_used\": 1, \"runs\": 20, %s}\n"; for (b = 4096; b <= 16777216; b *= 64) printf f, sprintf("\"bytes\": %d, \"time_s\": %.6g, \"table\": \"031e8a18479fd32e\"", b, 13e-6 + b / 12e9); printf f, "\"bytes\": 1048576, \"time_s\": 1, \"table\": \"0123456789abcdef\""; printf f, "\"bytes\": 1048576, \"failed\": \"the kernel was stuck\"" }' >runs.jsonl; collsim validate --data made.jsonl
collsim: no run was recorded, only microbenchmarks; there is nothing to compare
? 3
$ collsim validate --data made.jsonl --data runs.jsonl --points --csv
gpu,algorithm,way,ranks,dtype,bytes,measured_s,p10_s,p90_s,event_s,clocks,predicted_s,error,registered,closed_form_s,bound_s,copies,unknown
made up,ring,device,4,fp32,4096,1.33413e-05,,,,,1.23072e-05,-0.07751118706572824,,1.2307200000000001e-05,2.56e-08,,
made up,ring,device,4,fp32,262144,3.48453e-05,,,,,3.16608e-05,-0.09138965656774378,,3.1660799999999993e-05,1.6384e-06,,
made up,ring,device,4,fp32,16777216,0.0014111,,,,,0.0014562912,0.03202551201190573,,0.0014562912,0.0001048576,,
made up,ring,device,4,fp32,1048576,1,,,,,,,,,,,"table 0123456789abcdef was run, which is not 'ring' as it is made here (031e8a18479fd32e)"
made up,ring,device,4,fp32,1048576,,,,,,,,,,,,it failed: the kernel was stuck
$ mkdir -p validate/data; cat made.jsonl runs.jsonl >validate/data/made-up.jsonl; collsim validate --db runs.db
GPU      algorithm  way     sizes        runs  |error|  |error|   error  left  of plain  beyond  clocks    gate  gate
                                                median     90 %  median   out    copies      L2  differ  median  90 %
-------  ---------  ------  -----------  ----  -------  -------  ------  ----  --------  ------  ------  ------  ----
made up  ring       device  below 1 MiB     2    9.2 %    9.9 %  -8.4 %     0         -       0       0       -     -
made up  ring       device  from 1 MiB      1    3.2 %    3.2 %   3.2 %     2         -       0       0       -     -

3 runs predicted, 0 skipped, 0 measured again. Predictions written down before the run: 0; after it: 0; changed since: 0.
one slice a channel: 2 runs, |error| median 9.2 %, 90 % below 9.9 %, most 10.1 %
in the GPU's memory: 1 runs, |error| median 3.2 %, 90 % below 3.2 %, most 3.2 %
$ collsim validate --gated
collsim: made up, ring by device, small sizes: 2 runs, and no gate in gates.yaml
GPU      algorithm  way     sizes        runs  |error|  |error|   error  left  of plain  beyond  clocks    gate  gate
                                                median     90 %  median   out    copies      L2  differ  median  90 %
-------  ---------  ------  -----------  ----  -------  -------  ------  ----  --------  ------  ------  ------  ----
made up  ring       device  below 1 MiB     2    9.2 %    9.9 %  -8.4 %     0         -       0       0       -     -
made up  ring       device  from 1 MiB      1    3.2 %    3.2 %   3.2 %     2         -       0       0       -     -

3 runs predicted, 0 skipped, 0 measured again. Predictions written down before the run: 0; after it: 0; changed since: 0.
one slice a channel: 2 runs, |error| median 9.2 %, 90 % below 9.9 %, most 10.1 %
in the GPU's memory: 1 runs, |error| median 3.2 %, 90 % below 3.2 %, most 3.2 %
? 2
$ printf 'gates:\n  - {gpu: made up, algorithm: ring, way: device, sizes: small, runs: 2, median: 20 %%, p90: 30 %%}\n  - {gpu: made up, algorithm: ring, way: device, sizes: large, runs: 1, median: 25 %%, p90: 25 %%}\n' >validate/data/gates.yaml; collsim validate --gated >/dev/null
? 0
$ sed -i 's/runs: 2/runs: 3/' validate/data/gates.yaml; collsim validate --gated >/dev/null
collsim: made up, ring by device, small sizes: 2 runs are predicted, and the gate is about 3
? 1
$ sed -i 's/runs: 3, median: 20/runs: 2, median: 1/' validate/data/gates.yaml; collsim validate --gated >/dev/null
collsim: made up, ring by device, small sizes: the median |error| is 9.23 %, more than the gate of 1 %
? 1
$ sed -i 's/median: 1 %/median: 20 %/' validate/data/gates.yaml; collsim validate --db /nonexistent/runs.db >/dev/null
collsim: cannot open results database '/nonexistent/runs.db': No such file or directory
? 2
$ echo 'gates: []' >validate/data/gates.yaml; collsim validate >/dev/null
collsim: validate/data/gates.yaml:1: 'gates' is empty
? 2
$ rm validate/data/gates.yaml; for i in 1 2; do collsim validate --db twice.db >/dev/null; done; grep -ao 'the kernel was stuck' twice.db | wc -l
1
$ grep -c 'the kernel was stuck' runs.db
1
$ collsim validate predict --data runs.jsonl
collsim: no GPU was calibrated
? 3
$ collsim validate predict --data made.jsonl
collsim: 'made up': how many thread blocks fit is not calibrated
? 3

# Cases of a training job side by side.  Predicted times are tested elsewhere; here they are left out.

$ collsim train --topo dgx --model resnet50 --batch 32 --vary 'bucket-cap=1MiB;25MiB' --csv | cut -d, -f1-4
case,machine,system,ranks
1MiB,dgx,ddp,8
25MiB,dgx,ddp,8

$ collsim train --model resnet50 --batch 32 --case 'one: topo=dgx ranks=1' --case 'all: topo=dgx measured=9000' --json 2>&1 | grep -E '"(case|ranks|fits|measured)'
  "cases": [
      "case": "one",
      "ranks": 1,
      "fits": true,
      "measured_samples_per_s": null,
      "case": "all",
      "ranks": 8,
      "fits": true,
      "measured_samples_per_s": 9000,

# The cases of a scenario file.
$ printf 'topo: dgx\nmodel: resnet50\nbatch: 8\ncase:\n  - "2 GPUs: ranks=2"\n  - "no overlap: no-overlap"\n' >two.yaml; collsim train --scenario two.yaml --cases | cut -c1-25
case        machine  syst
----------  -------  ----
2 GPUs      dgx      ddp 
no overlap  dgx      ddp 

$ collsim train --scenario two.yaml 2>/dev/null | head -1
resnet50 on dgx, 8 x a100, bf16, nccl

$ collsim train --scenario two.yaml --case 'wrong: rank=2' 2>&1 >table.out
collsim: case 'wrong': unknown option '--rank'; did you mean '--ranks'?
? 2

$ collsim train --scenario two.yaml --case 'nested: cases' 2>&1 >table.out
collsim: case 'nested': a case has no --cases
? 2

# Names that begin or end like those of a case are options, or none.
$ for word in m=3 measure=9000 measurer=9000 measured cas=1 scenarios=x case=1 cases=x vary=1 scenario=x; do collsim train --topo dgx --model resnet50 --case "one: $word" 2>&1 | cut -d';' -f1; done
collsim: case 'one': unknown option '--m'
collsim: case 'one': unknown option '--measure'
collsim: case 'one': unknown option '--measurer'
collsim: case 'one': unknown option '--measured'
collsim: case 'one': unknown option '--cas'
collsim: case 'one': unknown option '--scenarios'
collsim: case 'one': a case has no --case
collsim: case 'one': a case has no --cases
collsim: case 'one': a case has no --vary
collsim: case 'one': a case has no --scenario

$ collsim train --scenario two.yaml --case 'negative: measured=-1' 2>&1 >table.out
collsim: case 'negative': measured=-1 is not a number above 0
? 2

$ collsim train --scenario two.yaml --case 'no label'
collsim: --case: 'no label' is not 'LABEL: OPTION=VALUE ...', such as '10 GbE: topo=10gbe-8 ranks=4'
? 2

$ collsim train --topo dgx --model resnet50 --vary 'no-overlap=1;2' 2>&1 >table.out
collsim: case '1': --no-overlap takes no value
? 2
$ collsim train --topo dgx --model resnet50 --vary bucket-cap
collsim: --vary: 'bucket-cap' is not OPTION=VALUE;VALUE, such as bucket-cap=1MiB;25MiB
? 2

$ collsim train --topo dgx --model resnet50 --plot picture.pdf
collsim: --plot: 'picture.pdf' does not end in .svg or .png
? 2

$ collsim train --topo dgx --model resnet50 --plot picture.svg
collsim: no cases to compare; add --case or --vary
? 2

$ touch there.svg; collsim train --scenario two.yaml --plot there.svg
collsim: 'there.svg' exists; --force replaces it, another name keeps it
? 2

$ collsim train --scenario two.yaml --cases --timeline 2>&1 | tail -1
collsim: --timeline and --trace are of a single job; leave --case and --vary out

# The results database: equal options replace.
$ for batch in 8 16 8; do collsim train --topo dgx --model resnet50 --batch $batch --db steps.db >step.out 2>&1 || echo failed; done; ls steps.db
steps.db

# Options of the output alone do not make another row.
$ for output in '' --json --csv --timeline '--force --trace t.json' --trace=u.json '--title picture' --title=picture --db=same.db; do collsim train --topo dgx $output --model resnet50 --db same.db --batch 8 >step.out 2>&1 || cat step.out; done; collsim report --db same.db --out page >step.out; grep -c '^| resnet50 |' page/training.md
1
$ collsim train --topo dgx --model resnet50 --db same.db --batch 16 >step.out 2>&1; collsim report --db same.db --out page --force >step.out; grep -c '^| resnet50 |' page/training.md
2

$ collsim train --topo dgx --model resnet50 --batch 256 --db two.yaml >step.out
note: the compute time is predicted from shares of the data sheet's peaks; --sample-time takes a measured one
collsim: 'two.yaml' is not a results database; the file is unchanged
? 2

$ printf '[%s]' '{"ph":"X","cat":"kernel","name":"gemm","tid":7,"ts":1,"dur":9}' >kernels.json; collsim train --topo dgx --replay kernels.json --db steps.db
collsim: --db keeps predicted steps, not replayed traces; leave it out
? 2

# A faster fabric on which the library decides for the worse.

$ collsim train --model bert-large --vary 'topo=cluster:node=dgx-h100,nodes=2,fabric=rail,bandwidth=7GB/s;cluster:node=dgx-h100,nodes=2,fabric=rail,bandwidth=10GB/s' --csv 2>&1 >/dev/null
note: cluster:node=dgx-h100,nodes=2,fabric=rail,bandwidth=10GB/s: the step is longer than that of cluster:node=dgx-h100,nodes=2,fabric=rail,bandwidth=7GB/s since nccl decides otherwise; decided as there, it would take 51.09 ms

# Hosts are late whether or not a collective hides their time: a smaller batch had more jitter.
$ collsim train --topo cluster:node=oci-gb200,nodes=3,fabric=fat-tree,radix=64,oversubscription=2,bandwidth=3.853GB/s,latency=1.386us --model bert-base --system hybrid-shard --cp 4 --accumulation 2 --vary 'micro-batch=1;2;3;4' --json 2>/dev/null | awk '/"step_s"/ { print ($2 + 0 < before ? "less" : "more"); before = $2 + 0 }' | uniq -c | sed 's/^ *//'
4 more

# Two layers of a stage are gathered at a time.
$ collsim train --topo p5e --model transformer-xl-base --system zero3 --pp 4 --batch 8 2>&1 >/dev/null | grep gathered
note: the two blocks that are gathered at a time are more than sharded parameters save: 3.594 GiB of memory, 3.589 GiB with whole parameters (zero2)

# A smaller batch for which the library decides for the worse.
$ collsim train --topo cluster:node=rtx2080ti,nodes=8,fabric=rail,bandwidth=8.745GB/s,latency=0.472us --model gpt3-1.3b --tp 4 --accumulation 8 --vary 'micro-batch=16;15' 2>&1 >/dev/null
note: 15: the step is longer than that of 16 since nccl decides otherwise; decided as there, it would take 77.64 s

# What no case needs is named, as is what every case has its own value of.

$ collsim train --topo dgx-h100 --model resnet50 --batch 3 --servers 4 --vary "batch=32;64" 2>&1 >/dev/null | grep effect
note: --batch has no effect on these cases
note: --servers has no effect on these cases

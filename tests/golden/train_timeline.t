# The timeline of a training step: in the report, in JSON and as a Chrome trace.  Predicted
# times are tested elsewhere; here they are # signs, and repeated letters are one.

# Buckets of gradients beside the backward pass.
$ collsim train --topo dgx --model resnet50 --batch 32 --timeline 2>/dev/null | sed -n '/^Timeline/,/^Other settings/p' | sed -E '$d; s/ +[0-9.]+ (us|ms|s)\b/ #/g; s/# [0-9.]+ %/# %/; /compute|collectives  [.d]/s/([a-z.-])\1+/\1/g; / stage .*compute /s/b-i/b-/'
Timeline, a column is #
  stage  0   compute      hfb-jo
             colectives  .d.d.d.
  # f forward, b backward, o optimizer, h host, i interference, j jitter, - exposed, d data parallel, . idle

Data parallel collectives          ready       begin         end        size
  bucket 1 # # #    4.098 MB
  bucket 2 # # #    28.88 MB
  bucket 3 # # #    18.14 MB
  copies of buckets # # #    51.11 MB

Use of the step     compute     exposed        idle   colectives
  stage  0 # # # #  # %
  # exposed: a colective and no compute; colectives: al of them; share of compute

# Stages of a pipeline, 1F1B.
$ collsim train --topo dgx -n 4 --model gpt2-xl --system pipeline --global-batch 32 --micro-batch 4 --timeline 2>/dev/null | sed -n '/^Timeline/,/^Figures/p' | sed -E '$d; s/ +[0-9.]+ (us|ms|s)\b/ #/g; s/ +[0-9.]+ %/ %/; s/((compute|collectives) +)[a-z.-]+$/\1#/'
Timeline, a column is #
  stage  0   compute      #
             collectives  #
  stage  1   compute      #
             collectives  #
  stage  2   compute      #
             collectives  #
  stage  3   compute      #
             collectives  #
  # f forward, b backward, o optimizer, h host, s sends, d data parallel, . idle

Data parallel collectives          ready       begin         end        size
  tied embedding # # #           -

Use of the step     compute     exposed        idle   collectives
  stage  0 # # # #  # %
  stage  1 # # # #  # %
  stage  2 # # # #  # %
  stage  3 # # # #  # %
  # exposed: a collective and no compute; collectives: all of them; share of compute

# Unequal stages in their order take another time than the step's closed form.
$ collsim train --topo dgx --model vgg16 --system hybrid --pp 2 --chunks 2 --batch 4 --micro-batch 1 --timeline 2>&1 >/dev/null | grep 'the timeline' | sed -E 's/[0-9.]+ ms/#/g'
note: the timeline ends after #: passes of unequal stages in their order; the step of # is the closed form

# JSON has the spans beside the figures, CSV the spans alone.
$ collsim train --topo dgx --model resnet50 --batch 32 --timeline --json 2>/dev/null | grep -A11 '"timeline"' | sed -E 's/(_s": )[0-9.e-]+/\1#/'
  "timeline": [
    {
      "row": "stage 0",
      "rank": 0,
      "stream": "compute",
      "kind": "host",
      "name": "host",
      "micro_batch": 0,
      "ready_s": #,
      "from_s": #,
      "to_s": #,
      "bytes": null

$ collsim train --topo dgx --model resnet50 --batch 32 --timeline --csv 2>/dev/null | grep bucket | cut -d, -f1-6,10
stage 0,0,collectives,data parallel,bucket 1,0,4098000
stage 0,0,collectives,data parallel,bucket 2,0,28878848
stage 0,0,collectives,data parallel,bucket 3,0,18137216
stage 0,0,collectives,data parallel,copies of buckets,0,51114064

# A rank for each stage, a process for each node.
$ collsim train --topo cluster:node=dgx-h100,nodes=2 --model gpt3-6.7b --system hybrid --tp 8 --pp 2 --global-batch 4 --trace step.json >step.out 2>&1; grep -E '_name"' step.json; tail -2 step.json
{"name":"process_name","ph":"M","pid":1,"tid":0,"args":{"name":"node 0"}},
{"name":"process_name","ph":"M","pid":2,"tid":0,"args":{"name":"node 1"}},
{"name":"thread_name","ph":"M","pid":1,"tid":1,"args":{"name":"rank 0, stage 0: compute"}},
{"name":"thread_name","ph":"M","pid":1,"tid":2,"args":{"name":"rank 0, stage 0: collectives"}},
{"name":"thread_name","ph":"M","pid":2,"tid":3,"args":{"name":"rank 8, stage 1: compute"}},
{"name":"thread_name","ph":"M","pid":2,"tid":4,"args":{"name":"rank 8, stage 1: collectives"}},
"note 1":"a rank for each stage; the other 7 ranks of the stage do the same",
"note 2":"interference and the wait for the slowest rank are drawn behind the passes"}}

$ collsim train --topo cluster:node=dgx-h100,nodes=2 --model gpt3-6.7b --system hybrid --tp 8 --pp 2 --global-batch 4 --trace step.json 2>&1 | tail -1
collsim: 'step.json' exists; --force replaces it, another name keeps it

$ for system in fsdp zero2 dp balanced-dp ps-sync ps-async; do collsim train --topo dgx --model gpt2-small --system $system --batch 8 --trace $system.json >step.out 2>&1; grep -c '"ph":"X"' $system.json | awk '{ print ($1 > 10) }'; done
1
1
1
1
0
0

# A replayed trace beside the measured one.
$ printf '[%s]' '{"ph":"X","cat":"kernel","name":"gemm","tid":7,"ts":1,"dur":9}' >kernels.json; collsim train --topo dgx --replay kernels.json --trace replayed.json 2>/dev/null | head -1; grep -E '"ph":"X"|process_name' replayed.json
kernels.json on dgx, 8 ranks, nccl
{"name":"process_name","ph":"M","pid":1,"tid":0,"args":{"name":"measured"}},
{"name":"process_name","ph":"M","pid":2,"tid":0,"args":{"name":"replayed"}},
{"name":"kernel","cat":"compute","ph":"X","ts":0.000000,"dur":9.000000,"pid":1,"tid":1,"args":{}},
{"name":"kernel","cat":"compute","ph":"X","ts":0.000000,"dur":9.000000,"pid":2,"tid":2,"args":{}}

$ collsim train --topo dgx --replay kernels.json --timeline 2>&1 | tail -1
collsim: --timeline has no effect with --replay, which has the step of the trace; leave it out

$ collsim train --topo dgx --model resnet50 --trace step.svg
collsim: --trace: 'step.svg' does not end in .json
? 2

# Steps of training jobs: collsim train.  Times are those of estimated shares of a data sheet's peaks and of a
# library's cost model, and tested elsewhere; here they are # signs.  Bytes and counts are arithmetic.

# A job with its parts, memory, and what other settings and machines gain.
$ collsim train --topo cluster:node=dgx-h100,nodes=4 --model llama2-7b --system fsdp --batch 2 --recompute selective 2>&1 | sed -E 's/ [0-9.e+-]+ (us|ms|s|%|samples.s|tokens.s)/ # \1/g; s/ +#/ #/g; s/[+][0-9.]+ %/+#/' | sed '/^Other/,$d'
note: the compute time is predicted from shares of the data sheet's peaks; --sample-time takes a measured one
llama2-7b on cluster:node=dgx-h100,nodes=4, 32 x h100, bf16, nccl
  system                    fsdp # PyTorch FSDP full_shard: as zero3, blocks of the model as units
  formula                   m (passes beside 2 all-gathers and a reduce-scatter of each block) + optimizer/d
  ranks                     tensor 1 x context 1 x data 32 x pipeline 1
  network                   ib # InfiniBand, verbs
  parameters of the model   6,738,415,616
  global batch              64 = micro batch 2 x accumulation 1 x data 32

Time
  step # ms # # %: # ms to # ms
  throughput # samples/s
 # tokens/s
  scaling efficiency # % # of as many devices that compute without communication and waits
  model FLOPs # % # of the data sheet's peak
  largest part              compute

Parts of the slowest rank
  forward # ms # # %, compute
  backward # ms # # %, compute
  recomputation # ms # # %, compute
  optimizer # ms # # %, compute
  host # ms # # %, input, loss, calls of the optimizer, hooks of sharded layers
  interference # ms # # %, compute slows beside collectives
  jitter # ms # # %, ranks wait for the slowest
  data parallel # ms # # %, gradients and parameters, exposed
  beside compute # ms # data parallel collectives, hidden

Memory of the peak device
  parameters                0.39 GiB
  gradients                 0.39 GiB
  optimizer                 2.35 GiB
  activations               35.67 GiB
  buffers                   5.25 GiB # library, allocator, buckets or gathered blocks
  all                       44.06 GiB # # % of 80 GiB

Bytes of a step, a direction
  data parallel             39.17 GB # sent by a rank
  a GPU's links             34.27 GB # inside the node
  a network adapter         4.896 GB # each of 8 of a node

Bytes of a step on links, collectives as rings
  nvlink4 x18               34.27 GB # the busiest of 32, # % of the step; all: 2.193 TB
  pcie5 x16                 4.896 GB # the busiest of 96, # % of the step; all: 626.7 GB
  upi2                      0 B
  ib-ndr                    4.896 GB # the busiest of 32, # % of the step; all: 313.3 GB

# Memory of 16 bytes a parameter: 6,738,415,616 x (2 + 2 + 12) / 32.
$ collsim train --topo cluster:node=dgx-h100,nodes=4 --model llama2-7b --system zero3 --json 2>/dev/null | grep -E '"(parameter|gradient|optimizer)_bytes|fits|gpu"'
      "gpu": "h100",
      "parameter_bytes": 421150976,
      "gradient_bytes": 421150976,
      "optimizer_bytes": 2526905856,
      "fits": true,
$ collsim train --topo dgx --model resnet50 --system ddp --json 2>/dev/null | sed -n '/"changes"/,$p' | sed -E '/changes/,/}/s/: [0-9.e+-]+/: #/'
      "changes": {
        "one graph on the device": #,
        "twice the memory rate": #,
        "sharded optimizer (zero1)": #,
        "half the bucket": #
      },
      "figures": null,
      "tensor_sent_bytes": 0,
      "expert_sent_bytes": 0,
      "context_sent_bytes": 0,
      "data_sent_bytes": 89449612,
      "pipeline_sent_bytes": 0,
      "link_bytes": 89449612,
      "adapter_bytes": 0,
      "busiest_link_bytes": {
        "nvlink3 x12": 89449612,
        "pcie4 x16": 0,
        "xgmi-socket": 0
      },
      "all_link_bytes": {
        "nvlink3 x12": 1431193792,
        "pcie4 x16": 0,
        "xgmi-socket": 0
      },
      "model_parameters": 25557032,
      "measured_step_s": null,
      "measured_low_s": null,
      "measured_high_s": null,
      "unlogged_step_s": null,
      "peak_s": null,
      "slower_products_s": null,
      "memory_bound_s": null,
      "launches_s": null,
      "unexplained_s": null
    }
  ]
}
$ collsim train --topo dgx --model gpt2-xl --system zero1 --csv 2>/dev/null | head -1 | tr , '\n' | grep -c .
71

# Degrees, batch, accumulation and Megatron's order of ranks.
$ collsim train --topo cluster:node=dgx-h100,nodes=128 --tp 8 --pp 8 --model llama2-70b --system hybrid --global-batch 1024 2>/dev/null | sed -n '4p;6p'
  ranks                     tensor 8 x context 1 x data 16 x pipeline 8
  parameters of the model   68,976,648,192
$ collsim train --topo dgx --model resnet50 --batch 64 --accumulation 4 2>/dev/null | grep 'global batch'
  global batch              512 = micro batch 16 x accumulation 4 x data 8
$ collsim train --topo gbe-4 --device v100 --model resnet50 --batch 32 --precision fp32 2>/dev/null | sed -n '1p;/largest/p'
resnet50 on gbe-4, 4 x v100, fp32, gloo
  largest part              data parallel

# A measured compute time replaces the prediction: one device takes 32 samples x 10 ms.
$ collsim train --topo dgx --ranks 1 --model resnet50 --batch 32 --sample-time 10ms | grep 'step  '
  step                      320 ms

# Bad input.
$ collsim train
collsim: no model; add --model NAME: resnet50, gpt2-xl, llama2-7b (train --help lists all)
? 2
$ collsim train --model lama2-7b
collsim: no model called 'lama2-7b'; did you mean 'llama2-7b'?
? 2
$ collsim train --model resnet50 --topo dgx-h100 --batch 8 --attention flash-2
collsim: --attention: resnet50 has kernels of its own
? 2

$ collsim train --model llama3-8b --topo dgx-h100 --system fsdp --batch 1 --attention flash2
collsim: --attention: no attention called 'flash2'; did you mean 'flash-2'?
? 2

$ collsim train --model llama2-7b --topo dgx-h100 --recompute-layers 4
collsim: --recompute-layers: expected --recompute full and a transformer
? 2
$ collsim train --model llama2-7b --topo dgx-h100 --system hybrid --pp 8 --recompute full --recompute-layers 5
collsim: --recompute-layers: 5; a stage or chunk has 4 of the 32 layers
? 2
$ collsim train --model resnet50 --dtype fp16
collsim: --dtype belongs to 'collsim run' and has no effect here; expected --precision
? 2
$ collsim train --topo dgx-h100 --model llama3-8b --pp 4 --chunks 2 --accumulation 6 2>&1 | grep idle
note: 6 micro batches do not divide into groups of 4 stages: stages idle, and Megatron-LM refuses to interleave
$ collsim train --model resnet50 --system dpp
collsim: no training system called 'dpp'; did you mean 'ddp'?
? 2
$ for system in DataParallel Horovod gpipe; do collsim train --model resnet50 --system $system; done
collsim: no training system called 'DataParallel'; it is dp here
collsim: no training system called 'Horovod'; it is ddp with --negotiated here
collsim: no training system called 'gpipe'; it is pipeline with --schedule gpipe here
? 2
$ collsim train --topo dgx --model gpt2-small --system DDP 2>/dev/null | sed -n 2p | cut -c1-40
  system                    ddp         
$ collsim train --model llama2-7b --topo cluster:node=dgx-h100,nodes=2 --tp 3
collsim: 16 ranks do not divide over tp 3 x cp 1 x pp 1 = 3; expected 2 or 4
? 2
$ collsim train --model gpt2-xl --topo dgx --tp 2 --global-batch 8
collsim: 25 heads of gpt2-xl do not divide over 2 tensor parallel ranks; expected 1
? 2
$ collsim train --model llama2-7b --topo dgx-h100 --global-batch 4
collsim: a global batch of 4 is smaller than 8 data parallel ranks; expected 8
? 2
$ collsim train --model llama2-7b --topo dgx-h100 --global-batch 12
collsim: a global batch of 12 does not divide over 8 data parallel ranks; expected 8 or 16
? 2
$ collsim train --model llama2-7b --topo dgx-h100 --batch 7 --micro-batch 2
collsim: a batch of 7 for each data parallel rank does not divide into micro batches of 2; expected 1 or 7
? 2
$ collsim train --model llama2-7b --topo dgx-h100 --batch 8 --micro-batch 2 --accumulation 3
collsim: a batch of 8 for each data parallel rank is not micro batch 2 x accumulation 3
? 2
$ collsim train --model gpt2-xl --topo dgx --tp 8 --global-batch 8
collsim: 25 heads of gpt2-xl do not divide over 8 tensor parallel ranks; expected 1
? 2
$ collsim train --model llama2-7b --topo dgx-h100 --pp 4 --chunks 3
collsim: 32 layers of llama2-7b do not divide over 4 stages x 3 chunks; expected other chunks, or --cuts
? 2
$ collsim train --model llama2-7b --topo dgx-h100 --chunks 2
collsim: 2 chunks of a stage need a pipeline of two stages or more
? 2
$ collsim train --model resnet50 --topo dgx-h100 --tp 2
collsim: resnet50 has no layers that tensor and context parallel ranks divide; their degrees must be 1
? 2
$ collsim train --model resnet50 --topo switch:ranks=8,bandwidth=1GB/s,latency=1us
collsim: the GPUs of switch:ranks=8,bandwidth=1GB/s,latency=1us have no known model; name one with --device
? 2
$ collsim train --model llama2-7b --topo dgx --precision fp8
collsim: the GPU a100 has no matrix units for fp8; expected fp32, tf32, fp16, bf16
? 2
$ collsim train --model llama2-7b --topo dgx --device a1000
collsim: no peaks of a GPU called 'a1000'; did you mean 'a100'?
? 2
$ collsim train --model llama2-7b --topo dgx --library ncll
collsim: unknown library 'ncll'; did you mean 'nccl'?
? 2

# Memory exceeded: the report, by how much, and what fits.
$ collsim train --model llama2-7b --topo dgx-h100 2>&1 | grep -E '^  all|auto[)]|^collsim'
note: ddp takes 132.0 of 80 GiB of a device: what follows is the fastest that fits (--system auto); --system ddp keeps it
  all                       34.03 GiB     # 42.5 % of 80 GiB

$ collsim train --model llama2-7b --topo dgx-h100 --system ddp 2>&1 | grep -E '^  all|^collsim'
collsim: 132.02 GiB on the peak device, 52.02 GiB more than the 80 GiB of h100; most are states of the optimizer; fits: sharded parameters (zero3)
  all                       132.02 GiB    # 165.0 % of 80 GiB
$ collsim train --model llama2-70b --topo dgx-h100 --tp 8 --json 2>/dev/null | grep fits
  "error": "158.01 GiB on the peak device, 78.01 GiB more than the 80 GiB of h100; most are states of the optimizer; none of 44 configurations fits the 80 GiB of h100; the smallest takes 130.55 GiB: more ranks, or a GPU with more memory",
      "fits": false,
$ collsim train --model llama2-70b --topo dgx-h100 --tp 8 >/dev/null 2>&1
? 1
$ collsim train --model gpt3-13b --topo dgx --system dp 2>&1 >/dev/null | sed -nE 's/[0-9.]+ (GiB|s|ms)\b/# \1/g; /^collsim/p'
collsim: # GiB on the peak device, # GiB more than the # GiB of a100; most are states of the optimizer; no single change fits; --system auto finds tp 2, cp 1, pp 1, dp 4, micro batch 2, zero3, recomputation none: # GiB, a step of # s
$ collsim train --model llama3-8b --topo dgx-h100 --nodes 8 --framework megatron-bridge=26.06 --system zero1 --global-batch 512 2>&1 >/dev/null | grep -o 'fits: --micro-batch [0-9]*:'
fits: --micro-batch 1:

# Over kernel TCP a faster link gains nothing: the step by RDMA over the same links is that of the RDMA machine.
$ for link in 100gbe 400gbe 100gbe-roce 10gbe; do collsim train --model llama3-8b --topo cluster:node=dgx-h100,nodes=8,link=$link --system fsdp --batch 1 2>&1 | sed -nE "s/^note: (kernel TCP.*) step: .*(such.*\))/$link: \1 \2/p"; done
100gbe: kernel TCP, not the rate of the links, holds the such as link=100gbe-roce)
400gbe: kernel TCP, not the rate of the links, holds the such as link=100gbe-roce)
$ for link in 100gbe 100gbe-roce; do collsim train --model llama3-8b --topo cluster:node=dgx-h100,nodes=8,link=$link --system fsdp --batch 1 --json 2>/dev/null; done >tcp.json; awk '/"step_s"/ {s[n++] = $2 + 0} /RDMA in/ {gain = $NF + 0} END {x = s[0] / gain / s[1]; print (x > .9 && x < 1.1 ? "as" : x) " the machine with RDMA"}' tcp.json
as the machine with RDMA
$ collsim train --model llama3-8b --topo dgx-h100 --sequence 131072 --system fsdp 2>&1 >/dev/null | grep -o 'most are .*(--sequence)'
most are activations of 131072 tokens (--sequence)

$ collsim train --topo dgx --model megatron:
collsim: 'megatron:' names no file; expected megatron:FILE, or arguments
? 2

$ collsim train --topo dgx --model meta-llama/Llama-2-7b-hf
collsim: no model called 'meta-llama/Llama-2-7b-hf'; did you mean 'llama2-7b'?
? 2
$ collsim train --topo dgx --model another/model-9b
collsim: no model called 'another/model-9b'; expected one of 'collsim list train-models', or the config.json of a model
? 2
$ touch model.bin; collsim train --topo dgx --model model.bin
collsim: 'model.bin' does not end in .json or .csv; write its format before the name: huggingface:, megatron: or layers:
? 2
$ collsim train --topo dgx --model huggingfase:config.json
collsim: no format of models called 'huggingfase'; did you mean 'huggingface'?
? 2
$ printf '{"model_type":"llama","num_hidden_layers":2,"hidden_size":null}' >null.json; collsim train --topo dgx --model null.json
collsim: null.json:1: hidden_size is null; expected a value
? 2
$ collsim train --topo rtx6000d --model resnet50
collsim: the peaks of rtx6000d, the GPU of rtx6000d, are not known; name another with --device ('collsim list train-gpus')
? 2

# A framework's options count where the user gives none, and each has its worth.
$ collsim train --topo dgx-h100 --model llama2-7b --framework megatron=core_r0.13 --tp 2 --attention flash-2 --global-batch 32 2>&1 | sed -n '/framework/p; /^Assumptions/,/^$/p' | sed -E 's/[+-][0-9.]+ %/#/; s/ +#/ #/g; s/[+-][0-9.]+ GiB/#/'
note: --framework megatron=core_r0.13: there is no entry of its own; megatron=core_r0.12 counts
  framework                 megatron core_r0.12 # --system zero1 --sequence-parallel --gradients fp32 --attention flash-3 --narrow-inputs --router maps
Assumptions of megatron core_r0.12, and the step without each
  --system zero1 # # #
  --sequence-parallel # # #
  --gradients fp32 # # #
  --narrow-inputs # # #
  --router maps # # #

$ collsim train --topo dgx-h100 --model llama2-7b --framework magatron
collsim: --framework: no framework called 'magatron'; did you mean 'megatron'?
? 2
$ collsim train --topo dgx --model resnet50 --framework torchtitan --system ddp --vary 'framework=torchtitan;pytorch' --csv 2>/dev/null | cut -d, -f1-3
case,machine,system
torchtitan,dgx,ddp
pytorch,dgx,ddp

# A search keeps what the framework's data parallel ranks share; ddp: there is one rank.
$ collsim train --topo dgx-h100 --model llama2-7b --framework megatron --system auto --global-batch 64 2>/dev/null | sed -n '/^Best of/,/states:/p' | grep -owE 'ddp|zero[123]' | sort -u
ddp
zero1
$ collsim train --topo dgx-h100 --model llama2-7b --framework torchtitan --system auto --global-batch 64 2>/dev/null | sed -n '/^Best of/,/states:/p' | grep -owE 'ddp|zero[123]' | sort -u
ddp
zero3

# Options without effect on the job.
$ collsim train --topo dgx --model resnet50 --batch 8 --overlap-gather --recompute selective --server-place byteps --loader-rate 5 2>&1 >/dev/null | grep effect
note: --overlap-gather has no effect on this job (resnet50, ddp)
note: --recompute has no effect on this job (resnet50, ddp)
note: --server-place has no effect on this job (resnet50, ddp)
note: --loader-rate has no effect on this job (resnet50, ddp)
$ collsim train --topo dgx --model gpt2-small --system dp --batch 8 --schedule gpipe --bucket-cap 50MiB --slot-overhead 1ms --first-batch 4 2>&1 >/dev/null | grep effect
note: --schedule has no effect on this job (gpt2-small, dp)
note: --bucket-cap has no effect on this job (gpt2-small, dp)
note: --slot-overhead has no effect on this job (gpt2-small, dp)
note: --first-batch has no effect on this job (gpt2-small, dp)
$ collsim train --topo dgx --model llama2-7b --system zero1 --batch 1 --overlap-gather 2>&1 >/dev/null | grep effect
? 1

$ collsim train --topo dgx --model gpt2-small --system fsdp --processes one 2>&1 >/dev/null | grep effect
note: --processes has no effect on this job (gpt2-small, fsdp)

# The same where degrees are searched; what the search would choose is stated, not without effect.
$ collsim train --topo dgx --model gpt2-xl --system auto --global-batch 64 --channels-first --router fused --early-stop --recompute none --fusion none 2>&1 >/dev/null | grep effect
note: --channels-first has no effect on this job (gpt2-xl, auto)
note: --router has no effect on this job (gpt2-xl, auto)
note: --early-stop has no effect on this job (gpt2-xl, auto)

# Hosts without GPUs, and sequences beside the model's learned positions.
$ collsim train --topo gbe-4 --model resnet50 --device v100 2>&1 >/dev/null | head -1
note: the ranks of gbe-4 are hosts, whose collectives move data through CPUs; a host with a GPU is node:gpu=v100,gpus=1,port=10gbe in a cluster
$ for length in 512 2048; do collsim train --topo dgx --model gpt2-small --sequence $length --json 2>&1 | grep -E 'learned|parameter_bytes'; done
      "parameter_bytes": 248879616,
note: gpt2-small has 1024 learned positions; 1024 are added for a sequence of 2048 tokens
      "parameter_bytes": 250452480,

# Nodes of several kinds: the slowest GPU paces all ranks, and a library of one maker does not join the GPUs of two.
$ for m in dgx-h100+dgx dgx+mi300x; do collsim train --topo cluster:node=$m,nodes=1+1,link=ib-hdr --model gpt2-small --batch 4 2>&1 | sed -n '1p;3p'; done
note: GPUs of several models: each rank computes as a100, the slowest, and has its memory
gpt2-small on cluster:node=dgx-h100+dgx,nodes=1+1,link=ib-hdr, 16 x a100, bf16, nccl
note: GPUs of several models: each rank computes as a100, the slowest, and has its memory
gpt2-small on cluster:node=dgx+mi300x,nodes=1+1,link=ib-hdr, 16 x a100, bf16, gloo
$ collsim train --topo cluster:node=dgx+mi300x,nodes=1+1,link=ib-hdr --model gpt2-small --library nccl
collsim: NCCL runs on GPUs of NVIDIA, and this machine has others, too
? 2

# Rates have all digits before the point.
$ { collsim train --topo dgx --model gpt2-small --batch 64; collsim train --topo dgx --model resnet50 --vary 'batch=256;512'; } 2>/dev/null | grep -c '[0-9]e+0'
0
? 1

# Modules that predict further tokens.
$ collsim train --model resnet50 --topo dgx-h100 --mtp 1
collsim: --mtp: resnet50 predicts no next token
? 2

$ collsim train --model bert-large --topo dgx-h100 --mtp 1
collsim: --mtp: bert-large predicts no next token
? 2

$ collsim train --model deepseek-v3 --topo cluster:node=h800,nodes=256 --framework hai-llm --precision fp8 --pp 16 --ep 64 --micro-batch 1 --global-batch 15360 2>/dev/null | grep -E 'parameters of the model|^  step ' | sed 's/[0-9.]* s /N s /;s/90 %.*//'
  parameters of the model   682,636,472,320  # of a token 38.24 G
  step                      N s       # 

$ collsim train --model deepseek-v3 --topo cluster:node=gb200-nvl72,nodes=4 --ranks 256 --precision bf16 --pp 4 --chunks 4 --micro-batch 1 --accumulation 64 --framework megatron-bridge --ep 64 2>&1 | grep 'do not divide'
note: 61 layers do not divide over 4 stages x 4 chunks: the last chunk has fewer; --cuts sets others

# Scores of attention that are computed again are in memory while their layer runs back.
$ for r in selective full; do collsim train --topo dgx-h100 --nodes 4 --model deepseek-v3 --system pipeline --attention plain --recompute $r --json 2>/dev/null | awk '/activation_bytes/ { printf "%.1f GB\n", $2 / 1e9 }'; done
15.4 GB
13.1 GB

# LoRA: frozen weights have no gradients and no states; modules are named as in the files of frameworks.
$ for lora in '' '--lora q_proj,v_proj' '--lora keys,output,ffn'; do collsim train --topo dgx-h100 --model llama3-8b --framework nemo --global-batch 32 --micro-batch 1 $lora --json 2>/dev/null | awk '/"step_s"/ { step = $2 } /gradient_bytes|optimizer_bytes/ { sum += $2 } END { printf "%.3f s, %.1f GB\n", step, sum / 1e9 }'; done
3.351 s, 28.1 GB
2.546 s, 0.0 GB
2.875 s, 0.0 GB
$ collsim train --topo dgx-h100 --model llama3-8b --lora 16
collsim: --lora: '16'; expected keys, output, ffn, all-linear, or modules (q_proj, linear_qkv)
? 2
$ collsim train --topo dgx-h100 --model resnet50 --lora keys
collsim: --lora: expected a transformer in 16 bits or fewer
? 2

# Documents of a packed sequence attend within.
$ for document in 512 4096 8192; do collsim train --topo dgx-h100 --model llama3-8b --framework nemo --micro-batch 1 --document $document --json 2>/dev/null | awk '/"step_s"/ { printf "%.4f s\n", $2 }'; done
0.7795 s
0.8316 s
0.8913 s
$ collsim train --topo dgx-h100 --model gpt2-xl --document 64
collsim: --document: expected a model of the next token, and --attention flash-2
? 2
$ collsim train --topo dgx-h100 --model llama3-8b --framework nemo --micro-batch 1 --lora keys 2>/dev/null | grep 'of the model'
  parameters of the model   8,030,261,248  # frozen; what adapters hold and send is not counted

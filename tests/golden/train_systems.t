# Systems beside sharded data parallelism.  Times are # signs; counts and bytes are arithmetic.

# The published splits: 8 with 2 on device 0, and 16 in two micro batches with 4 on device 0.
$ collsim train --topo dgx --ranks 3 --model resnet50 --system balanced-dp --global-batch 8 --first-batch 2 2>/dev/null | grep samples.on
  samples on device 0                   2
  samples on another device, most       3
$ collsim train --topo dgx --ranks 3 --model resnet50 --system balanced-dp --global-batch 16 --accumulation 2 --first-batch 4 2>/dev/null | grep -E 'samples.on|global'
  global batch              16 = micro batch 2.667 x accumulation 2 x data 3
  samples on device 0                   2
  samples on another device, most       3
$ collsim train --topo dgx --model resnet50 --system dp --global-batch 7
collsim: a batch of 7 is smaller than 8 devices
? 2
$ collsim train --topo dgx --model resnet50 --system dp --global-batch 9 --accumulation 2
collsim: a global batch of 9 does not divide into 2 micro batches
? 2
$ collsim train --topo dgx --model resnet50 --system dp --global-batch 9 --batch 2
collsim: --global-batch 9 is not that of the other options, 16
? 2
$ collsim train --topo cluster:node=dgx,nodes=2 --model resnet50 --system dp
collsim: DataParallel is one process on one node; the machine has 2 nodes: take ddp, or --ranks 8
? 2

# Parameter servers.
$ collsim train --topo gbe-4 --device v100 --model resnet50 --system ps-async --servers 4 --csv 2>/dev/null | tail -1 | grep -o 'workers=[^;]*\|mean[^;]*'
workers=4
mean staleness in updates=3
$ collsim train --topo gbe-4 --device v100 --model resnet50 --system ps-sync --backup-workers 4
collsim: 4 backup workers of 4 leave none
? 2
$ collsim train --topo gbe-4 --device v100 --model resnet50 --system ps-sync --slow-worker 0.5
collsim: --slow-worker: '0.5' is not a number from 1 to 1000000
? 2
$ collsim train --topo gbe-4 --device v100 --model resnet50 --system ps-sync --server-place byteps --servers 5
collsim: BytePS gains from as many CPU machines as workers, 4, not from 5
? 2

# Photos that the processors of a node decode: 8 threads of 130 a second, 256 photos.
$ collsim train --topo dgx --model resnet50 --batch 32 --loader-workers 8 2>/dev/null | grep -E '^  (step|largest|input)' | sed 's/#.*//; s/ *$//'
  step                      246.2 ms
  largest part              input
  input                     221.1 ms
$ collsim train --topo dgx-1 --model transformer-big --batch 5120 --batch-spread 9 2>&1 | grep jitter
  jitter                    16.53 ms      # 11.0 %, ranks wait for the slowest
$ collsim train --topo dgx-1 -n 1 --model transformer-big --batch 5120 --batch-spread 9 2>&1 >/dev/null | grep effect
note: --batch-spread has no effect on this job (transformer-big, ddp)
$ collsim train --topo dgx-1 --model transformer-big --batch 5120 --batch-spread 101
collsim: --batch-spread: '101' is out of range; expected 1 to 100
? 2
$ collsim train --topo dgx --model resnet50 --batch 32 --loader-workers 8 --loader-rate 0
collsim: --loader-rate: '0' is out of range; expected 1 to 1073741824
? 2
$ collsim train --topo dgx --model resnet50 --batch 32 --loader-workers 400 2>/dev/null | grep -c '^  input'
0
? 1
$ collsim train --topo dgx --model bert-large --batch 32 --loader-workers 8
collsim: --loader-workers: samples of bert-large are no photos; --loader-rate says how many a thread prepares in a second
? 2

# Kernels of a layer: the largest gain of a small model is a graph without the host.
$ collsim train --topo dgx --model gpt2-small --batch 1 2>/dev/null | grep 'one graph' | cut -c1-28
  one graph on the device   
$ for graph in --device-graph ''; do collsim train --topo gb300-nvl72 --ranks 64 --model bert-large --system zero1 --global-batch 1024 $graph 2>&1 | grep -o '^note: hosts, .* the step'; done
note: hosts, which launch kernel by kernel, hold the step
$ collsim train --topo dgx --model gpt2-small --device-graph --fusion compiled 2>/dev/null | grep -c '^  host'
0
? 1
$ collsim train --topo dgx --model gpt2-small --fusion all
collsim: --fusion: no fusion called 'all'; expected hand, none, compiled
? 2

# Variables of 32 bits, kept where nothing is sharded: cast for matrix units, and sums of gradients.
$ for how in '--system ddp --precision fp32' '--system ddp --precision fp32 --accumulation 4' '--system ddp --precision bf16' '--precision bf16 --system zero1'; do for fusion in hand compiled; do collsim train --topo dgx --model llama2-7b $how --fusion $fusion --json 2>/dev/null | grep -m1 '"step_s"'; done | tr -d , | awk '{ s[NR] = $2 } END { print (s[2] > s[1] ? "longer" : "equal") }'; done
equal
longer
longer
equal

# One process for a node: rows of the embedding through device 0, launches in turn.
$ for how in '' '--negotiated' '--by-tensor' '--gathered-rows' '--gathered-rows --processes one' '--blocking-collectives' '--blocking-collectives --processes in-turn'; do collsim train --topo dgx --model gpt2-small $how --json 2>/dev/null | grep -m1 '"step_s"'; done | tr -d , | awk 'NR == 1 { plain = $2 } { print ($2 > plain ? "longer" : "plain") }'
plain
longer
longer
longer
longer
longer
longer
$ collsim train --topo dgx --model gpt2-small --processes two
collsim: --processes: no processes called 'two'; expected each, one, in-turn
? 2

$ collsim train --topo dgx-1 --model gpt2-small --fusion none --precision bf16
collsim: the GPU v100 has no matrix units for bf16; expected fp32, fp16
? 2

# Layer splits and pipelines.
$ collsim train --topo dgx --ranks 2 --model resnet50 --system pipeline --batch 120 --micro-batch 12 --precision fp32 --sample-time 11.17ms --slot-overhead 7.86ms | grep -E 'ranks  |global|fastest split|in flight' | sed 's/ [0-9.]* ms/ # ms/'
  ranks                     tensor 1 x context 1 x data 1 x pipeline 2
  global batch              120 = micro batch 12 x accumulation 10 x data 1
  micro batches in flight, stage 0      2
  micro batches in flight, last stage   1
  m of the fastest split                6
  step of the fastest split             # ms
$ collsim train --topo dgx --ranks 4 --model resnet50 --system mp --batch 32 --cuts 4,8,14 2>/dev/null | grep -E 'ranks  |global'
  ranks                     tensor 1 x context 1 x data 1 x pipeline 4
  global batch              32 = micro batch 32 x accumulation 1 x data 1
? 0
$ collsim train --topo dgx --ranks 2 --model resnet50 --system mp --cuts 20
collsim: cut 20 is not between 1 and 17: resnet50 has 18 blocks, and cuts rise
? 2
$ collsim train --topo dgx --ranks 2 --model resnet50 --system mp --cuts 4,x
collsim: --cuts: cuts '4,x' are not up to 128 block numbers with commas between them, such as 8 or 5,9,14
? 2
$ collsim train --topo dgx --ranks 4 --model gpt2-small --system pipeline --schedule gpipe --chunks 2
collsim: 12 layers of gpt2-small do not divide over 4 stages x 2 chunks; expected other chunks, or --cuts
? 2

# The search: all products of degrees at the global batch; none fits; MindSpore's modes.
$ collsim train --topo cluster:node=dgx,nodes=2 --model llama2-7b --system auto --global-batch 64 2>/dev/null | sed -n '/^Best/,/states:/p' | sed 's/, .*//' | cut -c1-60 | sed 's/^ *\([0-9]*\)  .*/\1/'
Best of 778 configurations: 83 exceed the memory

1
2
3
4
5
6
7
8
9
10
$ collsim train --topo cluster:node=dgx,nodes=2 --model llama2-7b --system auto --global-batch 64 --tp 4 --csv 2>/dev/null | tail -n +2 | cut -d, -f9 | sort | uniq -c
      3 4
$ for system in auto hybrid-shard; do collsim train --topo cluster:node=ascend910,nodes=2 --model gpt2-xl --system $system --global-batch 32 --micro-batch 2 --recompute full --json 2>/dev/null | grep -m1 step_s; done | sort -u | grep -c .
1
$ collsim train --topo dgx --model gpt2-xl --system auto --global-batch 32 --json 2>/dev/null | grep -E '"(states|recompute)"' | sort -u
      "recompute": "none",
      "states": "ddp",
      "states": "zero1",
      "states": "zero3",
$ collsim train --topo dgx --model gpt2-xl --system auto --global-batch 32 --micro-batch 2 --recompute full --recompute-layers 7 2>/dev/null | grep -c ' 2 x .* full '
3
$ collsim train --topo dgx --model gpt2-xl --system auto --global-batch 32 --micro-batch 3 --csv
collsim: no degrees of 8 ranks divide the model gpt2-xl and a global batch of 32 with the settings given
? 2
$ collsim train --topo dgx --model llama3-405b --system auto
collsim: none of 544 configurations fits the 80 GiB of a100; the smallest takes 762.89 GiB: more ranks, or a GPU with more memory
? 1
$ collsim train --topo dgx --model llama2-7b --system auto --cuts 3
collsim: auto divides layers evenly; leave --cuts out, or take pipeline
? 2
$ collsim train --topo dgx --model resnet50 --system stand-alone
collsim: stand-alone is one device; the machine has 8: add --ranks 1, or take data-parallel
? 2
$ collsim train --topo ascend910 --ranks 1 --model resnet50 --system stand-alone --batch 32 2>/dev/null | grep -E 'data parallel  |ranks  '
  ranks                     tensor 1 x context 1 x data 1 x pipeline 1
$ collsim train --topo dgx --model llama2-7b --system data-parallel --tp 2
collsim: data-parallel copies the whole model to each device; take hybrid for other degrees
? 2

# Gradients that move after the backward pass are beside no compute.
$ for option in --no-overlap ''; do collsim train --topo dgx --model resnet50 $option 2>/dev/null | grep -c 'beside compute '; done
0
1

# Options from a file; later options override, and errors name the line.
$ printf 'about: two GPUs\ntopo: dgx\nranks: 2\nmodel: resnet50\nbatch: 32\nno-overlap: true\n' >job.yaml; collsim train --scenario job.yaml --batch 16 2>/dev/null | grep -E 'ranks  |global'
  ranks                     tensor 1 x context 1 x data 2 x pipeline 1
  global batch              32 = micro batch 16 x accumulation 1 x data 2
$ printf 'topo: dgx\nmodel: resnet50\nno-overlap: no\nsequence-parallel: yes\n' >job.yaml; collsim train --scenario job.yaml 2>&1 | grep effect
note: --sequence-parallel has no effect on this job (resnet50, ddp)
$ mkdir beside; printf '{"model_type":"gpt2","n_embd":768,"n_layer":2,"n_head":12,"vocab_size":50257,"n_positions":1024}' >beside/tiny.json; printf 'topo: dgx\nmodel: tiny.json\n' >beside/job.yaml; collsim train --scenario beside/job.yaml 2>/dev/null | head -1
beside/tiny.json on dgx, 8 x a100, bf16, nccl
$ printf 'topo: dgx\nno-overlap: maybe\n' >bad.yaml; collsim train --scenario bad.yaml
collsim: --scenario: bad.yaml:2: no-overlap is 'maybe'; expected true or false
? 2
$ printf 'topo: dgx\nmodle: resnet50\n' >bad.yaml; collsim train --scenario bad.yaml
collsim: --scenario: bad.yaml:2: unknown option '--modle'; did you mean '--model'?
? 2
$ printf 'topo: dgx\nbatch: many\n' >bad.yaml; collsim train --scenario bad.yaml
collsim: --scenario: bad.yaml:2: --batch: 'many' is not a whole number
? 2
$ printf 'topo: dgx\ncuts: [1, 2]\n' >bad.yaml; collsim train --scenario bad.yaml
collsim: --scenario: bad.yaml:2: cuts is a list; expected a text
? 2
$ printf 'scenario: bad.yaml\n' >bad.yaml; collsim train --scenario bad.yaml
collsim: --scenario: bad.yaml:1: a scenario does not include other scenarios
? 2
$ printf -- '- topo\n' >bad.yaml; collsim train --scenario bad.yaml
collsim: --scenario: bad.yaml:1: a scenario is a list; expected a map of 'key: value'
? 2
$ collsim train --scenario nosuch.yaml
collsim: --scenario: cannot open 'nosuch.yaml': No such file or directory
? 2

# Micro batches and a measured time that cannot be.
$ collsim train --topo dgx --model llama2-7b --global-batch 16 --accumulation 16
collsim: a batch of 2 for each data parallel rank does not divide into 16 micro batches (--accumulation); expected 2
? 2
$ collsim train --topo dgx --model llama2-7b --batch 16 --accumulation 3
collsim: a batch of 16 for each data parallel rank does not divide into 3 micro batches (--accumulation); expected 2 or 4
? 2
$ collsim train --topo dgx --model llama2-7b --system fsdp --sample-time 1ms 2>&1 >/dev/null
note: --sample-time is 563 times as fast as the peak of a100: the sample, the unit or the GPU may be another

# A mixture of experts on eight GPUs: a rank has an eighth of the experts, 45,097,156,608 / 8, and the rest,
# 1,605,636,096; tokens travel in six all-to-alls of 8 x 4,096 x 2 copies x 4,096 x 2 bytes x 7/8 in each of 32 layers.
$ collsim train --topo dgx-h100 --model mixtral-8x7b --ep 8 --batch 8 --recompute full --json 2>/dev/null | grep -E '"(expert|expert_tensor|imbalance|parameter_bytes|expert_sent_bytes)"'
      "expert": 8,
      "expert_tensor": 1,
      "imbalance": 1,
      "parameter_bytes": 14485561344,
      "expert_sent_bytes": 90194313216,
$ collsim train --topo cluster:node=dgx-h100,nodes=8 --model mixtral-8x7b --system zero1 --pp 4 --ep 8 --global-batch 256 2>/dev/null | grep -E 'ranks  |experts  |parameters of' | sed -E 's/ [0-9.]+ ms +# +[0-9.]+/ # ms # #/'
  ranks                     tensor 1 x context 1 x data 16 x pipeline 4
  parameters of the model   46,702,792,704  # of a token 12.88 G
  experts                   8, of a token 2: expert 8 x expert tensor 1 x copies 2  # balanced: every expert has as many tokens
  experts                   # ms # # %, tokens to their experts and back
  experts                   28 GiB        # sent by a rank of stage 1, which sends the most
$ collsim train --topo cluster:node=dgx-h100,nodes=8 --model mixtral-8x7b --system zero1 --pp 4 --ep 8 --imbalance 1.2 --global-batch 256 2>/dev/null | grep -E 'busiest rank'
  experts                   8, of a token 2: expert 8 x expert tensor 1 x copies 2  # the busiest rank has 1.2 times the mean of tokens
$ collsim train --topo cluster:node=dgx-h100,nodes=8 --model mixtral-8x7b --system auto --global-batch 256 2>/dev/null | grep -E ' ep ' 
   #  step        tp  cp  pp   dp  ep   v  micro batch  recompute  states            memory  # largest loss
  states: --system; tp with --sequence-parallel, ep above 1 with --etp 1; v: --chunks
$ collsim train --topo cluster:node=dgx-h100,nodes=8 --model 'megatron:--num-layers 32 --hidden-size 4096 --ffn-hidden-size 14336 --num-attention-heads 32 --seq-length 4096 --swiglu --disable-bias-linear --untie-embeddings-and-output-weights --group-query-attention --num-query-groups 8 --vocab-size 32000 --position-embedding-type rope --use-mcore-models --num-experts 8 --expert-model-parallel-size 8 --pipeline-model-parallel-size 4 --micro-batch-size 1 --global-batch-size 256 --use-distributed-optimizer' 2>/dev/null | sed -n '6,7p'
  parameters of the model   46,702,792,704  # of a token 12.88 G
  experts                   8, of a token 2: expert 8 x expert tensor 1 x copies 2  # balanced: every expert has as many tokens
$ collsim train --topo dgx-h100 --model mixtral-8x7b --ep 3
collsim: 8 experts of mixtral-8x7b do not divide over --ep 3 ranks; expected 2 or 4
? 2
$ collsim train --topo dgx-h100 --model mixtral-8x7b --ep 4 --etp 4
collsim: the 8 ranks of a stage do not divide over --ep 4 x --etp 4
? 2
$ collsim train --topo dgx-h100 --model mixtral-8x7b --tp 2 --ep 4 --global-batch 8
collsim: --ep and --etp with --tp 2 send each token from one rank; add --sequence-parallel
? 2
$ collsim train --topo dgx-h100 --model llama3-8b --ep 2
collsim: --ep, --etp: llama3-8b has no experts; expected a mixture of experts, as mixtral-8x7b
? 2
$ collsim train --topo dgx-h100 --model llama3-8b --imbalance 1.5
collsim: --imbalance: llama3-8b has no experts
? 2
$ collsim train --topo dgx-h100 --model mixtral-8x7b --ep 8 --imbalance 100
collsim: --imbalance: the busiest rank has at most 4 times the mean, as a token has 2 of 8 experts
? 2
$ collsim train --topo dgx-h100 --model mixtral-8x7b --system zero3 --imbalance 2 2>&1 | grep effect
note: --imbalance has no effect on this job (mixtral-8x7b, zero3)
$ collsim train --topo dgx-h100 --model mixtral-8x7b --imbalance 0.5
collsim: --imbalance: '0.5' is not a number from 1 to 1000
? 2
$ collsim train --topo dgx-h100 --model mixtral-8x7b --system ps-sync --ep 8
collsim: each worker of parameter servers holds the whole model; tensor, context, pipeline and expert degrees must be 1
? 2
$ echo '{"model_type":"qwen3_moe","hidden_size":2048,"num_hidden_layers":48,"num_attention_heads":32,"num_key_value_heads":4,"head_dim":128,"intermediate_size":6144,"vocab_size":151936,"max_position_embeddings":4096,"num_experts":128,"num_experts_per_tok":8,"moe_intermediate_size":768,"decoder_sparse_step":2}' >sparse.json; collsim train --model sparse.json --topo dgx --system zero3 2>/dev/null | grep 'parameters of the'
  parameters of the model   16,936,286,208  # of a token 3.347 G
$ echo '{"model_type":"gemma3","text_config":{"hidden_size":2560,"intermediate_size":10240,"num_hidden_layers":34},"vision_config":{}}' >gemma3.json; collsim train --model gemma3.json --topo dgx-h100 --system zero3 2>&1 | grep -E '^note: (gemma|a seq)|parameters of the'
note: gemma3: the language model alone (text_config); encoders of pictures and sound and what joins them are left out; sizes that the file lacks are those of Transformers: num_attention_heads 8, num_key_value_heads 4, vocab_size 262208, head_dim 256
note: a sequence of 8192 tokens; gemma3.json takes up to 131072, by --sequence
  parameters of the model   3,880,263,168
$ sed 's/step":2/step":1/' sparse.json >qwen3.json; collsim train --model qwen3.json --topo dgx-h100 --system zero3 --ep 8 --json 2>/dev/null | grep parameter_bytes
      "parameter_bytes": 7633030656,
$ collsim train --topo cluster:node=dgx-h100,nodes=8 --model mixtral-8x7b --system zero1 --pp 4 --ep 2 --global-batch 256 --sequence 5120 --json 2>/dev/null | grep -o 'experts on .* ranks'
experts on twice the ranks
$ for ranks in 512 576; do collsim train --topo cluster:node=gb200-nvl72,nodes=8 --ranks $ranks --model llama3-8b --system zero3 --batch 1 2>&1 | grep 'note: 5'; done; collsim train --topo cluster:node=dgx-h100,nodes=13 --ranks 100 --model llama3-8b --system zero3 --batch 1 2>&1 | grep 'note: 100'
note: 512 GPUs are 64 of the 72 of each of 8 gb200-nvl72, as schedulers place segments (--segment)
note: 100 GPUs are on 13 dgx-h100, which have 104

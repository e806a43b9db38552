# Measured traces on other machines: collsim train --replay; and models from files.  Predicted times are those of a
# library's cost model, tested elsewhere; here they are # signs.

# A trace of two kernels, an all-reduce beside the second, one behind, and the optimizer.
$ k() { printf '{"ph":"X","cat":"kernel","name":"gemm","pid":0,"tid":7,"ts":%s,"dur":%s,"args":{"stream":7,"correlation":%s}},\n' $1 $2 $3; }; c() { printf '{"ph":"X","cat":"%s","name":"ncclDevKernel_AllReduce_Sum_f32_RING_LL","pid":0,"tid":20,"ts":%s,"dur":%s,"args":{"stream":20,"correlation":%s,"Collective name":"allreduce","In msg nelems":262144,"Out msg nelems":262144,"Group size":8,"dtype":"Float","Process Group Ranks":"[0, 1, 2, 3, 4, 5, 6, 7]"}},\n' $1 $2 $3 $4; }; { echo '{"distributedInfo":{"backend":"nccl","rank":3,"world_size":8,"nccl_version":"2.21.5"},"deviceProperties":[{"id":0,"name":"NVIDIA A100-SXM4-80GB"}],"traceEvents":['; k 1000 100 1; k 1100 100 3; c kernel 1105 50 2; c cpu_op 1090 9 0; c kernel 1205 50 4; k 1265 30 5; echo '{"ph":"X","cat":"user_annotation","name":"ProfilerStep#7","pid":1,"tid":1,"ts":990,"dur":320}]}'; } >t.json; wc -l <t.json
8

$ collsim train --replay t.json --topo dgx-h100 2>&1 | sed -E 's/( (us|ms)) +([0-9.]+) (us|ms)/\1 #/; s/ +# nothing.*/ #/; /all-reduce/s/[0-9.]+ us  ([a-z]+)$/# \1/'
note: the trace is of NVIDIA A100-SXM4-80GB, and its kernels keep their times on h100; by the data sheets they would take --compute-scale 0.32 (products) to 0.61 (memory)
t.json on dgx-h100, 8 ranks, nccl
  measured                  rank 3 of 8, NVIDIA A100-SXM4-80GB, NCCL 2.21.5
  steps                     1, 5 kernels, copies and collectives on 2 streams

Time of a step              measured      replayed
  step                      295 us #
  compute                   230 us #        # kernels and copies, as measured but for --compute-scale
  exposed collectives       50 us #      # a collective runs alone
  idle                      15 us #         # the device waits for its host
  collectives               100 us #      # all, hidden and exposed

collective   size  measured   here  calls   measured  predicted  algorithm
                      ranks  ranks         of a call  of a call
----------  -----  --------  -----  -----  ---------  ---------  ---------
all-reduce  1 MiB         8      8      2      50 us #  ring

Communication records: 3, used 2
  1         host records of calls, whose kernels count

# Another number of ranks: the group of all ranks grows.  Slower kernels; JSON and CSV.
$ collsim train --replay t.json --topo cluster:node=dgx,nodes=4 --csv 2>/dev/null | cut -d, -f1-6
collective,bytes,measured_ranks,ranks,count,measured_s
all-reduce,1048576,8,32,2,5e-05
$ collsim train --replay t.json --topo dgx --compute-scale 2 --json 2>/dev/null | grep -E '"(compute)_s|records|truncated|host' | sed -E 's/0{6,}[0-9]+,/,/'
  "truncated": false,
    "compute_s": 0.00023,
    "compute_s": 0.00046,
  "records": 3,
  "records_used": 2,
    "host records of calls, whose kernels count": 1

# Other sizes and another algorithm.
$ collsim train --replay t.json --topo dgx-h100 --size-scale 0.5 --collective-algo tree 2>/dev/null | awk 'NR==4; /^all-reduce/ {print $NF}'
  collectives               0.5 x the measured size
tree
$ collsim train --replay t.json --topo dgx-h100 --collective-algo rign
collsim: NCCL has no algorithm 'rign'; did you mean 'ring'?
? 2
$ collsim train --model resnet50 --topo dgx --size-scale 2
collsim: --compute-scale, --size-scale and --collective-algo are for a trace; add --replay FILE
? 2

# A file that ends early: the whole events count.
$ head -c 1000 t.json >cut.json; collsim train --replay cut.json --topo dgx --json 2>&1 | grep -E 'note|truncated|records'
note: the trace ends inside of line 6; the events before it are used
note: the trace has no marks of steps (ProfilerStep); the whole trace is one step
  "truncated": true,
  "records": 2,
  "records_used": 1,
    "host records of calls, whose kernels count": 1

# Chakra's format, an all-reduce of 1 MiB: durations without starts, no list of ranks.
$ printf '\005\012\0031.0\044\010\001\030\007R\015\012\011comm_typeH\000R\017\012\011comm_sizeH\200\200@' >t.2.et; collsim train --replay t.2.et --topo dgx --csv 2>&1 | cut -d, -f1-5
note: the trace has no times: its compute is not in the replay, only its collectives are predicted
note: the trace has no marks of steps (ProfilerStep); the whole trace is one step
collective,bytes,measured_ranks,ranks,count
all-reduce,1048576,,8,1
$ printf '\005\012\0031.0\004\010\001\030\004\044\010' >c.2.et; collsim train --replay c.2.et --topo dgx
collsim: c.2.et: the file ends here; the trace has no times and no collective that can be predicted; expected nodes of type COMM_COLL_NODE
? 2

# Bad input.
$ printf '{"traceEvents":[\n{"ph":"X",,}]}' >bad.json; collsim train --replay bad.json --topo dgx
collsim: bad.json:2: byte 27: ',' where a key in double quotes is expected
? 2
$ : >empty.json; collsim train --replay empty.json --topo dgx
collsim: empty.json: the trace is empty
? 2
$ echo text >text.json; collsim train --replay text.json --topo dgx
collsim: text.json: no trace of a known format; expected JSON of the PyTorch profiler, one rank; or a Chakra execution trace of MLCommons, one rank (.et); or the SQLite export of Nsight Systems (nsys export --type sqlite)
? 2
$ echo '[{"ph":"X","cat":"cpu_op","ts":1,"dur":1}]' >host.json; collsim train --replay host.json --topo dgx
collsim: host.json: no kernels of a device among 1 events; record ProfilerActivity.CUDA, too
? 2
$ echo '{"nodes":[]}' >nodes.json; collsim train --replay nodes.json --topo dgx
collsim: nodes.json: no "traceEvents" in the file; expected JSON of the PyTorch profiler, or Chakra's .et
? 2
$ printf '\005\012\0031.0\002\017\017' >bad.et; collsim train --replay bad.et --topo dgx
collsim: bad.et: byte 7: no node of Chakra's schema 1.0
? 2
$ collsim train --replay t.json --topo dgx --model resnet50
collsim: --model has no effect with --replay, which has the step of the trace; leave it out
? 2
$ collsim train --replay t.json --topo dgx --ranks 3 | head -1
note: a group of 8 ranks in the trace has 3 on this machine of 3
t.json on dgx, 3 ranks, nccl
$ collsim train --compute-scale 2 --model resnet50
collsim: --compute-scale, --size-scale and --collective-algo are for a trace; add --replay FILE
? 2
$ collsim train --replay t.json --compute-scale 0
collsim: --compute-scale: '0' is not a number above 0, at most 1000
? 2

# Models of files: config.json of Hugging Face, arguments of Megatron-LM with degrees and batch, a table of layers.
$ echo '{"model_type":"llama","hidden_size":4096,"intermediate_size":11008,"max_position_embeddings":4096,"num_attention_heads":32,"num_hidden_layers":32,"vocab_size":32000}' >config.json; collsim train --model config.json --topo dgx-h100 --system zero3 --json 2>/dev/null | grep parameter_bytes
      "parameter_bytes": 1684603904,
$ gzip -k config.json; collsim train --model config.json.gz --topo dgx-h100 --system zero3 --json 2>/dev/null | grep parameter_bytes
      "parameter_bytes": 1684603904,
$ collsim train --model llama2-7b --topo dgx-h100 --system zero3 --json 2>/dev/null | grep parameter_bytes
      "parameter_bytes": 1684603904,

# Falcon-7B: 6,921,720,704 parameters of two bytes on eight GPUs; heads of one key, parts side by side, a single norm.
$ echo '{"model_type":"falcon","hidden_size":4544,"num_attention_heads":71,"num_hidden_layers":32,"vocab_size":65024,"multi_query":true,"parallel_attn":true,"bias":false,"new_decoder_architecture":false}' >falcon.json; collsim train --model falcon.json --topo dgx-h100 --system zero3 --json 2>/dev/null | grep parameter_bytes
      "parameter_bytes": 1730430176,

# T5-base: 222,903,552 parameters, data parallel or a pipeline.
$ echo '{"model_type":"t5","d_model":768,"d_ff":3072,"d_kv":64,"num_heads":12,"num_layers":12,"vocab_size":32128,"n_positions":512}' >t5.json; collsim train --model t5.json --topo dgx --batch 32 --json 2>/dev/null | grep parameter_bytes
      "parameter_bytes": 445807104,
$ collsim train --model t5.json --topo dgx --batch 32 --tp 2
collsim: t5.json has no layers that tensor and context parallel ranks divide; their degrees must be 1
? 2
$ echo '{"model_type":"t5","d_model":768,"d_ff":3072,"num_heads":12,"num_layers":12}' >t5.json; collsim train --model t5.json --topo dgx
collsim: t5.json:1: no key 'd_kv'
? 2

# ViT-B/16: 86,567,656 parameters; samples are photos, which have no sequence.
$ echo '{"model_type":"vit","hidden_size":768,"num_attention_heads":12,"num_hidden_layers":12,"intermediate_size":3072,"image_size":224,"patch_size":16,"num_labels":1000}' >vit.json; collsim train --model vit.json --topo dgx --batch 128 --json 2>/dev/null | grep -E '"(parameter_bytes|tokens_per_s)"'
      "tokens_per_s": null,
      "parameter_bytes": 173135312,
$ collsim train --model vit.json --topo dgx --batch 128 --sequence 256
collsim: --sequence: inputs of vit.json have a fixed size
? 2
$ sed 's/224/225/' vit.json >odd.json; collsim train --model odd.json --topo dgx
collsim: odd.json:1: image_size: 225 pixels are not 1 to 1024 patches of 16
? 2
$ echo '{"model_type":"gemma3","text_config":{"hidden_size":2560}}' >pictures.json; collsim train --model pictures.json --topo dgx-h100 --system zero3 2>&1 | grep '^note: gemma'
note: gemma3: the language model alone (text_config); encoders of pictures and sound and what joins them are left out; sizes that the file lacks are those of Transformers: num_hidden_layers 26, num_attention_heads 8, num_key_value_heads 4, intermediate_size 9216, vocab_size 262208, head_dim 256
$ echo '{"model_type":"opt","hidden_size":1024,"word_embed_proj_dim":512,"num_hidden_layers":24,"num_attention_heads":16,"ffn_dim":4096,"vocab_size":50272,"max_position_embeddings":2048}' >opt.json; collsim train --model opt.json --topo dgx
collsim: opt.json:1: word_embed_proj_dim: words of a width of 512 are not modelled; expected the hidden size, 1024
? 2
$ collsim train --system hybrid --model 'megatron:--num-layers 32 --hidden-size 4096 --num-attention-heads 32 --seq-length 2048 --use-flash-attn --tensor-model-parallel-size 4 --micro-batch-size 2 --global-batch-size 64' --topo dgx-h100 2>/dev/null | sed -n '1p;4,5p'
megatron on dgx-h100, 8 x h100, bf16, nccl
  ranks                     tensor 4 x context 1 x data 2 x pipeline 1
  parameters of the model   6,660,169,728
$ printf 'name,params,flops,activation\nconv,9408,236e6,802816\nfc,2049000,4.1e6,1000\n' >layers.csv; collsim train --model layers.csv --topo dgx --batch 32 --precision fp32 --json 2>/dev/null | grep -E '"(model|parameter_bytes)"'
      "model": "layers.csv",
      "parameter_bytes": 8233632,
$ printf '\357\273\277name,params,flops,activation\n"conv, 3x3",9408,236e6,802816\n' >quoted.csv; collsim train --model quoted.csv --topo dgx --json 2>/dev/null | grep parameter_bytes
      "parameter_bytes": 18816,
$ printf 'name,params,flops,activation\n"conv,9408,236e6,802816\n' >open.csv; collsim train --model open.csv --topo dgx
collsim: open.csv:2: a quoted cell without its end; expected '"' before a comma or the end of the line
? 2
$ echo '{"model_type":"llama","hiden_size":4096}' >typo.json; collsim train --model typo.json --topo dgx
collsim: typo.json:1: no key 'hidden_size'; did you mean 'hiden_size'?
? 2
$ printf 'name,params,flops,activation\nconv,many,1,1\n' >typo.csv; collsim train --model typo.csv --topo dgx
collsim: typo.csv:2: params 'many' is not a number from 0 to 1e18
? 2
$ collsim train --model 'megatron:--num-layer 4' --topo dgx
collsim: --model: no argument --num-layers; did you mean '--num-layer'?
? 2

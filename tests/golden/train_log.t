# A job by the log of its run: collsim train --log.  Times are tested elsewhere; here they are left out.

$ for i in 1 2 3 4 5 6 7 8 9 10; do printf ' iteration %d/ 100 | elapsed time per iteration (ms): %d.5 | global batch size: 128 |\n' $i $((6200 + i)); done >mega.log; collsim train --topo dgx-h100 --model llama3-8b --framework megatron --tp 2 --micro-batch 1 --global-batch 128 --sequence 4096 --log mega.log | sed -n '/^Log/,/^Parts/p' | sed -E 's/[+-]?[0-9.]+ (us|ms|s|%|samples.s|tokens.s)/N \1/g; s/ +#/ #/'
Log of Megatron-LM, 'elapsed time per iteration (ms):' from line 1 on
  steps                     8 # behind 2 of warm-up
  measured                  N s # median; of four in five N s to N s
  slow steps                N % # of the run, beyond as many median steps
  model FLOPs               N % # of the data sheet's peak, as measured
  predicted                 N s # N % without the log; as N % of published runs

Where the measured step goes
  at the peak               N s # N %, FLOPs of the model at the data sheet's rate
  slower products           N s # N %, shapes, clocks, uneven stages: below that rate
  memory                    N ms #  N %, kernels that wait for it
  launches                  N ms #  N %, the device waits for its host
  optimizer                 N ms #  N %, compute
  host                      N ms #  N %, input, loss, calls of the optimizer
  interference              N ms #  N %, compute slows beside collectives
  jitter                    N ms #  N %, ranks wait for the slowest
  tensor parallel           N ms # N %, collectives between products
  data parallel             N ms #  N %, gradients and parameters, exposed
  not explained             N ms # N %

Time
  step                      N s # N %: N s to N s
  throughput                N samples/s
                            N tokens/s
  scaling efficiency        N % # of as many devices that compute without communication and waits
  model FLOPs               N % # of the data sheet's peak
  largest part              compute

Parts of the slowest rank

$ collsim train --topo dgx-h100 --model llama3-8b --framework megatron --tp 2 --micro-batch 1 --global-batch 128 --sequence 4096 --log mega.log | grep -c '90 %: .* to .* %'
8

# The step moves to the log, and what is compared with it, too.
$ collsim train --topo dgx-h100 --model llama3-8b --framework megatron --tp 2 --micro-batch 1 --global-batch 128 --sequence 4096 --log mega.log --json | awk -F'[:,]' '/"(step_s|measured_step_s|unlogged_step_s)"/ { s[$1] = $2 } END { for (k in s) if (k ~ /"step_s/) a = s[k]; else if (k ~ /measured/) m = s[k]; else u = s[k]; print((a - m) * (a - m) < .1 * (u - m) * (u - m)) }'
1

$ collsim train --topo dgx-h100 --model llama3-8b --framework megatron --micro-batch 1 --global-batch 128 --sequence 4096 --log mega.log --vary 'tp=2;4' --csv | cut -d, -f1-4
case,machine,system,ranks
2,dgx-h100,zero1,8
4,dgx-h100,zero1,8

# A log of another job.
$ collsim train --topo dgx-h100 --model llama3-8b --framework megatron --log mega.log
collsim: mega.log:1: steps of 128 samples, but the job has 8; add --global-batch 128
? 2

$ collsim train --topo dgx-h100 --model llama3-70b --framework megatron --tp 8 --global-batch 128 --sequence 8192 --log mega.log
collsim: mega.log:1: a step of 6.207 s would be 959 % of the peak of 8 h100 in bf16; the batch of 128 samples, the model, the precision or the GPUs of the run were others
? 2

$ echo 'tps: 7,200' >tps.log; collsim train --topo dgx --model resnet50 --log tps.log
collsim: tps.log:1: a rate of tokens; resnet50 has none
? 2

$ echo 'loss: 3' >loss.log; collsim train --topo dgx-h100 --model llama3-8b --log loss.log
collsim: loss.log: no step's time, and no rate; expected a number at one of 'elapsed time per iteration (ms):' (Megatron-LM), 'elapsed_time_per_iteration_ms:' (nanotron), 'train_step_timing in s' (NeMo), 'Step Time :' (Megatron-Bridge), 'seconds:' (MaxText), ', time' (nanoGPT), 'iter time:' (LitGPT), '"dur":' (the PyTorch profiler), 'throughput/batches_per_sec' (llm-foundry), 'CurrSamplesPerSec' (DeepSpeed), 'tps:' (torchtitan), '| tps' (AutoModel), 's/it' (Hugging Face's Trainer)
? 2

$ collsim train --topo dgx-h100 --model llama3-8b --log none.log
collsim: cannot open 'none.log': No such file or directory
? 2

$ : >empty.log; collsim train --topo dgx-h100 --model llama3-8b --log empty.log
collsim: empty.log is empty; expected the log of a run
? 2

$ collsim train --topo dgx-h100 --model llama3-8b --system auto --global-batch 128 --log mega.log
collsim: --log: --system auto searches; give the system and degrees that ran
? 2

$ collsim train --topo dgx-h100 --replay mega.log --log mega.log
collsim: --log is for a model, --replay is a trace; give one
? 2

$ collsim plan --model llama3-8b --topo dgx-h100 --log mega.log
collsim: --topo belongs to 'collsim run' and has no effect here; leave it out
? 2

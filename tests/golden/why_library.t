# Why a library's call takes its time: the cost model without each of its terms.  Times follow parameters,
# which are estimates, so that figures are # signs.

$ collsim why --topo p4d --nodes 2 --library nccl -s 256KiB | sed -E 's/[0-9.]+ (%|us|times)/# \1/g' | head -5
all-reduce of 256 KiB on 2 x p4d (star), 16 ranks, nccl: # us (# us to # us in # %), tree, simple, 8 channels, network efa1: Amazon EFA, generation 1
# % launch, # % latency of hops, # % transfer

 1. the network plugin's latency: without, # us instead of # us, # times as fast
 2. the library's choice of tree and simple (against tree, ll): without, # us instead of # us, # times as fast
? 0

# Without a term no call is slower, and each gain is the quotient of the times.
$ collsim why --topo dgx-h100 --nodes 4 --library nccl -s 16MiB --csv | awk -F, 'NR > 1 { n++; if ($4 > $3 || ($3 / $4 - $5) ^ 2 > 1e-12 || $6 != "cost model") bad++; if ($5 > last && last) bad++; last = $5 } END { print (n > 3), bad + 0 }'
1 0
$ collsim why --topo dgx --library nccl -s 8B --launch graph --csv | grep -c launch
0
? 1
$ collsim why --topo hpc7g --nodes 2 --library mpi -s 1MiB --csv | cut -d, -f2,6 | head -2
cause,by
cores,cost model

# Mistakes.
$ collsim why --topo dgx --library nccl -s 1MiB,2MiB
collsim: 'collsim why' explains one call; expected one algorithm, size and number of ranks
? 2
$ collsim why --topo hpc7g --library nccl
collsim: NCCL runs on GPUs of NVIDIA, and this machine has none
? 3

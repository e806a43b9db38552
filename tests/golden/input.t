# Bad input: what is wrong, what was expected, the nearest right name; exit 2.

$ collsim --topo dgx --algo rnig
collsim: no algorithm called 'rnig' for all-reduce; did you mean 'ring'?
? 2

$ collsim --topo dgxx
collsim: no file and no library machine called 'dgxx'; did you mean 'dgx'?
? 2

$ collsim --tpoo dgx
collsim: unknown option '--tpoo'; did you mean '--topo'?
? 2

$ collsim rnu
collsim: no command called 'rnu'; did you mean 'run'?
? 2

$ collsim --topo
collsim: --topo needs a value: --topo MACHINE
? 2

$ collsim --topo dgx --timeline
collsim: unknown option '--timeline' here; an option of 'collsim train', 'collsim plan'
? 2

$ collsim --topo dgx -b -e1M
collsim: --begin needs a value, and '-e1M' is an option: --begin SIZE
? 2

$ collsim --topo dgx ring
collsim: 'ring' is not an option; options begin with --
? 2

$ for s in 1024 1G 1k; do collsim --topo dgx --size $s | head -1; done; collsim --topo dgx --size 1X
all-reduce of 1 KiB on dgx-a100, 8 ranks, fp32, model fifo
all-reduce of 1 GiB on dgx-a100, 8 ranks, fp32, model fifo
all-reduce of 1 KiB on dgx-a100, 8 ranks, fp32, model fifo
collsim: --size: unknown unit 'X' in '1X'; write a size such as 256 MB or 1 GiB
? 2

$ collsim --topo dgx --size 0B
collsim: --size: size '0B' is zero; the minimum is one element
? 2

$ collsim --topo dgx --size 16EiB
collsim: --size: '16EiB' is too large; a size is at most 4 EiB
? 2

$ collsim --topo dgx --size 4EiB
collsim: the run exceeds the 53-day limit of simulated time; check rates and sizes
? 2

$ collsim --topo dgx --size 10B
collsim: size 10 B is not a whole number of fp32 elements of 4 B
? 2

$ collsim --topo dgx --size 8Gb
collsim: --size: '8Gb' is in bits (b); a size is in bytes (B), such as 1 GB
? 2

$ collsim --topo dgx -b 8
collsim: a range of sizes needs both ends: -b 8 -e 8G
? 2

$ collsim --topo dgx -b 0 -e 4
collsim: -b: size '0' is zero; the minimum is one element
? 2

$ collsim --topo dgx -b 8 -e 4
collsim: the range of sizes ends before it begins; expected -b below -e
? 2

$ collsim --topo dgx -f 2
collsim: -f needs a range of sizes: -b 8 -e 8G -f 2
? 2

$ collsim --topo dgx -b 8 -e 64 --size 1MB
collsim: give --size or a range with -b and -e, not both
? 2

$ collsim --topo dgx --ranks 9
collsim: 'dgx' has 8 ranks; 9 requested; expected --nodes 2 --ranks 9
? 2

$ collsim --topo dgx --ranks 0
collsim: --ranks: '0' is out of range; expected 1 to 1048576
? 2

$ collsim --topo dgx --collective all-gathr
collsim: --collective: no collective called 'all-gathr'; did you mean 'all-gather'?
? 2

$ collsim --topo dgx --link-model fifa
collsim: --link-model: no model called 'fifa'; did you mean 'fifo'?
? 2

$ collsim --topo dgx --dtype fp33
collsim: --dtype: no dtype called 'fp33'; did you mean 'fp32'?
? 2

$ collsim --topo dgx --algo ring,ring
collsim: algorithm 'ring' is listed twice
? 2

$ collsim --topo dgx --algo ring,all
collsim: 'all' already selects every algorithm; give it alone
? 2

$ collsim --topo dgx --csv --json
{
  "error": "--csv and --json cannot be combined; give one",
  "exit": 2
}
? 2

$ collsim --topo dgx --algo ring,,tree
collsim: empty entry in the list 'ring,,tree'
? 2

$ collsim --topo switch:rank=4
collsim: no parameter called 'rank' for 'switch:'; did you mean 'ranks'?
? 2

$ collsim --topo switch:ranks=4,latency=1
collsim: switch:latency=: '1' has no unit; write 1 ns, 1 us or 1 ms
? 2

$ collsim --topo switch:ranks=4,bandwidth=25
collsim: switch:bandwidth=: '25' has no unit; write 25 GB/s or 25 Gb/s
? 2

$ collsim --topo dgx --db /nowhere/there/is.db
collsim: cannot open results database '/nowhere/there/is.db': No such file or directory
? 2

$ collsim --topo dgx --db .
collsim: cannot open results database '.': Is a directory
? 2

$ collsim --topo .
collsim: '.' is a directory; expected a file
? 2

$ mkdir dgx-1; collsim --topo dgx-1 --size 1MiB --csv | tail -1 | cut -d, -f1,2; rmdir dgx-1
dgx-1,8

$ : >empty.yaml; collsim --topo empty.yaml
collsim: empty.yaml: the file is empty
? 2

$ printf '\000\001\002' >binary.yaml; collsim --topo binary.yaml
collsim: binary.yaml:1: not a text: it has a zero byte
? 2

$ truncate -s 100M huge.yaml; collsim --topo huge.yaml
collsim: huge.yaml: the file is larger than 16 MiB
? 2

$ printf 'a: &x [*x]\n' >cyclic.yaml; collsim --topo cyclic.yaml
collsim: cyclic.yaml:1: the anchor '&x' is not supported; repeat the value
? 2

$ printf 'not a database, just text that is long enough to be looked at\n' >text.db; collsim --topo dgx --db text.db; cat text.db
collsim: 'text.db' is not a results database; the file is unchanged
not a database, just text that is long enough to be looked at

$ collsim report --db none.db --out figures
collsim: results database 'none.db' does not exist
? 2

$ collsim report
collsim: --db and --out are required: collsim report --db FILE --out DIR
? 2

$ collsim list modles
collsim: no listing called 'modles'; did you mean 'models'?
? 2

$ collsim --json --topo dgx --algo rnig
{
  "error": "no algorithm called 'rnig' for all-reduce; did you mean 'ring'?",
  "exit": 2
}
? 2

$ collsim --topo dgx --algo ring >/dev/full
collsim: cannot write the output
? 3

$ : >nothing.db; collsim report --db nothing.db --out figures
collsim: 'nothing.db' is empty, not a results database
? 2

$ collsim --topo dgx --algo bucket --dims 2x
collsim: --dims: a side is missing; write 4x4 or 2x2x2
? 2

$ collsim --topo switch:ranks=0
collsim: switch:ranks=: '0' is out of range; expected 1 to 1048576
? 2

# Of several algorithms the one that refuses is named, once.

$ collsim --topo switch:ranks=6 --algo bucket,ring --dims 2x2 >/dev/null
collsim: bucket: --dims has to multiply to 6, the number of ranks
? 2

$ collsim --topo switch:ranks=6 --collective reduce-scatter --algo halving,ring >/dev/null
collsim: halving needs a power of two of ranks, not 6
? 2

# Every command that prints a table prints it for programs too.

$ collsim check --topo switch:ranks=4 --algo ring --size 1MiB --json
{
  "checks": [
    {
      "algorithm": "ring",
      "ranks": 4,
      "bytes": 1048576,
      "messages": 24,
      "redundant_bytes_after_reduce_scatter": 3145728,
      "redundant_bytes": 3145728,
      "proved": "exactly, by sets of ranks"
    }
  ]
}

# JSON is an object in every output; its rows are in one array with a name.

$ for words in '--topo dgx' 'check --topo dgx' 'topo show --topo dgx' 'topo check --topo dgx' 'topo lint --topo dgx' 'topo matrix --topo dgx' 'list' 'list algorithms' 'list links' '--topo switch:ranks=3 --what-if each-link' 'claims --redundancy'; do printf '%s: ' "$words"; collsim $words --json | sed -n '1,2p' | tr -d '\n'; echo; done
--topo dgx: {  "runs": [
check --topo dgx: {  "checks": [
topo show --topo dgx: {  "parts": [
topo check --topo dgx: {  "checks": [
topo lint --topo dgx: {  "unchecked": [
topo matrix --topo dgx: {  "devices": [
list: {  "listings": [
list algorithms: {  "algorithms": [
list links: {  "links": [
--topo switch:ranks=3 --what-if each-link: {  "what_if": [
claims --redundancy: {  "redundancy": [

# Also where the answer is a failure: the error is a member.

$ printf 'topo: nope\naxes:\n  size: [1KiB, 2KiB]\n' >nope.yaml; for words in 'sweep nope.yaml --db nope.db' 'topo check --topo dgx-1 --fault gpu0-gpu4:rate=50% --strict' 'topo lint --topo gbe-4 --strict' 'train --topo gbe-4 --device v100-16gb --model gpt3-175b' '--topo dgx --algo ring,bucket,nope'; do collsim $words --json 2>notes | grep -c '^{'; done
1
1
1
1
1

# An option that would have no effect beside another is refused.

$ collsim --link-model loggp --fault gpu0-nvswitch:rate=50%
collsim: --fault requires a model with links; --link-model loggp has none
? 2

$ collsim --fold on --with allreduce
collsim: --with and --fold on cannot be combined: concurrent jobs make ranks differ
? 2

$ collsim --placement random --ring-order 0,1,2,3,4,5,6,7
collsim: --ring-order and --placement cannot be combined: both place the ranks
? 2

$ collsim --per-rank --what-if each-link
collsim: --per-rank and --what-if cannot be combined: --what-if is about many runs
? 2

$ collsim --per-rank --algo ring,tree
collsim: --per-rank prints text for a single run; give one algorithm, size and number of ranks, or --json
? 2

# One list for each run, however many algorithms there are.
$ collsim --per-rank --algo all --json --size 1MB >all.json 2>/dev/null; test $(grep -c '"rank_time_s"' all.json) = $(grep -c '"algorithm"' all.json)

$ collsim --per-rank --csv
collsim: --per-rank and --csv cannot be combined: the times of ranks are printed as text or JSON
? 2

# What has no effect is refused.
$ collsim check --topo dgx --algo ring --link-model fluid
collsim: --link-model belongs to 'collsim run' and has no effect here; leave it out
? 2

$ collsim export --algo ring --ranks 4 --topo dgx --json
{
  "error": "--json belongs to 'collsim run' and has no effect here; leave it out",
  "exit": 2
}
? 2

$ collsim export --algo swing --topo switch:ranks=3
collsim: swing needs a power of two of ranks, not 3
? 2

$ collsim explain --algo ring --ranks 4 --what-if each-link
collsim: --what-if belongs to 'collsim run' and has no effect here; leave it out
? 2

$ collsim --topo dgx --gpu h100
collsim: --gpu h100: 'dgx' already names its GPUs; --gpu is for matrices of nvidia-smi, rocm-smi and amd-smi, HCCL's rank tables and InfraGraph
? 2

$ collsim --topo switch:ranks=4 --gpu h100
collsim: --gpu h100: 'switch:ranks=4' has ranks without GPUs; --gpu is for matrices of nvidia-smi, rocm-smi and amd-smi, HCCL's rank tables and InfraGraph
? 2

$ collsim validate publishd
collsim: validate has no 'publishd'; did you mean 'published'?
? 2

$ collsim --topo switch:ranks=4 --platform dgx
collsim: --platform dgx: 'switch:ranks=4' takes none; --platform is for files of NCCL, ibnetdiscover and Slurm, and for --nodes
? 2

# Outputs follow links and keep what is no file.
$ printf old >real.txt; ln -s real.txt link.txt; collsim explain --algo ring --ranks 2 -o link.txt --force; test -L link.txt && head -c 9 real.txt; echo
wrote link.txt
ring all-

# An existing file stands until --force; '-' is no file.
$ for e in txt md xml yaml; do : >old.$e; done; for c in 'txt explain --algo ring --ranks 2' 'xml export --algo ring --ranks 2' 'yaml topo export' 'txt tune --format env' 'md plan --gpus 8 --mix all-reduce:1MiB'; do collsim ${c#* } --out old.${c%% *}; collsim ${c#* } --out -; done
collsim: 'old.txt' exists; --force replaces it, another name keeps it
collsim: '-' is no name of an output; expected a file
collsim: 'old.xml' exists; --force replaces it, another name keeps it
collsim: '-' is no name of an output; expected a file
collsim: 'old.yaml' exists; --force replaces it, another name keeps it
collsim: '-' is no name of an output; expected a file
collsim: 'old.txt' exists; --force replaces it, another name keeps it
collsim: '-' is no name of an output; expected a file
collsim: 'old.md' exists; --force replaces it, another name keeps it
collsim: '-' is no name of an output; expected a file
? 2

# What an algorithm does not use is said.
$ collsim --topo dgx --algo ring --chunks 7 --channels 3 --size 64MiB --csv | cut -d, -f1-6
note: --chunks has no effect on ring
note: --channels has no effect on ring
topology,ranks,collective,algorithm,model,bytes
dgx-a100,8,all-reduce,ring,fifo,67108864

# A schedule of a file has no other algorithm beside it.
$ printf 'num_ranks 2\nrank 0 {\nl1: send 8b to 1\n}\nrank 1 {\nl1: recv 8b from 0\n}\n' >two.goal; collsim --topo switch:ranks=2 --algo goal:two.goal,ring
collsim: no algorithm called 'ring' for custom, a schedule of a file; expected files alone
? 2

$ collsim train --topo node:gpu=l4,gpus=1 --model resnet50 --system pipeline
collsim: a layer split needs two stages or more; the job has 1 rank and --pp 1
? 2

$ collsim train --topo dgx --model gpt2
collsim: no model called 'gpt2'; did you mean 'gpt2-small', 'gpt2-medium', 'gpt2-large' or 'gpt2-xl'?
? 2

$ collsim train --topo dgx --model resnet50 --batch 16000 2>/dev/null | grep 'global batch'
  global batch              128000 = micro batch 16000 x accumulation 1 x data 8

# Names and numbers that look right.
$ for word in ring:chunks=2 mine.goal; do collsim --topo dgx --algo $word; done
collsim: 'ring:chunks=2': an algorithm has no parameters of its own; options such as --chunks set them
collsim: no algorithm called 'mine.goal'; a schedule of a file has its format before it: msccl:FILE, goal:FILE, mscclpp:FILE, text:FILE, teccl:FILE, forestcoll:FILE, or FILE.cs
? 2
$ for ranks in -3 1e3; do collsim --topo switch:ranks=$ranks; done
collsim: switch:ranks=: '-3' is out of range; expected 1 to 1048576
collsim: switch:ranks=: '1e3' is not a whole number written in digits alone
? 2
$ collsim --topo dgx --size ''
collsim: --size: the list is empty
? 2
$ collsim topo convert
collsim: topo has no 'convert'; expected show, matrix, check, lint, export, svg
? 2
$ collsim help trian
collsim: no command or group of options called 'trian'; did you mean 'train'?
? 2
$ collsim compare runs.db
collsim: cannot open 'runs.db': No such file or directory
? 2
$ collsim plan --gpus 64,128 --model llama2-7
collsim: no model called 'llama2-7'; did you mean 'llama2-7b'?
? 2
$ echo words >args; collsim train --model megatron:args
collsim: args: no argument --num-layers; expected the arguments of Megatron-LM
? 2
$ collsim train --model llama2-7b --tp 8 --sequence-parallel --sequence 1001
collsim: --sequence-parallel: a sequence of 1001 tokens does not divide over 8 tensor x 1 context parallel ranks; expected 1000 or 1008
? 2

# The first ranks of a torus; words that no order and no generator has.
$ collsim --topo torus:dims=3x4 --ranks 2 --size 1MiB | head -1
all-reduce of 1 MiB on torus, 2 ranks, fp32, model fifo
$ collsim --topo torus:dims=3x4 --ranks 13
collsim: 'torus:dims=3x4' has 12 ranks; 13 requested
? 2
$ collsim --topo dgx --ring-order best
collsim: ring order: 'best' is not a whole number
? 2
$ collsim --topo star:ranks=8
collsim: no file and no library machine called 'star:ranks=8'; generators are switch:, cluster:, node:, fat-tree:, torus:, ...
? 2

$ for d in half BF16 float8_e4m3fn double; do collsim --topo dgx --size 1M --dtype $d | head -1; done
all-reduce of 1 MiB on dgx-a100, 8 ranks, fp16, model fifo
all-reduce of 1 MiB on dgx-a100, 8 ranks, bf16, model fifo
all-reduce of 1 MiB on dgx-a100, 8 ranks, fp8, model fifo
all-reduce of 1 MiB on dgx-a100, 8 ranks, fp64, model fifo
$ collsim train --topo DGX --model gpt2-small --precision float16 --system DDP --jobs 2 --json 2>/dev/null | grep precision
      "precision": "fp16",
$ collsim train --topo dgx --model gpt2-small --tp 2 --dp 4 --sequence 1k --json 2>/dev/null | grep -cE '"(data|sequence)": (4|1024)'
1
$ collsim train --topo dgx --model gpt2-small --tp 2 --dp 8
collsim: --dp 8: 4 of 8 ranks are left beside tp 2 x cp 1 x pp 1; leave --dp out, or set --ranks 16
? 2
$ collsim --topo DGX --algo Ring,TREE --link-model FIFO --size 1M --json | grep '"algorithm"'
      "algorithm": "ring",
      "algorithm": "tree",
$ collsim --topo dgx-h100 --library NCCL=2.27 --setting NCCL_ALGO=NVLS,NCCL_PROTO=Simple --size 1M --json 2>/dev/null | grep -E '"(library|algorithm|protocol)"'
      "algorithm": "nvls",
      "library": "nccl=2.27",
        "protocol": "simple",
$ collsim --topo dgx-h100 --library nccl --setting NCCL_ALGO=^Tree
collsim: --setting: NCCL_ALGO=^Tree: expected names of algorithms, such as Ring or [Ring,Tree]
? 2
$ collsim --topo dgx-h100 --library nccl --algo ring --setting NCCL_ALGO=Tree
collsim: --setting: NCCL_ALGO=Tree and --algo ring cannot be combined; give one
? 2
$ collsim explain ring -n 3 | head -1; collsim check -n 4 tree | tail -1; collsim list topologies --jobs 3 | head -1; collsim list --jobs 0
ring all-reduce of 4 MB on dgx-a100, 3 ranks, fp32, model fifo
tree           4  1 GiB         6      3 GiB  exactly, by sets of ranks
topology        ranks  GPUs  NICs  links  links of a rank     payload   effective  network    description                                                                                                                                            other names
collsim: --jobs: '0' is out of range; expected 1 to 1024
? 2
$ collsim explain all-gather -a ring -n 3 | head -1; collsim explain ring -a tree; collsim explain ring tree
ring all-gather of 4 MB on dgx-a100, 3 ranks, fp32, model fifo
collsim: --algo is given twice, once without its name
collsim: --algo is given twice, once without its name
? 2
$ collsim --topo [cluster:node=dgx,nodes=2] --size 1M | head -1
all-reduce of 1 MiB on 2 x dgx-a100 (star), 16 ranks, fp32, model fifo
$ collsim --topo dgx --model fluid; collsim --topo dgx --model=gpt2-small; collsim train --topo dgx --model gpt2-small --backend ncll
collsim: unknown option '--model' here; an option of 'collsim train', 'collsim plan'; expected --link-model
collsim: unknown option '--model' here; an option of 'collsim train', 'collsim plan'; expected --link-model
collsim: unknown library 'ncll'; did you mean 'nccl'?
? 2
$ collsim train --topo dgx --model gpt2-small --dtype half; collsim --topo dgx --precision half; collsim train --link-model fifo
collsim: --dtype belongs to 'collsim run' and has no effect here; expected --precision
collsim: unknown option '--precision' here; an option of 'collsim train', 'collsim plan'; expected --dtype
collsim: --link-model belongs to 'collsim run' and has no effect here; leave it out
? 2
$ collsim --topo dgx --compat simgrid --size 1M | head -1; collsim train --topo dgx --nnodes 2 --nproc-per-node 4 --model gpt2-small --csv 2>/dev/null | tail -1 | cut -d, -f1-4
all-reduce of 1 MiB on dgx-a100, 8 ranks, fp32, model simgrid
gpt2-small,"cluster:node=dgx,nodes=2,gpus=4"

# A name of another format is refused, with the endings of the format.
$ collsim topo export -o y.foo; collsim topo svg -o pic.dot; collsim topo export --format nccl -o y.yaml; collsim export --algo ring --ranks 2 -o z.qqq; collsim tune --topo dgx-h100 --format tuner -o z.md; collsim plan --gpus 8 --model gpt2-xl --format md -o p.html; collsim explain --algo ring --ranks 3 --format svg -o x.gif; collsim quiz --format html -o q.md; collsim fit none.log -o f.json
collsim: --out: 'y.foo' does not end in .yaml or .yml, as files of format yaml do
collsim: --out: 'pic.dot' does not end in .svg, as files of format svg do
collsim: --out: 'y.yaml' does not end in .xml, as files of format nccl do
collsim: --out: 'z.qqq' does not end in .xml, as files of format msccl do
collsim: --out: 'z.md' does not end in .csv or .conf, as files of format tuner do
collsim: --out: 'p.html' does not end in .md or .markdown, as files of format md do
collsim: --out: 'x.gif' does not end in .svg, as files of format svg do
collsim: --out: 'q.md' does not end in .html or .htm, as files of format html do
collsim: --out: 'f.json' is no name of a profile; expected 'f.json.yaml', which --library reads
? 2
# A number of nodes is no node's name; Megatron's names of options are read.
$ collsim --topo dgx-h100 --node 2; collsim train --topo dgx-h100 --model llama2-7b --micro-batch-size 1 --global-batch-size 64 --tensor-model-parallel-size 2 --pipeline-model-parallel-size 2 --json >a 2>/dev/null; collsim train --topo dgx-h100 --model llama2-7b --micro-batch 1 --global-batch 64 --tp 2 --pp 2 --json 2>/dev/null | cmp - a && echo same
collsim: --platform 2: expected a machine; a number of nodes is --nodes 2
same

# One rank is no node of two.

$ for a in hierarchical nvls-ring bucket; do collsim --topo dgx --ranks 1 --algo $a --group 2 --size 4KiB; done
collsim: hierarchical needs nodes that are full: 1 ranks are not a multiple of --group 2
collsim: nvls-ring needs nodes that are full: 1 ranks are not a multiple of --group 2
collsim: bucket needs nodes that are full: 1 ranks are not a multiple of --group 2
? 2

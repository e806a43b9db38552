# Machines compared for a job: plan.  Times follow estimated parameters, so that figures stay out.
$ collsim plan --gpus 16,64 --node dgx-h100 --fabric rail,fat-tree:oversubscription=1,3 --mix all-reduce:1GiB --json | grep -E '"(fabric|gpus|switches|cables)"' | paste -sd ' ' | tr -s ' ' | sed 's/ "fabric"/\n"fabric"/g'

"fabric": "rail", "gpus": 16, "switches": 1, "cables": 24,
"fabric": "rail", "gpus": 64, "switches": 2, "cables": 72,
"fabric": "fat-tree:oversubscription=1", "gpus": 16, "switches": 1, "cables": 24,
"fabric": "fat-tree:oversubscription=1", "gpus": 64, "switches": 5, "cables": 144,
"fabric": "fat-tree:oversubscription=3", "gpus": 16, "switches": 1, "cables": 24,
"fabric": "fat-tree:oversubscription=3", "gpus": 64, "switches": 3, "cables": 96,
$ collsim plan --gpus 64 --mix all-reduce:1GiB*4,all-to-all:64MiB | sed -E 's/[0-9]+(\.[0-9]+)? +ms/# ms/g; s/[0-9]+\.[0-9]+/#/g; s/  +/  /g; /^-/d' | cut -c1-100
Question: which machine for 4 x all-reduce of 1 GiB, 1 x all-to-all of 64 MiB? 1 case compared, fail
Recommended: 64 GPUs of dgx-h100, rail, the fastest within 10 % of the least price.
Fastest: 64 GPUs of dgx-h100, rail take # ms (# ms to # ms) for the mix; capital $# M ($# M to $# M)
Cheapest: the same.
Rent: at $# a GPU-hour the mix on 64 GPUs of dgx-h100 costs $#, bought $#; to buy pays after # month

node, fabric, link  GPUs  time  90 % from  to  with failures  efficiency  setting, or why not
dgx-h100, rail  64  # ms  # ms  # ms  # ms  # %  all-reduce nvls-tree, all-to-all p2p

node, fabric, link  GPUs  spare nodes  capital  power  an hour  a mix  a mix  a mix, rented  Pareto
  USD  W  USD  USD  kWh  USD
dgx-h100, rail  64  1  2,954,160  113,422  #  #  #  #  yes

node, fabric, link  GPUs  tiers  switches  cables  network  per GPU  of the capital  network  note
  USD  USD  W
dgx-h100, rail  64  1  2  72  164,160  2,565  # %  2,718
$ collsim plan --gpus 1024 --fabric fat-tree --mix all-reduce:1GiB --spares 0 --json | grep -E '"(switches|cables|network_usd|capital_usd|power_w)"'
      "switches": 48,
      "cables": 2048,
      "network_usd": 4349440,
      "capital_usd": 44029440,
      "power_w": 1651526,
$ collsim plan --gpus 64 --node mi210 --mix all-reduce:1GiB | grep Cheapest
Cheapest: a price is unknown; give --price node=...,switch=...,cable=...
$ collsim plan --gpus 64 --node mi325x --mix all-reduce:1GiB | grep -o 'rented at $1.95 a GPU-hour, for the node.s price or power is unknown'
rented at $1.95 a GPU-hour, for the node's price or power is unknown
$ collsim plan --gpus 64 --node mi210 --mix all-reduce:1GiB --price node=90k,switch=9k,cable=500 | grep -E '^(Recommended|Cheapest)'
Recommended: 64 GPUs of mi210, rail, the fastest; its power is unknown.
Cheapest: a power is unknown; give --power node=...,switch=...,cable=...
$ collsim plan --gpus 1024 --mix all-reduce:1GiB --gpu-hours 1h | grep -E '^(Recommended|Cheapest|Rent)'
Recommended: 1,024 GPUs of dgx-h100, rail, the fastest; failures leave no time with progress.
Cheapest: none; failures leave no time with progress
Rent: none; failures leave no time with progress.
$ collsim plan --gpus 1024 --mix all-reduce:1GiB | grep -o 'on 1,024 GPUs of dgx-h100 costs'
on 1,024 GPUs of dgx-h100 costs
$ collsim plan --gpus 64 --node mi300x --mix all-reduce:1GiB --price node=200kUSD --power node=9kW --json | grep -c '"capital_usd": [0-9]'
1

# The fastest and the cheapest for each number of GPUs: a mix takes longer on more.  Repeated words count once.
$ collsim plan --gpus 8,64,8 --fabric rail,rail --mix all-reduce:1GiB 2>&1 | head -4 | sed -E 's/[0-9.]+ ms/# ms/g; s/\$[0-9.]+/$#/g'
note: '8' is given twice and compared once
note: 'rail' is given twice and compared once
Question: which machine for 1 x all-reduce of 1 GiB? 2 cases compared, failures included; 90 % intervals in parentheses.
Recommended: by the number of GPUs that the mix needs, as below.

# Changes of a mix: adapters and links of the machine, engines of the library.
$ for f in rail fat-tree:oversubscription=2; do collsim plan --gpus 64 --fabric $f --mix all-reduce:1GiB,all-to-all:64MiB -o what.md --force >/dev/null 2>&1; sed -n '/^## What if/,/^## Network/p' what.md | grep '^| [a-z0-9]' | cut -d'|' -f2-3 | sed 's|by [a-z-]* in place of [a-z-]*|by X in place of Y|'; done
 change | of 
 adapters twice as fast, or twice as many | the machine 
 links inside the node twice as fast | the machine 
 half of the adapters lost | the machine 
 one of 8 adapters or rails lost | the machine 
 all-reduce by X in place of Y | the library 
 change | of 
 adapters twice as fast, or twice as many | the machine 
 links inside the node twice as fast | the machine 
 half of the adapters lost | the machine 
 half of the links above the leaf switches | the machine 
 one of 8 adapters or rails lost | the machine 
 all-reduce by X in place of Y | the library 
$ collsim plan --gpus 8 --mix all-reduce:1GiB -o what.md --force >/dev/null 2>&1; sed -n '/^## What if/,/^## Network/p' what.md | grep -c 'adapters'
0
? 1

# A model, divided by a search, with a report that names its sources.
$ collsim plan --gpus 16,64 --model llama2-7b --global-batch 128 --tokens 1e12 -o plan.md >/dev/null && grep -cE '^## (Sizes|Where the time goes|Time lost by failures|What if|Network|Failures|Sensitivity|Assumptions and sources|Repeat)$' plan.md
wrote plan.md
9
$ head -1 plan.md; grep -c '1 trillion tokens' plan.md; tail -3 plan.md | head -1
# Capacity plan: llama2-7b
1
? 0
$ collsim plan --gpus 16,64 --model llama2-7b --global-batch 128 --tokens 1e12 -o plan.md
collsim: 'plan.md' exists; --force replaces it, another name keeps it
? 2
$ collsim plan --gpus 16 --model llama3-70b --global-batch 64 --system ddp,fsdp
collsim: no training system called 'ddp,fsdp'; expected ddp, zero1, zero1-node, zero2, zero3, fsdp, hybrid-shard, hybrid, dp, balanced-dp, ps-sync, ps-async, mp, pipeline, auto, stand-alone, data-parallel
? 2
$ collsim plan --gpus 8,16,128 --model llama3-70b --global-batch 128 --json 2>/dev/null | grep -E '"(gpus|refusal)"' | cut -c1-90
      "gpus": 8,
      "refusal": "none of 1044 configurations fits the 80 GiB of h100; the smallest takes 
      "gpus": 16,
      "refusal": null,
      "gpus": 128,
      "refusal": null,

# A scenario file; later options override.
$ printf 'about: test\ngpus: 16\nmix: all-reduce:1MiB\nfabric: star\n' >plan.yaml; collsim plan --scenario plan.yaml --gpus 32 --csv | cut -d, -f2,4 | tail -1
star,32
$ printf 'gpus: 16\nmixx: all-reduce:1MiB\n' >plan.yaml; collsim plan --scenario plan.yaml
collsim: --scenario: plan.yaml:2: unknown option '--mixx'; did you mean '--mix'?
? 2

# Two context parallel ranks leave eight copies of 16 GPUs.
$ collsim plan --gpus 16 --node dgx-h100 --model gpt2-small --cp 2 --global-batch 64 2>/dev/null | grep -o 'tp 1, .*' | tail -1
tp 1, pp 1, dp 8, cp 2, micro batch 8, zero1

# A report names its files by size and hash (FNV-1a of 64 bits).
$ printf 'gpus: 8\nmix: all-reduce:1GiB\n' >plan.yaml; collsim plan --scenario plan.yaml --out hashed.md >/dev/null 2>&1; grep Input hashed.md
- Input plan.yaml: 29 bytes, FNV-1a c4a639b114f03297.

# The network as built is a machine again.
$ collsim plan --gpus 128 --fabric fat-tree --mix all-reduce:1GiB --cabling built.ib >/dev/null 2>&1; grep -c Switch built.ib; grep -c '^Ca' built.ib; head -3 built.ib | tail -2; collsim topo show built.ib --platform dgx-h100 | head -2
8
144
Switch	57 "S-0"	# "net0-leaf0"
[1]	"H-0"[1]	# 4xNDR 2 m
18 x dgx-h100 (cables): switches and cables of a file
ranks 144, nodes 18, links 883, routes computed
$ collsim plan --gpus 72 --fabric dragonfly --mix all-reduce:1GiB --cabling none.ib 2>&1 | tail -1
collsim: no list of cables of such a fabric; expected star, rail, rail-only, dual-plane or fat-tree, without pods; 'collsim topo export' has those
$ collsim plan --gpus 8 --mix all-reduce:1GiB --cabling none.ib 2>&1 | tail -1
collsim: --cabling: 8 GPUs of dgx-h100 have no network; add --gpus

# Meta's cluster of Llama 3 (arXiv 2407.21783): 1,536 racks with a switch, eight pods of 192 on
# chassis of 576 ports, and 1:7 above; chassis have no published price.
$ collsim plan --gpus 24576 --fabric fat-tree:radix=32,pod=192,chassis=576,core-oversubscription=7 --spares 0 --mix all-reduce:1GiB --json | grep -E '"(switches|cables|network_usd)"' | tr -d ' '
"switches":1607,
"cables":52736,
"network_usd":null,
$ collsim topo show --topo cluster:node=host,nodes=24576,fabric=fat-tree,radix=32,pod=192,chassis=576,core-oversubscription=7 | grep -E ' (switch|link) '
device     switch   1,607        -           -          -        -  -           leaf0 ... core6
link       link    52,736  25 GB/s     100.0 %    25 GB/s   500 ns  separate    [1]
$ for o in 1 4; do collsim --topo fat-tree:ranks=64,radix=8,pod=4,chassis=16,core-oversubscription=$o --collective all-to-all --size 64MiB --link-model fluid --routing spray --no-proof --csv | cut -d, -f7 | tail -1; done
0.00283141152
0.008333321595
$ collsim plan --gpus 1024 --fabric fat-tree:pod=8 --switch-ports 32 --mix all-reduce:1GiB
collsim: --switch-ports has no effect on fat-tree:pod=8, whose switches have radix= and chassis= ports; leave it out
? 2

# Hashed routes and other jobs cost time above the leaf switches, and none where there is nothing above.
$ for o in '' '--routing ecmp' '--scattered' '--scattered --routing ecmp'; do collsim plan --gpus 256 --fabric rail,fat-tree:oversubscription=3 --mix all-reduce:1GiB $o --json | grep '"time_s"' | tr -d ',' | awk '{t[NR] = $2} END {print (t[2] > 1.05 * t[1] ? "longer" : "equal")}'; done
equal
longer
longer
longer
$ collsim plan --gpus 256 --mix all-reduce:1GiB --routing ecpm
collsim: --routing: no routing called 'ecpm'; did you mean 'ecmp'?
? 2

# Options without effect on any case; prices beside the published ones narrow their ranges.
$ for o in --channels-first '--routing ecmp' '--servers 2' '--pue 1.2' '--price node=310k' '--fusion none'; do collsim plan --gpus 64 --model llama2-7b $o 2>&1 | grep effect; done; collsim plan --mix all-reduce:1GiB --gpus 64 --router fused 2>&1 | grep effect
note: --channels-first has no effect on the cases of this plan
note: --routing has no effect on the cases of this plan
note: --servers has no effect on the cases of this plan
note: --router has no effect on the cases of this plan

# Language models run as the framework of the GPU runs them, unless the user says how; settings of
# another that make the fastest case faster are named, and stand in the page.
$ collsim plan --gpus 64 --node a100,h100,mi300x --model llama3-8b --json 2>/dev/null | grep -E '"(node|framework)"' | tr -d '", '
node:dgx
framework:nemo
node:dgx-h100
framework:megatron-bridge
node:mi300x
framework:null
$ collsim plan --gpus 64 --node mi300x,h100 --model llama3-8b 2>/dev/null | sed -nE 's/.*(llama3-8b.*)\?.*/\1/p;s/.*(tokens\/s with failures).*/\1/p'
llama3-8b as run by no framework's settings (mi300x), megatron-bridge (dgx-h100)
tokens/s with failures
tokens/s with failures
$ for o in '' '--framework torchtitan' '--system fsdp' '--attention plain'; do collsim plan --gpus 64 --model llama3-8b $o | sed -nE 's/.*(llama3-8b.*)\?.*/\1/p'; done
llama3-8b as run by megatron-bridge
llama3-8b as run by torchtitan
llama3-8b
llama3-8b as run by megatron-bridge
$ collsim plan --gpus 512 --model deepseek-v3 -o faster.md 2>&1 >/dev/null | grep -o 'in place of .* with --framework hai-llm' | sed 's/of .* with/of # with/'; grep -c '^| --framework hai-llm: tp' faster.md; grep -o 'Settings on dgx-h100: megatron-bridge' faster.md
in place of # with --framework hai-llm
1
Settings on dgx-h100: megatron-bridge

# The limits ask for the number of GPUs.
$ collsim plan --model llama3-8b --system fsdp --tokens 1T --deadline 30d | grep -o 'Recommended: [0-9]* GPUs of dgx-h100, rail, the cheapest within the limits.' | sed 's/[0-9][0-9]*/#/'
Recommended: # GPUs of dgx-h100, rail, the cheapest within the limits.

# A limit on what is unknown of all cases.
$ collsim plan --gpus 64,128 --node mi210 --mix all-reduce:1GiB --power-limit 1MW | sed -n 2p
Recommended: no case is within the limits; the nearest has 64 GPUs of mi210, rail, which has no known power. Out: 2 cases (has no known power).
$ collsim plan --gpus 64 --node p5 --mix all-reduce:1GiB --budget 3M$ | sed -n 2p
Recommended: no case is within the limits; the nearest has 64 GPUs of p5, rail, which has no known price. Out: 1 case (has no known price).

# Mistakes.
$ collsim plan --model llama2-7b
collsim: no numbers of GPUs; add --gpus 64,256,1024, or a limit that asks for one: --deadline 60d with --tokens, --budget 3M$ or --power-limit 1MW
? 2
$ collsim plan --gpus 64
collsim: no load; add --model NAME or --mix all-reduce:1GiB
? 2
$ collsim plan --gpus 100 --mix all-reduce:1GiB 2>&1 >/dev/null; collsim plan --node gb200-nvl72 --gpus 512,504 --mix all-reduce:1GiB 2>&1 >/dev/null
note: 100 GPUs on dgx-h100: 13 nodes with 104 are bought
note: 512 GPUs on gb200-nvl72: 8 nodes with 576 are bought, of whose 72 64 are used (--segment)
$ collsim plan --gpus 64 --mix all-reduc:1GiB
collsim: --mix: no collective called 'all-reduc'; did you mean 'all-reduce'?
? 2
$ collsim plan --gpus 64 --mix all-reduce
collsim: --mix: 'all-reduce' has no size; expected all-reduce:1GiB or all-reduce:1GiB*4
? 2
$ collsim plan --gpus 64 --mix all-reduce:1GiB --model llama2-7b
collsim: --model and --mix cannot be combined; give one
? 2
$ collsim plan --gpus 64 --fabric rial --mix all-reduce:1GiB
collsim: --fabric: no fabric called 'rial'; did you mean 'rail'?
? 2
$ collsim plan --gpus 64 --fabric oversubscription=3 --mix all-reduce:1GiB
collsim: --fabric: no fabric called 'oversubscription=3'; expected star, rail, rail-only, dual-plane, fat-tree, dragonfly, dragonfly+, torus, hypercube, ring, mesh
? 2
$ collsim plan --gpus 64 --mix all-reduce:1GiB --price dgx-h100=300 --power switch=100kW 2>&1 >/dev/null
note: --price has 300 USD for a node of dgx-h100; published: 310000
note: --power has 100000 W for a switch of dgx-h100; published: 747
$ collsim plan --gpus 64 --mix all-reduce:1GiB --price dgx-h100=300k 2>&1 >/dev/null
$ collsim plan --gpus 64 --mix all-reduce:1GiB --price dgx-h100=1e300
collsim: --price: '1e300' is above 1e9, more than any machine has
? 2
$ collsim plan --gpus 64 --mix all-reduce:1GiB --price node=3W
collsim: --price: '3W' is not a number with a unit; expected 310000USD
? 2
$ collsim plan --gpus 64 --mix all-reduce:1GiB --price rent=0
collsim: --price: '0' is not above 0
? 2
$ collsim plan --gpus 64 --mix all-reduce:1GiB --deadline 30d
collsim: --deadline is for a model; leave it out
? 2
$ collsim plan --gpus 1 --model resnet50 2>&1 >/dev/null | grep bought
note: 1 GPU on dgx-h100: 1 node with 8 is bought
$ collsim plan --gpus 64 --mix all-reduce:1GiB --energy-price 12
collsim: --energy-price: '12' is not a number with a unit; expected 0.12USD/kWh
? 2
$ collsim plan --gpus 64 --mix all-reduce:1GiB --lifetime 0y
collsim: --lifetime: '0y' is not above 0
? 2
$ collsim plan --gpus 64 --node dgx-h1000 --mix all-reduce:1GiB
collsim: no file and no library machine called 'dgx-h1000'; did you mean 'dgx-h100'?
? 2
$ collsim plan --gpus 64 --mix all-reduce:1GiB --spares x
collsim: --spares: 'x' is not a whole number
? 2
$ collsim plan --gpus 64 --mix all-reduce:1GiB --out /nonexistent/plan.html
collsim: cannot write '/nonexistent/plan.html': No such file or directory
? 2
$ collsim plan --gpus 64 --mix all-reduce:1GiB --out plan.pdf
collsim: --out: 'plan.pdf' does not end in .html, .htm, .md or .markdown
? 2
$ collsim plan --gpus 64 --mix all-reduce:1GiB --algo ring
collsim: --algo belongs to 'collsim run' and has no effect here; leave it out
? 2

# A node that no file describes is in brackets, for its commas.
$ collsim plan --gpus 8 --node 'dgx-h100,[node:gpu=l4,gpus=4,port=25gbe]' --model gpt2-small --out page.html --force 2>/dev/null | sed -nE 's/^([^ ]+, rail) .*/\1/p' | sort -u
dgx-h100, rail
node:gpu=l4,gpus=4,port=25gbe, rail

$ collsim plan --gpus 8 --model resnet50 --node node:gpu=rtx4090,gpus=4
collsim: 'node' has no NIC that a fabric could join; node: takes them as in port=100gbe
? 2

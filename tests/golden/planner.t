# Questions of planners, a command each.  Figures stay out; numbers of boxes and cables are exact.

# 1 Budget: how much for 10 M$?
$ collsim plan --model llama3-8b --budget 10M$ | grep -E '^(Recommended|dgx-h100, rail .* tp)' | sed -E 's/[0-9][0-9,.]* GPUs/# GPUs/; s/  +.*//'
Recommended: # GPUs of dgx-h100, rail, the fastest within the limits.
dgx-h100, rail

# 2 Deadline: how many GPUs for 15 trillion tokens in 60 days?
$ collsim plan --model llama3-8b --tokens 15T --deadline 60d | grep -oE '^Recommended: .*|15 trillion tokens: [45][0-9.]* days' | sed -E 's/[0-9][0-9,.]* (GPUs|days)/# \1/' | sort -u
15 trillion tokens: # days
Recommended: # GPUs of dgx-h100, rail, the cheapest within the limits.

# 3 H100 or B200?
$ collsim plan --gpus 256 --node h100,b200 --model llama3-70b 2>/dev/null | grep -oE '^(Recommended: 256 GPUs of dgx-b200|Cheapest: the same)'
Recommended: 256 GPUs of dgx-b200
Cheapest: the same

# 4 An adapter of 400 Gb/s in place of eight?
$ collsim plan --gpus 64 --model llama3-8b --fabric rail,rail:nics=nic0 --json | grep -E '"(fabric|time_s|switches|cables)"' | tr -d '",' | awk '/time_s/ {t[++n] = $2; next} {printf "%s%s", $2, /cables/ ? "\n" : " "} END {print (t[2] > t[1] ? "one is slower" : "no difference")}'
rail 2 72
rail:nics=nic0 1 9
one is slower

# 5 Rent or buy?
$ collsim plan --gpus 256 --model llama3-8b --tokens 1T | grep -oE '^Rent: at .* a GPU-hour the training|bought \$|to buy pays after .* months' | sed -E 's/[0-9.]+/#/'
Rent: at $# a GPU-hour the training
bought $
to buy pays after # months

# 6 Spare nodes: what do they cost?
$ collsim plan --gpus 512 --model llama3-8b | tail -1 | grep -o '2 spare nodes take a tier.*'
2 spare nodes take a tier: with 0, 8 switches and 512 cables

# 7 Power: what fits into a megawatt?
$ collsim plan --model llama3-8b --power-limit 1MW --json | grep '"power_w"' | awk '{print ($2 + 0 <= 1e6 && $2 + 0 > 8e5 ? "within" : "not within")}'
within

# 8 Failures: what do they cost, of which GPU?
$ collsim plan --gpus 1024 --node a100,h100 --mix all-reduce:1GiB -o failures.md >/dev/null 2>&1; sed -n '/^## Failures/,/^## Sens/p' failures.md | grep -oE '^. (dgx[-h0-9]*) . 1,024 . [0-9,]*'
| dgx | 1,024 | 29,500
| dgx-h100 | 1,024 | 50,700

# 9 Rails alone, or a fat tree?
$ collsim plan --gpus 512 --spares 0 --fabric rail-only,fat-tree --model llama3-8b --json | grep -E '"(fabric|switches|cables)"' | tr -d '",' | awk '{printf "%s%s", $2, /cables/ ? "\n" : " "}'
rail-only 8 512
fat-tree 24 1024

# 10 Upgrade: which links for the same nodes?
$ collsim plan --gpus 128 --link 100gbe,200gbe,400gbe --model llama3-8b --json 2>/dev/null | grep -E '"(link|time_s)"' | tr -d '",' | paste - - | sort -g -k4 | awk '{print $2}' | paste -sd' '
400gbe 200gbe 100gbe

# 11 The largest published runs: Llama 3 405B as Meta divided it.  43, 41 and 38 % of the peak were
# published (arXiv 2407.21783 table 4); on 16,384 GPUs a plan takes its batch of 16 M tokens.
$ for r in '1024 43' '2048 41' '2048 38 --cp 16 --sequence 131072 --global-batch 128'; do set -- $r; m=$1 p=$2; shift 2; collsim train --topo cluster:node=dgx-h100,nodes=$m --model llama3-405b --system zero2 --sequence-parallel --tp 8 --pp 16 --chunks 8 --global-batch 2048 "$@" --json 2>/dev/null | grep -m1 '"flops_share' | awk -v p=$p '{x = 100 * $2 / p; print (x > 0.9 && x < 1.1 ? "within 10 %" : "off: " x)}'; done
within 10 %
within 10 %
within 10 %
$ collsim plan --gpus 16384 --model llama3-405b 2>/dev/null | grep -o 'for a step of [0-9,]* tokens'
for a step of 16,777,216 tokens

# 12 For programs the answer comes first, with the places of its cases; a mix has one for each number of GPUs.
$ collsim plan --gpus 8,16 --model llama2-7b --json | sed -n '2,12p' | cut -c1-40; collsim plan --gpus 8,16 --mix all-reduce:1GiB --json | sed -n '/_case"/p'
  "answer": {
    "question": "which machine for train
    "recommended": "16 GPUs of dgx-h100,
    "fastest": "16 GPUs of dgx-h100, rai
    "cheapest": "the same.",
    "rent": "at $2.99 a GPU-hour a step 
    "recommended_case": 1,
    "fastest_case": 1,
    "cheapest_case": 1
  },
  "cases": [
    "recommended_case": null,
    "fastest_case": null,
    "cheapest_case": null

# GPUs with wires between them alone: a machine for algorithms that relay.
$ printf 'name: square\nnode:\n  devices:\n    gpu: {kind: gpu, count: 4, model: a100}\n  links:\n    - {from: "gpu[0-3]", to: ["gpu[1-3]", gpu0], class: nvlink3 x2}\n' >square.yaml; for c in all-reduce all-gather broadcast all-to-all; do collsim --topo square.yaml --collective $c --algo any --size 1MiB --csv 2>/dev/null | awk -F, 'NR == 2 || (NR > 2 && $7 < best) { best = $7; name = $4 } END { print name }'; done
swing
forest
forest
torus

$ collsim --topo square.yaml --algo ring --size 1MiB | grep -E 'simulated|verified'
note: some ranks have neither a wire nor a switch in common: algorithms run here that relay between neighbours, as ring, forest and synth do
  simulated                 47.42 us
  efficiency                44.3 %        lower bound / simulated
  busy                      82.9 %        of the simulated time
  verified                  every rank ends with the result that all-reduce specifies
$ collsim --topo square.yaml --algo direct --size 1MiB
note: some ranks have neither a wire nor a switch in common: algorithms run here that relay between neighbours, as ring, forest and synth do
collsim: direct sends from gpu0 to gpu2, which neither a wire nor a switch joins
? 2

# A wire less leaves a line, which has no ring and has trees.
$ for a in ring forest; do collsim --topo square.yaml --algo $a --size 1MiB --fault gpu0-gpu1:down 2>&1 | grep -E 'sends|verified'; done
collsim: ring sends from gpu0 to gpu1, which neither a wire nor a switch joins
  verified                  every rank ends with the result that all-reduce specifies
$ collsim --topo square.yaml --algo ring --size 1MiB --fault gpu0-gpu1:down@5us 2>&1 | tail -1
collsim: timed faults need detours, and no rank of this machine passes messages on; leave the time out

# What is written reads as the same machine.
$ collsim topo export --topo square.yaml --out again.yaml 2>/dev/null; grep -c forward again.yaml; collsim --topo again.yaml --algo direct --size 1MiB 2>&1 | tail -1
0
collsim: direct sends from gpu0 to gpu2, which neither a wire nor a switch joins

# A GPU on its own is an error still.
$ sed 's/count: 4/count: 5/' square.yaml >five.yaml; collsim --topo five.yaml --algo ring
collsim: five.yaml:4: 'gpu2' cannot be reached from 'gpu0'; only a cpu, nic, switch or bus passes messages on
? 2

# Spanning trees packed on the wires of a machine.
$ for c in all-gather reduce-scatter broadcast reduce all-reduce; do collsim --topo dgx-1 --collective $c --algo forest | grep -E '^note: [0-9]|simulated  '; done
note: 21 trees of depth 6, 137.1 GB/s of the vector together, 98.8 % of the best on these routes
  simulated                 7.868 ms
note: 21 trees of depth 6, 137.1 GB/s of the vector together, 98.8 % of the best on these routes
  simulated                 7.865 ms
note: 6 trees of depth 6, 120 GB/s of the vector together, 98.8 % of the best on these routes
  simulated                 9.059 ms
note: 6 trees of depth 6, 120 GB/s of the vector together, 98.8 % of the best on these routes
  simulated                 9.134 ms
note: 21 trees of depth 6, 68.57 GB/s of the vector together, 98.8 % of the best on these routes
  simulated                 15.73 ms

# Machines without rings of full rate.
$ for m in mi250x ascend910 pcie-4gpu; do collsim --topo $m --collective all-gather --algo any 2>/dev/null | grep -E 'algorithm  |simulated  |bound  '; done
                                   bound  ciency
  algorithm                 forest
  simulated                 3.77 ms
  lower bound               3.405 ms      the ranks' own links (276 GB/s to 312 GB/s)
                                    bound  ciency
  algorithm                 forest
  simulated                 22.45 ms
  lower bound               22.37 ms      links from npu4 npu5 npu6 npu7 to npu0 npu1 npu2 npu3 (4 x 6 GB/s arm-socket = 24 GB/s)
                                    bound  ciency
  algorithm                 forest
  simulated                 53.74 ms
  lower bound               53.69 ms      links from gpu2 gpu3 to gpu0 gpu1 (10 GB/s upi)

# A lost wire: trees of the wires that remain.
$ collsim --topo dgx-1 --collective all-gather --algo forest --fault gpu0-gpu1:down | grep -E '^note: [0-9]|simulated  |slowdown'
note: 30 trees of depth 7, 128 GB/s of the vector together, 100.0 % of the best on these routes
note: planned for the machine with its faults: 1 channels, 239 chunks; without them 1 and 276
  simulated                 8.416 ms
  without faults            7.868 ms      slowdown by the faults 1.07 x

# A cluster has the trees of a node in every node.
$ for c in all-gather broadcast all-reduce; do collsim --topo dgx-1 --nodes 4 --collective $c --algo forest 2>&1 | grep -E '^note: [0-9]|efficiency'; done
note: 32 trees of depth 10, 64 GB/s of the vector together, 100.0 % of the best on these routes
  efficiency                99.7 %        lower bound / simulated
note: 8 trees of depth 7, 48 GB/s of the vector together, 100.0 % of the best on these routes
  efficiency                99.2 %        lower bound / simulated
note: 16 trees of depth 12, 32 GB/s of the vector together, 100.0 % of the best on these routes
  efficiency                99.5 %        lower bound / simulated

# Limits: of the trees, and of `any`.
$ collsim --topo switch:ranks=72 --placement random --collective all-gather --algo forest
collsim: forest packs trees of at most 64 ranks, not of 72
? 2

$ collsim --topo switch:ranks=21 --placement random --collective broadcast --algo any 2>&1 | grep forest
collsim: skipped forest: trees of more than 16 ranks without equal nodes are packed with --algo forest only
? 0

$ collsim export --topo hgx-a100-4 --collective all-gather --algo forest --chunks 1 --format msccl 2>/dev/null | head -8
<algo name="all-gather_forest" proto="Simple" nchannels="4" nchunksperloop="4" ngpus="4" coll="allgather" inplace="1" outofplace="0" minBytes="0" maxBytes="1099511627776">
  <gpu id="0" i_chunks="0" o_chunks="4" s_chunks="0">
    <tb id="0" send="1" recv="-1" chan="0">
      <step s="0" type="s" srcbuf="o" srcoff="0" dstbuf="o" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/>
    </tb>
    <tb id="1" send="2" recv="-1" chan="0">
      <step s="0" type="s" srcbuf="o" srcoff="0" dstbuf="o" dstoff="0" cnt="1" depid="-1" deps="-1" hasdep="0"/>
    </tb>

$ collsim --topo cluster:node=a100-pcie,nodes=4 --collective broadcast --algo forest --size 256MiB --json 2>/dev/null | grep -E '"(verified|efficiency)"'
      "verified": true,
      "data_flow": "verified",

# Shares of trees whose linear program rounding has spoilt are not taken, and a part of a
# rail-only cluster sends over its own GPUs alone.

$ collsim --topo l20 --nodes 2 --fabric star --collective reduce-scatter --algo forest --size 4MiB --ranks 11 | grep verified
note: 29 trees of depth 4, 26.03 GB/s of the vector together, 98.6 % of the best on these routes
  verified                  every rank ends with the result that reduce-scatter specifies
$ collsim --topo mi300x --nodes 2 --fabric rail-only --collective reduce-scatter --algo forest --size 64MiB --ranks 9 | grep -E 'simulated |lower'
note: 9 trees of depth 2, 54 GB/s of the vector together, 100.0 % of the best on these routes
  simulated                 1.251 ms
  lower bound               1.243 ms      links from n1.gpu0 to the other 8 ranks (48 GB/s pcie5 x16)
  efficiency                99.4 %        lower bound / simulated
  busy                      99.4 %        of the simulated time

# Rounds that pack messages take no shots of the state.

$ collsim --topo a4x --collective all-gather --algo forest --size 1GiB --no-proof | grep -E 'simulated |messages'
note: 72 trees of depth 1, 732 GB/s of the vector together, 100.0 % of the best on these routes
  simulated                 1.47 ms
  efficiency                66.7 %        lower bound / simulated; reachable / simulated 99.9 %
  reachable                 1.468 ms      over the links that messages take: the ranks' own links (721.8 GB/s nvlink5 x18)
  messages                  163,584
  busy                      99.8 %        of the simulated time

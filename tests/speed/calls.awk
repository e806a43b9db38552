# Plausible calls on 256 to 16,384 GPUs, one a line: what a user types who plans, compares or
# doubts a machine.  The same calls for the same seed, with any awk.
#
#     awk -v seed=1 -v count=200 -f calls.awk
#
# Random numbers are Park and Miller's (16807 modulo 2^31 - 1): every product is exact.

function draw(n)
{
    state = (state * 16807) % 2147483647
    return state % n
}

function chance(percent)
{
    return draw(1000) < 10 * percent
}

# One of the words.
function one_of(words, list, n)
{
    n = split(words, list, " ")
    return list[1 + draw(n)]
}

function nodes_of_8()
{
    return one_of("32 40 64 96 100 128 128 200 250 256 256 400 512 512 750 1000 1001 1024 1024 1500 2000 2048 2048")
}

function fabric(    name)
{
    name = one_of("rail rail rail fat-tree fat-tree star rail-only dual-plane dragonfly")
    if (name == "fat-tree" && chance(40))
        name = name ",oversubscription=" one_of("2 4")
    return name
}

function cluster()
{
    if (chance(12))
        return "cluster:node=" one_of("gb200-nvl72 gb300-nvl72") ",nodes=" one_of("4 8 10 14 20 28 32 57 100") ",fabric=" one_of("rail fat-tree")
    return "cluster:node=" one_of("dgx-h100 dgx-h100 dgx-h100 dgx-a100 dgx-b200 mi300x p5 hgx-h100") ",nodes=" nodes_of_8() ",fabric=" fabric()
}

function machine()
{
    if (chance(88))
        return cluster()
    return one_of("torus:dims=8x8x8 torus:dims=16x16 torus:dims=16x16x16 hypercube:dims=10 " \
                  "fat-tree:k=16 switch:ranks=1024 ring:ranks=4096")
}

function size()
{
    return one_of("8 1KiB 16KiB 64KiB 256KiB 1MiB 1MB 4MiB 16MiB 25MB 64MiB 100MB 256MiB 1GiB 1GiB 4GiB 10GB")
}

function sizes()
{
    if (chance(75))
        return "--size " size()
    return "-b " one_of("1K 1M") " -e 1G -f " one_of("4 32")
}

function collective()
{
    return one_of("all-reduce all-reduce all-reduce all-reduce all-reduce all-reduce all-reduce " \
                  "all-gather all-gather reduce-scatter reduce-scatter broadcast reduce " \
                  "all-to-all all-to-all send-receive gather scatter barrier")
}

function algorithm(what)
{
    if (chance(40))
        return "auto"
    if (what == "all-reduce")
        return one_of("ring multi-ring double-tree nvls-tree hierarchical hierarchical tree rabenseifner chain direct ring,double-tree,hierarchical")
    if (what == "all-gather")
        return one_of("ring multi-ring direct pat bruck hierarchical")
    if (what == "reduce-scatter")
        return one_of("ring multi-ring direct pat hierarchical")
    if (what == "broadcast" || what == "reduce")
        return one_of("binomial chain multi-ring hierarchical two-tree")
    if (what == "all-to-all")
        return one_of("direct pairwise bruck hierarchical rails")
    return "auto"
}

# What makes a run more than a time: faults, noise, other models, a second job.
function doubt(on,    kind)
{
    kind = one_of("straggler jitter with fluid ecmp ranks fault fault slow what-if")
    if (on !~ /^cluster/ && kind ~ /fault|slow|what-if/)
        return ""
    if (kind == "fault")
        return " --fault n" draw(30) ".nic0:rate=50%"
    if (kind == "slow")
        return " --fault n" draw(30) ".nic" draw(8) ":down"
    if (kind == "what-if")
        return " --what-if " one_of("each-switch each-plane each-nic")
    if (kind == "straggler")
        return " --straggler rank=" draw(256) ",slow=20%"
    if (kind == "jitter")
        return " --jitter exponential,mean=2us --runs " one_of("5 20")
    if (kind == "with")
        return " --with all-to-all:size=64MiB"
    if (kind == "fluid")
        return " --link-model fluid"
    if (kind == "ecmp")
        return " --routing ecmp"
    if (kind == "ranks")
        return " --ranks " one_of("64,128,256 256 128-130")
    return ""
}

function run(    on, what, line)
{
    on = machine()
    what = collective()
    line = "run --topo " on " --collective " what
    if (chance(12))
        return line " --library nccl " sizes()
    line = line " --algo " algorithm(what) " " sizes()
    return chance(25) ? line doubt(on) : line
}

function train(    line)
{
    line = "train --topo " cluster() " --model " \
           one_of("llama2-7b llama2-70b llama3-8b llama3-70b gpt3-175b mixtral-8x7b gpt3-13b")
    line = line " --system " one_of("hybrid fsdp ddp zero1 auto")
    return line " --global-batch " one_of("2048 4096")
}

function plan()
{
    return "plan --gpus " one_of("256 1024 256,1024 2048,4096") " --node " \
           one_of("dgx-h100 dgx-b200 dgx-h100,dgx-b200") " --model " one_of("llama2-7b llama3-8b llama3-70b")
}

function call(    part)
{
    part = draw(100)
    if (part < 80)
        return run()
    if (part < 84)
        return "why --topo " cluster() " --algo " one_of("ring multi-ring hierarchical double-tree") " --size " size()
    if (part < 90)
        return train()
    if (part < 94)
        return plan()
    if (part < 97)
        return "tune --topo " cluster()
    return "topo " one_of("show check") " --topo " cluster()
}

BEGIN {
    state = 1 + (seed + 0) * 7919 % 2147483646
    for (i = 0; i < 10; i++)
        draw(2)
    for (i = 0; i < count + 0; i++)
        print call()
}

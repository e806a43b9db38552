/*
 * Models in which messages share links agree to 5 % where much is shared:
 * `packet` goes packet by packet and `fluid` splits every link's rate, and what
 * they differ by is a few packets of many, and who is ahead of whom meanwhile.
 * Latencies are small beside the rounds: where they are not, ranks that drift
 * apart make more than 5 % of either model (sim/models/packet/packet.c).
 *
 * The tree has two leaves of three ranks and a third of the rate above:
 *
 *                    spine
 *                 12 /   \ 14            up; down is one more
 *              leaf 0     leaf 1
 *              0 / |2\ 4  6/ |8\ 10
 *               0  1  2   3  4  5
 */
#include "tests/fixture.h"

enum {
    RANKS = 6,
    PER_LEAF = 3,
    LINKS = 2 * RANKS + 4
};

static const double rate_Bps = 25e9;

struct tree {
    struct small_net small;
    struct route routes[RANKS * RANKS];
    uint32_t leaf[RANKS];
};

static struct route route_between(const struct tree *tree, uint32_t src, uint32_t dst)
{
    uint32_t up = 2 * RANKS + 2 * tree->leaf[src];
    uint32_t down = 2 * RANKS + 2 * tree->leaf[dst] + 1;

    if (tree->leaf[src] == tree->leaf[dst])
        return (struct route){src, dst, 2, {2 * src, 2 * dst + 1}};
    return (struct route){src, dst, 4, {2 * src, up, down, 2 * dst + 1}};
}

/* Ranks of one leaf follow each other `stride` apart: 1 or 2. */
static void tree_open(struct tree *tree, uint32_t stride)
{
    uint32_t count = 0;

    *tree = (struct tree){0};
    for (uint32_t i = 0; i < LINKS; i++)
        tree->small.links[i] = (struct cs_net_link){.rate_Bps = rate_Bps,
                                                    .latency_ps = 500000,
                                                    .resource = i,
                                                    .from = RANKS,
                                                    .to = RANKS + 1};
    for (uint32_t i = 0; i < RANKS; i++)
        tree->leaf[i] = stride == 1 ? i / PER_LEAF : i % 2;
    for (uint32_t src = 0; src < RANKS; src++)
        for (uint32_t dst = 0; dst < RANKS; dst++)
            if (src != dst)
                tree->routes[count++] = route_between(tree, src, dst);
    small_net_finish(&tree->small, RANKS, LINKS, tree->routes, count);
}

static double run_s(const struct cs_net *net, const struct cs_program *program, const char *model)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_exec_result result;

    assert_done(cs_exec_run(program, net, cs_link_model_find(model), &arena, &result, &err));
    return (double)result.time_ps * 1e-12;
}

static double on_tree_s(uint32_t stride, const char *collective, const char *algo,
                        const char *model)
{
    struct cs_call call = {.ranks = RANKS, .elements = 6000000, .element_bytes = 1};
    struct cs_program program = fixture_program(algo, collective, &call);
    struct tree tree;
    double time_s;

    tree_open(&tree, stride);
    time_s = run_s(&tree.small.net, &program, model);
    small_net_free(&tree.small);
    return time_s;
}

static void expect_close(double time_s, double other_s, const char *what)
{
    if (!(fabs(time_s - other_s) <= 0.05 * other_s))
        fail_msg("%s: packet takes %g s instead of %g s", what, time_s, other_s);
}

/* What the busiest link must carry, when all is sent at once. */
TEST(packets_keep_the_busiest_link_busy)
{
    const double block = 1e6;
    const double vector = RANKS * block;

    /* Five blocks into the root's port. */
    expect_close(on_tree_s(1, "gather", "flat", "packet"), 5 * block / rate_Bps, "incast");
    /* Three vectors for each of three ranks over each uplink. */
    expect_close(on_tree_s(1, "allreduce", "oneshot", "packet"), 9 * vector / rate_Bps,
                 "all to all at once");
    /* Two rings over each uplink, for ten rounds of half a block. */
    expect_close(on_tree_s(1, "allreduce", "multi-ring", "packet"), 10 * block / rate_Bps,
                 "two rings");
}

static const struct {
    uint32_t stride;
    const char *collective, *algo;
} cases[] = {
    {1, "gather", "flat"},          {1, "alltoall", "pairwise"},    {1, "allreduce", "oneshot"},
    {1, "allreduce", "direct"},     {1, "allreduce", "multi-ring"}, {2, "allreduce", "ring"},
    {2, "allreduce", "multi-ring"}, {2, "allreduce", "oneshot"},    {2, "reduce-scatter", "direct"},
};

TEST(packets_share_a_tree_as_flows_do)
{
    if (!cs_link_model_find("fluid"))
        skip();
    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++)
        expect_close(on_tree_s(cases[i].stride, cases[i].collective, cases[i].algo, "packet"),
                     on_tree_s(cases[i].stride, cases[i].collective, cases[i].algo, "fluid"),
                     cases[i].algo);
}

TEST(packets_share_pcie_uplinks_as_flows_do)
{
    const char *const algos[] = {"direct", "oneshot", "naive", "multi-ring", "gather-bcast"};

    if (!cs_link_model_find("fluid"))
        skip();
    for (size_t i = 0; i < sizeof(algos) / sizeof(*algos); i++) {
        struct cs_call call = {.ranks = 4, .elements = 4000000, .element_bytes = 1};
        struct cs_program program = fixture_program(algos[i], "allreduce", &call);
        CS_AT_END(machine_close) struct machine machine;

        machine_open(&machine, "pcie-4gpu", 4, 0);
        expect_close(run_s(&machine.net, &program, "packet"),
                     run_s(&machine.net, &program, "fluid"), algos[i]);
    }
}

/* Eight rings at once over two nodes, NVLink, PCIe and one switch: here
 * buffers of a few packets would set the pace.  Latencies are 4 % of the time:
 * rings that drift apart hide some of them. */
MACHINE_TEST(packets_share_adapters_as_flows_do)
{
    struct cs_call call = {.ranks = 16, .elements = 16000000, .element_bytes = 4};
    struct cs_program program = fixture_program("multi-ring", "allreduce", &call);

    machine_open(machine, "ib-2xdgx", 16, 0);
    expect_close(run_s(&machine->net, &program, "packet"), run_s(&machine->net, &program, "fluid"),
                 "eight rings");
}

/* Larger trees, whose routes are evenly spread. */
TEST(fat_trees_are_shared_identical)
{
    static const struct {
        const char *machine, *collective, *algo;
        uint32_t ranks;
    } trees[] = {
        {"fat-tree:radix=6,oversubscription=2", "alltoall", "pairwise", 16},
        {"fat-tree:radix=12,oversubscription=2", "alltoall", "pairwise", 32},
        {"fat-tree:radix=12,oversubscription=2", "gather", "flat", 32},
        {"fat-tree:radix=12,oversubscription=2", "allreduce", "ring", 32},
        {"fat-tree:radix=8,oversubscription=3", "alltoall", "pairwise", 24},
        /* Leaves that are not full: flows of few meet those of many. */
        {"fat-tree:radix=8,oversubscription=3", "alltoall", "pairwise", 16},
        {"fat-tree:radix=6,oversubscription=5,latency=0s", "alltoall", "pairwise", 11},
        {"fat-tree:radix=6,oversubscription=2,latency=0s", "alltoall", "pairwise", 11},
    };

    for (size_t i = 0; i < sizeof(trees) / sizeof(*trees); i++) {
        struct cs_call call = {.ranks = trees[i].ranks,
                               .elements = UINT64_C(500000) * trees[i].ranks,
                               .element_bytes = 1};
        struct cs_program program = fixture_program(trees[i].algo, trees[i].collective, &call);
        CS_AT_END(machine_close) struct machine machine;

        machine_open(&machine, trees[i].machine, trees[i].ranks, 0);
        expect_close(run_s(&machine.net, &program, "packet"),
                     run_s(&machine.net, &program, "fluid"), trees[i].machine);
    }
}

/*
 * Five ranks on leaves of two, and as much above as below.  Of the second round
 * 2 -> 4 and 3 -> 0 share an uplink and take two blocks' time; 1 -> 4 meets the
 * former on the link down for the second of the two and ends after another
 * half. All else has its links to itself: five blocks' time for four rounds.
 */
MACHINE_TEST(two_of_five_ranks_hold_each_other_up_once)
{
    static const char *const models[] = {"fluid", "packet"};
    const double block = 1e6;
    struct cs_call call = {.ranks = 5, .elements = 5000000, .element_bytes = 1};
    struct cs_program program = fixture_program("pairwise", "alltoall", &call);

    machine_open(machine, "fat-tree:radix=4,oversubscription=1,latency=0s", 5, 0);
    for (size_t i = 0; i < 2; i++) {
        double time_s = run_s(&machine->net, &program, models[i]);
        double packet_s = 4096 / rate_Bps;

        /* Some packets may go before others where flows meet. */
        if (!(fabs(time_s - 5 * block / rate_Bps) <= 5 * packet_s))
            fail_msg("%s: %g s", models[i], time_s);
    }
}

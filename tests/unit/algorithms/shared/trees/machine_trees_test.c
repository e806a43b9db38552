/* Machine trees: every tree spans the ranks, and all together have the rate of
 * the narrowest cut. */
#include "algorithms/shared/trees/machine_trees.h"

#include "algorithms/shared/trees/graph.h"

#include "tests/fixture.h"
#include "topo/transports/transport.h"

static const struct cs_tree_request gather = {.use = CS_TREES_DOWN};
static const struct cs_tree_request scatter = {.use = CS_TREES_UP};
static const struct cs_tree_request broadcast = {
    .roots = CS_TREES_OF_ROOT, .root = 3, .use = CS_TREES_DOWN};
static const struct cs_tree_request sum = {.roots = CS_TREES_OF_ANY, .use = CS_TREES_BOTH};

/* The rate of the trees in GB of the vector per second. */
static double rate_of(struct machine *machine, const struct cs_tree_request *request)
{
    const struct cs_trees *trees =
        cs_trees_of_machine(&machine->net, machine->graph.rank_count, request, &machine->arena);

    assert_non_null(trees);
    return 1e-9 / cs_trees_s_per_byte(trees);
}

/* Effective rate of an NVLink 2: 20 GB/s; 6 into each GPU, 8/7 of which are the
 * vector, as a GPU has an eighth. */
MACHINE_TEST(trees_of_a_cube_mesh_use_every_wire_into_a_rank)
{
    machine_open(machine, "dgx-1", 0, 0);
    assert_within(rate_of(machine, &gather), 6 * 20 * 8 / 7.0, 1e-5);
    assert_within(rate_of(machine, &scatter), 6 * 20 * 8 / 7.0, 1e-5);
    assert_within(rate_of(machine, &broadcast), 6 * 20, 1e-5);
    assert_within(rate_of(machine, &sum), 6 * 20 * 4 / 7.0, 1e-5);
}

/* The links of a transport, which model software, are at no device that a route passes. */
TEST(trees_of_a_machine_with_a_transport_have_its_rate)
{
    static const char *const specs[] = {"dgx-1", "dgx-h100"};
    static const struct cs_tree_request *const requests[] = {&gather, &scatter, &broadcast, &sum};

    for (size_t i = 0; i < 8; i++) {
        CS_AT_END(machine_close) struct machine plain, machine;
        struct cs_transport transport;

        machine_open(&plain, specs[i / 4], 0, 0);
        machine_open(&machine, specs[i / 4], 0, 0);
        assert_done(cs_transport_open("nccl-simple", &transport, &machine.arena, &err));
        cs_transport_extend(&transport, &machine.graph, &machine.net, &machine.arena);
        assert_within(rate_of(&machine, requests[i % 4]), rate_of(&plain, requests[i % 4]), 1e-5);
    }
}

/* 171.43 GB/s: the table of ForestColl (arXiv 2402.06787) for wires of 25 GB/s
 * a link. */
MACHINE_TEST(trees_of_wires_at_their_payload_are_those_of_forestcoll)
{
    const struct cs_trees *trees;

    machine_open(machine, "dgx-1", 0, 0);
    for (uint32_t i = 0; i < machine->net.link_count; i++)
        machine->net.links[i].rate_Bps *= 25.0 / 20;
    trees = cs_trees_of_machine(&machine->net, 8, &gather, &machine->arena);
    assert_non_null(trees);
    assert_within(1e-9 / cs_trees_s_per_byte(trees), 171.43, 5e-3);
    assert_int_equal(trees->count, 21);
    assert_int_equal(trees->units, 8 * 6);
    assert_true(trees->direct);
}

TEST(trees_pass_switches_and_sockets_on_the_routes)
{
    static const struct {
        const char *spec;
        double gather_GBps, sum_GBps;
    } machines[] = {
        {"mi250x", 288, 3456.0 / 23}, /* of the sum 144 by trees whose roots have equal parts */
        {"ascend910", 48, 24},
        {"pcie-4gpu", 20, 10},
        {"cluster:node=dgx-1,nodes=2", 96, 48},
        {"switch:ranks=6,bandwidth=10GB/s", 12, 6},
    };

    for (size_t i = 0; i < sizeof(machines) / sizeof(*machines); i++) {
        CS_AT_END(machine_close) struct machine machine;

        machine_open(&machine, machines[i].spec, 0, 0);
        assert_within(rate_of(&machine, &gather), machines[i].gather_GBps, 1e-5);
        assert_within(rate_of(&machine, &sum), machines[i].sum_GBps, 1e-5);
    }
}

/* Steps from the rank to the root. */
static uint32_t depth_of(const struct cs_tree *tree, uint32_t ranks, uint32_t rank)
{
    uint32_t steps = 0;

    while (tree->parent[rank] != CS_TREE_ABSENT) {
        rank = tree->parent[rank];
        assert_true(++steps < ranks);
    }
    assert_int_equal(rank, tree->root);
    return steps;
}

static void check_tree(const struct cs_trees *trees, uint32_t t)
{
    const struct cs_tree *tree = &trees->tree[t];
    uint32_t ranks = trees->ranks;

    for (uint32_t r = 0; r < ranks; r++) {
        assert_true(depth_of(tree, ranks, r) <= trees->depth);
        for (uint32_t i = tree->first_child[r]; i < tree->first_child[r + 1]; i++)
            assert_int_equal(tree->parent[tree->child[i]], r);
    }
    assert_int_equal(tree->first_child[ranks], ranks - 1);
}

MACHINE_TEST(every_tree_spans_the_ranks_with_a_run_of_units)
{
    const struct cs_tree_request *requests[] = {&gather, &scatter, &broadcast, &sum};

    machine_open(machine, "dgx-1", 0, 0);
    for (size_t i = 0; i < 4; i++) {
        const struct cs_trees *trees =
            cs_trees_of_machine(&machine->net, 8, requests[i], &machine->arena);
        uint32_t units = 0;

        for (uint32_t t = 0; t < trees->count; t++) {
            const struct cs_tree *tree = &trees->tree[t];

            check_tree(trees, t);
            units += tree->units;
            if (requests[i] == &gather)
                assert_int_equal(tree->first / (trees->units / 8), tree->root);
            if (requests[i] == &broadcast)
                assert_int_equal(tree->root, 3);
        }
        assert_int_equal(units, trees->units);
    }
}

MACHINE_TEST(more_ranks_than_the_limit_have_no_trees)
{
    machine_open(machine, "switch:ranks=65", 0, 0);
    assert_null(cs_trees_of_machine(&machine->net, 65, &gather, &machine->arena));
    assert_null(cs_trees_of_machine(&machine->net, 1, &gather, &machine->arena));
}

/* 32 ranks: the search over all ranks would take seconds. */
MACHINE_TEST(trees_of_a_cluster_come_from_those_of_a_node)
{
    struct cs_tree_request request = gather;

    machine_open(machine, "cluster:node=dgx-1,nodes=4", 0, 0);
    request.is_quick = true;
    assert_null(cs_trees_of_machine(&machine->net, 32, &request, &machine->arena));
    request.group = 8;
    assert_within(rate_of(machine, &request), 64, 1e-5);
    request.use = CS_TREES_UP;
    assert_within(rate_of(machine, &request), 64, 1e-5);
    request.roots = CS_TREES_OF_ANY;
    request.use = CS_TREES_BOTH;
    request.is_quick = false; /* near the cuts: no search */
    assert_within(rate_of(machine, &request), 32, 1e-5);
    request.roots = CS_TREES_OF_ROOT;
    request.use = CS_TREES_DOWN;
    assert_within(rate_of(machine, &request), 48, 1e-5);
    request.is_quick = true;
    request.group = 0;
    assert_null(cs_trees_of_machine(&machine->net, 32, &request, &machine->arena));
}

/* 96 cores of two sockets: half of the vector passes between the sockets, at 16
 * GB/s per direction. */
MACHINE_TEST(trees_of_more_than_64_ranks_are_repeated_step_by_step)
{
    struct cs_tree_request request = gather;

    machine_open(machine, "hpc6a", 0, 0);
    assert_int_equal(machine->graph.rank_count, 96);
    assert_null(cs_trees_of_machine(&machine->net, 96, &request, &machine->arena));
    request.group = 96;
    assert_within(rate_of(machine, &request), 32, 1e-5);
}

/* Eight adapters of 48 GB/s behind PCIe; over 8 nodes a chain would be 7 levels and those of a
 * node, two trees are 3. */
MACHINE_TEST(a_root_reaches_many_nodes_by_two_trees)
{
    struct cs_tree_request request = {
        .roots = CS_TREES_OF_ROOT, .root = 9, .use = CS_TREES_DOWN, .group = 8};
    const struct cs_trees *trees;

    machine_open(machine, "cluster:node=mi300x,nodes=8", 0, 0);
    trees = cs_trees_of_machine(&machine->net, 64, &request, &machine->arena);
    assert_non_null(trees);
    assert_within(1e-9 / cs_trees_s_per_byte(trees), 8 * 48, 1e-5);
    assert_true(trees->depth <= 6);
    for (uint32_t t = 0; t < trees->count; t++)
        check_tree(trees, t);
}

/* A wire from an adapter at half its rate: copies of one node's trees would wait for it, at half
 * the 439 GB/s of the healthy machine. */
MACHINE_TEST(trees_of_identical_nodes_spare_a_slow_link)
{
    struct cs_tree_request request = gather;
    const struct cs_trees *trees;
    uint32_t links[16];
    uint32_t hops;

    request.group = 8;
    machine_open(machine, "cluster:node=dgx-h100,nodes=8", 0, 0);
    hops = cs_tree_route(&machine->net, cs_tree_rank_nodes(&machine->net, 64, &machine->arena), 8,
                         0, links);
    assert_true(hops > 1);
    machine->net.links[links[hops - 2]].rate_Bps /= 2;
    trees = cs_trees_of_machine(&machine->net, 64, &request, &machine->arena);
    assert_non_null(trees);
    assert_true(1e-9 / cs_trees_s_per_byte(trees) > 395);
    assert_true(trees->limit_s_per_byte > 0.98 * cs_trees_s_per_byte(trees));
    for (uint32_t t = 0; t < trees->count; t++)
        check_tree(trees, t);
}

/* Copies out of each of 128 nodes are more than a thousand units; of a root's 16 trees every node
 * but the root's sends and receives the vector twice, at 8 times 48 GB/s. */
MACHINE_TEST(sums_of_many_nodes_go_along_few_trees)
{
    struct cs_tree_request request = sum;
    const struct cs_trees *trees;

    request.group = 8;
    machine_open(machine, "cluster:node=dgx-h100,nodes=128,fabric=rail", 0, 0);
    trees = cs_trees_of_machine(&machine->net, 1024, &request, &machine->arena);
    assert_non_null(trees);
    assert_int_equal(trees->count, 16);
    assert_within(1e-9 / cs_trees_s_per_byte(trees), 8 * 48 / 2.0, 1e-5);
    for (uint32_t t = 0; t < trees->count; t++)
        check_tree(trees, t);
}

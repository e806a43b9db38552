/* Whole units: as good as the mixture where the numbers are small. */
#include "algorithms/shared/trees/machine_trees.h"
#include "algorithms/shared/trees/units.h"

#include "tests/fixture.h"

static struct cs_units units_of(struct machine *machine, enum cs_branches_of of,
                                enum cs_tree_roots roots, uint32_t classes, uint32_t *copies)
{
    const struct cs_branches_request request = {.of = of,
                                                .use = CS_TREES_DOWN,
                                                .ranks = machine->graph.rank_count,
                                                .group = 8,
                                                .classes = classes};
    struct cs_branches *branches = cs_arena_alloc(&machine->arena, 1, sizeof(*branches));
    struct cs_tree_search *search = cs_arena_alloc(&machine->arena, 1, sizeof(*search));
    struct cs_units_request units = {
        .search = search, .monitor = machine->net.monitor, .most = 64, .blocks = 1 << 16};

    *branches = cs_branches_of(&machine->net, &request, &machine->arena);
    *search = cs_tree_search_of(branches, roots, 0, &machine->arena);
    *copies = of == CS_BRANCHES_EACH ? request.ranks / request.group : 1;
    units.copies = *copies;
    return cs_units_of(&units, &machine->arena);
}

/* A switch inside and an adapter for each rank: one tree out of each, as wide as the
 * wires of a rank. */
MACHINE_TEST(a_tree_of_each_rank_is_enough_behind_a_switch)
{
    struct cs_units units;
    uint32_t copies;

    machine_open(machine, "cluster:node=dgx-h100,nodes=4,fabric=rail", 0, 0);
    units = units_of(machine, CS_BRANCHES_EACH, CS_TREES_OF_ALL, 2, &copies);
    assert_int_equal(units.each, 1);
    assert_int_equal(units.count, 8);
    assert_true(units.limit_s <= units.s_per_byte * (1 + 1e-9));
    assert_true(units.s_per_byte <= units.limit_s * 1.03);
}

/* Out of one rank: the 8 adapters of a node, 48 GB/s each, all the time. */
MACHINE_TEST(a_root_reaches_all_nodes_over_all_adapters)
{
    struct cs_units units;
    uint32_t copies;

    machine_open(machine, "cluster:node=dgx-h100,nodes=4,fabric=rail", 0, 0);
    units = units_of(machine, CS_BRANCHES_CHAIN, CS_TREES_OF_ROOT, 2, &copies);
    assert_within(1e-9 / units.s_per_byte, 8 * 48, 1e-3);
}

/* Two groups joined by slow sockets and by adapters: the best trees enter each group by
 * routes of its own in the first nodes, which needs a third class of nodes. */
MACHINE_TEST(a_third_class_of_nodes_attains_more)
{
    struct cs_units two, three;
    uint32_t copies;

    machine_open(machine, "cluster:node=ascend910,nodes=4,fabric=rail", 0, 0);
    two = units_of(machine, CS_BRANCHES_CHAIN, CS_TREES_OF_ROOT, 2, &copies);
    three = units_of(machine, CS_BRANCHES_CHAIN, CS_TREES_OF_ROOT, 3, &copies);
    assert_within(1e-9 / two.limit_s, 48, 1e-2);
    assert_within(1e-9 / three.limit_s, 72, 2e-2);
    assert_true(three.s_per_byte < two.s_per_byte);
}

/* The rates of ForestColl's DGX A100 (arXiv 2402.06787): 300 GB/s from a GPU to the
 * switch, 25 GB/s an adapter, and nothing else in between. */
static void set_published_rates(struct machine *machine)
{
    for (uint32_t i = 0; i < machine->net.link_count; i++) {
        const char *name = cs_graph_wire(&machine->graph, i / 2).class_name;

        machine->net.links[i].rate_Bps = strstr(name, "nvlink") ? 300e9
                                         : strstr(name, "ib")   ? 25e9
                                                                : 1e15;
    }
}

/* 346.67 and 266.67 GB/s of the vector on 2 and 4 nodes, as published; the search ends
 * within 2e-4 of the limit. */
TEST(trees_of_several_nodes_attain_the_published_rates)
{
    static const struct {
        const char *spec;
        double rate_GBps;
    } published[] = {{"cluster:node=dgx,nodes=2", 346.67}, {"cluster:node=dgx,nodes=4", 266.67}};

    for (size_t i = 0; i < sizeof(published) / sizeof(*published); i++) {
        CS_AT_END(machine_close) struct machine machine;
        struct cs_units units;
        uint32_t copies;

        machine_open(&machine, published[i].spec, 0, 0);
        set_published_rates(&machine);
        units = units_of(&machine, CS_BRANCHES_EACH, CS_TREES_OF_ALL, 2, &copies);
        assert_within(1e-9 * 8 * copies / units.limit_s, published[i].rate_GBps,
                      2e-4 * published[i].rate_GBps);
        assert_true(1e-9 * 8 * copies / units.s_per_byte >= published[i].rate_GBps * 0.98);
    }
}

/* True until it has been asked `left` times. */
static bool count_down(void *ctx, const struct cs_progress *progress)
{
    uint64_t *left = ctx;

    (void)progress;
    *left -= *left > 0;
    return *left > 0;
}

/* Ctrl-C is heard between the moves of units, too, of which there may be thousands. */
MACHINE_TEST(a_search_that_is_stopped_has_no_trees)
{
    uint64_t left = 1 << 30;
    const struct cs_monitor monitor = {count_down, &left};
    uint32_t copies;
    uint64_t asked;

    machine_open(machine, "cluster:node=dgx-1,nodes=2,fabric=rail", 0, 0);
    machine->net.monitor = &monitor;
    assert_true(units_of(machine, CS_BRANCHES_EACH, CS_TREES_OF_ALL, 2, &copies).count > 0);
    asked = (1 << 30) - left;
    for (uint64_t at = 1; at < asked; at += 1 + asked / 16) {
        left = at;
        assert_int_equal(units_of(machine, CS_BRANCHES_EACH, CS_TREES_OF_ALL, 2, &copies).count, 0);
        assert_int_equal(left, 0);
    }
}

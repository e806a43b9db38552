/* Near order: ranks below one switch side by side. */
#include "algorithms/shared/rings/node_rings.h"

#include "tests/fixture.h"

static void expect_order(const char *spec, const uint32_t *rank, const uint32_t *expected)
{
    CS_AT_END(machine_close) struct machine machine;
    struct cs_ring_nodes nodes;
    uint32_t order[8];

    machine_open(&machine, spec, 0, 0);
    nodes = cs_ring_nodes_of(&machine.net, 8, 8, rank, &machine.arena);
    cs_near_order(&nodes, order, &machine.arena);
    for (size_t i = 0; i < 8; i++)
        assert_int_equal(order[i], expected[i]);
}

static const uint32_t ascending[] = {0, 1, 2, 3, 4, 5, 6, 7};

TEST(equally_near_ranks_stay_in_order)
{
    expect_order("dgx-h100", ascending, ascending);
    expect_order("l40s", ascending, ascending);
}

/* GPUs 0 to 3 and 4 to 7 are below one PCIe switch each. */
TEST(ranks_below_one_switch_are_side_by_side)
{
    static const uint32_t alternate[] = {0, 4, 1, 5, 2, 6, 3, 7};
    static const uint32_t switches[] = {0, 2, 4, 6, 1, 3, 5, 7};

    expect_order("l40s", alternate, switches);
}

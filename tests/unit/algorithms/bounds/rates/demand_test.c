/*
 * Blocks of patterns between cells, with hosts merged.
 */
#include "algorithms/bounds/rates/demand.h"

#include "tests/fixture.h"

struct shifted {
    struct machine machine;
    struct cs_lengths lengths;
    struct cs_demand demand;
};

/* Four nodes of dgx-h100 have the cells of two: the first, and the others. */
static void shifted_open(struct shifted *of, const uint32_t *order)
{
    struct machine *machine = &of->machine;
    struct cs_cells cells;

    machine_open(machine, "cluster:node=dgx-h100,nodes=4,fabric=rail", 0, 0);
    if (order)
        cs_net_reorder(&machine->net, order, &machine->arena);
    cells = cs_cells_of(&machine->graph, CS_NO_CELL, &machine->arena);
    of->lengths = cs_lengths_of(&machine->graph, &cells, &machine->arena);
    of->demand = cs_demand_of_shift(&of->lengths, &machine->graph, &machine->net, &machine->arena);
    assert_true(cells.count < machine->graph.device_count);
}

/* The blocks from first hosts to the cells of the others, and within. */
static void expect_blocks(const struct shifted *of, double between, double within)
{
    const struct cs_demand *demand = &of->demand;
    double blocks[2] = {0, 0};

    for (uint32_t s = 0; s < demand->source_count; s++)
        for (uint32_t k = demand->first[s]; k < demand->first[s + 1]; k++)
            blocks[cs_cells_is_merged(&of->lengths.cells, demand->parts[k].to)] +=
                demand->parts[k].blocks;
    assert_true(blocks[1] == between);
    assert_true(blocks[0] == within);
}

TEST(a_shift_leaves_each_node_once_where_ranks_are_in_order)
{
    struct shifted of;

    shifted_open(&of, NULL);
    assert_int_equal(of.demand.source_count, 8);
    expect_blocks(&of, 4, 28);
    machine_close(&of.machine);
}

/* Rank i in node i mod 4. */
TEST(a_shift_leaves_its_node_always_where_ranks_take_turns)
{
    struct shifted of;
    uint32_t order[32];

    for (uint32_t i = 0; i < 32; i++)
        order[i] = i % 4 * 8 + i / 4;
    shifted_open(&of, order);
    expect_blocks(&of, 32, 0);
    machine_close(&of.machine);
}

TEST(all_ranks_send_to_all_ranks)
{
    struct shifted of;
    struct cs_demand all;
    double sum = 0;
    double *amounts;

    shifted_open(&of, NULL);
    all = cs_demand_of_all(&of.lengths, &of.machine.arena);
    amounts = cs_arena_alloc(&of.machine.arena, of.lengths.cells.count, sizeof(*amounts));
    for (uint32_t s = 0; s < all.source_count; s++) {
        cs_demand_amounts(&all, s, amounts);
        for (uint32_t c = 0; c < of.lengths.cells.count; c++)
            sum += amounts[c];
    }
    assert_true(sum == 32 * 32);
    machine_close(&of.machine);
}

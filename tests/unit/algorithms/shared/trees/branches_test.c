/* Branches: the messages that one stands for, and the rows that they load. */
#include "algorithms/shared/trees/branches.h"

#include "tests/fixture.h"

/* The load of a branch's busiest row, over the row's capacity. */
static double busiest(const struct cs_branches *branches, uint32_t from, uint32_t to)
{
    uint32_t branch = from * branches->vertices + to;
    double most = 0;

    for (uint32_t i = branches->first[branch]; i < branches->first[branch + 1]; i++) {
        const struct cs_branch_load *load = &branches->load[i];

        most = most > load->s_per_byte / branches->capacity[load->row]
                   ? most
                   : load->s_per_byte / branches->capacity[load->row];
    }
    return most;
}

static struct cs_branches branches_of(struct machine *machine, enum cs_branches_of of,
                                      uint32_t classes)
{
    const struct cs_branches_request request = {.of = of,
                                                .use = CS_TREES_DOWN,
                                                .ranks = machine->graph.rank_count,
                                                .group = 4,
                                                .classes = classes};

    return cs_branches_of(&machine->net, &request, &machine->arena);
}

/* 3 nodes of 4 ranks, 25 GB/s inside and 12.5 GB/s between, each rank its adapter. */
MACHINE_TEST(rows_of_equal_nodes_are_one)
{
    struct cs_branches whole, each;

    machine_open(machine, "cluster:node=hgx-h100-4,nodes=3", 0, 0);
    whole = branches_of(machine, CS_BRANCHES_WHOLE, 0);
    each = branches_of(machine, CS_BRANCHES_EACH, 2);
    assert_int_equal(whole.vertices, 12);
    assert_int_equal(each.vertices, 8);
    assert_int_equal(whole.rows, 3 * each.rows);
    for (uint32_t r = 0; r < each.rows; r++)
        assert_within(each.capacity[r], 3, 1e-9);
    /* Inside the home node each copy sends once, inside all others twice. */
    assert_within(busiest(&each, 0, 1), busiest(&whole, 0, 1), 1e-9);
    assert_within(busiest(&each, 4, 5), 2 * busiest(&whole, 0, 1), 1e-9);
    /* To two nodes, and back from one of them. */
    assert_within(busiest(&each, 0, 4), 2 * busiest(&whole, 0, 4), 1e-9);
    assert_within(busiest(&each, 4, 0), busiest(&whole, 0, 4), 1e-9);
}

/* In a chain the home node and the ends have rows of their own. */
MACHINE_TEST(a_chain_passes_every_node_once)
{
    struct cs_branches whole, chain;

    machine_open(machine, "cluster:node=hgx-h100-4,nodes=6", 0, 0);
    whole = branches_of(machine, CS_BRANCHES_WHOLE, 0);
    chain = branches_of(machine, CS_BRANCHES_CHAIN, 3);
    assert_int_equal(chain.vertices, 12);
    assert_within(busiest(&chain, 0, 1), busiest(&whole, 0, 1), 1e-9);
    assert_within(busiest(&chain, 0, 4), busiest(&whole, 0, 4), 1e-9);
    assert_within(busiest(&chain, 0, 8), busiest(&whole, 0, 4), 1e-9);
    assert_within(busiest(&chain, 8, 0), busiest(&whole, 0, 4), 1e-9);
    for (uint32_t r = 0; r < chain.rows; r++)
        assert_true(chain.capacity[r] <= 2);
}

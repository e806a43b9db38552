#include "algorithms/bounds/mincut.h"

#include "algorithms/bounds/network.h"

#include <assert.h>
#include <math.h>

/* Endless supplies for the ranks inside, endless drains for the ranks
 * outside. */
static void mincut_place(struct cs_network *network, uint32_t rank, bool inside)
{
    uint32_t node = network->cells.of[network->graph->rank_device[rank]];

    cs_flow_supply(&network->flow, node, inside ? (double)INFINITY : 0);
    if (!inside)
        cs_flow_drain(&network->flow, node, (double)INFINITY);
}

static struct cs_network mincut_network(const struct cs_graph *graph, struct cs_arena *arena)
{
    struct cs_cells cells = cs_cells_single(graph, arena);

    return cs_network_of(graph, &cells, CS_CUT_INTO, arena);
}

double *cs_mincut_all(const struct cs_graph *graph, struct cs_arena *arena)
{
    uint32_t ranks = graph->rank_count;
    double *rates_Bps = cs_arena_alloc(arena, (size_t)1 << ranks, sizeof(*rates_Bps));
    struct cs_network network = mincut_network(graph, arena);

    assert(ranks <= CS_MINCUT_RANKS_MAX);
    for (uint32_t set = 1; set + 1 < (uint32_t)1 << ranks; set++) {
        cs_flow_clear_drains(&network.flow);
        for (uint32_t r = 0; r < ranks; r++)
            mincut_place(&network, r, set >> r & 1);
        rates_Bps[set] = cs_flow_run(&network.flow);
    }
    return rates_Bps;
}

double cs_mincut_of(const struct cs_graph *graph, const bool *inside, struct cs_arena *arena)
{
    struct cs_network network = mincut_network(graph, arena);

    for (uint32_t r = 0; r < graph->rank_count; r++)
        mincut_place(&network, r, inside[r]);
    return cs_flow_run(&network.flow);
}

#include "algorithms/bounds/cuts.h"

#include <math.h>

/* Relative; flows are sums with at most a few thousand roundings. */
static const double tolerance = 1e-12;

struct cuts_search {
    struct cs_network *network;
    struct cs_arena *arena;
    struct cs_flow_cut best;
    double value; /* of the best: a ratio or a rate */
    double ranks; /* of the machine */
};

/* Sets the supply of every rank.  Endless supplies mark ranks left out and are
 * kept, except by a supply of 0, which begins a search. */
static void cuts_supply_all(const struct cuts_search *search, double each)
{
    struct cs_network *network = search->network;

    for (uint32_t i = 0; i < network->rank_cells; i++) {
        uint32_t cell = network->ranks[i];

        if (!isinf(network->flow.nodes[cell].supply) || each == 0)
            cs_flow_supply(&network->flow, cell, each * network->cells.weight[cell]);
    }
}

/* Puts a cell and the twin outside of further sets: a set without a device of
 * the twin has an image without the device of the first host. */
static void cuts_leave_out(struct cs_network *network, uint32_t cell)
{
    uint32_t twin = network->cells.twin[cell];

    cs_flow_supply(&network->flow, cell, (double)INFINITY);
    if (twin != CS_NO_CELL)
        cs_flow_supply(&network->flow, twin, (double)INFINITY);
}

/* Sends up to `most` into a cell. */
static double cuts_flow_into(struct cs_network *network, uint32_t cell, double most)
{
    cs_flow_clear_drains(&network->flow);
    cs_flow_drain(&network->flow, cell, most);
    return cs_flow_run(&network->flow);
}

static struct cuts_search cuts_begin(struct cs_network *network, struct cs_arena *arena)
{
    struct cuts_search search = {.network = network,
                                 .arena = arena,
                                 .best = {.rate_Bps = (double)INFINITY},
                                 .value = (double)INFINITY,
                                 .ranks = network->graph->rank_count};

    cuts_supply_all(&search, 0);
    return search;
}

/* Takes over the cut of the last flow where the ratio is less. */
static bool cuts_take_ratio(struct cuts_search *search)
{
    struct cs_flow_cut cut = cs_network_keep_cut(search->network, search->arena);
    double value = cut.rate_Bps / (search->ranks - cut.ranks);

    if (cut.ranks >= search->ranks || value >= search->value * (1 - tolerance))
        return false;
    search->best = cut;
    search->value = value;
    return true;
}

/* Ratios start from the cut around a single cell. */
static void cuts_start_ratio(struct cuts_search *search, uint32_t cell)
{
    struct cs_flow *flow = &search->network->flow;

    cuts_supply_all(search, (double)INFINITY);
    cs_flow_supply(flow, cell, 0);
    cuts_flow_into(search->network, cell, (double)INFINITY);
    cuts_take_ratio(search);
    cuts_supply_all(search, 0);
    cuts_supply_all(search, search->value);
}

/* Improves the ratio until no better set contains the cell. */
static void cuts_improve_ratio(struct cuts_search *search, uint32_t cell)
{
    for (;;) {
        double all = search->ranks * search->value;

        if (cuts_flow_into(search->network, cell, all) >= all * (1 - tolerance) ||
            !cuts_take_ratio(search))
            return;
        cuts_supply_all(search, search->value);
    }
}

struct cs_flow_cut cs_cuts_densest(struct cs_network *network, uint32_t root,
                                   struct cs_arena *arena)
{
    struct cuts_search search = cuts_begin(network, arena);

    (void)root;
    if (network->graph->rank_count < 2)
        return search.best;
    cuts_start_ratio(&search, network->ranks[0]);
    for (uint32_t i = 0; i < network->rank_cells && search.value > 0; i++) {
        uint32_t cell = network->ranks[i];

        if (cs_cells_is_merged(&network->cells, cell))
            continue;
        cuts_improve_ratio(&search, cell);
        cuts_leave_out(network, cell);
    }
    return search.best;
}

struct cs_flow_cut cs_cuts_towards(struct cs_network *network, uint32_t root,
                                   struct cs_arena *arena)
{
    struct cuts_search search = cuts_begin(network, arena);

    if (network->graph->rank_count < 2)
        return search.best;
    cuts_start_ratio(&search, network->cells.of[root]);
    cuts_improve_ratio(&search, network->cells.of[root]);
    return search.best;
}

struct cs_flow_cut cs_cuts_narrowest(struct cs_network *network, uint32_t root,
                                     struct cs_arena *arena)
{
    struct cuts_search search = cuts_begin(network, arena);

    cuts_leave_out(network, network->cells.of[root]);
    for (uint32_t i = 0; i < network->rank_cells; i++) {
        uint32_t cell = network->ranks[i];

        if (cs_cells_is_merged(&network->cells, cell) || cell == network->cells.of[root])
            continue;
        if (cuts_flow_into(network, cell, search.value) < search.value * (1 - tolerance)) {
            search.best = cs_network_keep_cut(network, arena);
            search.value = search.best.rate_Bps;
        }
        cuts_leave_out(network, cell);
    }
    return search.best;
}

struct cs_flow_cut cs_cuts_around(struct cs_network *network, const bool *is_member,
                                  struct cs_arena *arena)
{
    cs_flow_clear_drains(&network->flow);
    for (uint32_t i = 0; i < network->rank_cells; i++) {
        uint32_t cell = network->ranks[i];

        cs_flow_supply(&network->flow, cell, is_member[cell] ? 0 : (double)INFINITY);
        if (is_member[cell])
            cs_flow_drain(&network->flow, cell, (double)INFINITY);
    }
    cs_flow_run(&network->flow);
    return cs_network_keep_cut(network, arena);
}

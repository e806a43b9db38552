#include "scenarios/run/case/rank_order.h"

#include "sim/base/random.h"
#include "topo/placement/placement.h"

#include <string.h>

/* The identity, agents included. */
static uint32_t *order_unchanged(const struct cs_run *run)
{
    uint32_t parties = run->machine->net.party_count;
    uint32_t *order = cs_arena_alloc(run->arena, parties, sizeof(*order));

    for (uint32_t i = 0; i < parties; i++)
        order[i] = i;
    return order;
}

/* Permutes the ranks of the whole machine, of which `order` is the identity. */
static int order_by_placement(const struct cs_run *run, uint32_t *order)
{
    const struct cs_scenario *scenario = run->which->scenario;
    const struct cs_graph *graph = &run->machine->graph;
    struct cs_random *random;

    switch (scenario->placement) {
    case CS_PLACE_PACKED:
        break;
    case CS_PLACE_ROUND_ROBIN:
        cs_placement_round_robin(graph, order);
        break;
    case CS_PLACE_RANDOM:
        random = cs_random_open(scenario->seed, "placement");
        cs_random_shuffle(random, order, graph->rank_count);
        cs_random_close(random);
        break;
    case CS_PLACE_FILE:
        return cs_placement_read(scenario->slots, graph, order, run->err);
    }
    return 0;
}

bool cs_rank_order_is_rings(const struct cs_run *run)
{
    const char *spec = run->which->scenario->ring_order;

    return run->which->algo->takes_rings && spec && !run->main && cs_ring_orders_are_rings(spec);
}

int cs_rank_order_read(const struct cs_run *run, uint32_t ranks, struct cs_ring_orders *orders)
{
    int code =
        cs_ring_orders_read(run->which->scenario->ring_order, ranks, orders, run->arena, run->err);

    if (!code)
        cs_ring_orders_of_devices(&run->graph, orders);
    return code;
}

/* Placement and ring order exclude each other (scenario.c). */
int cs_rank_order(struct cs_run *run, uint32_t **order)
{
    const struct cs_scenario *scenario = run->which->scenario;
    struct cs_ring_orders orders;
    int code = 0;

    *order = NULL;
    if (scenario->placement != CS_PLACE_PACKED) {
        *order = order_unchanged(run);
        return order_by_placement(run, *order);
    }
    if (!scenario->ring_order || cs_rank_order_is_rings(run))
        return 0;
    code = cs_rank_order_read(run, run->graph.rank_count, &orders);
    if (code)
        return code;
    cs_ring_orders_report(&run->graph, scenario->ring_order, &orders);
    *order = order_unchanged(run);
    memcpy(*order, orders.order, orders.ranks * sizeof(**order));
    return 0;
}

/*
 * Loss of rate on the cables above the leaves: hashed routes, and jobs that share them.
 *
 * The boxes are those of the inventory.  Of a job on neighbouring nodes a ring leaves a leaf
 * from the adapters of one node; of a job whose nodes lie anywhere among those of others, from
 * all.  With spread routes a cable up carries flows / cables; hashed, each queue pair takes a
 * cable by itself, and a collective waits for the cable with most anywhere: the median over
 * draws of the largest load over all leaves.  NCCL has two channels on an
 * adapter, of half its rate each.
 */
#include "scenarios/plan/cases/cases.h"
#include "sim/base/order.h"
#include "sim/base/random.h"

#include <math.h>
#include <string.h>

enum {
    ROUTING_DRAWS = 25,
    ROUTING_CHANNELS = 2, /* of an adapter */
    ROUTING_SEED = 1,
};

/* What leaves a leaf. */
struct routed {
    uint64_t flows, cables; /* flows of the rate of a cable */
    uint64_t draws;         /* of leaves, and of both directions where they differ */
    uint32_t parts;         /* hashed by themselves, of a flow */
};

static double draw_most(const struct routed *routed, struct cs_random *random, uint32_t *loads)
{
    uint32_t most = 0;

    for (uint64_t l = 0; l < routed->draws; ++l) {
        memset(loads, 0, routed->cables * sizeof(*loads));
        for (uint64_t f = 0; f < routed->flows * routed->parts; ++f) {
            uint32_t load = ++loads[cs_random_below(random, routed->cables)];

            most = load > most ? load : most;
        }
    }
    return (double)most / routed->parts;
}

static double hashed_load(const struct routed *routed, struct cs_arena *arena)
{
    uint32_t *loads = cs_arena_alloc(arena, routed->cables, sizeof(*loads));
    struct cs_random *random = cs_random_open(ROUTING_SEED, "plan");
    double most[ROUTING_DRAWS];

    for (int d = 0; d < ROUTING_DRAWS; ++d)
        most[d] = draw_most(routed, random, loads);
    cs_random_close(random);
    return cs_quantile(most, ROUTING_DRAWS, 0.5);
}

double cs_plan_fabric_load(const struct cs_plan_options *options, const struct cs_plan_case *one,
                           const struct cs_graph *graph)
{
    struct cs_arena *arena = options->train.scenario.arena;
    struct cs_switch_networks networks = cs_switch_networks_of(graph, arena);
    const struct cs_switch_network *network = networks.item;
    uint32_t radix =
        cs_price_list_of(&options->prices, one->node, cs_inventory_port_Bps(graph)).switch_ports;
    struct routed routed = {.parts = ROUTING_CHANNELS *
                                     (options->queue_pairs ? options->queue_pairs : 1)};
    struct cs_err unused = {0}; /* no such Clos loses nothing */
    struct cs_clos clos;
    uint64_t down;
    double load;

    if (one->node_count < 2 || networks.count != 1 || !network->is_clos)
        return 1;
    if (cs_switch_network_clos(network, network->ports, radix, &clos, &unused) || clos.tiers < 2)
        return 1;
    routed.cables = clos.level[1].up;
    /* A ring's flows into a leaf are those of one other; of scattered jobs, of many. */
    routed.draws = clos.level[1].all * network->count * (options->scattered ? 2 : 1);
    down = (network->ports + clos.level[1].all - 1) / clos.level[1].all;
    routed.flows = options->scattered ? down : network->ports / one->node_count;
    load = (double)routed.flows / (double)routed.cables;
    if (options->routing == CS_PLAN_ECMP)
        load = hashed_load(&routed, arena);
    return fmax(load, 1);
}

double cs_plan_route(const struct cs_plan_options *options, const struct cs_plan_case *one,
                     const struct cs_graph *graph, struct cs_site *site)
{
    double load = options->routing == CS_PLAN_ECMP || options->scattered
                      ? cs_plan_fabric_load(options, one, graph)
                      : 1;

    cs_plan_slow(site, load);
    return load;
}

void cs_plan_slow(struct cs_site *site, double load)
{
    site->adapter_Bps /= load;
    site->node_Bps /= load;
    site->fabric_Bps /= load;
}

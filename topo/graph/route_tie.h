/*
 * The selection among equal paths of a pair, by source or by hash; see route.h.
 */
#pragma once

#include "sim/base/random.h"
#include "sim/net/net.h"
#include "topo/graph/graph.h"

#include <stdint.h>

/* The parties of a route; hashed routes alone depend on the destination. */
struct cs_tie_pair {
    uint32_t src, dst;
};

/* The hash of a pair, or of a part of its messages, for all devices. */
static inline uint64_t cs_tie_hash(const struct cs_graph *graph, struct cs_tie_pair pair)
{
    struct cs_route_choice choice = {.seed = graph->route_seed};

    if (graph->choice && graph->choice->by == CS_CHOOSE_HASHED)
        choice = *graph->choice;
    choice.seed = cs_mix64(choice.seed);
    return cs_route_choice_hash(&choice, (uint64_t)pair.src << 32 | pair.dst);
}

/* The selection among `ties` >= 2 equal paths to the device, from 0; see route.h.
 * O(log of the source). */
static inline uint32_t cs_tie_choose(const struct cs_graph *graph, struct cs_tie_pair pair,
                                     uint32_t device, uint32_t ties)
{
    uint32_t party = pair.src, sum = 0;

    if (graph->hashes_routes)
        return (uint32_t)(cs_mix64(cs_tie_hash(graph, pair) + device) % ties);
    for (; party; party /= ties)
        sum = (sum + party % ties) % ties;
    return sum;
}

#include "algorithms/bounds/reach.h"

#include "sim/net/net.h"

#include <string.h>

enum {
    PASSES_MAX = 64
};

/* Relaxes a link; true when a node became nearer. */
static bool reach_relax(const struct cs_net_link *link, enum cs_reach_direction direction,
                        uint64_t *away_ps)
{
    uint32_t near = direction == CS_REACH_FROM ? link->from : link->to;
    uint32_t far = direction == CS_REACH_FROM ? link->to : link->from;
    uint64_t via_ps = away_ps[near] + link->latency_ps;

    if (link->down || away_ps[near] == UINT64_MAX || via_ps >= away_ps[far])
        return false;
    away_ps[far] = via_ps;
    return true;
}

/* Bellman-Ford over the links, in turn upwards and downwards: machines are
 * shallow, and long machines have links in order; a few passes suffice. False
 * when distances still change after PASSES_MAX. */
static bool reach_relax_all(const struct cs_net *net, enum cs_reach_direction direction,
                            uint64_t *away_ps)
{
    uint32_t last = net->link_count - 1;
    bool changed = true;

    for (uint32_t pass = 0; changed && pass < PASSES_MAX; pass++) {
        changed = false;
        for (uint32_t i = 0; i < net->link_count; i++) {
            struct cs_net_link link = cs_net_link_at(net, pass & 1 ? last - i : i);

            changed |= reach_relax(&link, direction, away_ps);
        }
    }
    return !changed;
}

uint64_t cs_reach_farthest_ps(const struct cs_graph *graph, const struct cs_net *net, uint32_t rank,
                              enum cs_reach_direction direction, struct cs_arena *arena)
{
    uint64_t *away_ps = cs_arena_alloc(arena, net->node_count, sizeof(*away_ps));
    uint64_t farthest_ps = 0;

    memset(away_ps, 0xff, net->node_count * sizeof(*away_ps));
    away_ps[graph->rank_device[rank]] = 0;
    if (!reach_relax_all(net, direction, away_ps))
        return 0;
    for (uint32_t i = 0; i < graph->rank_count; i++)
        if (away_ps[graph->rank_device[i]] > farthest_ps)
            farthest_ps = away_ps[graph->rank_device[i]];
    return farthest_ps;
}

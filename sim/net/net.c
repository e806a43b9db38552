#include "sim/net/net.h"

#include "sim/base/random.h"

#include <assert.h>

uint64_t cs_route_choice_hash(const struct cs_route_choice *choice, uint64_t ends)
{
    uint64_t hash = cs_mix64(choice->seed ^ ends);

    return choice->number ? cs_mix64(hash + choice->number) : hash;
}

/* The soonest time at which a message can enter each node. */
static void soonest_arrivals(const struct cs_net *net, uint64_t *soonest_ps)
{
    for (uint32_t i = 0; i < net->node_count; i++)
        soonest_ps[i] = UINT64_MAX;
    for (uint32_t i = 0; i < net->link_count; i++) {
        const struct cs_net_link *link = &net->links[i];

        if (link->latency_ps < soonest_ps[link->to])
            soonest_ps[link->to] = link->latency_ps;
    }
    /* A party can put a message on its own links at once. */
    for (uint32_t i = 0; i < net->party_count; i++)
        soonest_ps[net->parties[i].node] = 0;
}

void cs_net_finish(struct cs_net *net)
{
    CS_AT_END(cs_arena_free) struct cs_arena scratch = {0};
    uint64_t *soonest_ps = cs_arena_alloc(&scratch, net->node_count, sizeof(*soonest_ps));
    uint64_t *resource_ps = cs_arena_alloc(&scratch, net->resource_count, sizeof(*resource_ps));

    soonest_arrivals(net, soonest_ps);
    for (uint32_t i = 0; i < net->resource_count; i++)
        resource_ps[i] = UINT64_MAX;
    for (uint32_t i = 0; i < net->link_count; i++) {
        struct cs_net_link *link = &net->links[i];

        assert(link->rate_Bps > 0 && link->resource < net->resource_count);
        assert(link->from < net->node_count && link->to < net->node_count);
        link->ps_per_byte = 1e12 / link->rate_Bps; /* 0 for a free link */
        if (soonest_ps[link->from] < resource_ps[link->resource])
            resource_ps[link->resource] = soonest_ps[link->from];
    }
    for (uint32_t i = 0; i < net->link_count; i++)
        net->links[i].ahead_ps = resource_ps[net->links[i].resource];
}

void cs_net_forget_ahead(struct cs_net *net)
{
    for (uint32_t i = 0; i < net->link_count; i++)
        net->links[i].ahead_ps = 0;
}

struct replaced {
    const uint32_t *order;
    cs_route_fn *route;
    void *route_ctx;
};

static uint32_t replaced_route(void *ctx, uint32_t src, uint32_t dst, uint32_t *links)
{
    const struct replaced *slots = ctx;

    return slots->route(slots->route_ctx, slots->order[src], slots->order[dst], links);
}

void cs_net_select(struct cs_net *net, const uint32_t *order, uint32_t count,
                   struct cs_arena *arena)
{
    struct replaced *slots = cs_arena_alloc(arena, 1, sizeof(*slots));
    struct cs_net_party *parties = cs_arena_alloc(arena, count, sizeof(*parties));

    for (uint32_t i = 0; i < count; i++)
        parties[i] = cs_net_party_at(net, order[i]);
    *slots = (struct replaced){order, net->route, net->route_ctx};
    net->parties = parties;
    net->party_count = count;
    net->route = replaced_route;
    net->route_ctx = slots;
}

void cs_net_reorder(struct cs_net *net, const uint32_t *order, struct cs_arena *arena)
{
    cs_net_select(net, order, net->party_count, arena);
}

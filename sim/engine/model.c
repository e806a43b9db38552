#include "sim/engine/model.h"

#include "sim/program/matching.h"

void cs_traffic_uncount(struct cs_traffic *traffic, uint32_t number, uint32_t hops)
{
    const uint32_t *route = cs_traffic_route(traffic, number);
    uint64_t bytes = traffic->messages[number].bytes;

    for (uint32_t i = 0; i < hops; i++) {
        struct cs_link_use *use = &traffic->use[route[i]];
        uint64_t take_ps =
            cs_time_rounded((double)bytes * traffic->net->links[route[i]].ps_per_byte);

        /* It may have been counted at a rate of before. */
        use->busy_ps -= take_ps < use->busy_ps ? take_ps : use->busy_ps;
        use->bytes -= bytes;
        use->messages--;
    }
}

void cs_traffic_open_ties(struct cs_traffic *traffic, uint32_t ranks, struct cs_arena *arena)
{
    uint32_t count = traffic->net->resource_count;

    if (!traffic->net->origins)
        return;
    traffic->block_ranks = ranks;
    traffic->ties = cs_arena_alloc(arena, count, sizeof(*traffic->ties));
    for (uint32_t i = 0; i < count; i++)
        traffic->ties[i].lane = CS_NONE;
}

void cs_traffic_shift_resource(struct cs_traffic *traffic, uint32_t number, uint64_t ahead_ps)
{
    traffic->resources[number].free_ps += ahead_ps;
    traffic->resources[number].since_ps += ahead_ps;
    traffic->resources[number].seen_ps += ahead_ps;
    if (!traffic->ties)
        return;
    traffic->ties[number].at_ps += ahead_ps;
    traffic->ties[number].sent_ps += ahead_ps;
}

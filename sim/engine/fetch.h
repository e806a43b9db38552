/*
 * Fetching: what coming events will read is brought into the cache.
 *
 * The lanes of a large machine do not fit into a core's own caches, and
 * simultaneous events are mostly those of lanes far apart. Each step needs the
 * line of memory that the step before has brought, a few events earlier. No result
 * depends on it.
 *
 * Always inline: compilers drop the call of a function that does nothing else.
 */
#pragma once

#include "sim/engine/state.h"

enum {
    CS_FETCH_MESSAGE = 8, /* events ahead */
    CS_FETCH_NAMED = 4,
    CS_FETCH_FROM = 2048, /* lanes: about a megabyte */
    CS_FETCH_LANES = 8,   /* lanes of a batch ahead; a power of two */
};

#define CS_FETCH static inline __attribute__((always_inline))

/* The message of a coming event to be moved or delivered, or NULL. */
CS_FETCH const struct cs_message *cs_fetched_message(const struct exec *exec,
                                                     const struct cs_events_soon *soon,
                                                     uint32_t ahead, bool *delivers)
{
    const struct cs_event *event = cs_events_ahead(soon, ahead);

    if (!event || event->kind > CS_EVENT_DELIVER)
        return NULL;
    *delivers = event->kind == CS_EVENT_DELIVER;
    return &exec->traffic.messages[event->number];
}

/* Its three lines, the last where the message ends. */
CS_FETCH void cs_fetch_message(const struct exec *exec, const struct cs_events_soon *soon)
{
    bool delivers;
    const struct cs_message *message = cs_fetched_message(exec, soon, CS_FETCH_MESSAGE, &delivers);

    if (!message)
        return;
    __builtin_prefetch(&message->bytes, 1);
    __builtin_prefetch(&message->sent_ps, 1);
    if (delivers)
        __builtin_prefetch(&message->left_ps, 1);
}

/* What the message names: its next link, or the lanes of its sender and mostly of
 * its receiver, and its receive. */
CS_FETCH void cs_fetch_named(const struct exec *exec, const struct cs_events_soon *soon)
{
    const struct cs_lane *lanes = exec->lanes.lane;
    bool delivers;
    const struct cs_message *message = cs_fetched_message(exec, soon, CS_FETCH_NAMED, &delivers);

    if (!message)
        return;
    if (delivers) {
        __builtin_prefetch(&lanes[message->src * exec->lanes.each + message->lane], 1);
        __builtin_prefetch(&lanes[message->dst * exec->lanes.each + message->lane], 1);
        if (message->receive != CS_NONE)
            __builtin_prefetch(&exec->receives[message->receive], 1);
    } else if (message->hop < message->hops) {
        uint32_t link = message->route[message->hop];

        __builtin_prefetch(&exec->net->links[link]);
        __builtin_prefetch(&exec->traffic.use[link], 1);
    }
}

/* For the events behind the one that fires now. */
CS_FETCH void cs_fetch_events(const struct exec *exec)
{
    struct cs_events_soon soon = cs_events_soon(&exec->traffic.events);

    if (exec->lanes.count < CS_FETCH_FROM)
        return;
    cs_fetch_message(exec, &soon);
    cs_fetch_named(exec, &soon);
}

/* A lane that will begin a round, and its route. */
CS_FETCH void cs_fetch_lane(const struct exec *exec, uint32_t lane)
{
    __builtin_prefetch(&exec->lanes.lane[lane], 1);
    if (exec->kept)
        __builtin_prefetch(&exec->kept[lane & (exec->kept_room - 1)]);
}

/* The first links of the lane's route, which is in the cache. */
CS_FETCH void cs_fetch_links(const struct exec *exec, uint32_t lane)
{
    const struct kept_route *kept;

    if (!exec->kept)
        return;
    kept = &exec->kept[lane & (exec->kept_room - 1)];
    for (uint32_t i = 0; i < 2 && i < kept->hops; i++) {
        __builtin_prefetch(&exec->net->links[kept->links[i]]);
        __builtin_prefetch(&exec->traffic.use[kept->links[i]], 1);
    }
}

#undef CS_FETCH

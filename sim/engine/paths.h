/*
 * Routes of messages, in records of messages with room for them.
 *
 * A route is found once for each lane and destination where it can be kept
 * (struct kept_route); with a choice (routing.h) for each message, and for each part of
 * a message.
 */
#pragma once

#include "sim/base/hash.h"
#include "sim/engine/state.h"

void cs_exec_enlarge_messages(struct exec *exec);

/* The number of a message, whose fields are of any value. */
static inline uint32_t cs_exec_new_message(struct exec *exec)
{
    if (cs_pool_is_full(&exec->message_pool))
        cs_exec_enlarge_messages(exec);
    return cs_pool_take(&exec->message_pool, &exec->traffic.messages->next,
                        sizeof(*exec->traffic.messages));
}

/* The route of the message's lane to its destination, or room for it, or a route
 * of another lane. */
static inline struct kept_route *cs_exec_kept_of(const struct exec *exec,
                                                 const struct cs_message *message)
{
    uint32_t lane = message->src * exec->lanes.each + message->lane;
    struct kept_route *kept = &exec->kept[lane & (exec->kept_room - 1)];
    uint64_t hash;

    if (kept->hops == 0 || (kept->to == message->to && kept->lane == lane))
        return kept;
    hash = cs_hash_mix(cs_hash_mix(0, lane), message->to);
    return &exec->kept[cs_hash_slot(hash) & (exec->kept_room - 1)];
}

/* Reads the route of a message, keeps it in `kept` where that is unused and not NULL,
 * and returns its length. */
uint32_t cs_exec_read_route(struct exec *exec, uint32_t number, struct kept_route *kept);

/* The message has a copy of the route. */
void cs_exec_copy_route(struct exec *exec, uint32_t number, const uint32_t *links, uint32_t hops);

/* Finds the route of a message and returns its length. */
static inline uint32_t cs_exec_find_route(struct exec *exec, uint32_t number)
{
    struct cs_message *message = &exec->traffic.messages[number];
    struct kept_route *kept = exec->kept ? cs_exec_kept_of(exec, message) : NULL;

    if (!kept || kept->hops == 0 || kept->to != message->to ||
        kept->lane != message->src * exec->lanes.each + message->lane)
        return cs_exec_read_route(exec, number, kept);
    message->owns_route = false;
    message->route = kept->links;
    if (exec->kept_origins)
        message->origins = &exec->kept_origins[(kept - exec->kept) * (CS_KEPT_HOPS + 1)];
    return kept->hops;
}

/* How many parts the message is sent in; 1: whole. */
uint32_t cs_exec_count_parts(struct exec *exec, const struct cs_message *message);

/* The bytes of a message begin, or end, to load the links of its route. */
void cs_exec_load_links(struct exec *exec, uint32_t number, bool begins);

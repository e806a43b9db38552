/*
 * Adapters: how the ranks of a node share what leads to other nodes.
 *
 * The routes of all ranks of the first node to their counterparts in the second are
 * taken to be busy at once.  A rank's rate beside all others is the least of its
 * links' rates over their routes; nodes are identical.
 *
 *     of_machine   O(group x hops), and a number for each link
 */
#pragma once

#include "sim/net/net.h"

struct cs_adapters {
    /* Ranks that share an adapter, where these are many: their messages follow each other
     * on it, so that one of `sharing` steps of a pipeline is left that nothing hides.
     * 0: up to eight, as GPUs have it, for which chunks still gain some percent. */
    uint32_t sharing;
    /* Ranks of a node that suffice to pass a vector on, where fewer than half of them do:
     * four of each adapter, and as many as copy a vector to a node by the time that the
     * adapters take.  0: all. */
    uint32_t carriers;
};

/* For nodes of `group` of the net's `ranks`, with consecutive numbers. */
struct cs_adapters cs_adapters_of_machine(const struct cs_net *net, uint32_t ranks, uint32_t group,
                                          struct cs_arena *arena);

/*
 * Direction: the collectives of one schedule.
 *
 * Each file of this folder has a schedule and its mirror: what an all-gather
 * sends, the reduce-scatter receives and adds, step by step from the end; so do a
 * broadcast and a reduce, and a scatter and a gather, which adds nothing.
 */
#pragma once

#include "algorithms/algo.h"

/* The all-gather; otherwise the reduce-scatter. */
static inline bool cs_gathers(const struct cs_call *call)
{
    return call->collective == &cs_collective_allgather;
}

/* From the root, a broadcast or a scatter; otherwise to the root. */
static inline bool cs_leaves_root(const struct cs_call *call)
{
    return call->collective->before == CS_ROOT;
}

/* A message of the schedule at one of its ends: received, and added in a collective
 * with sums. */
static inline void cs_mirror_message(const struct cs_call *call, bool sends, uint32_t peer,
                                     struct cs_blocks blocks, struct cs_ops *ops)
{
    if (sends)
        cs_ops_send(ops, peer, blocks);
    else if (cs_collective_reduces(call->collective))
        cs_ops_recv_reduce(ops, peer, blocks);
    else
        cs_ops_recv(ops, peer, blocks);
}

/*
 * Direction: the all-gather and the reduce-scatter of one schedule.
 *
 * Each file of this folder has a schedule and its mirror: what the all-gather
 * sends, the reduce-scatter receives and adds, step by step from the end.
 */
#ifndef CS_ALGORITHMS_MIRRORS_DIRECTION_H
#define CS_ALGORITHMS_MIRRORS_DIRECTION_H

#include "algorithms/algo.h"

/* The all-gather; otherwise the reduce-scatter. */
static inline bool cs_gathers(const struct cs_call *call)
{
    return call->collective == &cs_collective_allgather;
}

#endif

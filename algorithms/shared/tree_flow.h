/*
 * Tree flow: a sum that goes up a tree in chunks, and down again meanwhile.
 *
 * Two lanes.  In round j of the upward lane a rank adds up chunk j of its
 * children and sends chunk j - 1 to its parent.  The downward lane does for
 * each chunk two rounds: it waits until the chunk has gone up, then takes its
 * sum from the parent while it passes the sum of the chunk before on to its
 * children; the root sends what it has.
 *
 *     a line of three, 2 chunks, a rank's sends over time:
 *
 *     rank 2:  up 0   up 1
 *     rank 1:         up 0   up 1        down 0   down 1
 *     rank 0:                down 0      down 1
 */
#ifndef CS_ALGORITHMS_SHARED_TREE_FLOW_H
#define CS_ALGORITHMS_SHARED_TREE_FLOW_H

#include "algorithms/shared/pattern.h"
#include "algorithms/shared/tree_shape.h"

/* Chunks are the blocks from `first` on. */
struct cs_tree_flow {
    struct cs_tree_place place; /* of this rank */
    uint32_t first;
    uint32_t chunks;
    uint32_t up_lane;
};

uint64_t cs_tree_up_rounds(uint32_t chunks);
uint64_t cs_tree_down_rounds(uint32_t chunks);
void cs_tree_up_round(const struct cs_tree_flow *flow, uint64_t k,
                      struct cs_ops *ops);
void cs_tree_down_round(const struct cs_tree_flow *flow, uint64_t k,
                        struct cs_ops *ops);

#endif

/*
 * Tree flow: a sum up a tree in chunks, and at the same time down again.
 *
 * Two lanes.  In round j of the upward lane a rank reduces chunk j of the
 * children and sends chunk j - 1 to the parent.  The downward lane has two
 * rounds for each chunk: a wait until the chunk has gone up, then the sum of
 * the chunk from the parent together with the sum of the previous chunk to the
 * children; the root sends its sums.
 *
 *     a line of three, 2 chunks, sends of a rank over time:
 *
 *     rank 2:  up 0   up 1
 *     rank 1:         up 0   up 1        down 0   down 1
 *     rank 0:                down 0      down 1
 */
#pragma once

#include "algorithms/shared/patterns/pattern.h"
#include "algorithms/shared/trees/shape.h"

/* The flow of `chunks` blocks from block `first` on through a rank. */
struct cs_tree_flow {
    struct cs_tree_place place; /* of this rank */
    uint32_t first;
    uint32_t chunks;
    uint32_t up_lane;
};

/* Rounds of a lane, and the ops of round k. */
uint64_t cs_tree_up_rounds(uint32_t chunks);
uint64_t cs_tree_down_rounds(uint32_t chunks);
void cs_tree_up_round(const struct cs_tree_flow *flow, uint64_t k, struct cs_ops *ops);
void cs_tree_down_round(const struct cs_tree_flow *flow, uint64_t k, struct cs_ops *ops);

/* The same without a sum upwards: the root's chunks down, in as many rounds as
 * upwards. */
void cs_tree_pass_round(const struct cs_tree_flow *flow, uint64_t k, struct cs_ops *ops);

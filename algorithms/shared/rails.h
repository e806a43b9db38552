/*
 * Rails: an all-gather or a reduce-scatter across nodes and within the nodes at
 * the same time.
 *
 * n nodes of g ranks each, with consecutive numbers; p = n g; rank a g + i is
 * rank i of node a, and the ranks i of all nodes are a rail.  Blocks travel in
 * k chunks and the pipeline has K = (n-1) k steps; step q moves chunk q mod k
 * over the distance 1 + q / k of nodes.  One lane has the exchange along the
 * rail, one rank at a time; the other lane has the exchange within the node,
 * with all g - 1 ranks at once.  A step of the one lane runs beside the next
 * step of the other lane, so that the faster links are hidden behind the slower
 * links:
 *
 *     all-gather       rail  0 1 2 3 ...         reduce-scatter   node  0 1 2 3
 *                      node  own 0 1 2 ...                        rail    0 1 2
 *
 * With alpha and beta of the links between nodes, alpha' and beta' within, and
 * m bytes in a chunk, the two lanes take
 *
 *     K (alpha + m / beta)   and   (K+1) alpha' + (g-1) n V/p / beta'
 *
 * The form is the sum of both, which one port for both lanes takes at most;
 * with ports of their own the lanes overlap except for one step.
 */
#pragma once

#include "algorithms/shared/patterns/pattern.h"

/* A rank and a step of the pipeline. */
struct cs_rail_step {
    uint32_t group, nodes; /* g, n */
    uint32_t node, index;  /* a, i */
    uint32_t to, from;     /* nodes at the distance of the step */
    uint32_t chunk, chunks;
};

/* Step q, 0 <= q < K. */
struct cs_rail_step cs_rail_step_of(const struct cs_call *call, uint32_t rank, uint64_t q);

/* K; 0 for one node. */
uint64_t cs_rail_steps(const struct cs_call *call);

/* Chunk of the step in the block of rank `index` of a node. */
static inline struct cs_blocks cs_rail_chunk(const struct cs_rail_step *step, uint32_t node,
                                             uint32_t index)
{
    return cs_block((node * step->group + index) * step->chunks + step->chunk);
}

enum cs_rail_part {
    CS_RAIL_CHUNKS, /* the chunk of the step of each block */
    CS_RAIL_BLOCKS, /* whole blocks */
};

/* Makes the ops from number `first` on, a phase (phase.h) among g ranks with a
 * block each, a phase among the ranks of the own node for the blocks of the ranks
 * of `node`. */
void cs_rail_in_node(const struct cs_rail_step *step, uint32_t node, enum cs_rail_part part,
                     uint32_t first, struct cs_ops *ops);

/* `settle`: the chunks with the least K alpha + m / beta, the time of the rail and
 * of one step that nothing hides.  `lanes`: rail and node.  `blocks` and `parts`. */
void cs_rail_settle(struct cs_call *call);
uint32_t cs_rail_lanes(const struct cs_call *call);
uint32_t cs_rail_blocks(const struct cs_call *call);
uint32_t cs_rail_parts(const struct cs_call *call);

/* `exactness_of`: at most for equal chunks; else ranks drift apart, and the
 * form is an estimate. */
enum cs_exactness cs_rail_exactness(const struct cs_call *call);

/* The sum of both lanes without reductions, and the lane within nodes. */
struct cs_cost cs_rail_cost(const struct cs_call *call);
struct cs_cost cs_rail_local_cost(const struct cs_call *call);

/*
 * Phases: whole parts that several algorithms are made of.
 *
 * The ring.  Rank r only ever sends to r + 1.  In step k of the reduce-scatter
 * it passes on block r - k - 1 and adds what it receives to block r - k - 2,
 * so that after p - 1 steps it holds the sum of block r; in step k of the
 * all-gather it passes on block r - k and receives block r - k - 1.
 *
 *     p = 3, after each step of the reduce-scatter (| separates blocks):
 *
 *     rank 0:  0|0|0      0|02|0     012|02|0
 *     rank 1:  1|1|1      1|1|01     1|012|01
 *     rank 2:  2|2|2      12|2|2     12|2|012
 */
#ifndef CS_ALGORITHMS_PHASE_H
#define CS_ALGORITHMS_PHASE_H

#include "algorithms/pattern.h"

/* Step k, 0 <= k < p - 1. */
static inline void cs_ring_scatter_step(uint32_t p, uint32_t rank, uint32_t k,
                                        struct cs_ops *ops)
{
    uint32_t block = cs_behind(rank, k + 1, p);

    cs_ops_send(ops, cs_ahead(rank, 1, p), cs_block(block));
    cs_ops_recv_reduce(ops, cs_behind(rank, 1, p),
                       cs_block(cs_behind(block, 1, p)));
}

static inline void cs_ring_gather_step(uint32_t p, uint32_t rank, uint32_t k,
                                       struct cs_ops *ops)
{
    uint32_t block = cs_behind(rank, k, p);

    cs_ops_send(ops, cs_ahead(rank, 1, p), cs_block(block));
    cs_ops_recv(ops, cs_behind(rank, 1, p), cs_block(cs_behind(block, 1, p)));
}

#endif

/*
 * PAT, parallel aggregated trees: for every block a binomial tree from its
 * owner on, all of them at once, the farthest step first.
 *
 * Any p >= 1.  With L = ceil(log2 p) and d = 2^(L-1-k), in step k a rank sends
 * to the rank d after it every block whose owner is a multiple of 2d before it,
 * if the block has still to go so far.  Backwards, with sums, it is a
 * reduce-scatter.
 *
 *     p = 5, blocks that rank r has in the all-gather (d = 4, 2, 1):
 *
 *     rank 0:  0   01   013   01234        rank 3:  3   34   134   01234
 *     rank 1:  1   12   124   01234        rank 4:  4   40   024   01234
 *     rank 2:  2   23   023   01234
 *
 * As in Bruck's algorithm a rank takes L steps and sends each block once, but
 * the steps that go far carry few blocks, and near ones many; blocks stay where
 * they are, so nothing is turned round at the end.  The blocks of a step are
 * not side by side: each is a message here, and they follow one another.
 *
 * NCCL has this since 2.23.  Its transport has room for a number of blocks at
 * once and, where that is less than a step carries, goes through parts of the
 * trees one after the other; that is left out here.
 *
 * S. Jeaugey, PAT: a new algorithm for all-gather and reduce-scatter operations
 * at scale, arXiv:2506.20252, 2025.
 */
#ifndef CS_ALGORITHMS_SHARED_PAT_H
#define CS_ALGORITHMS_SHARED_PAT_H

#include "algorithms/shared/pattern.h"

/* Step k of the all-gather, and of the reduce-scatter, 0 <= k < L. */
void cs_pat_gather_step(uint32_t p, uint32_t rank, uint32_t k,
                        struct cs_ops *ops);
void cs_pat_scatter_step(uint32_t p, uint32_t rank, uint32_t k,
                         struct cs_ops *ops);

#endif

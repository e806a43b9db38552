/*
 * PAT, parallel aggregated trees: a binomial tree from the owner of every
 * block, all trees at once, the farthest step first.
 *
 * Any p >= 1.  With L = ceil(log2 p) and d = 2^(L-1-k), in step k a rank sends
 * to the rank d ahead the blocks of the owners at multiples of 2d behind,
 * except for blocks that already went around.  The reverse, with reductions,
 * is a reduce-scatter.
 *
 *     p = 5, blocks of rank r in the all-gather (d = 4, 2, 1):
 *
 *     rank 0:  0   01   013   01234        rank 3:  3   34   134   01234
 *     rank 1:  1   12   124   01234        rank 4:  4   40   024   01234
 *     rank 2:  2   23   023   01234
 *
 * As in Bruck's algorithm, a rank has L steps and sends each block once, but
 * far steps carry few blocks and near steps many; blocks keep the positions,
 * so that no rotation follows.  The blocks of a step are not contiguous: each
 * is a message here, and the messages of a step leave in sequence.
 *
 * NCCL has PAT since 2.23.  NCCL's transport holds a limited number of blocks
 * and goes through parts of the trees in sequence for steps with more blocks;
 * the model here has no such limit.
 *
 * S. Jeaugey, PAT: a new algorithm for all-gather and reduce-scatter operations
 * at scale, arXiv:2506.20252, 2025.
 */
#ifndef CS_ALGORITHMS_SHARED_PAT_H
#define CS_ALGORITHMS_SHARED_PAT_H

#include "algorithms/shared/patterns/pattern.h"

/* Step k of the all-gather, and of the reduce-scatter, 0 <= k < L. */
void cs_pat_gather_step(uint32_t p, uint32_t rank, uint32_t k, struct cs_ops *ops);
void cs_pat_scatter_step(uint32_t p, uint32_t rank, uint32_t k, struct cs_ops *ops);

#endif

/*
 * Bine all-reduce: recursive halving and doubling over Bine's butterfly, whose
 * partners are (2^(s+1) + (-1)^s) / 3 away instead of 2^s.
 *
 * p a power of two.  With ranks numbered along a network that is thin far out
 * (a tapered tree, a dragonfly) a third less has to go far.  The large
 * messages go to near partners: the reduce-scatter's distances double, the
 * all-gather's halve.  In this form, on ranks in one row, the steps are Swing's
 * (swing.c; the pictures are in butterfly.h), and so are all numbers; what
 * Bine adds are trees for the other collectives, and tori and numbers of ranks
 * that are not covered here.
 *
 *     p = 4:  step 0   0 - 1   2 - 3     exchange V/2
 *             step 1   0 - 3   1 - 2     exchange V/4
 *
 * Sends per rank: V - V/p bytes in each half, 2(p-1) V in all.
 *
 *     T = 2 log2 p alpha + 2(p-1)/p V / beta + (p-1)/p V gamma
 *
 * The vector is cut into p blocks; step s moves a run of the p / 2^(s+1)
 * largest.
 *
 * Exact where all blocks are equal, or alpha is more than an element's time:
 * else a rank that is ahead may be in the way of one that is late.
 *
 * D. De Sensi et al., Bine trees: enhancing collective operations by optimizing
 * communication locality, SC 2025 (arXiv 2508.17311).
 */
#include "algorithms/shared/butterfly.h"

const struct cs_algo cs_algo_allreduce_bine = {
    .name = "bine",
    .collective = &cs_collective_allreduce,
    .about = "halving and doubling over Bine's butterfly, in a row as Swing",
    .formula = "2 log2 p alpha + 2(p-1)/p V/beta + (p-1)/p V gamma",
    .exactness = CS_COST_EVEN,
    .check = cs_check_power_of_two,
    .blocks = cs_blocks_per_rank,
    .rounds = cs_butterfly_rounds,
    .round = cs_butterfly_round,
    .reduce_scatter_rounds = cs_butterfly_scatter_rounds,
    .cost = cs_butterfly_cost,
};

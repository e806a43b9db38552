/*
 * Bine all-reduce: recursive halving and doubling over Bine's butterfly, with
 * peers at distances (2^(s+1) + (-1)^s) / 3 instead of 2^s.
 *
 * p a power of two.  With rank numbers along a network with less bandwidth at
 * greater distance (a tapered tree, a dragonfly) a third less data goes far.
 * The large messages go to near peers: the distances double in the
 * reduce-scatter and halve in the all-gather.  In this form, for ranks in a
 * row, the steps and all figures are those of Swing (swing.c; pictures in
 * butterfly.h); Bine's trees for the other collectives, tori, and other
 * numbers of ranks are not covered here.
 *
 *     p = 4:  step 0   0 - 1   2 - 3     exchange V/2
 *             step 1   0 - 3   1 - 2     exchange V/4
 *
 * Sends per rank: V - V/p bytes in each half, 2(p-1) V in total.
 *
 *     T = 2 log2 p alpha + 2(p-1)/p V / beta + (p-1)/p V gamma
 *
 * The vector has p blocks; step s moves a run of the p / 2^(s+1) largest.
 *
 * Exact for equal blocks, and for an alpha above the time of an element: else a
 * rank that is ahead can delay a rank that is late.
 *
 * D. De Sensi et al., Bine trees: enhancing collective operations by optimizing
 * communication locality, SC 2025 (arXiv 2508.17311).
 */
#include "algorithms/shared/butterfly.h"

const struct cs_algo cs_algo_allreduce_bine = {
    .name = "bine",
    .collective = &cs_collective_allreduce,
    .about = "halving and doubling over Bine's butterfly, in a row like Swing",
    .formula = "2 log2 p alpha + 2(p-1)/p V/beta + (p-1)/p V gamma",
    .exactness = CS_COST_EVEN,
    .check = cs_check_power_of_two,
    .blocks = cs_blocks_per_rank,
    .rounds = cs_butterfly_rounds,
    .round = cs_butterfly_round,
    .scatters = true,
    .cost = cs_butterfly_cost,
};

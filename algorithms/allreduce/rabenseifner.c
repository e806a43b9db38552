/*
 * Rabenseifner's all-reduce: a reduce-scatter by halving, then an all-gather by
 * doubling (phase.h).
 *
 * Any p >= 1; with q = 2^L the greatest power of two up to p, r = p - q ranks
 * are folded before and receive the result afterwards (power_of_two.h).  The
 * vector has q blocks.
 *
 *     p = 4, after each round (| separates blocks):
 *
 *     rank 0:  02|02|0|0    0123|02|0|0    0123|0123|0|0    all 0123
 *     rank 1:  13|13|1|1    13|0123|1|1    0123|0123|1|1    all 0123
 *     rank 2:  2|2|02|02    2|2|0123|02    2|2|0123|0123    all 0123
 *     rank 3:  3|3|13|13    3|3|13|0123    3|3|0123|0123    all 0123
 *
 * Sends per rank: 2 L messages, 2(q-1)/q V bytes, and V more by 2r ranks;
 * 2(q-1) V + 2r V in total.  In addition to the vector a rank needs room for
 * half a vector, or for a whole vector with folded ranks.
 *
 *     T = 2 L alpha + 2(q-1)/q V / beta + (q-1)/q V gamma           p = 2^L
 *     T = (2L+2) alpha + (2(q-1)/q + 2) V / beta + ((q-1)/q + 1) V gamma
 *
 * with the longest run of blocks of each step for q not dividing V.
 *
 * R. Rabenseifner, Optimization of collective reduction operations, ICCS 2004;
 * the fold is MPICH's.
 */
#include "algorithms/shared/patterns/power_of_two.h"

static uint64_t allreduce_rabenseifner_rounds(const void *ctx, struct cs_at at)
{
    (void)at;
    return cs_fold_allreduce_rounds(ctx, 2);
}

static void allreduce_rabenseifner_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    struct cs_rank_fold fold = cs_fold_of(call->ranks);
    uint32_t first = fold.pairs ? 1 : 0;

    if (at.round < first)
        cs_fold_in(&fold, at.party, fold.q, ops);
    else if (at.round - first < 2 * (uint64_t)cs_log2_down(call->ranks))
        cs_fold_allreduce_step(&fold, at.party, (uint32_t)at.round - first, ops);
    else
        cs_fold_out(&fold, at.party, fold.q, ops);
    cs_fold_match(&fold, ops);
}

static struct cs_cost allreduce_rabenseifner_cost(const struct cs_call *call)
{
    struct cs_rank_fold fold = cs_fold_of(call->ranks);
    double steps = cs_log2_down(call->ranks);
    double bytes = cs_halving_bytes(call, fold.q);
    double folded = fold.pairs ? cs_vector_bytes(call) : 0;

    return (struct cs_cost){2 * steps + (fold.pairs ? 2 : 0), 2 * (bytes + folded), bytes + folded};
}

const struct cs_algo cs_algo_allreduce_rabenseifner = {
    .name = "rabenseifner",
    .collective = &cs_collective_allreduce,
    .about = "halving reduce-scatter, doubling all-gather; whole vectors folded",
    .formula = "2 L alpha + 2(q-1)/q V/beta + (q-1)/q V gamma, q = 2^L; and 2 alpha + 2 V/beta + V "
               "gamma with p > q",
    .exactness = CS_COST_EVEN,
    .blocks = cs_fold_blocks,
    .rounds = allreduce_rabenseifner_rounds,
    .round = allreduce_rabenseifner_round,
    .scatters = true,
    .cost = allreduce_rabenseifner_cost,
};

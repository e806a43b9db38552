/*
 * Recursive doubling all-reduce: ranks at distance 1, 2, 4, ... exchange and
 * reduce whole vectors.
 *
 * Any p >= 1; with q = 2^L the greatest power of two up to p, r = p - q ranks
 * are folded before and receive the result afterwards (power_of_two.h).  In
 * round k member i exchanges the vector with member i xor q / 2^(k+1).
 *
 *     p = 4, after each round:
 *
 *     rank 0:  02    0123
 *     rank 1:  13    0123
 *     rank 2:  02    0123
 *     rank 3:  13    0123
 *
 * Sends per rank: L of V bytes, one more by 2r ranks; (q L + 2r) V in total.
 * In addition to the vector a rank needs room for an arriving vector.
 *
 *     T = L (alpha + V / beta + V gamma)             p = 2^L
 *     T = (L+2) (alpha + V / beta) + (L+1) V gamma   otherwise
 *
 * R. Thakur, R. Rabenseifner and W. Gropp, IJHPCA 19(1), 2005.
 */
#include "algorithms/shared/patterns/power_of_two.h"

static uint64_t doubling_rounds(const void *ctx, struct cs_at at)
{
    (void)at;
    const struct cs_call *call = ctx;
    struct cs_rank_fold fold = cs_fold_of(call->ranks);

    return cs_log2_down(call->ranks) + (fold.pairs ? 2 : 0);
}

static void allreduce_recursive_doubling_exchange(const struct cs_rank_fold *fold, uint32_t rank,
                                                  uint32_t k, struct cs_ops *ops)
{
    uint32_t member = cs_fold_member(fold, rank);
    uint32_t partner;

    if (member == CS_NO_MEMBER)
        return;
    partner = cs_fold_rank(fold, member ^ fold->q >> (k + 1));
    cs_ops_send(ops, partner, cs_whole());
    cs_ops_recv_reduce(ops, partner, cs_whole());
}

static void allreduce_recursive_doubling_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    struct cs_rank_fold fold = cs_fold_of(call->ranks);
    uint32_t first = fold.pairs ? 1 : 0;

    if (at.round < first)
        cs_fold_in(&fold, at.party, 1, ops);
    else if (at.round - first < cs_log2_down(call->ranks))
        allreduce_recursive_doubling_exchange(&fold, at.party, (uint32_t)at.round - first, ops);
    else
        cs_fold_out(&fold, at.party, 1, ops);
    cs_fold_match(&fold, ops);
}

static struct cs_cost allreduce_recursive_doubling_cost(const struct cs_call *call)
{
    double steps = cs_log2_down(call->ranks);
    double folds = cs_is_power_of_two(call->ranks) ? 0 : 1;
    double bytes = cs_vector_bytes(call);

    return (struct cs_cost){steps + 2 * folds, (steps + 2 * folds) * bytes,
                            (steps + folds) * bytes};
}

const struct cs_algo cs_algo_allreduce_recursive_doubling = {
    .name = "recursive-doubling",
    .collective = &cs_collective_allreduce,
    .about = "exchanges of whole vectors at distance 1, 2, 4, ...",
    .formula =
        "L (alpha + V/beta + V gamma), L = log2 p; L+2, L+2, L+1 of them with p no power of two",
    .blocks = cs_blocks_one,
    .rounds = doubling_rounds,
    .round = allreduce_recursive_doubling_round,
    .cost = allreduce_recursive_doubling_cost,
};

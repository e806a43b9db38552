/*
 * Rabenseifner's all-reduce with a fold that divides the work: each rank of a
 * pair reduces one half of the vector.
 *
 * Any p >= 1; as rabenseifner.c for a power of two.  Otherwise, with q = 2^L
 * the greatest power of two below p, the pairs of the first 2(p - q) ranks
 * (power_of_two.h) begin with two rounds, and the first rank of each pair
 * continues:
 *
 *     rank 0:  0|0    01|0    01|01      sends the right half, then receives
 *     rank 1:  1|1    1|01    1|01       sends the left half, then the sum
 *
 * Sends: 2(q-1)/q V bytes per member, in pairs V/2 + V more by the first rank
 * and V by the second; 2(q-1) V + 2.5 r V in total.  In addition to the vector
 * a rank needs room for half a vector.
 *
 *     T = 2 L alpha + 2(q-1)/q V / beta + (q-1)/q V gamma           p = 2^L
 *     T = (2L+3) alpha + (2(q-1)/q + 2) V / beta + ((q-1)/q + 1/2) V gamma
 *
 * with the longer half and the longest runs of blocks for q not dividing V.
 *
 * R. Rabenseifner and J. L. Traeff, More efficient reduction algorithms for
 * non-power-of-two number of processors, EuroPVM/MPI 2004; the fold is that of
 * Open MPI.
 */
#include "algorithms/shared/patterns/power_of_two.h"

enum {
    FOLD_ROUNDS = 2
};

static struct cs_rank_fold allreduce_rabenseifner_half_fold_of(const struct cs_call *call)
{
    return cs_fold_of(call->ranks, CS_FIRST_STAYS);
}

static uint64_t allreduce_rabenseifner_half_rounds(const void *ctx, struct cs_at at)
{
    (void)at;
    return cs_fold_allreduce_rounds(ctx, FOLD_ROUNDS + 1);
}

/* Each rank of a pair reduces a half; then the second sends the sum of the
 * right half to the first. */
static void fold_in_halves(const struct cs_rank_fold *fold, uint32_t rank, uint64_t k,
                           struct cs_ops *ops)
{
    struct cs_blocks left = {0, fold->q / 2};
    struct cs_blocks right = {fold->q / 2, fold->q / 2};
    bool is_first = rank % 2 == 0;

    if (rank >= 2 * fold->pairs)
        return;
    if (k == 0) {
        cs_ops_send(ops, rank ^ 1, is_first ? right : left);
        cs_ops_recv_reduce(ops, rank ^ 1, is_first ? left : right);
    } else if (is_first) {
        cs_ops_recv(ops, rank ^ 1, right);
    } else {
        cs_ops_send(ops, rank ^ 1, right);
    }
}

static void allreduce_rabenseifner_half_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    struct cs_rank_fold fold = allreduce_rabenseifner_half_fold_of(call);
    uint32_t first = fold.pairs ? FOLD_ROUNDS : 0;

    if (at.round < first)
        fold_in_halves(&fold, at.party, at.round, ops);
    else if (at.round - first < 2 * (uint64_t)cs_log2_down(call->ranks))
        cs_fold_allreduce_step(&fold, at.party, (uint32_t)at.round - first, ops);
    else
        cs_fold_out(&fold, at.party, fold.q, ops);
    cs_fold_match(&fold, ops);
}

static struct cs_cost allreduce_rabenseifner_half_cost(const struct cs_call *call)
{
    uint32_t q = allreduce_rabenseifner_half_fold_of(call).q;
    double steps = cs_log2_down(call->ranks);
    double bytes = cs_halving_bytes(call, q);

    if (q == call->ranks)
        return (struct cs_cost){2 * steps, 2 * bytes, bytes};
    return (struct cs_cost){2 * steps + FOLD_ROUNDS + 1, 2 * (bytes + cs_vector_bytes(call)),
                            bytes + cs_longest_run_bytes(call, q, q / 2)};
}

const struct cs_algo cs_algo_allreduce_rabenseifner_half = {
    .name = "rabenseifner-half",
    .collective = &cs_collective_allreduce,
    .about = "halving reduce-scatter, doubling all-gather; halves folded",
    .formula = "2 L alpha + 2(q-1)/q V/beta + (q-1)/q V gamma, q = 2^L; and 3 alpha + 2 V/beta + "
               "V/2 gamma with p > q",
    .exactness = CS_COST_EVEN,
    .blocks = cs_fold_blocks,
    .rounds = allreduce_rabenseifner_half_rounds,
    .round = allreduce_rabenseifner_half_round,
    .scatters = true,
    .cost = allreduce_rabenseifner_half_cost,
};

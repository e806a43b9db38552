/*
 * Rabenseifner's reduce: a halving reduce-scatter (phase.h), then a binomial
 * gather of the sums.
 *
 * Any p >= 1, any root; q = 2^l is the greatest power of two <= p.  Slots
 * replace ranks, so that the root is slot 0: first each slot from q on sends
 * the vector to the slot q before and is done.  Then slots 0 .. q-1 continue
 * with q blocks.  (power_of_two.h folds pairs instead, and might fold the
 * root.)
 *
 *     p = 5, q = 4, root 0:  4 -> 0;  then blocks with sums of a slot
 *
 *     slot 0:  0123   01   0   01   0123
 *     slot 1:  0123   01   1
 *     slot 2:  0123   23   2   23
 *     slot 3:  0123   23   3
 *
 * Sends per rank: (q-1)/q V in the first phase and at most V/2 in the second,
 * or V by slots from q on.
 *
 *     T = 2 l alpha + 2 (p-1)/p V / beta + (p-1)/p V gamma              p = q
 *     T = (2 l + 1) alpha + (2 (q-1)/q + 1) V / beta + ((q-1)/q + 1) V gamma
 *
 * exactly for q dividing V.  For p > q a send leaves with both sides ready:
 * otherwise slots without a folded partner are ahead and occupy the ports of
 * the others.
 *
 * R. Rabenseifner, Optimization of collective reduction operations, ICCS 2004.
 */
#include "algorithms/shared/patterns/power_of_two.h"
#include "algorithms/shared/patterns/rooted.h"

/* Rounds before the halving: 0 or 1. */
static uint32_t fold_rounds(const struct cs_call *call)
{
    return cs_fold_blocks(call) < call->ranks;
}

static uint32_t reduce_rabenseifner_slot_rank(const void *ctx, uint32_t slot)
{
    return cs_rank_of_slot(ctx, slot);
}

static uint64_t rabenseifner_rounds(const void *ctx, struct cs_at at)
{
    const struct cs_call *call = ctx;

    if (cs_slot_of(call, at.party) >= cs_fold_blocks(call))
        return 1;
    return fold_rounds(call) + 2 * (uint64_t)cs_log2_down(call->ranks);
}

static void reduce_rabenseifner_fold(const struct cs_call *call, uint32_t slot, struct cs_ops *ops)
{
    uint32_t q = cs_fold_blocks(call);
    struct cs_blocks all = {0, q};

    if (slot >= q)
        cs_ops_send(ops, cs_rank_of_slot(call, slot - q), all);
    else if (slot + q < call->ranks)
        cs_ops_recv_reduce(ops, cs_rank_of_slot(call, slot + q), all);
}

static void reduce_rabenseifner_gather(const struct cs_call *call, uint32_t slot, uint32_t level,
                                       struct cs_ops *ops)
{
    struct cs_tree_edge edge = cs_binomial_edge(cs_fold_blocks(call), slot, level);
    struct cs_blocks blocks = {edge.child, edge.below};

    if (edge.role == CS_TREE_PARENT)
        cs_ops_recv(ops, cs_rank_of_slot(call, edge.child), blocks);
    else if (edge.role == CS_TREE_CHILD)
        cs_ops_send(ops, cs_rank_of_slot(call, edge.parent), blocks);
}

static void rabenseifner_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    struct cs_members members = {cs_fold_blocks(call), reduce_rabenseifner_slot_rank, call};
    uint32_t slot = cs_slot_of(call, at.party);
    uint32_t steps = cs_log2_down(call->ranks);
    uint32_t step = (uint32_t)at.round - fold_rounds(call);

    if (at.round < fold_rounds(call))
        reduce_rabenseifner_fold(call, slot, ops);
    else if (step < steps)
        cs_halving_scatter_step(&members, slot, step, ops);
    else
        reduce_rabenseifner_gather(call, slot, step - steps, ops);
    if (fold_rounds(call))
        cs_ops_match(ops);
}

static struct cs_cost rabenseifner_cost(const struct cs_call *call)
{
    double halved = cs_halving_bytes(call, cs_fold_blocks(call));
    double folded = fold_rounds(call) * cs_vector_bytes(call);

    return (struct cs_cost){fold_rounds(call) + 2.0 * cs_log2_down(call->ranks),
                            folded + 2 * halved, folded + halved};
}

const struct cs_algo cs_algo_reduce_rabenseifner = {
    .name = "rabenseifner",
    .collective = &cs_collective_reduce,
    .about = "halving reduce-scatter, then binomial gather",
    .formula = "2 L alpha + 2(p-1)/p V/beta + (p-1)/p V gamma, p = 2^L",
    .exactness = CS_COST_EVEN,
    .blocks = cs_fold_blocks,
    .rounds = rabenseifner_rounds,
    .round = rabenseifner_round,
    .cost = rabenseifner_cost,
};

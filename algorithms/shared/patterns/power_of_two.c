#include "algorithms/shared/patterns/power_of_two.h"

struct cs_rank_fold cs_fold_of(uint32_t p)
{
    uint32_t q = (uint32_t)1 << cs_log2_down(p);

    return (struct cs_rank_fold){q, p - q};
}

/* Each pair has one member, so that ranks after the pairs move up by the number
 * of pairs. */
uint32_t cs_fold_member(const struct cs_rank_fold *fold, uint32_t rank)
{
    if (rank >= 2 * fold->pairs)
        return rank - fold->pairs;
    return rank % 2 ? rank / 2 : CS_NO_MEMBER;
}

uint32_t cs_fold_rank(const struct cs_rank_fold *fold, uint32_t member)
{
    if (member >= fold->pairs)
        return member + fold->pairs;
    return 2 * member + 1;
}

void cs_fold_in(const struct cs_rank_fold *fold, uint32_t rank, uint32_t blocks, struct cs_ops *ops)
{
    struct cs_blocks all = {0, blocks};

    if (rank >= 2 * fold->pairs)
        return;
    if (cs_fold_member(fold, rank) == CS_NO_MEMBER)
        cs_ops_send(ops, rank ^ 1, all);
    else
        cs_ops_recv_reduce(ops, rank ^ 1, all);
}

void cs_fold_out(const struct cs_rank_fold *fold, uint32_t rank, uint32_t blocks,
                 struct cs_ops *ops)
{
    struct cs_blocks all = {0, blocks};

    if (rank >= 2 * fold->pairs)
        return;
    if (cs_fold_member(fold, rank) == CS_NO_MEMBER)
        cs_ops_recv(ops, rank ^ 1, all);
    else
        cs_ops_send(ops, rank ^ 1, all);
}

static uint32_t power_of_two_rank_of(const void *ctx, uint32_t i)
{
    return cs_fold_rank(ctx, i);
}

void cs_fold_allreduce_step(const struct cs_rank_fold *fold, uint32_t rank, uint32_t k,
                            struct cs_ops *ops)
{
    struct cs_members members = {fold->q, power_of_two_rank_of, fold};
    uint32_t member = cs_fold_member(fold, rank);
    uint32_t steps = cs_log2_down(fold->q);

    if (member == CS_NO_MEMBER)
        return;
    if (k < steps)
        cs_halving_scatter_step(&members, member, k, ops);
    else
        cs_doubling_gather_step(&members, member, k - steps, ops);
}

uint32_t cs_fold_blocks(const struct cs_call *call)
{
    return (uint32_t)1 << cs_log2_down(call->ranks);
}

uint64_t cs_fold_allreduce_rounds(const struct cs_call *call, uint32_t folding)
{
    return 2 * (uint64_t)cs_log2_down(call->ranks) +
           (cs_is_power_of_two(call->ranks) ? 0 : folding);
}

/* A power of two has no pairs: the members run in step, and sends need no
 * handshake. */
void cs_fold_match(const struct cs_rank_fold *fold, struct cs_ops *ops)
{
    if (fold->pairs > 0)
        cs_ops_match(ops);
}

/*
 * Direct all-gather: every rank sends the own block to every other rank
 * (phase.h).
 *
 * Any p >= 1.  The cost of the ring, but without forwarding: on a full mesh
 * every wire carries one block.
 *
 *     p = 3, blocks of a rank after each round:
 *
 *     rank 0:  0   02   012         rank 1:  1   01   012
 *
 * Sends per rank: the own block, p - 1 times; (p-1) V in total.
 *
 *     T = (p-1) (alpha + V/p / beta)
 *
 * exactly for p dividing V.  Otherwise the form counts the longest message of
 * each step, which is an estimate: no rank has the longest message in every
 * step, and ranks drift apart, so that messages of two rounds share a port.
 */
#include "algorithms/shared/phase.h"

static void allgather_direct_round(const void *ctx, uint32_t rank,
                                   uint32_t lane, uint64_t k,
                                   struct cs_ops *ops)
{
    const struct cs_call *call = ctx;

    (void)lane;
    cs_direct_gather_step(call->ranks, rank, (uint32_t)k, ops);
}

static struct cs_cost allgather_direct_cost(const struct cs_call *call,
                                            const struct cs_hockney *hockney)
{
    double steps = call->ranks - 1;
    double bytes = steps * cs_largest_block_bytes(call);

    (void)hockney;
    return (struct cs_cost){steps, bytes, 0};
}

const struct cs_algo cs_algo_allgather_direct = {
    .name = "direct",
    .collective = &cs_collective_allgather,
    .about = "every rank sends its block to every other rank",
    .formula = "(p-1) (alpha + V/p/beta)",
    .exactness = CS_COST_EVEN,
    .blocks = cs_blocks_per_rank,
    .rounds = cs_rounds_per_peer,
    .round = allgather_direct_round,
    .cost = allgather_direct_cost,
};

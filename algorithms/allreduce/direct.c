/*
 * Direct all-reduce: every rank sends every block to the owner, and the owner
 * sends the sum to every rank (phase.h).
 *
 * Any p >= 1.  Rounds are shifted, so that no port has two messages at once:
 * on a switch the time of the ring, but a lost or slow rank delays only the
 * own blocks, and on a full mesh each wire carries 2 V/p.
 *
 *     p = 3, after each of the 4 rounds (| separates blocks):
 *
 *     rank 0:  02|0|0     012|0|0     012|0|012     012|012|012
 *     rank 1:  1|01|1     1|012|1     012|012|1     012|012|012
 *     rank 2:  2|2|12     2|2|012     2|012|012     012|012|012
 *
 * Sends per rank: 2(p-1) of V/p bytes; 2(p-1) V in total.  In addition to the
 * vector a rank needs room for an arriving block.
 *
 *     T = 2(p-1) (alpha + ceil(V/p) / beta) + (p-1) ceil(V/p) gamma
 *
 * exactly for p dividing V.  Otherwise an estimate: no rank has the longest
 * message in every round, and ranks drift apart, so that messages of two rounds
 * share a port.
 */
#include "algorithms/shared/patterns/phase.h"

static void allreduce_direct_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    uint32_t p = call->ranks;

    if (at.round < p - 1)
        cs_direct_scatter_step(p, at.party, (uint32_t)at.round, ops);
    else
        cs_direct_gather_step(p, at.party, (uint32_t)at.round - (p - 1), ops);
}

static struct cs_cost allreduce_direct_cost(const struct cs_call *call)
{
    double steps = call->ranks - 1;
    double bytes = steps * cs_largest_block_bytes(call);

    return (struct cs_cost){2 * steps, 2 * bytes, bytes};
}

const struct cs_algo cs_algo_allreduce_direct = {
    .name = "direct",
    .collective = &cs_collective_allreduce,
    .about = "every block straight to its owner, and the sum to every rank",
    .formula = "2(p-1) (alpha + V/p/beta) + (p-1) V/p gamma",
    .exactness = CS_COST_EVEN,
    .blocks = cs_blocks_per_rank,
    .rounds = cs_rounds_per_peer_twice,
    .round = allreduce_direct_round,
    .scatters = true,
    .cost = allreduce_direct_cost,
};

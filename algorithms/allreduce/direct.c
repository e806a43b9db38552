/*
 * Direct all-reduce, in two shots: everybody sends every block to its owner,
 * who adds up, and then sends the sum to everybody (phase.h).
 *
 * Any p >= 1.  Rounds are shifted, so that no port is used for two messages at
 * once: it takes the same time as the ring on a switch, but a lost or slow rank
 * holds up only its own blocks, and on a full mesh each wire carries 2 V/p.
 *
 *     p = 3, after each of the 4 rounds (| separates blocks):
 *
 *     rank 0:  02|0|0     012|0|0     012|0|012     012|012|012
 *     rank 1:  1|01|1     1|012|1     012|012|1     012|012|012
 *     rank 2:  2|2|12     2|2|012     2|012|012     012|012|012
 *
 * Sends per rank: 2(p-1) of V/p bytes; 2(p-1) V in all.  Beside the vector a
 * rank needs room for one arriving block.
 *
 *     T = 2(p-1) (alpha + ceil(V/p) / beta) + (p-1) ceil(V/p) gamma
 *
 * exactly where p divides V.  Else no rank has the longest message in every
 * round, which saves a little, and ranks get out of step, so that messages of
 * two rounds meet in one port, which costs a little.
 */
#include "algorithms/shared/phase.h"

static void allreduce_direct_round(const void *ctx, uint32_t rank,
                                   uint32_t lane, uint64_t k,
                                   struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    uint32_t p = call->ranks;

    (void)lane;
    if (k < p - 1)
        cs_direct_scatter_step(p, rank, (uint32_t)k, ops);
    else
        cs_direct_gather_step(p, rank, (uint32_t)k - (p - 1), ops);
}

static struct cs_cost allreduce_direct_cost(const struct cs_call *call,
                                            const struct cs_hockney *hockney)
{
    double steps = call->ranks - 1;
    double bytes = steps * cs_largest_block_bytes(call);

    (void)hockney;
    return (struct cs_cost){2 * steps, 2 * bytes, bytes};
}

const struct cs_algo cs_algo_allreduce_direct = {
    .name = "direct",
    .collective = &cs_collective_allreduce,
    .about = "every block straight to its owner, and the sum to everybody",
    .formula = "2(p-1) (alpha + V/p/beta) + (p-1) V/p gamma",
    .exactness = CS_COST_EVEN,
    .blocks = cs_blocks_per_rank,
    .rounds = cs_rounds_per_peer_twice,
    .round = allreduce_direct_round,
    .reduce_scatter_rounds = cs_scatter_per_peer,
    .cost = allreduce_direct_cost,
};

/*
 * Two-shot all-reduce: every rank sends block r to rank r; rank r reduces and
 * sends the sum to every rank; each shot is one round.
 *
 * Any p >= 1.  For ranks with a link to every other rank: each link carries
 * one block in each shot.  A rank sends to r + 1 first, then r + 2, ..., so
 * that ports are not contended on a switch either.
 *
 *     p = 3, after each shot (| separates blocks):
 *
 *     rank 0:  012|0|0      012|012|012
 *     rank 1:  1|012|1      012|012|012
 *     rank 2:  2|2|012      012|012|012
 *
 * Sends per rank: 2(p-1) of V/p bytes.  In addition to the vector a rank needs
 * room for p - 1 simultaneous arrivals.
 *
 *     T = 2 alpha + 2 ceil(V/p) / beta + (p-1) ceil(V/p) gamma    p-1 ports
 *     T = 2 alpha + 2(p-1) ceil(V/p) / beta + ceil(V/p) gamma      one port,
 *                                                       gamma <= 1 / beta
 *
 * The second line is `cost`; for a larger gamma, arrivals wait for reductions
 * and T = 2 alpha + p ceil(V/p) / beta + (p-1) ceil(V/p) gamma.
 */
#include "algorithms/shared/patterns/phase.h"

static void twoshot_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;

    if (at.round == 0)
        cs_direct_scatter_all(call->ranks, at.party, ops);
    else
        cs_direct_gather_all(call->ranks, at.party, ops);
}

static struct cs_cost twoshot_cost(const struct cs_call *call)
{
    double peers = call->ranks - 1;
    double block = cs_largest_block_bytes(call);

    if (cs_adds_in_passing(&call->hockney))
        return (struct cs_cost){2, 2 * peers * block, block};
    return (struct cs_cost){2, (peers + 1) * block, peers * block};
}

const struct cs_algo cs_algo_allreduce_twoshot = {
    .name = "twoshot",
    .collective = &cs_collective_allreduce,
    .about = "block r of every rank to rank r, and the sum back, all at once",
    .formula = "2 (alpha + (p-1) V/p/beta) + V/p gamma",
    .exactness = CS_COST_AT_MOST,
    .blocks = cs_blocks_per_rank,
    .rounds = cs_rounds_two,
    .round = twoshot_round,
    .scatters = true,
    .cost = twoshot_cost,
};

/*
 * Pairwise all-to-all: every block straight to the destination.
 *
 * Any p >= 1 that divides V.  In round k rank r sends block r + k + 1 to the
 * rank of that number and receives block r - k - 1 from the rank of that
 * number, so that each port has one message at a time.  The own block is in
 * position from the start.
 *
 *     p = 3, blocks as (from, for), after each round:
 *
 *     rank 0:  00|01|02     00|01|20     00|10|20
 *     rank 1:  10|11|12     01|11|12     01|11|21
 *     rank 2:  20|21|22     20|12|22     02|12|22
 *
 * Sends per rank: p - 1 blocks of the input, (p-1)/p V; the minimum.
 *
 *     T = (p-1) (alpha + V/p / beta)
 */
#include "algorithms/shared/patterns/pattern.h"

static void pairwise_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    uint32_t to = cs_ahead(at.party, (uint32_t)at.round + 1, call->ranks);
    uint32_t from = cs_behind(at.party, (uint32_t)at.round + 1, call->ranks);

    cs_ops_send_input(ops, to, cs_block(to));
    cs_ops_recv(ops, from, cs_block(from));
}

static struct cs_cost pairwise_cost(const struct cs_call *call)
{
    double rounds = call->ranks - 1;

    return (struct cs_cost){rounds, rounds * cs_largest_block_bytes(call), 0};
}

const struct cs_algo cs_algo_alltoall_pairwise = {
    .name = "pairwise",
    .collective = &cs_collective_alltoall,
    .about = "every block straight to its destination",
    .formula = "(p-1) (alpha + V/p/beta)",
    .moves_blocks = true,
    .blocks = cs_blocks_per_rank,
    .rounds = cs_rounds_per_peer,
    .round = pairwise_round,
    .cost = pairwise_cost,
};

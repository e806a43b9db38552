/*
 * Bruck's all-gather: in every round a rank doubles the run of blocks from the
 * own on.
 *
 * Any p >= 1, L = ceil(log2 p).  Before round k rank r has the min(2^k, p)
 * blocks from the own on, modulo p, sends the blocks to r - 2^k and receives
 * the next blocks from r + 2^k; the last round moves only the missing blocks.
 * Libraries put the own block first and rotate at the end; here, as in
 * phase.h, a block has the same position on all ranks and a run wraps, so that
 * no copy is necessary.
 *
 *     p = 5, blocks of a rank:
 *
 *     rank 0:  0   01   0123   01234     from 1: 1, from 2: 23, from 4: 4
 *     rank 1:  1   12   1234   12340     from 2: 2, from 3: 34, from 0: 0
 *
 * Sends per rank: (p-1)/p V; (p-1) V in total.
 *
 *     T = L alpha + (p-1)/p V / beta
 *
 * exactly for p dividing V.  Otherwise the form counts the longest message of
 * each step, which is an estimate: no rank has the longest message in every
 * step, and ranks drift apart, so that messages of two rounds share a port.
 *
 * J. Bruck, C.-T. Ho, S. Kipnis, E. Upfal and D. Weathersby, Efficient
 * algorithms for all-to-all communications in multiport message-passing
 * systems, IEEE TPDS 8(11), 1997.
 */
#include "algorithms/shared/patterns/pattern.h"

/* Blocks of a message in round k. */
static uint32_t allgather_bruck_moved(uint32_t p, uint32_t k)
{
    uint32_t had = (uint32_t)1 << k;

    return p - had < had ? p - had : had;
}

static void allgather_bruck_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    uint32_t p = call->ranks;
    uint32_t had = (uint32_t)1 << at.round;
    uint32_t from = cs_ahead(at.party, had, p);
    uint32_t count = allgather_bruck_moved(p, (uint32_t)at.round);

    cs_ops_send(ops, cs_behind(at.party, had, p), (struct cs_blocks){at.party, count});
    cs_ops_recv(ops, from, (struct cs_blocks){from, count});
}

static struct cs_cost allgather_bruck_cost(const struct cs_call *call)
{
    uint32_t rounds = cs_log2_up(call->ranks);
    struct cs_cost cost = {.rounds = rounds};

    for (uint32_t k = 0; k < rounds; k++)
        cost.bytes +=
            cs_longest_run_bytes(call, call->ranks, allgather_bruck_moved(call->ranks, k));
    return cost;
}

const struct cs_algo cs_algo_allgather_bruck = {
    .name = "bruck",
    .collective = &cs_collective_allgather,
    .about = "twice as many blocks in every round, any number of ranks",
    .formula = "L alpha + (p-1)/p V/beta, L = ceil(log2 p)",
    .exactness = CS_COST_EVEN,
    .blocks = cs_blocks_per_rank,
    .rounds = cs_rounds_log,
    .round = allgather_bruck_round,
    .cost = allgather_bruck_cost,
};

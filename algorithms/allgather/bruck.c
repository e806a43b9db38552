/*
 * Bruck's all-gather: in every round a rank gets as many blocks as it has from
 * the rank that has the next ones.
 *
 * Any p >= 1, L = ceil(log2 p).  In round k rank r has min(2^k, p) blocks from
 * its own on, round the circle; it sends them to r - 2^k and gets the next ones
 * from r + 2^k, in the last round only those that it lacks.  In libraries the
 * own block lies first and all are rotated at the end; here, as in phase.h, a
 * block has one place everywhere and a run of them wraps, which needs no copy.
 *
 *     p = 5, blocks that a rank has:
 *
 *     rank 0:  0   01   0123   01234     from 1: 1, from 2: 23, from 4: 4
 *     rank 1:  1   12   1234   12340     from 2: 2, from 3: 34, from 0: 0
 *
 * Sends per rank: (p-1)/p V; (p-1) V in all.
 *
 *     T = L alpha + (p-1)/p V / beta
 *
 * exactly where p divides V.  Else the longest message of each step counts here:
 * no rank has them all, which saves a little, and ranks get out of step, so that
 * messages of two rounds meet in one port, which costs a little.
 *
 * J. Bruck, C.-T. Ho, S. Kipnis, E. Upfal and D. Weathersby, Efficient
 * algorithms for all-to-all communications in multiport message-passing systems,
 * IEEE TPDS 8(11), 1997.
 */
#include "algorithms/shared/pattern.h"

/* Blocks that move in round k. */
static uint32_t allgather_bruck_moved(uint32_t p, uint32_t k)
{
    uint32_t had = (uint32_t)1 << k;

    return p - had < had ? p - had : had;
}

static void allgather_bruck_round(const void *ctx, uint32_t rank, uint32_t lane,
                                  uint64_t k, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    uint32_t p = call->ranks;
    uint32_t had = (uint32_t)1 << k;
    uint32_t from = cs_ahead(rank, had, p);
    uint32_t count = allgather_bruck_moved(p, (uint32_t)k);

    (void)lane;
    cs_ops_send(ops, cs_behind(rank, had, p), (struct cs_blocks){rank, count});
    cs_ops_recv(ops, from, (struct cs_blocks){from, count});
}

static struct cs_cost allgather_bruck_cost(const struct cs_call *call,
                                           const struct cs_hockney *hockney)
{
    uint32_t rounds = cs_log2_up(call->ranks);
    struct cs_cost cost = {.rounds = rounds};
    uint32_t k;

    (void)hockney;
    for (k = 0; k < rounds; k++)
        cost.bytes += cs_longest_run_bytes(
            call, call->ranks, allgather_bruck_moved(call->ranks, k));
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

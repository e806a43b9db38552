/*
 * Neighbour exchange all-gather: pairs swap their blocks, then every rank swaps
 * the two blocks that it heard of last with its other neighbour, in turn.
 *
 * Even p.  Half as many rounds as the ring, and still nobody talks to anybody
 * but neighbours.
 *
 *     p = 6, blocks that a rank has after each round:
 *
 *     rank 0:  01    0145    012345       rank 1:  01    0123    012345
 *     rank 2:  23    0123    012345       rank 3:  23    2345    012345
 *     rank 4:  45    2345    012345       rank 5:  45    0145    012345
 *
 * Sends per rank: a block, then p/2 - 1 times two; (p-1) V in all.
 *
 *     T = p/2 alpha + (p-1)/p V / beta
 *
 * exactly where p divides V; else the longest pair of blocks of each round
 * counts, which no rank always has.
 *
 * J. Chen, L. Zhang, Y. Zhang and W. Yuan, Performance evaluation of allgather
 * algorithms on terascale Linux cluster with fast Ethernet, HPC Asia 2005.
 */
#include "algorithms/shared/pattern.h"

static int exchange_check(const struct cs_algo *algo,
                          const struct cs_call *call, struct cs_err *err)
{
    if (call->ranks % 2 == 0 || call->ranks == 1)
        return 0;
    return cs_err_set(err, CS_EINPUT,
                      "%s pairs ranks and needs an even number of them, not %u",
                      algo->name, call->ranks);
}

static uint64_t exchange_rounds(const void *ctx, uint32_t rank, uint32_t lane)
{
    const struct cs_call *call = ctx;

    (void)rank;
    (void)lane;
    return call->ranks / 2;
}

/* The first of the two blocks that a rank receives in round k > 0: on each side
 * they come from farther away by two each time. */
static struct cs_blocks allgather_neighbour_exchange_received(uint32_t p,
                                                              uint32_t rank,
                                                              uint32_t k)
{
    uint32_t pair = rank - rank % 2;
    uint32_t steps = (k + 1) / 2 * 2; /* that side was heard of so often */
    bool ahead = k % 2 == rank % 2;

    return (struct cs_blocks){
        ahead ? cs_ahead(pair, steps, p) : cs_behind(pair, steps, p), 2};
}

static void exchange_round(const void *ctx, uint32_t rank, uint32_t lane,
                           uint64_t k, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    uint32_t p = call->ranks;
    uint32_t round = (uint32_t)k;
    bool right = round % 2 == rank % 2;
    uint32_t peer = right ? cs_ahead(rank, 1, p) : cs_behind(rank, 1, p);
    struct cs_blocks pair = {rank - rank % 2, 2};

    (void)lane;
    if (round == 0) {
        cs_ops_send(ops, peer, cs_block(rank));
        cs_ops_recv(ops, peer, cs_block(peer));
        return;
    }
    cs_ops_send(
        ops, peer,
        round == 1 ? pair
                   : allgather_neighbour_exchange_received(p, rank, round - 1));
    cs_ops_recv(ops, peer,
                allgather_neighbour_exchange_received(p, rank, round));
}

static struct cs_cost exchange_cost(const struct cs_call *call,
                                    const struct cs_hockney *hockney)
{
    uint32_t steps = call->ranks / 2;
    double bytes =
        cs_largest_block_bytes(call) +
        (double)(steps - 1) * cs_longest_run_bytes(call, call->ranks, 2);

    (void)hockney;
    return (struct cs_cost){steps, call->ranks > 1 ? bytes : 0, 0};
}

const struct cs_algo cs_algo_allgather_neighbour_exchange = {
    .name = "neighbour-exchange",
    .collective = &cs_collective_allgather,
    .about = "pairs swap blocks, then pairs of blocks with the other side",
    .formula = "p/2 alpha + (p-1)/p V/beta, p even",
    .exactness = CS_COST_EVEN,
    .check = exchange_check,
    .blocks = cs_blocks_per_rank,
    .rounds = exchange_rounds,
    .round = exchange_round,
    .cost = exchange_cost,
};

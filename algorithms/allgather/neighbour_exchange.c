/*
 * Neighbour exchange all-gather: pairs exchange the own blocks, then every
 * rank exchanges the latest two blocks with the left and the right neighbour
 * in turn.
 *
 * Even p.  Half the rounds of the ring, and like the ring only messages between
 * neighbours.
 *
 *     p = 6, blocks of a rank after each round:
 *
 *     rank 0:  01    0145    012345       rank 1:  01    0123    012345
 *     rank 2:  23    0123    012345       rank 3:  23    2345    012345
 *     rank 4:  45    2345    012345       rank 5:  45    0145    012345
 *
 * Sends per rank: a block, then p/2 - 1 times two; (p-1) V in total.
 *
 *     T = p/2 alpha + (p-1)/p V / beta
 *
 * exactly for p dividing V; otherwise an estimate with the longest pair of
 * blocks in each round, which no rank has in every round.
 *
 * J. Chen, L. Zhang, Y. Zhang and W. Yuan, Performance evaluation of allgather
 * algorithms on terascale Linux cluster with fast Ethernet, HPC Asia 2005.
 */
#include "algorithms/shared/patterns/pattern.h"

static int exchange_check(const struct cs_algo *algo, const struct cs_call *call,
                          struct cs_err *err)
{
    if (call->ranks % 2 == 0 || call->ranks == 1)
        return 0;
    return cs_err_set(err, CS_EINPUT, "%s pairs ranks and needs an even number of them, not %u",
                      algo->name, call->ranks);
}

static uint64_t exchange_rounds(const void *ctx, struct cs_at at)
{
    (void)at;
    const struct cs_call *call = ctx;

    return call->ranks / 2;
}

/* The two blocks that a rank receives in round k > 0: from each side, two
 * blocks farther away than the previous time. */
static struct cs_blocks exchange_received(uint32_t p, uint32_t rank, uint32_t k)
{
    uint32_t pair = rank - rank % 2;
    uint32_t steps = (k + 1) / 2 * 2; /* ranks already covered on this side */
    bool ahead = k % 2 == rank % 2;

    return (struct cs_blocks){ahead ? cs_ahead(pair, steps, p) : cs_behind(pair, steps, p), 2};
}

static void exchange_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    uint32_t p = call->ranks;
    uint32_t round = (uint32_t)at.round;
    bool right = round % 2 == at.party % 2;
    uint32_t peer = right ? cs_ahead(at.party, 1, p) : cs_behind(at.party, 1, p);
    struct cs_blocks pair = {at.party - at.party % 2, 2};

    if (round == 0) {
        cs_ops_send(ops, peer, cs_block(at.party));
        cs_ops_recv(ops, peer, cs_block(peer));
        return;
    }
    cs_ops_send(ops, peer, round == 1 ? pair : exchange_received(p, at.party, round - 1));
    cs_ops_recv(ops, peer, exchange_received(p, at.party, round));
}

static struct cs_cost exchange_cost(const struct cs_call *call)
{
    uint32_t steps = call->ranks / 2;
    double bytes = cs_largest_block_bytes(call) +
                   (double)(steps - 1) * cs_longest_run_bytes(call, call->ranks, 2);

    return (struct cs_cost){steps, call->ranks > 1 ? bytes : 0, 0};
}

const struct cs_algo cs_algo_allgather_neighbour_exchange = {
    .name = "neighbour-exchange",
    .collective = &cs_collective_allgather,
    .about = "pairs exchange blocks, then two blocks with either side in turn",
    .formula = "p/2 alpha + (p-1)/p V/beta, p even",
    .exactness = CS_COST_EVEN,
    .check = exchange_check,
    .blocks = cs_blocks_per_rank,
    .rounds = exchange_rounds,
    .round = exchange_round,
    .cost = exchange_cost,
};

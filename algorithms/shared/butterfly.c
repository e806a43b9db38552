#include "algorithms/shared/butterfly.h"

/* |rho(s)|, below 2^(s+1); the sign is + for even s. */
static uint32_t butterfly_distance(uint32_t s)
{
    return (((uint32_t)2 << s) + (s % 2 ? (uint32_t)-1 : 1)) / 3;
}

uint32_t cs_butterfly_peer(uint32_t p, uint32_t rank, uint32_t s)
{
    return rank % 2 == s % 2 ? cs_ahead(rank, butterfly_distance(s), p)
                             : cs_behind(rank, butterfly_distance(s), p);
}

/* The block of a rank after the reduce-scatter: the bits of butterfly.h in
 * reverse. */
static uint32_t last_block(uint32_t p, uint32_t rank)
{
    uint32_t log = cs_log2_up(p);
    uint32_t even = rank % 2 ? cs_butterfly_peer(p, rank, log - 1) : rank;
    uint32_t bits = even / 2;
    uint32_t block = 0;

    for (uint32_t s = 0; s + 1 < log; s++)
        block = 2 * block + (bits >> s) % 2;
    return 2 * block + rank % 2;
}

/* The remaining run of blocks of a rank after `steps` steps. */
static struct cs_blocks run_after(uint32_t p, uint32_t rank, uint32_t steps)
{
    uint32_t count = p >> steps;

    return (struct cs_blocks){last_block(p, rank) / count * count, count};
}

uint64_t cs_butterfly_rounds(const void *ctx, struct cs_at at)
{
    (void)at;
    const struct cs_call *call = ctx;

    return 2 * (uint64_t)cs_log2_up(call->ranks);
}

void cs_butterfly_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    uint32_t p = call->ranks;
    uint32_t log = cs_log2_up(p);
    uint32_t s = (uint32_t)(at.round < log ? at.round : 2 * log - 1 - at.round);
    uint32_t peer = cs_butterfly_peer(p, at.party, s);
    struct cs_blocks mine = run_after(p, at.party, s + 1);
    struct cs_blocks theirs = run_after(p, peer, s + 1);

    if (at.round < log) {
        cs_ops_send(ops, peer, theirs);
        cs_ops_recv_reduce(ops, peer, mine);
    } else {
        cs_ops_send(ops, peer, mine);
        cs_ops_recv(ops, peer, theirs);
    }
}

struct cs_cost cs_butterfly_cost(const struct cs_call *call)
{
    uint32_t log = cs_log2_up(call->ranks);
    double bytes = 0;

    for (uint32_t s = 0; s < log; s++)
        bytes += cs_longest_run_bytes(call, call->ranks, call->ranks >> (s + 1));
    return (struct cs_cost){2.0 * log, 2 * bytes, bytes};
}

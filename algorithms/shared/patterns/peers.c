#include "algorithms/shared/patterns/peers.h"

#include "sim/base/divisor.h"

void cs_peers_settle(struct cs_call *call)
{
    uint32_t peers = call->ranks - 1;

    if (!call->peers)
        call->peers = peers < CS_PEERS_AT_ONCE ? peers : CS_PEERS_AT_ONCE;
}

/* Peers of a full round, from 1 to p - 1; an open number is 1.  p >= 2. */
static uint32_t peers_at_once(const struct cs_call *call)
{
    uint32_t peers = call->peers ? call->peers : 1;

    return peers < call->ranks ? peers : call->ranks - 1;
}

uint64_t cs_peers_rounds(const void *ctx, struct cs_at at)
{
    const struct cs_call *call = ctx;
    uint32_t peers;

    (void)at;
    if (call->ranks < 2)
        return 0;
    peers = peers_at_once(call);
    return cs_divide_up(call->ranks - 1, peers);
}

struct cs_exchanges cs_peers_of_round(const struct cs_call *call, uint64_t k)
{
    uint32_t peers = peers_at_once(call);
    uint32_t before = (uint32_t)k * peers;
    uint32_t left = call->ranks - 1 - before;

    return (struct cs_exchanges){before + 1, before + (left < peers ? left : peers)};
}

/* Ranks per node; all ranks without nodes of equal size. */
static uint32_t peers_group(const struct cs_call *call)
{
    uint32_t group = call->group;

    return group < 2 || call->ranks % group ? call->ranks : group;
}

struct cs_peers cs_peers_at(const struct cs_call *call, uint32_t rank, uint32_t s)
{
    uint32_t group = peers_group(call);

    return (struct cs_peers){group,        call->ranks / group, rank / group,
                             rank % group, s / group,           s % group};
}

struct cs_cost cs_peers_cost(const struct cs_call *call)
{
    double rounds = (double)cs_peers_rounds(call, (struct cs_at){0, 0, 0});
    double peers = call->ranks - 1;

    return (struct cs_cost){rounds, peers * cs_largest_block_bytes(call), 0};
}

struct cs_cost cs_peers_reduce_cost(const struct cs_call *call)
{
    double rounds = (double)cs_peers_rounds(call, (struct cs_at){0, 0, 0});
    double peers = call->ranks - 1;
    double block = cs_largest_block_bytes(call);

    if (cs_adds_in_passing(&call->hockney))
        return (struct cs_cost){rounds, peers * block, rounds * block};
    return (struct cs_cost){rounds, rounds * block, peers * block};
}

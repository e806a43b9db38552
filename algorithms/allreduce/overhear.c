/*
 * Overhearing all-reduce: one rank after the other broadcasts the vector, and
 * all ranks reduce.
 *
 * Any p >= 1.  For a medium where all ranks receive one transmission.  The
 * medium is an agent: the agent receives a vector, for the time on the medium,
 * and delivers the vector to the other ranks, at no cost on a bus.  On a
 * switch that is a multicast after the last byte.
 *
 *     p = 3, after each transmission:
 *
 *     rank 0:  0     01    012
 *     rank 1:  01    01    012
 *     rank 2:  02    012   012
 *
 * Sends per rank: one, of V bytes; p V in total, less than the 2(p-1) V of the
 * best unicast algorithm from p = 3 on.
 *
 *     T = p (alpha + V / beta + V gamma)    on the bus, alpha for each turn
 */
#include "algorithms/shared/patterns/pattern.h"
#include "topo/graph/graph.h"

static uint64_t overhear_rounds(const void *ctx, struct cs_at at)
{
    const struct cs_call *call = ctx;

    if (call->ranks < 2)
        return 0;
    return at.party == call->ranks ? 2 * (uint64_t)call->ranks : call->ranks;
}

/* The medium receives from rank k / 2, then sends to the other ranks. */
static void medium_round(const struct cs_call *call, uint64_t k, struct cs_ops *ops)
{
    uint32_t speaker = (uint32_t)(k / 2);

    if (k % 2 == 0) {
        cs_ops_recv(ops, speaker, cs_whole());
        return;
    }
    for (uint32_t i = 0; i < call->ranks; i++)
        if (i != speaker)
            cs_ops_send(ops, i, cs_whole());
}

static void overhear_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    uint32_t medium = call->ranks;

    if (at.party == medium)
        medium_round(call, at.round, ops);
    else if (at.party == at.round)
        cs_ops_send_input(ops, medium, cs_whole());
    else
        cs_ops_recv_reduce(ops, medium, cs_whole());
}

static struct cs_cost overhear_cost(const struct cs_call *call)
{
    double bytes = call->ranks * cs_vector_bytes(call);

    return (struct cs_cost){call->ranks, bytes, bytes};
}

const struct cs_algo cs_algo_allreduce_overhear = {
    .name = "overhear",
    .collective = &cs_collective_allreduce,
    .about = "one rank after the other broadcasts; for a broadcast medium",
    .formula = "p (alpha + V/beta + V gamma)",
    .exactness = CS_COST_ROUGHLY,
    .agent_place = CS_AGENT_SWITCH,
    .needs = CS_SWITCH_MULTICASTS,
    .agents = cs_agents_one,
    .blocks = cs_blocks_one,
    .rounds = overhear_rounds,
    .round = overhear_round,
    .cost = overhear_cost,
};

/*
 * All-reduce in the switch (SHARP): the switch reduces the vectors of all ranks
 * and sends the sum to all ranks.
 *
 * Any p >= 1 on one switch.  The switch is an agent that reduces at the rate
 * of arrival.  The vector has k chunks that leave at once: a chunk goes down
 * during the arrival of the next.
 *
 *     p = 3, k = 2, chunks A and B, switch S:
 *
 *     0, 1, 2:  A up    B up
 *     S:                A012 down   B012 down
 *
 * Sends per rank: V for any p; the switch sends p V.  A ring sends 2(p-1)/p V:
 * up to twice the bytes.
 *
 *     T = 2 (alpha + V/k / beta) + (k-1) V/k / beta
 *
 * with alpha of the link to the switch: V + V/k pass in sequence.  Number of
 * chunks: in_switch.h.
 *
 * R. Graham et al., Scalable Hierarchical Aggregation Protocol (SHArP), COMHPC
 * 2016.
 */
#include "algorithms/shared/in_switch.h"
#include "algorithms/shared/patterns/pattern.h"
#include "topo/graph/graph.h"

/* Chunk `lane`: up in round 0, down in round 1. */
static void sharp_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    uint32_t agent = call->ranks;

    if (at.party < agent && at.round == 0)
        cs_ops_send(ops, agent, cs_block(at.lane));
    else if (at.party < agent)
        cs_ops_recv(ops, agent, cs_block(at.lane));
    for (uint32_t i = 0; at.party == agent && i < call->ranks; i++)
        if (at.round == 0)
            cs_ops_recv_reduce(ops, i, cs_block(at.lane));
        else
            cs_ops_send(ops, i, cs_block(at.lane));
    cs_ops_in_order(ops);
}

static struct cs_cost sharp_cost(const struct cs_call *call)
{
    return cs_in_switch_cost(call, 2);
}

const struct cs_algo cs_algo_allreduce_sharp = {
    .name = "sharp",
    .collective = &cs_collective_allreduce,
    .about = "the switch reduces and sends the sum to all ranks",
    .formula = "2 alpha + (1 + 1/k) V/beta, alpha of the link to the switch",
    .agent_place = CS_AGENT_SWITCH,
    .needs = CS_SWITCH_REDUCES,
    .check = cs_in_switch_check,
    .settle = cs_in_switch_settle,
    .agents = cs_agents_one,
    .lanes = cs_blocks_chunks,
    .blocks = cs_blocks_chunks,
    .rounds = cs_rounds_two,
    .round = sharp_round,
    .cost = sharp_cost,
};

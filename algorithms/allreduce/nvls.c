/*
 * NVLS all-reduce: NVSwitch reduces on reads and copies on writes.
 *
 * Up to 576 ranks on one switch, the size of an NVLink 5 domain.  Each rank
 * owns 1/p of the vector: the owner reads the sum through the switch, which
 * fetches the contributions of all ranks, and writes the sum through the
 * switch, which copies the sum to all ranks.  As messages, with the switch as
 * an agent that reduces at the rate of arrival, a chunk takes four turns:
 *
 *     1. all ranks -> switch       the contributions, also the owner's
 *     2. switch -> owner           the sum (multimem.ld_reduce)
 *     3. owner -> switch           the sum again
 *     4. switch -> all ranks       copies (multimem.st), also to the owner
 *
 * Each port carries V + V/p out and V + V/p in, all at once with enough chunks
 * in flight.  (The hardware also writes the owner's copy of turn 4: the
 * multicast address is a window on all ranks; without that copy only the route
 * in would be V, at equal time.)
 *
 * The vector has p pieces, piece o for owner o, each with `parts` chunks in
 * the order (part, owner).  At most 3 p chunks are in flight, each in a lane:
 * owners delay each other in turn, so that more than 2 p are necessary for
 * busy ports, and chunks in flight have to drain at the end.  (Above 104 ranks
 * fewer, 2^15 messages in total.)
 *
 *     T = 4 alpha + (p+1)/p V / beta + (m (p-1) + 1) V/k / beta
 *
 * with k = p parts chunks, m = min(3, parts), alpha of the link to the switch.
 * The links down to the ranks carry (p+1)/p V each and finish last.  At the
 * start the links down are idle: all ranks send m p chunks of turn 1 at once,
 * an owner's first chunk of turn 3 leaves after those, and until then only the
 * m chunks of turn 2 have come down, an idle time of m (p-1) chunks; and the
 * last chunk is on two links in sequence, one more.  The simulation gives the
 * same for equal chunks of 2 alpha or more, but one chunk's time more for a
 * last part alone (parts = 4, 7, 10 ...).
 *
 * Shorter chunks leave gaps between the parts without a known formula: no
 * closed form.  The number of parts for that case comes from a search with the
 * simulator (p = 3 to 32): sqrt(10 V / (a beta)), a = 2 alpha from rank to
 * rank, was near the minimum; at most 256, and at most 2^19 messages.
 *
 * NVIDIA/nccl, src/sym_kernels.cc, also counts V/p + V on the bus.
 */
#include "algorithms/shared/patterns/pattern.h"
#include "topo/graph/graph.h"

#include <math.h>

enum {
    RANKS_MAX = 576, /* NVIDIA, "NVLink and NVLink Switch" */
    PARTS_BEST = 256,
    MESSAGES_BEST = 1 << 19,
    PARTS_IN_FLIGHT = 3,
    MESSAGES_IN_FLIGHT = 1 << 15,
    QUEUE = 4,
};

static uint32_t nvls_parts(const struct cs_call *call)
{
    return (call->chunks - 1) / call->ranks + 1;
}

static uint32_t nvls_blocks(const struct cs_call *call)
{
    return call->ranks * nvls_parts(call);
}

static uint32_t nvls_lanes(const struct cs_call *call)
{
    uint32_t parts = nvls_parts(call);
    uint32_t most = MESSAGES_IN_FLIGHT / call->ranks;
    uint32_t lanes = call->ranks;

    lanes *= parts < PARTS_IN_FLIGHT ? parts : PARTS_IN_FLIGHT;
    return lanes < most ? lanes : most;
}

static int nvls_check(const struct cs_algo *algo, const struct cs_call *call, struct cs_err *err)
{
    if (call->ranks <= RANKS_MAX)
        return 0;
    return cs_err_set(err, CS_EINPUT, "%s needs the ranks of one NVSwitch, at most %d, not %u",
                      algo->name, RANKS_MAX, call->ranks);
}

static void nvls_settle(struct cs_call *call)
{
    uint64_t p = call->ranks;
    double short_bytes = call->hockney.alpha_s * call->hockney.beta_Bps;
    uint64_t most = call->elements / p;

    if (call->chunks)
        return;
    if (most > PARTS_BEST)
        most = PARTS_BEST;
    if (most > MESSAGES_BEST / (2 * p * p))
        most = MESSAGES_BEST / (2 * p * p);
    if (10 * cs_vector_bytes(call) < short_bytes * (double)(most * most))
        most = (uint64_t)sqrt(10 * cs_vector_bytes(call) / short_bytes);
    call->chunks = (uint32_t)(p * (most ? most : 1));
}

/* Lane l carries chunks l, l + lanes, ...: the first lanes may have one
 * more. */
static uint64_t nvls_rounds(const void *ctx, struct cs_at at)
{
    const struct cs_call *call = ctx;

    if (call->ranks < 2)
        return 0;
    return QUEUE * (uint64_t)((nvls_blocks(call) - 1 - at.lane) / nvls_lanes(call) + 1);
}

static void switch_turn(const struct cs_call *call, uint32_t turn, uint32_t owner,
                        struct cs_blocks chunk, struct cs_ops *ops)
{
    if (turn == 1)
        cs_ops_send(ops, owner, chunk);
    if (turn == 2)
        cs_ops_recv(ops, owner, chunk);
    for (uint32_t i = 0; i < call->ranks; i++) {
        if (turn == 0)
            cs_ops_recv_reduce(ops, i, chunk);
        if (turn == 3)
            cs_ops_send(ops, i, chunk);
    }
}

static void rank_turn(uint32_t agent, uint32_t turn, bool owns, struct cs_blocks chunk,
                      struct cs_ops *ops)
{
    if (turn == 0 || (turn == 2 && owns))
        cs_ops_send(ops, agent, chunk);
    if (turn == 3 || (turn == 1 && owns))
        cs_ops_recv(ops, agent, chunk);
}

static void nvls_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    uint32_t p = call->ranks;
    uint32_t turn = (uint32_t)(at.round % QUEUE);
    uint32_t number = (uint32_t)(at.round / QUEUE) * nvls_lanes(call) + at.lane;
    uint32_t owner = number % p;
    struct cs_blocks chunk = cs_block(owner * nvls_parts(call) + number / p);

    if (at.party == p)
        switch_turn(call, turn, owner, chunk, ops);
    else
        rank_turn(p, turn, at.party == owner, chunk, ops);
    cs_ops_in_order(ops);
}

static struct cs_cost nvls_cost(const struct cs_call *call)
{
    double p = call->ranks;
    double volume = cs_vector_bytes(call);
    double chunk = volume / nvls_blocks(call);
    double in_flight = nvls_lanes(call) / p;

    if (2 * call->hockney.alpha_s * call->hockney.beta_Bps > chunk)
        return (struct cs_cost){(double)NAN, 0, 0};
    return (struct cs_cost){QUEUE, volume * (p + 1) / p + (in_flight * (p - 1) + 1) * chunk, 0};
}

const struct cs_algo cs_algo_allreduce_nvls = {
    .name = "nvls",
    .collective = &cs_collective_allreduce,
    .about = "owners read sums and write copies through the switch",
    .formula = "4 alpha + (p+1)/p V/beta + 3p/k V/beta, alpha of the link to the switch; chunks of "
               "2 alpha or more",
    .exactness = CS_COST_ROUGHLY,
    .agent_place = CS_AGENT_SWITCH,
    .needs = CS_SWITCH_MULTIMEM,
    .check = nvls_check,
    .settle = nvls_settle,
    .agents = cs_agents_one,
    .lanes = nvls_lanes,
    .blocks = nvls_blocks,
    .parts = nvls_parts,
    .rounds = nvls_rounds,
    .round = nvls_round,
    .cost = nvls_cost,
};

/*
 * NVLS all-reduce: NVSwitch adds up on reading and copies on writing.
 *
 * Up to 576 ranks on one switch, as many as an NVLink 5 domain has.  Each rank
 * owns 1/p of the vector: it reads the sum of it through the switch, which
 * fetches everybody's, and writes it back through the switch, which hands it
 * to all.  As messages, with the switch as an agent that adds as fast as bytes
 * arrive, a chunk goes by in four turns:
 *
 *     1. all ranks -> switch       everybody's chunk, the owner's too
 *     2. switch -> its owner       the sum (multimem.ld_reduce)
 *     3. owner -> switch           the sum again
 *     4. switch -> all ranks       copies (multimem.st), the owner's too
 *
 * So each port carries V + V/p out and V + V/p in, all of both at once when
 * enough chunks are under way.  (The owner's own copy in turn 4 is what the
 * hardware does: the multicast address is a window on all; without it only the
 * way in would be V, and the time the same.)
 *
 * The vector is cut into p pieces, piece o for owner o, and each into `parts`
 * chunks, which are handled in the order (part, owner).  At most 3 p chunks are
 * under way, each in a lane of its own: owners take turns in holding up the
 * others, so that more than 2 p are needed to keep all ports busy, and what is
 * under way has to drain at the end.  (Over 104 ranks have fewer, 2^15 messages
 * in all.)
 *
 *     T = 4 alpha + (p+1)/p V / beta + (m (p-1) + 1) V/k / beta
 *
 * with k = p parts chunks, m = min(3, parts), alpha of the link to the switch.
 * The ways down to the ranks carry (p+1)/p V each and are the last to end.  They
 * are idle at the start: all ranks send their m p chunks of turn 1 at once, so
 * that an owner's first chunk of turn 3 leaves behind these, and until then only
 * the m chunks of turn 2 have come down, m (p-1) chunks' time; and the last
 * chunk is on two links one after the other, which is one more.  That is what the
 * simulation gives for equal chunks that take 2 alpha or more, but for one
 * chunk's time more where the last part goes alone (parts = 4, 7, 10 ...).
 *
 * Shorter chunks leave gaps between the parts, for which nobody has derived a
 * formula: there is no closed form for them.  How many parts are best then was
 * looked for with the simulator (p = 3 to 32), where sqrt(10 V / (a beta)) of
 * them, a = 2 alpha from rank to rank, came near the least time; but no more than
 * 256, and than make 2^19 messages.
 *
 * NVIDIA/nccl, src/sym_kernels.cc, counts V/p + V on the bus in the same way.
 */
#include "algorithms/shared/pattern.h"

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

static int nvls_check(const struct cs_algo *algo, const struct cs_call *call,
                      struct cs_err *err)
{
    if (call->ranks <= RANKS_MAX)
        return 0;
    return cs_err_set(err, CS_EINPUT,
                      "%s needs the ranks of one NVSwitch, at most %d, not %u",
                      algo->name, RANKS_MAX, call->ranks);
}

static void nvls_settle(struct cs_call *call, const struct cs_hockney *hockney)
{
    uint64_t p = call->ranks;
    double short_bytes = hockney->alpha_s * hockney->beta_Bps;
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

/* Lane l takes chunks l, l + lanes, ...; as many for each lane but the last
 * few. */
static uint64_t nvls_rounds(const void *ctx, uint32_t rank, uint32_t lane)
{
    const struct cs_call *call = ctx;

    (void)rank;
    if (call->ranks < 2)
        return 0;
    return QUEUE *
           (uint64_t)((nvls_blocks(call) - 1 - lane) / nvls_lanes(call) + 1);
}

static void switch_turn(const struct cs_call *call, uint32_t turn,
                        uint32_t owner, struct cs_blocks chunk,
                        struct cs_ops *ops)
{
    uint32_t i;

    if (turn == 1)
        cs_ops_send(ops, owner, chunk);
    if (turn == 2)
        cs_ops_recv(ops, owner, chunk);
    for (i = 0; i < call->ranks; i++) {
        if (turn == 0)
            cs_ops_recv_reduce(ops, i, chunk);
        if (turn == 3)
            cs_ops_send(ops, i, chunk);
    }
}

static void rank_turn(uint32_t agent, uint32_t turn, bool owns,
                      struct cs_blocks chunk, struct cs_ops *ops)
{
    if (turn == 0 || (turn == 2 && owns))
        cs_ops_send(ops, agent, chunk);
    if (turn == 3 || (turn == 1 && owns))
        cs_ops_recv(ops, agent, chunk);
}

static void nvls_round(const void *ctx, uint32_t rank, uint32_t lane,
                       uint64_t k, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    uint32_t p = call->ranks;
    uint32_t turn = (uint32_t)(k % QUEUE);
    uint32_t number = (uint32_t)(k / QUEUE) * nvls_lanes(call) + lane;
    uint32_t owner = number % p;
    struct cs_blocks chunk = cs_block(owner * nvls_parts(call) + number / p);

    if (rank == p)
        switch_turn(call, turn, owner, chunk, ops);
    else
        rank_turn(p, turn, rank == owner, chunk, ops);
    cs_ops_in_order(ops);
}

static struct cs_cost nvls_cost(const struct cs_call *call,
                                const struct cs_hockney *hockney)
{
    double p = call->ranks;
    double volume = cs_vector_bytes(call);
    double chunk = volume / nvls_blocks(call);
    double in_flight = nvls_lanes(call) / p;

    if (2 * hockney->alpha_s * hockney->beta_Bps > chunk)
        return (struct cs_cost){(double)NAN, 0, 0};
    return (struct cs_cost){
        QUEUE, volume * (p + 1) / p + (in_flight * (p - 1) + 1) * chunk, 0};
}

const struct cs_algo cs_algo_allreduce_nvls = {
    .name = "nvls",
    .collective = &cs_collective_allreduce,
    .about = "owners read sums and write copies through the switch",
    .formula = "4 alpha + (p+1)/p V/beta + 3p/k V/beta, "
               "alpha of the link to the switch; chunks of 2 alpha or more",
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

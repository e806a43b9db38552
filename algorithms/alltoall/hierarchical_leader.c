/*
 * Hierarchical all-to-all over leaders: only one rank of each node communicates
 * with other nodes.
 *
 * p = n g ranks, g in each of n nodes (--group); the first rank of a node is the
 * leader.  In step d, 1 <= d < n, the ranks of a node send the leader their
 * blocks for the node at distance d, the leader sorts the g x g blocks by
 * destination and sends one message to the other leader, and the leader at the
 * opposite end distributes the blocks.  The three parts are lanes: step d of the
 * leaders runs beside step d + 1 of the gather and step d - 1 of the
 * distribution.  The blocks for the own node are exchanged last, without the
 * leader.
 *
 *     p = 4, g = 2, xy is from x for y, node 0:
 *
 *     gather          02 03, and 12 13 from 1
 *     leaders         02 12 03 13 to 2, 20 30 21 31 from 2
 *     distribution    20 30, and 21 31 to 1
 *
 * A node sends n - 1 messages, g times fewer than along rails: for networks
 * where messages are dear.  One adapter carries the bytes of g ranks.
 *
 * Sends of a leader: (n-1) g^2 blocks of V/p to other nodes, (n-1) g (g-1) + g - 1
 * within; g^2 blocks are sorted in each step.  Scratch: 3 (n-1) g^2 blocks.
 *
 * The form is the sum of the three lanes of a leader, an estimate:
 *
 *     T = (n-1) (alpha + g^2 V/p / beta) + (2n-1) alpha'
 *         + (2 (n-1) g + 1) (g-1) V/p / beta' + (n-1) (g+1) g V/p gamma
 */
#include "algorithms/shared/patterns/pattern.h"
#include "algorithms/shared/patterns/staging.h"

/* Lanes of every rank. */
enum alltoall_leader_lane {
    ALLTOALL_LEADER_GATHER,
    ALLTOALL_LEADER_LEADERS,
    ALLTOALL_LEADER_SPREAD,
    ALLTOALL_LEADER_LANES
};

/* A rank and a step. */
struct alltoall_leader_step {
    uint32_t group, nodes; /* g, n */
    uint32_t index;        /* in the node; 0: the leader */
    uint32_t base;         /* first ranks: of the own node, */
    uint32_t to, from;     /* of the nodes at the distance */
    uint32_t slot;         /* the first of g^2 blocks of scratch */
    uint32_t area;         /* blocks of scratch of each lane */
};

static uint32_t alltoall_leader_steps(const struct cs_call *call)
{
    return call->group ? call->ranks / call->group - 1 : 0;
}

/* Step d - 1 = `number`. */
static struct alltoall_leader_step alltoall_leader_step_of(const struct cs_call *call,
                                                           uint32_t rank, uint32_t number)
{
    uint32_t g = call->group;
    uint32_t nodes = call->ranks / g;
    uint32_t node = rank / g;
    uint32_t distance = number + 1 < nodes ? number + 1 : 0;

    return (struct alltoall_leader_step){
        .group = g,
        .nodes = nodes,
        .index = rank % g,
        .base = node * g,
        .to = cs_ahead(node, distance, nodes) * g,
        .from = cs_behind(node, distance, nodes) * g,
        .slot = number * g * g,
        .area = (nodes - 1) * g * g,
    };
}

static int alltoall_leader_check(const struct cs_algo *algo, const struct cs_call *call,
                                 struct cs_err *err)
{
    int code = cs_check_group(algo, call, err);
    uint64_t blocks = (uint64_t)ALLTOALL_LEADER_LANES * call->group * (call->ranks - call->group);

    if (!code && call->ranks > 1 && blocks > UINT32_MAX)
        code = cs_err_set(err, CS_EINPUT,
                          "%s: the leaders of %u ranks hold the blocks of too many ranks, %u",
                          algo->name, call->ranks, call->group);
    return code;
}

static uint32_t alltoall_leader_lanes(const struct cs_call *call)
{
    return call->ranks < 2 ? 1 : ALLTOALL_LEADER_LANES;
}

static uint32_t alltoall_leader_scratch(const struct cs_call *call)
{
    return call->ranks < 2
               ? 0
               : ALLTOALL_LEADER_LANES * call->group * call->group * alltoall_leader_steps(call);
}

/* A leader receives and sorts, or waits and goes on, in each step; the gather
 * lane ends with the blocks for the own node. */
static uint64_t alltoall_leader_rounds(const void *ctx, struct cs_at at)
{
    const struct cs_call *call = ctx;
    uint64_t steps = alltoall_leader_steps(call);
    bool is_leader;

    if (call->ranks < 2)
        return 0;
    is_leader = at.party % call->group == 0;
    if (at.lane == ALLTOALL_LEADER_LEADERS)
        return is_leader ? 2 * steps : 0;
    return (is_leader ? 2 * steps : steps) + (at.lane == ALLTOALL_LEADER_GATHER);
}

static void alltoall_leader_gather(const struct alltoall_leader_step *step, struct cs_ops *ops)
{
    if (step->index) {
        cs_ops_send_input(ops, step->base, (struct cs_blocks){step->to, step->group});
        return;
    }
    for (uint32_t i = 1; i < step->group; i++)
        cs_stage_recv(ops, step->base + i,
                      (struct cs_blocks){step->slot + i * step->group, step->group});
}

/* From blocks by source to blocks by destination. */
static void alltoall_leader_sort(const struct alltoall_leader_step *step, struct cs_ops *ops)
{
    uint32_t sorted = step->area + step->slot;

    for (uint32_t i = 0; i < step->group; i++)
        for (uint32_t j = 0; j < step->group; j++)
            cs_stage_copy(ops, i ? CS_SCRATCH : CS_INPUT,
                          i ? step->slot + i * step->group + j : step->to + j, CS_SCRATCH,
                          sorted + j * step->group + i);
}

static void alltoall_leader_exchange(const struct alltoall_leader_step *step, struct cs_ops *ops)
{
    uint32_t count = step->group * step->group;

    cs_stage_send(ops, step->to, (struct cs_blocks){step->area + step->slot, count});
    cs_stage_recv(ops, step->from, (struct cs_blocks){2 * step->area + step->slot, count});
}

static void alltoall_leader_spread(const struct alltoall_leader_step *step, struct cs_ops *ops)
{
    uint32_t arrived = 2 * step->area + step->slot;

    if (step->index) {
        cs_ops_recv(ops, step->base, (struct cs_blocks){step->from, step->group});
        return;
    }
    for (uint32_t j = 1; j < step->group; j++)
        cs_stage_send(ops, step->base + j,
                      (struct cs_blocks){arrived + j * step->group, step->group});
    for (uint32_t j = 0; j < step->group; j++)
        cs_stage_copy(ops, CS_SCRATCH, arrived + j, CS_OUTPUT, step->from + j);
}

static void alltoall_leader_own_node(const struct alltoall_leader_step *step, struct cs_ops *ops)
{
    for (uint32_t s = 1; s < step->group; s++) {
        uint32_t to = step->base + cs_ahead(step->index, s, step->group);
        uint32_t from = step->base + cs_behind(step->index, s, step->group);

        cs_ops_send_input(ops, to, cs_block(to));
        cs_ops_recv(ops, from, cs_block(from));
    }
}

static void alltoall_leader_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    bool is_leader = at.party % call->group == 0;
    uint32_t number = (uint32_t)(is_leader ? at.round / 2 : at.round);
    bool is_second = is_leader && at.round % 2 == 1;
    struct alltoall_leader_step step = alltoall_leader_step_of(call, at.party, number);

    if (at.lane == ALLTOALL_LEADER_GATHER) {
        if (number == alltoall_leader_steps(call))
            alltoall_leader_own_node(&step, ops);
        else if (is_second)
            alltoall_leader_sort(&step, ops);
        else
            alltoall_leader_gather(&step, ops);
    } else if (is_leader && !is_second) {
        cs_ops_wait(ops, at.lane - 1, 2 * number + 1);
    } else if (at.lane == ALLTOALL_LEADER_LEADERS) {
        alltoall_leader_exchange(&step, ops);
    } else {
        alltoall_leader_spread(&step, ops);
    }
}

static struct cs_cost alltoall_leader_local_cost(const struct cs_call *call)
{
    double g = call->group;
    double steps = alltoall_leader_steps(call);
    double block = cs_largest_block_bytes(call);

    return (struct cs_cost){2 * steps + 1, (2 * steps * g + 1) * (g - 1) * block,
                            steps * (g + 1) * g * block};
}

static struct cs_cost alltoall_leader_cost(const struct cs_call *call)
{
    struct cs_cost cost = alltoall_leader_local_cost(call);
    double g = call->group;
    double steps = alltoall_leader_steps(call);

    cost.rounds += steps;
    cost.bytes += steps * g * g * cs_largest_block_bytes(call);
    return cost;
}

const struct cs_algo cs_algo_alltoall_hierarchical_leader = {
    .name = "hierarchical-leader",
    .collective = &cs_collective_alltoall,
    .about = "one rank of each node exchanges the blocks of the node",
    .formula = "(n-1) (alpha + g^2 V/p/beta) + (2n-1) alpha' + (2(n-1)g+1)(g-1) V/p/beta' + "
               "(n-1)(g+1)g V/p gamma",
    .exactness = CS_COST_ROUGHLY,
    .moves_blocks = true,
    .check = alltoall_leader_check,
    .lanes = alltoall_leader_lanes,
    .blocks = cs_blocks_per_rank,
    .scratch = alltoall_leader_scratch,
    .rounds = alltoall_leader_rounds,
    .round = alltoall_leader_round,
    .cost = alltoall_leader_cost,
    .local_cost = alltoall_leader_local_cost,
};

/*
 * Rails all-to-all: within the nodes to the rank on the rail of the
 * destination, and along the rails at the same time.
 *
 * p = n g ranks, g in each of n nodes (--group); rank a g + i is rank i of node
 * a, and the ranks i of all nodes are a rail.  A block for rank j of another
 * node goes to rank j of the own node first; rank j sends the blocks of several
 * ranks of the node in one message: PXN of NCCL (2.12, NCCL_P2P_PXN_LEVEL), with
 * up to 8 receives in a network message (NCCL_NET_MAX_RECVS).  Messages between
 * nodes stay on their rail.  `hierarchical` is the form with the fewest messages
 * and without overlap.
 *
 * The g ranks of a node form k teams of g/k (--chunks), and the n - 1 distances
 * of nodes are served m at a time (--peers).  Step q of the K = k R steps, R =
 * (n-1) / m rounded up, has the distances of round q / k; in the node lane team
 * t sends to all g/k ranks of team t - (q mod k) at once, in the rail lane the
 * g/k arrived blocks leave as one message for each distance.  Step q of the
 * rails runs beside step q + 1 within the nodes; the blocks for the own node
 * are exchanged last, beside the last step of the rails.
 *
 *     p = 4, g = 2, k = 1, blocks of rank 1 (node 0, i = 1), xy is from x for y:
 *
 *     node lane    12 to 0, 03 from 0            10 to 0, 01 from 0
 *     rail lane                       03 13 to 3, 21 31 from 3
 *
 * Sends per rank: (n-1) g blocks of V/p out of the node, (g-1) n within; a copy
 * of n - 1 blocks joins the own blocks to the other ranks' blocks.  Scratch:
 * (n-1) g blocks.
 *
 * The form is the sum of both lanes, the most with one port for both lanes;
 * with ports of their own the lanes overlap except for one step:
 *
 *     T = K alpha + (n-1) g V/p / beta + (K+1) alpha' + (g-1) n V/p / beta'
 *         + (n-1) V/p gamma
 *
 * The default K gives the least time of the rails and of one step within nodes,
 * K = sqrt((g-1) (n-1) V/p / (alpha beta)).
 */
#include "algorithms/shared/patterns/pattern.h"
#include "algorithms/shared/patterns/peers.h"
#include "algorithms/shared/patterns/staging.h"

#include <math.h>

/* A rank and a step. */
struct rails_step {
    uint32_t group, nodes; /* g, n */
    uint32_t node, index;  /* a, i */
    uint32_t team, teams;  /* own, k */
    uint32_t size;         /* g/k ranks */
    uint32_t turn;         /* q mod k */
    uint32_t first, last;  /* distances */
};

/* m: at most n - 1; an open number is 1. */
static uint32_t rails_distances(const struct cs_call *call)
{
    uint32_t most = cs_nodes_of(call) - 1;

    if (!call->peers)
        return 1;
    return call->peers < most ? call->peers : most;
}

/* K; 0 for one node. */
static uint64_t rails_steps(const struct cs_call *call)
{
    uint32_t nodes = cs_nodes_of(call);
    uint32_t m = rails_distances(call);

    return nodes < 2 ? 0 : (uint64_t)call->chunks * ((nodes - 2 + m) / m);
}

static struct rails_step rails_step_of(const struct cs_call *call, uint32_t rank, uint64_t q)
{
    uint32_t nodes = cs_nodes_of(call);
    uint32_t size = call->group / call->chunks;
    uint32_t before = (uint32_t)(q / call->chunks) * rails_distances(call);
    uint32_t last = before + rails_distances(call);

    return (struct rails_step){
        .group = call->group,
        .nodes = nodes,
        .node = rank / call->group,
        .index = rank % call->group,
        .team = rank % call->group / size,
        .teams = call->chunks,
        .size = size,
        .turn = (uint32_t)(q % call->chunks),
        .first = before + 1,
        .last = last < nodes ? last : nodes - 1,
    };
}

static int rails_check(const struct cs_algo *algo, const struct cs_call *call, struct cs_err *err)
{
    int code = cs_check_group(algo, call, err);

    if (!code && call->ranks > 1 && call->chunks && call->group % call->chunks != 0)
        code = cs_err_set(err, CS_EINPUT,
                          "%s sends the blocks of a node in equal chunks: the %u ranks of a node "
                          "do not divide into %u",
                          algo->name, call->group, call->chunks);
    return code;
}

/* The least divisor of the group from `least` on. */
static uint32_t rails_divisor(uint32_t group, double least)
{
    uint32_t k = 1;

    while (k < group && (k < least || group % k))
        k++;
    return k;
}

/* Few steps: one chunk, and several nodes at once.  Many: chunks of single
 * nodes. */
static void rails_settle(struct cs_call *call)
{
    double further = cs_nodes_of(call) - 1.0;
    double bytes = (call->group - 1.0) * further * cs_largest_block_bytes(call);
    double steps = INFINITY;
    double at_once;

    if (call->group < 2 || further < 1)
        return;
    if (call->hockney.alpha_s > 0)
        steps = sqrt(bytes / (call->hockney.alpha_s * call->hockney.beta_Bps));
    if (!call->chunks)
        call->chunks = rails_divisor(call->group, steps / further);
    if (call->peers)
        return;
    at_once = further * call->chunks / (steps < 1 ? 1 : steps);
    if (at_once > CS_PEERS_AT_ONCE)
        at_once = CS_PEERS_AT_ONCE;
    call->peers = at_once < 1 ? 1 : (uint32_t)at_once;
}

static uint32_t rails_lanes(const struct cs_call *call)
{
    return call->ranks < 2 ? 1 : 2;
}

static uint32_t rails_scratch(const struct cs_call *call)
{
    return call->ranks < 2 ? 0 : call->ranks - call->group;
}

/* Lane 0, within the node: the steps, then the own blocks of the node.  Lane 1,
 * along the rail: a wait and an exchange for each step. */
static uint64_t rails_rounds(const void *ctx, struct cs_at at)
{
    const struct cs_call *call = ctx;

    if (call->ranks < 2)
        return 0;
    return at.lane ? 2 * rails_steps(call) : 1 + rails_steps(call);
}

/* Scratch of blocks for a distance of nodes, from ranks `index` on. */
static uint32_t rails_slot(const struct rails_step *step, uint32_t distance, uint32_t index)
{
    return (distance - 1) * step->group + index;
}

/* Blocks for a distance of nodes: one to each rank of a team, and from a team
 * those for the own rail. */
static void rails_in_node(const struct rails_step *step, uint32_t distance, struct cs_ops *ops)
{
    uint32_t base = step->node * step->group;
    uint32_t far = cs_ahead(step->node, distance, step->nodes) * step->group;
    uint32_t to = cs_behind(step->team, step->turn, step->teams) * step->size;
    uint32_t from = cs_ahead(step->team, step->turn, step->teams) * step->size;

    for (uint32_t s = 0; s < step->size; s++) {
        uint32_t other = cs_ahead(step->index % step->size, s, step->size);

        if (to + other != step->index)
            cs_ops_send_input(ops, base + to + other, cs_block(far + to + other));
        other = cs_behind(step->index % step->size, s, step->size);
        if (from + other != step->index)
            cs_stage_recv(ops, base + from + other,
                          cs_block(rails_slot(step, distance, from + other)));
        else
            cs_stage_copy(ops, CS_INPUT, far + step->index, CS_SCRATCH,
                          rails_slot(step, distance, step->index));
    }
}

/* The blocks for the own node, straight to their destinations. */
static void rails_own_node(const struct rails_step *step, struct cs_ops *ops)
{
    uint32_t base = step->node * step->group;

    for (uint32_t s = 1; s < step->group; s++) {
        uint32_t to = base + cs_ahead(step->index, s, step->group);
        uint32_t from = base + cs_behind(step->index, s, step->group);

        cs_ops_send_input(ops, to, cs_block(to));
        cs_ops_recv(ops, from, cs_block(from));
    }
}

/* The blocks of a team, side by side in scratch and in the output. */
static void rails_along_rail(const struct rails_step *step, uint32_t distance, struct cs_ops *ops)
{
    uint32_t first = cs_ahead(step->team, step->turn, step->teams) * step->size;
    uint32_t to = cs_ahead(step->node, distance, step->nodes) * step->group;
    uint32_t from = cs_behind(step->node, distance, step->nodes) * step->group;

    cs_stage_send(ops, to + step->index,
                  (struct cs_blocks){rails_slot(step, distance, first), step->size});
    cs_ops_recv(ops, from + step->index, (struct cs_blocks){from + first, step->size});
}

static void rails_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    uint64_t q = at.lane ? at.round / 2 : at.round;
    struct rails_step step = rails_step_of(call, at.party, q);

    if (at.lane && at.round % 2 == 0)
        cs_ops_wait(ops, 0, (uint32_t)q);
    else if (q == rails_steps(call))
        rails_own_node(&step, ops);
    else
        for (uint32_t distance = step.first; distance <= step.last; distance++)
            if (at.lane)
                rails_along_rail(&step, distance, ops);
            else
                rails_in_node(&step, distance, ops);
}

static struct cs_cost rails_local_cost(const struct cs_call *call)
{
    double n = cs_nodes_of(call);
    double block = cs_largest_block_bytes(call);

    return (struct cs_cost){(double)rails_steps(call) + 1, (call->group - 1.0) * n * block,
                            (n - 1) * block};
}

static struct cs_cost rails_cost(const struct cs_call *call)
{
    struct cs_cost cost = rails_local_cost(call);

    cost.rounds += (double)rails_steps(call);
    cost.bytes += ((double)call->ranks - call->group) * cs_largest_block_bytes(call);
    return cost;
}

const struct cs_algo cs_algo_alltoall_rails = {
    .name = "rails",
    .collective = &cs_collective_alltoall,
    .about = "within the nodes to the rail of the destination, beside the rails",
    .formula = "K alpha + (n-1) g V/p/beta + (K+1) alpha' + (g-1) n V/p/beta' + (n-1) V/p gamma, n "
               "nodes of g ranks",
    .exactness = CS_COST_AT_MOST,
    .moves_blocks = true,
    .check = rails_check,
    .settle = rails_settle,
    .lanes = rails_lanes,
    .blocks = cs_blocks_per_rank,
    .scratch = rails_scratch,
    .rounds = rails_rounds,
    .round = rails_round,
    .cost = rails_cost,
    .local_cost = rails_local_cost,
};

/*
 * Hierarchical: along the rails, and within the nodes at the same time.
 *
 * n nodes of g ranks each, with consecutive numbers; p = n g; rank a g + i is
 * rank i of node a, and the ranks i of all nodes are a rail.  Blocks travel in
 * k chunks and the pipeline has K = (n-1) k steps; step q moves chunk q mod k
 * over the distance 1 + q / k of nodes.  One lane has the exchange along the
 * rail, one rank at a time; the other lane has the exchange within the node,
 * with all g - 1 ranks at once.  A step of the one lane runs beside the next
 * step of the other lane, so that the faster links are hidden behind the slower
 * links:
 *
 *     all-gather       rail  0 1 2 3 ...         reduce-scatter   node  0 1 2 3
 *                      node  own 0 1 2 ...                        rail    0 1 2
 *
 * All-gather: rank i of a node receives the blocks of its rail from all other
 * nodes, in chunks, and passes each chunk to the other ranks of the node, during
 * the arrival of the next chunk.  The own blocks of a node are exchanged first.
 * Every block enters a node once.
 *
 *     p = 4, nodes {0 1} and {2 3}, 1 chunk:
 *
 *     rail    0 <-> 2: 0 and 2       1 <-> 3: 1 and 3
 *     node    0 <-> 1: 0 and 1, then 2 and 3     2 <-> 3: 2 and 3, then 0 and 1
 *
 * Reduce-scatter, the reverse: the ranks of a node add the blocks of the ranks of
 * another node, in chunks: rank i has the sum of the block for rank i of that node,
 * and sends the sum along the rail during the exchange of the next chunk.  The own
 * blocks of the node come last.  Every node sends one sum of every block.
 *
 *     node    0 <-> 1: 2 and 3, then 0 and 1     2 <-> 3: 0 and 1, then 2 and 3
 *     rail    0 <-> 2: 01 of 2, 23 of 0            1 <-> 3: 01 of 3, 23 of 1
 *
 * Sends per rank: (n-1) V/p out of the node, (g-1) n V/p within.
 *
 * With alpha and beta of the links between nodes, alpha' and beta' within, and
 * m bytes in a chunk, the two lanes take
 *
 *     K (alpha + m / beta)   and   (K+1) alpha' + (g-1) n V/p / beta'
 *
 * The form is the sum of both, which one port for both lanes takes at most;
 * with ports of their own the lanes overlap except for one step.  In the
 * reduce-scatter with gamma for every arrival.
 */
#include "algorithms/mirrors/direction.h"
#include "algorithms/shared/patterns/pattern.h"
#include "algorithms/shared/patterns/phase.h"

#include <math.h>

enum {
    RAIL_CHUNKS_MAX = 256 /* of a block: further chunks cost only latency */
};

/* A rank and a step of the pipeline. */
struct rail_step {
    uint32_t group, nodes; /* g, n */
    uint32_t node, index;  /* a, i */
    uint32_t to, from;     /* nodes at the distance of the step */
    uint32_t chunk, chunks;
};

enum rail_part {
    RAIL_CHUNKS, /* the chunk of the step of each block */
    RAIL_BLOCKS, /* whole blocks */
};

/* K; 0 for one node. */
static uint64_t rail_steps(const struct cs_call *call)
{
    return (uint64_t)(cs_nodes_of(call) - 1) * call->chunks;
}

/* Step q, 0 <= q < K. */
static struct rail_step rail_step_of(const struct cs_call *call, uint32_t rank, uint64_t q)
{
    uint32_t nodes = cs_nodes_of(call);
    uint32_t node = rank / call->group;
    uint32_t distance = 1 + (uint32_t)(q / call->chunks);

    return (struct rail_step){
        .group = call->group,
        .nodes = nodes,
        .node = node,
        .index = rank % call->group,
        .to = cs_ahead(node, distance, nodes),
        .from = cs_behind(node, distance, nodes),
        .chunk = (uint32_t)(q % call->chunks),
        .chunks = call->chunks,
    };
}

/* Chunk of the step in the block of rank `index` of a node. */
static struct cs_blocks rail_chunk(const struct rail_step *step, uint32_t node, uint32_t index)
{
    return cs_block((node * step->group + index) * step->chunks + step->chunk);
}

/* Makes the ops from number `first` on, a phase (phase.h) among g ranks with a
 * block each, a phase among the ranks of the own node for the blocks of the ranks
 * of `node`. */
static void rail_in_node(const struct rail_step *step, uint32_t node, enum rail_part part,
                         uint32_t first, struct cs_ops *ops)
{
    for (uint32_t i = first; i < ops->count; i++) {
        struct cs_op *op = &ops->op[i];

        op->peer += step->node * step->group;
        op->blocks = rail_chunk(step, node, op->blocks.first);
        if (part == RAIL_BLOCKS) {
            op->blocks.first -= step->chunk;
            op->blocks.count = step->chunks;
        }
    }
}

/* ---- rounds ---- */

/* The all-gather has the rail in lane 0 and the node in lane 1, the reduce-scatter
 * the reverse.  In a node an exchange for each step and one of the own blocks;
 * lane 1 waits for each step of lane 0. */
static uint64_t hierarchical_mirror_rounds(const void *ctx, struct cs_at at)
{
    const struct cs_call *call = ctx;
    bool in_node = (at.lane != 0) == cs_gathers(call);

    if (call->ranks < 2)
        return 0;
    return (at.lane ? 2 : 1) * rail_steps(call) + in_node;
}

static void hierarchical_along_rail(const struct cs_call *call, const struct rail_step *step,
                                    struct cs_ops *ops)
{
    uint32_t to = step->to * step->group + step->index;
    uint32_t from = step->from * step->group + step->index;

    if (cs_gathers(call)) {
        cs_ops_send(ops, to, rail_chunk(step, step->node, step->index));
        cs_ops_recv(ops, from, rail_chunk(step, step->from, step->index));
    } else {
        cs_ops_send(ops, to, rail_chunk(step, step->to, step->index));
        cs_ops_recv_reduce(ops, from, rail_chunk(step, step->node, step->index));
    }
}

/* The chunks that arrived from a node, or contributions to those of another node;
 * or the own blocks. */
static void hierarchical_in_node(const struct cs_call *call, const struct rail_step *step, bool own,
                                 struct cs_ops *ops)
{
    uint32_t other = cs_gathers(call) ? step->from : step->to;
    uint32_t first = ops->count;

    if (cs_gathers(call))
        cs_direct_gather_all(step->group, step->index, ops);
    else
        cs_direct_scatter_all(step->group, step->index, ops);
    rail_in_node(step, own ? step->node : other, own ? RAIL_BLOCKS : RAIL_CHUNKS, first, ops);
}

static void hierarchical_gather_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    uint64_t q = at.lane && at.round ? (at.round - 1) / 2 : at.round;
    struct rail_step step = rail_step_of(ctx, at.party, q);

    if (!at.lane)
        hierarchical_along_rail(ctx, &step, ops);
    else if (at.round % 2)
        cs_ops_wait(ops, 0, (uint32_t)q);
    else
        hierarchical_in_node(ctx, &step, at.round == 0, ops);
}

static void hierarchical_scatter_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    uint64_t steps = rail_steps(ctx);
    uint64_t q = at.lane ? at.round / 2 : at.round;
    struct rail_step step = rail_step_of(ctx, at.party, q < steps ? q : 0);

    if (!at.lane)
        hierarchical_in_node(ctx, &step, at.round == steps, ops);
    else if (at.round % 2 == 0)
        cs_ops_wait(ops, 0, (uint32_t)q);
    else
        hierarchical_along_rail(ctx, &step, ops);
}

/* ---- the call ---- */

/* The time of the rail and of one step that nothing hides:
 * (n-1) k alpha + V/(p k) / beta is least for k = sqrt(V/p / ((n-1) alpha
 * beta)).  Beside r ranks of an adapter that each hide the step of another, an r-th of
 * the second part is left. */
static void rail_settle(struct cs_call *call)
{
    uint64_t elements = call->elements / call->ranks;
    double further = cs_nodes_of(call) - 1.0;
    double block_s = cs_largest_block_bytes(call) / fmax(1, call->sharing) / call->hockney.beta_Bps;

    if (further <= 0 || elements == 0)
        return;
    cs_settle_chunks(call, elements < RAIL_CHUNKS_MAX ? elements : RAIL_CHUNKS_MAX,
                     call->hockney.alpha_s > 0 ? sqrt(block_s / (further * call->hockney.alpha_s))
                                               : INFINITY);
}

static uint32_t rail_lanes(const struct cs_call *call)
{
    return call->ranks < 2 ? 1 : 2;
}

static uint32_t rail_parts(const struct cs_call *call)
{
    return call->chunks;
}

static uint32_t rail_blocks(const struct cs_call *call)
{
    return call->ranks * rail_parts(call);
}

/* At most for equal chunks; else ranks drift apart, and the form is an estimate. */
static enum cs_exactness rail_exactness(const struct cs_call *call)
{
    return call->elements % rail_blocks(call) ? CS_COST_ROUGHLY : CS_COST_AT_MOST;
}

static double rail_chunk_bytes(const struct cs_call *call)
{
    return cs_largest_part_bytes(call, call->chunks);
}

static struct cs_cost rail_local_cost(const struct cs_call *call)
{
    double steps = (double)rail_steps(call);
    double bytes = cs_largest_block_bytes(call) + steps * rail_chunk_bytes(call);

    return cs_cost_with_sums(call, (struct cs_cost){steps + 1, (call->group - 1.0) * bytes, 0});
}

static struct cs_cost rail_cost(const struct cs_call *call)
{
    double steps = (double)rail_steps(call);
    struct cs_cost cost = rail_local_cost(call);

    cost.rounds += steps;
    cost.bytes += steps * rail_chunk_bytes(call);
    return cs_cost_with_sums(call, cost);
}

#define HIERARCHICAL                                                                  \
    .name = "hierarchical", .takes_sharing = true, .exactness_of = rail_exactness,    \
    .check = cs_check_group_chunks, .settle = rail_settle, .lanes = rail_lanes,       \
    .blocks = rail_blocks, .parts = rail_parts, .rounds = hierarchical_mirror_rounds, \
    .cost = rail_cost, .local_cost = rail_local_cost

const struct cs_algo cs_algo_allgather_hierarchical = {
    HIERARCHICAL,
    .collective = &cs_collective_allgather,
    .about = "along the rails, beside the exchange within the nodes",
    .formula = "(n-1) k (alpha + V/(p k)/beta) + ((n-1) k + 1) alpha' + (g-1)/g V/beta', n nodes "
               "of g ranks",
    .round = hierarchical_gather_round,
};

const struct cs_algo cs_algo_reducescatter_hierarchical = {
    HIERARCHICAL,
    .collective = &cs_collective_reducescatter,
    .about = "within the nodes, beside the exchange along the rails",
    .formula = "(n-1) k (alpha + V/(p k)/beta) + ((n-1) k + 1) alpha' + (g-1)/g V/beta' + (p-1)/p "
               "V gamma, n nodes of g ranks",
    .round = hierarchical_scatter_round,
};

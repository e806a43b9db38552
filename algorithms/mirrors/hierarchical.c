/*
 * Hierarchical: along the rails, and within the nodes at the same time (rails.h).
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
 * Sends per rank: (n-1) V/p out of the node, (g-1) n V/p within.  The form of
 * rails.h, with gamma for every arrival of the reduce-scatter.
 */
#include "algorithms/mirrors/direction.h"
#include "algorithms/shared/patterns/phase.h"
#include "algorithms/shared/rails.h"

/* The all-gather has the rail in lane 0 and the node in lane 1, the reduce-scatter
 * the reverse.  In a node an exchange for each step and one of the own blocks;
 * lane 1 waits for each step of lane 0. */
static uint64_t hierarchical_mirror_rounds(const void *ctx, struct cs_at at)
{
    const struct cs_call *call = ctx;
    bool in_node = (at.lane != 0) == cs_gathers(call);

    if (call->ranks < 2)
        return 0;
    return (at.lane ? 2 : 1) * cs_rail_steps(call) + in_node;
}

static void hierarchical_along_rail(const struct cs_call *call, const struct cs_rail_step *step,
                                    struct cs_ops *ops)
{
    uint32_t to = step->to * step->group + step->index;
    uint32_t from = step->from * step->group + step->index;

    if (cs_gathers(call)) {
        cs_ops_send(ops, to, cs_rail_chunk(step, step->node, step->index));
        cs_ops_recv(ops, from, cs_rail_chunk(step, step->from, step->index));
    } else {
        cs_ops_send(ops, to, cs_rail_chunk(step, step->to, step->index));
        cs_ops_recv_reduce(ops, from, cs_rail_chunk(step, step->node, step->index));
    }
}

/* The chunks that arrived from a node, or contributions to those of another node;
 * or the own blocks. */
static void hierarchical_in_node(const struct cs_call *call, const struct cs_rail_step *step,
                                 bool own, struct cs_ops *ops)
{
    uint32_t other = cs_gathers(call) ? step->from : step->to;
    uint32_t first = ops->count;

    if (cs_gathers(call))
        cs_direct_gather_all(step->group, step->index, ops);
    else
        cs_direct_scatter_all(step->group, step->index, ops);
    cs_rail_in_node(step, own ? step->node : other, own ? CS_RAIL_BLOCKS : CS_RAIL_CHUNKS, first,
                    ops);
}

static void hierarchical_gather_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    uint64_t q = at.lane && at.round ? (at.round - 1) / 2 : at.round;
    struct cs_rail_step step = cs_rail_step_of(ctx, at.party, q);

    if (!at.lane)
        hierarchical_along_rail(ctx, &step, ops);
    else if (at.round % 2)
        cs_ops_wait(ops, 0, (uint32_t)q);
    else
        hierarchical_in_node(ctx, &step, at.round == 0, ops);
}

static void hierarchical_scatter_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    uint64_t steps = cs_rail_steps(ctx);
    uint64_t q = at.lane ? at.round / 2 : at.round;
    struct cs_rail_step step = cs_rail_step_of(ctx, at.party, q < steps ? q : 0);

    if (!at.lane)
        hierarchical_in_node(ctx, &step, at.round == steps, ops);
    else if (at.round % 2 == 0)
        cs_ops_wait(ops, 0, (uint32_t)q);
    else
        hierarchical_along_rail(ctx, &step, ops);
}

#define HIERARCHICAL                                                                        \
    .name = "hierarchical", .takes_sharing = true, .exactness_of = cs_rail_exactness,       \
    .check = cs_check_group_chunks, .settle = cs_rail_settle, .lanes = cs_rail_lanes,       \
    .blocks = cs_rail_blocks, .parts = cs_rail_parts, .rounds = hierarchical_mirror_rounds, \
    .cost = cs_rail_cost, .local_cost = cs_rail_local_cost

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

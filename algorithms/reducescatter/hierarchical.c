/*
 * Hierarchical reduce-scatter: within the nodes, and along the rails at the
 * same time (rails.h).
 *
 * The ranks of a node add the blocks of the ranks of another node, in chunks:
 * rank i has the sum of the block for rank i of that node, and sends the sum
 * along the rail during the exchange of the next chunk.  The own blocks of the
 * node come last.  Every node sends one sum of every block.
 *
 *     p = 4, nodes {0 1} and {2 3}, 1 chunk:
 *
 *     node    0 <-> 1: 2 and 3, then 0 and 1     2 <-> 3: 0 and 1, then 2 and 3
 *     rail    0 <-> 2: 01 of 2, 23 of 0            1 <-> 3: 01 of 3, 23 of 1
 *
 * Sends per rank: (n-1) V/p out of the node, (g-1) n V/p within.  The form of
 * rails.h, with gamma for every arrival.
 */
#include "algorithms/shared/patterns/phase.h"
#include "algorithms/shared/rails.h"

/* Lane 0: an exchange for each step, then the own blocks; lane 1: a wait and a
 * message for each step. */
static uint64_t reducescatter_hierarchical_rounds(const void *ctx, uint32_t rank, uint32_t lane)
{
    const struct cs_call *call = ctx;

    (void)rank;
    if (call->ranks < 2)
        return 0;
    return lane ? 2 * cs_rail_steps(call) : cs_rail_steps(call) + 1;
}

static void reducescatter_along_rail(const struct cs_rail_step *step, struct cs_ops *ops)
{
    cs_ops_send(ops, step->to * step->group + step->index,
                cs_rail_chunk(step, step->to, step->index));
    cs_ops_recv_reduce(ops, step->from * step->group + step->index,
                       cs_rail_chunk(step, step->node, step->index));
}

/* Contributions to the chunks of another node, or to the own blocks. */
static void reducescatter_in_node(const struct cs_rail_step *step, bool own, struct cs_ops *ops)
{
    uint32_t first = ops->count;

    cs_direct_scatter_all(step->group, step->index, ops);
    cs_rail_in_node(step, own ? step->node : step->to, own ? CS_RAIL_BLOCKS : CS_RAIL_CHUNKS, first,
                    ops);
}

static void reducescatter_hierarchical_round(const void *ctx, uint32_t rank, uint32_t lane,
                                             uint64_t k, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    uint64_t steps = cs_rail_steps(call);
    uint64_t q = lane ? k / 2 : k;
    struct cs_rail_step step = cs_rail_step_of(call, rank, q < steps ? q : 0);

    if (!lane)
        reducescatter_in_node(&step, k == steps, ops);
    else if (k % 2 == 0)
        cs_ops_wait(ops, 0, (uint32_t)q);
    else
        reducescatter_along_rail(&step, ops);
}

/* Every arrival is added: p - 1 blocks. */
static struct cs_cost reducescatter_hierarchical_cost(const struct cs_call *call,
                                                      const struct cs_hockney *hockney)
{
    struct cs_cost cost = cs_rail_cost(call);

    (void)hockney;
    cost.reduced_bytes = cost.bytes;
    return cost;
}

static struct cs_cost reducescatter_hierarchical_local_cost(const struct cs_call *call,
                                                            const struct cs_hockney *hockney)
{
    struct cs_cost cost = cs_rail_local_cost(call);

    (void)hockney;
    cost.reduced_bytes = cost.bytes;
    return cost;
}

const struct cs_algo cs_algo_reducescatter_hierarchical = {
    .name = "hierarchical",
    .collective = &cs_collective_reducescatter,
    .about = "within the nodes, beside the exchange along the rails",
    .formula = "(n-1) k (alpha + V/(p k)/beta) + ((n-1) k + 1) alpha' + (g-1)/g V/beta' + (p-1)/p "
               "V gamma, n nodes of g ranks",
    .exactness_of = cs_rail_exactness,
    .check = cs_check_group_chunks,
    .settle = cs_rail_settle,
    .lanes = cs_rail_lanes,
    .blocks = cs_rail_blocks,
    .parts = cs_rail_parts,
    .rounds = reducescatter_hierarchical_rounds,
    .round = reducescatter_hierarchical_round,
    .cost = reducescatter_hierarchical_cost,
    .local_cost = reducescatter_hierarchical_local_cost,
};

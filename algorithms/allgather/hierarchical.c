/*
 * Hierarchical all-gather: along the rails, and within the nodes at the same
 * time (rails.h).
 *
 * Rank i of a node receives the blocks of its rail from all other nodes, in
 * chunks, and passes each chunk to the other ranks of the node, during the
 * arrival of the next chunk.  The own blocks of a node are exchanged first.
 * Every block enters a node once.
 *
 *     p = 4, nodes {0 1} and {2 3}, 1 chunk:
 *
 *     rail    0 <-> 2: 0 and 2       1 <-> 3: 1 and 3
 *     node    0 <-> 1: 0 and 1, then 2 and 3     2 <-> 3: 2 and 3, then 0 and 1
 *
 * Sends per rank: (n-1) V/p out of the node, (g-1) n V/p within.
 */
#include "algorithms/shared/patterns/phase.h"
#include "algorithms/shared/rails.h"

/* Lane 1: the own block, then a wait and an exchange for each step. */
static uint64_t allgather_hierarchical_rounds(const void *ctx, uint32_t rank, uint32_t lane)
{
    const struct cs_call *call = ctx;

    (void)rank;
    if (call->ranks < 2)
        return 0;
    return lane ? 1 + 2 * cs_rail_steps(call) : cs_rail_steps(call);
}

static void allgather_along_rail(const struct cs_rail_step *step, struct cs_ops *ops)
{
    cs_ops_send(ops, step->to * step->group + step->index,
                cs_rail_chunk(step, step->node, step->index));
    cs_ops_recv(ops, step->from * step->group + step->index,
                cs_rail_chunk(step, step->from, step->index));
}

/* The chunks that arrived from a node, or the own blocks. */
static void allgather_in_node(const struct cs_rail_step *step, bool own, struct cs_ops *ops)
{
    uint32_t first = ops->count;

    cs_direct_gather_all(step->group, step->index, ops);
    cs_rail_in_node(step, own ? step->node : step->from, own ? CS_RAIL_BLOCKS : CS_RAIL_CHUNKS,
                    first, ops);
}

static void allgather_hierarchical_round(const void *ctx, uint32_t rank, uint32_t lane, uint64_t k,
                                         struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    uint64_t q = lane && k ? (k - 1) / 2 : k;
    struct cs_rail_step step = cs_rail_step_of(call, rank, q);

    if (!lane)
        allgather_along_rail(&step, ops);
    else if (k % 2)
        cs_ops_wait(ops, 0, (uint32_t)q);
    else
        allgather_in_node(&step, k == 0, ops);
}

static struct cs_cost allgather_hierarchical_cost(const struct cs_call *call,
                                                  const struct cs_hockney *hockney)
{
    (void)hockney;
    return cs_rail_cost(call);
}

static struct cs_cost allgather_hierarchical_local_cost(const struct cs_call *call,
                                                        const struct cs_hockney *hockney)
{
    (void)hockney;
    return cs_rail_local_cost(call);
}

const struct cs_algo cs_algo_allgather_hierarchical = {
    .name = "hierarchical",
    .collective = &cs_collective_allgather,
    .about = "along the rails, beside the exchange within the nodes",
    .formula = "(n-1) k (alpha + V/(p k)/beta) + ((n-1) k + 1) alpha' + (g-1)/g V/beta', n nodes "
               "of g ranks",
    .exactness_of = cs_rail_exactness,
    .check = cs_check_group_chunks,
    .settle = cs_rail_settle,
    .lanes = cs_rail_lanes,
    .blocks = cs_rail_blocks,
    .parts = cs_rail_parts,
    .rounds = allgather_hierarchical_rounds,
    .round = allgather_hierarchical_round,
    .cost = allgather_hierarchical_cost,
    .local_cost = allgather_hierarchical_local_cost,
};

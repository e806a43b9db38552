/*
 * Hierarchical all-reduce: most of the data within the nodes, the rest across.
 *
 * n nodes of g ranks each, with consecutive numbers; p = n g.  A ring in every
 * node reduce-scatters; the ranks at the same position of their nodes (a rail)
 * all-reduce a g-th of the vector around a ring across the nodes; a ring in
 * every node all-gathers.  The bucket algorithm on a grid of g x n (bucket.h).
 *
 *     p = 4, nodes {0, 1} and {2, 3}, halves A and B of the vector:
 *
 *     rank 0:  A B     A01     A0123     A0123 B0123
 *     rank 1:  A B     B01     B0123     A0123 B0123
 *     rank 2:  A B     A23     A0123     A0123 B0123
 *     rank 3:  A B     B23     B0123     A0123 B0123
 *
 * Sends per rank: 2(g-1) of V/g bytes within the node and 2(n-1) of V/(g n)
 * out of the node, the minimum for g adapters of a node; a ring over all ranks
 * sends 2(p-1)/p V through one adapter, or with g rings 2(p-1)/(p g) V through
 * each.
 *
 *     T = 2(g-1) (alpha + V/g / beta) + (g-1) V/g gamma
 *       + 2(n-1) (alpha + V/p / beta) + (n-1) V/p gamma
 *
 * with the alpha and beta of the links within and between the nodes.  The
 * vector has p blocks; V/g is n of the largest, V/p one.  Exact for equal
 * blocks, and for an alpha above the time of an element: else a rank that is
 * ahead can delay a rank that is late.
 */
#include "algorithms/shared/bucket.h"

static uint64_t allreduce_hierarchical_rounds(const void *ctx, uint32_t rank,
                                              uint32_t lane)
{
    const struct cs_call *call = ctx;
    uint32_t group = call->group;

    (void)rank;
    (void)lane;
    return 2 * (uint64_t)(group - 1 + call->ranks / group - 1);
}

static void allreduce_hierarchical_round(const void *ctx, uint32_t rank,
                                         uint32_t lane, uint64_t k,
                                         struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    const uint32_t sides[] = {call->group, call->ranks / call->group};

    (void)lane;
    cs_bucket_step((struct cs_grid){sides, 2}, rank, k, ops);
}

static uint64_t hierarchical_scatter_rounds(const void *ctx, uint32_t rank)
{
    return allreduce_hierarchical_rounds(ctx, rank, 0) / 2;
}

static struct cs_cost allreduce_hierarchical_cost(
    const struct cs_call *call, const struct cs_hockney *hockney)
{
    const uint32_t sides[] = {call->group, call->ranks / call->group};

    (void)hockney;
    return cs_bucket_cost((struct cs_grid){sides, 2}, call);
}

/* The rings in the nodes. */
static struct cs_cost allreduce_hierarchical_local_cost(
    const struct cs_call *call, const struct cs_hockney *hockney)
{
    (void)hockney;
    return cs_bucket_cost((struct cs_grid){&call->group, 1}, call);
}

const struct cs_algo cs_algo_allreduce_hierarchical = {
    .name = "hierarchical",
    .collective = &cs_collective_allreduce,
    .about = "rings within the nodes, and across nodes on every rail",
    .formula = "2(g+n-2) alpha + 2(p-1)/p V/beta + (p-1)/p V gamma, "
               "n nodes of g ranks",
    .exactness = CS_COST_EVEN,
    .check = cs_check_group,
    .blocks = cs_blocks_per_rank,
    .rounds = allreduce_hierarchical_rounds,
    .round = allreduce_hierarchical_round,
    .reduce_scatter_rounds = hierarchical_scatter_rounds,
    .cost = allreduce_hierarchical_cost,
    .local_cost = allreduce_hierarchical_local_cost,
};

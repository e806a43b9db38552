/*
 * Double-tree all-reduce: two binary trees, each with half of the vector, in
 * chunks, up and down at once (tree_shape.h, tree_flow.h).
 *
 * Any p >= 1; k chunks in each half.  Lanes 0 and 1 go up and down tree 0,
 * lanes 2 and 3 tree 1.  An inner rank of one tree is a leaf of the other, so
 * that all ports have equal load.
 *
 *     p = 4:   0-.      half 0        .-3   half 1
 *                2                   1
 *               1 3                 2 0
 *
 * Sends: at most 2 V per rank, V/2 up each tree and V/2 to each child; 2(p-1)
 * V in total.  In addition to the vector a rank needs room for chunks that
 * arrive early.
 *
 * With chunks of n = ceil(V/2k) bytes and L = ceil(log2 p): 2 L steps for the
 * first chunk, where an inner rank receives and reduces two chunks, or sends
 * two, and then k - 1 steps with four chunks through a port and two reductions
 * (half as many for p = 2, with one child per rank):
 *
 *     T ~ 2 L (alpha + 2 n / beta) + 2 L n gamma
 *         + (k-1) alpha + (V/2 - n) (4 / beta + 2 gamma)
 *
 * An estimate, mostly a little above the simulation, because lanes drift apart
 * and a port seldom has all four chunks at once; without alpha lanes can also
 * coincide for a longer time.
 *
 * The best number is k = sqrt((2 (L-1) / beta + (L-1) gamma) V / alpha).
 */
#include "algorithms/shared/chunks.h"
#include "algorithms/shared/tree_flow.h"

#include <math.h>

enum {
    TREES = 2
};

static void tree_settle(struct cs_call *call, const struct cs_hockney *hockney)
{
    double depth = cs_log2_up(call->ranks);
    double work_s = (depth - 1) * cs_vector_bytes(call) *
                    (2 / hockney->beta_Bps + hockney->gamma_s_per_byte);

    cs_settle_chunks(call, call->elements / TREES,
                     sqrt(work_s / hockney->alpha_s));
}

static uint32_t tree_lanes(const struct cs_call *call)
{
    (void)call;
    return 2 * TREES;
}

static uint32_t tree_blocks(const struct cs_call *call)
{
    return TREES * call->chunks;
}

static uint64_t allreduce_double_tree_rounds(const void *ctx, uint32_t rank,
                                             uint32_t lane)
{
    const struct cs_call *call = ctx;

    (void)rank;
    if (call->ranks < 2)
        return 0;
    return lane % 2 ? cs_tree_down_rounds(call->chunks)
                    : cs_tree_up_rounds(call->chunks);
}

static void allreduce_double_tree_round(const void *ctx, uint32_t rank,
                                        uint32_t lane, uint64_t k,
                                        struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    uint32_t tree = lane / 2;
    struct cs_tree_flow flow = {cs_tree_of_pair(tree, call->ranks, rank),
                                tree * call->chunks, call->chunks, 2 * tree};

    if (lane % 2)
        cs_tree_down_round(&flow, k, ops);
    else
        cs_tree_up_round(&flow, k, ops);
}

static struct cs_cost allreduce_double_tree_cost(
    const struct cs_call *call, const struct cs_hockney *hockney)
{
    double depth = cs_log2_up(call->ranks);
    double more = (double)call->chunks - 1;
    double chunk = cs_longest_run_bytes(call, TREES * call->chunks, 1);
    double half =
        cs_longest_run_bytes(call, TREES * call->chunks, call->chunks);
    double fan = call->ranks > 2 ? 2 : 1; /* children of an inner rank */
    double bytes = fan * (depth * chunk + half - chunk);

    (void)hockney;
    return (struct cs_cost){2 * depth + more, 2 * bytes, bytes};
}

const struct cs_algo cs_algo_allreduce_double_tree = {
    .name = "double-tree",
    .collective = &cs_collective_allreduce,
    .about = "two binary trees, each up and down with half of the vector",
    .formula = "(2 L + k-1) alpha + (2 L + 2(k-1)) V/k/beta + (L + k-1) V/k "
               "gamma, L = ceil(log2 p), k chunks",
    .exactness = CS_COST_ROUGHLY,
    .settle = tree_settle,
    .lanes = tree_lanes,
    .blocks = tree_blocks,
    .rounds = allreduce_double_tree_rounds,
    .round = allreduce_double_tree_round,
    .cost = allreduce_double_tree_cost,
};

/*
 * Hierarchical all-to-all: first within the nodes, then across the nodes.
 *
 * p = n g ranks, g in each of n nodes (--group); rank a g + i is rank i of
 * node a.  Within the node, rank i sends rank j all blocks for rank j of any
 * node, n blocks in one message; across nodes, rank i then sends rank i of
 * node b all blocks of the own node for that rank, g blocks in one message.  A
 * rank sends g + n - 2 messages instead of p - 1, and a block leaves the node
 * on the rail of arrival.
 *
 *     p = 4, g = 2, blocks of rank 1 (node 0, i = 1), xy is from x for y:
 *
 *     at the start        10 11 12 13
 *     within the node     01 11 03 13      sent 10 12 to rank 0
 *     across              01 11 21 31      sent 03 13 to rank 3
 *
 * The blocks of a message are not contiguous and are packed before each phase:
 * every block is copied twice.  Scratch: V for sends, V for receives.
 *
 * Sends per rank: (g-1) n + (n-1) g blocks of V/p.
 *
 *     T = (g-1) (alpha + n V/p / beta) + (n-1) (alpha + g V/p / beta)
 *         + 2 V gamma
 */
#include "algorithms/shared/patterns/pattern.h"
#include "algorithms/shared/patterns/staging.h"

/* The position of a rank in the nodes. */
struct alltoall_hierarchical_place {
    uint32_t group; /* g */
    uint32_t nodes; /* n */
    uint32_t node;  /* a */
    uint32_t index; /* i */
};

static struct alltoall_hierarchical_place alltoall_hierarchical_place_of(const struct cs_call *call,
                                                                         uint32_t rank)
{
    uint32_t group = call->group;

    return (struct alltoall_hierarchical_place){group, call->ranks / group, rank / group,
                                                rank % group};
}

static uint32_t hierarchical_scratch(const struct cs_call *call)
{
    return 2 * call->ranks;
}

/* Pack, g - 1 rounds within, pack, n - 1 rounds across. */
static uint64_t alltoall_hierarchical_rounds(const void *ctx, struct cs_at at)
{
    (void)at;
    const struct cs_call *call = ctx;

    return call->ranks > 1 ? (uint64_t)call->group + call->ranks / call->group : 0;
}

/* Scratch: p blocks to send, then p received blocks; of local rank j n blocks
 * from j n on.  The own blocks go straight to the received ones. */
static void pack_for_node(const struct alltoall_hierarchical_place *at, struct cs_ops *ops)
{
    uint32_t p = at->nodes * at->group;

    for (uint32_t j = 0; j < at->group; j++)
        for (uint32_t b = 0; b < at->nodes; b++)
            cs_stage_copy(ops, CS_INPUT, b * at->group + j, CS_SCRATCH,
                          (j == at->index ? p : 0) + j * at->nodes + b);
}

/* For node b, g blocks from b g on; the blocks of the own node are final. */
static void pack_for_rail(const struct alltoall_hierarchical_place *at, struct cs_ops *ops)
{
    uint32_t p = at->nodes * at->group;

    for (uint32_t b = 0; b < at->nodes; b++)
        for (uint32_t j = 0; j < at->group; j++)
            cs_stage_copy(ops, CS_SCRATCH, p + j * at->nodes + b,
                          b == at->node ? CS_OUTPUT : CS_SCRATCH, b * at->group + j);
}

static void step_in_node(const struct alltoall_hierarchical_place *at, uint32_t step,
                         struct cs_ops *ops)
{
    uint32_t to = cs_ahead(at->index, step, at->group);
    uint32_t from = cs_behind(at->index, step, at->group);
    uint32_t base = at->node * at->group;
    uint32_t p = at->nodes * at->group;

    cs_stage_send(ops, base + to, (struct cs_blocks){to * at->nodes, at->nodes});
    cs_stage_recv(ops, base + from, (struct cs_blocks){p + from * at->nodes, at->nodes});
}

static void step_across(const struct alltoall_hierarchical_place *at, uint32_t step,
                        struct cs_ops *ops)
{
    uint32_t to = cs_ahead(at->node, step, at->nodes);
    uint32_t from = cs_behind(at->node, step, at->nodes);

    cs_stage_send(ops, to * at->group + at->index, (struct cs_blocks){to * at->group, at->group});
    cs_ops_recv(ops, from * at->group + at->index, (struct cs_blocks){from * at->group, at->group});
}

static void alltoall_hierarchical_round(const void *ctx, struct cs_at here, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    struct alltoall_hierarchical_place at = alltoall_hierarchical_place_of(call, here.party);

    if (here.round == 0)
        pack_for_node(&at, ops);
    else if (here.round < at.group)
        step_in_node(&at, (uint32_t)here.round, ops);
    else if (here.round == at.group)
        pack_for_rail(&at, ops);
    else
        step_across(&at, (uint32_t)here.round - at.group, ops);
}

static struct cs_cost alltoall_hierarchical_cost(const struct cs_call *call)
{
    double g = call->group;
    double n = (double)call->ranks / g;
    double block = cs_largest_block_bytes(call);

    return (struct cs_cost){g + n - 2, ((g - 1) * n + (n - 1) * g) * block,
                            2 * cs_vector_bytes(call)};
}

static struct cs_cost alltoall_hierarchical_local_cost(const struct cs_call *call)
{
    double g = call->group;
    double n = (double)call->ranks / g;

    return (struct cs_cost){g - 1, (g - 1) * n * cs_largest_block_bytes(call), 0};
}

const struct cs_algo cs_algo_alltoall_hierarchical = {
    .name = "hierarchical",
    .collective = &cs_collective_alltoall,
    .about = "within the nodes first, then across the nodes on rails",
    .formula = "(g+n-2) alpha + ((g-1) n + (n-1) g) V/p/beta + 2 V gamma",
    .moves_blocks = true,
    .check = cs_check_group,
    .blocks = cs_blocks_per_rank,
    .scratch = hierarchical_scratch,
    .rounds = alltoall_hierarchical_rounds,
    .round = alltoall_hierarchical_round,
    .cost = alltoall_hierarchical_cost,
    .local_cost = alltoall_hierarchical_local_cost,
};

#include "scenarios/bench/alltoall.h"

#include <assert.h>

enum {
    HOPS_MAX = 4
};

static uint32_t alltoall_case_ranks_of(const struct cs_fat_tree *tree)
{
    return tree->leaves * tree->ranks_per_leaf;
}

/* The wire from a leaf to a spine. */
static uint32_t alltoall_case_trunk(const struct cs_fat_tree *tree, uint32_t leaf, uint32_t spine)
{
    return alltoall_case_ranks_of(tree) + leaf * tree->spines + spine;
}

static uint32_t alltoall_case_route(void *ctx, uint32_t src, uint32_t dst, uint32_t *links)
{
    const struct cs_fat_tree *tree = ctx;
    uint32_t spine = dst % tree->spines;
    uint32_t src_leaf = src / tree->ranks_per_leaf;
    uint32_t dst_leaf = dst / tree->ranks_per_leaf;
    uint32_t hops = 0;

    links[hops++] = 2 * src;
    if (src_leaf != dst_leaf) {
        links[hops++] = 2 * alltoall_case_trunk(tree, src_leaf, spine);
        links[hops++] = 2 * alltoall_case_trunk(tree, dst_leaf, spine) + 1;
    }
    links[hops++] = 2 * dst + 1;
    return hops;
}

static void lay_wire(const struct cs_fat_tree *tree, struct cs_net *net, uint32_t wire,
                     uint32_t low, uint32_t high)
{
    uint32_t side;

    for (side = 0; side < 2; side++)
        net->links[2 * wire + side] = (struct cs_net_link){.rate_Bps = tree->rate_Bps,
                                                           .latency_ps = tree->latency_ps,
                                                           .resource = 2 * wire + side,
                                                           .from = side ? high : low,
                                                           .to = side ? low : high};
}

void cs_fat_tree_net(const struct cs_fat_tree *tree, struct cs_net *net, struct cs_arena *arena)
{
    uint32_t ranks = alltoall_case_ranks_of(tree);
    uint32_t links = 2 * (ranks + tree->leaves * tree->spines);
    uint32_t i;

    *net = (struct cs_net){
        .links = cs_arena_alloc(arena, links, sizeof(struct cs_net_link)),
        .link_count = links,
        .resource_count = links,
        .parties = cs_arena_alloc(arena, ranks, sizeof(struct cs_net_party)),
        .party_count = ranks,
        .node_count = ranks + tree->leaves + tree->spines,
        .route = alltoall_case_route,
        .route_ctx = (void *)tree,
        .max_hops = HOPS_MAX,
    };
    for (i = 0; i < ranks; i++) {
        net->parties[i].node = i;
        lay_wire(tree, net, i, i, ranks + i / tree->ranks_per_leaf);
    }
    for (i = 0; i < tree->leaves * tree->spines; i++)
        lay_wire(tree, net, ranks + i, ranks + i / tree->spines,
                 ranks + tree->leaves + i % tree->spines);
    cs_net_finish(net);
}

static uint64_t one_round(const void *ctx, uint32_t rank, uint32_t lane)
{
    (void)ctx;
    (void)rank;
    (void)lane;
    return 1;
}

/* Two ranks, in order: evenly spread fractions. */
static uint64_t block_bytes(const struct cs_alltoall *alltoall, uint32_t src, uint32_t dst)
{
    uint64_t pair = (uint64_t)src * alltoall_case_ranks_of(alltoall->tree) + dst;
    double part = (double)(pair * 0x9e3779b97f4a7c15U >> 32) * 0x1p-32;

    return alltoall->block_bytes + (uint64_t)((double)alltoall->spread_bytes * part);
}

static void send_to_all(const void *ctx, uint32_t rank, uint32_t lane, uint64_t k,
                        struct cs_ops *out)
{
    const struct cs_alltoall *alltoall = ctx;
    uint32_t ranks = alltoall_case_ranks_of(alltoall->tree);
    uint32_t i;

    assert(lane == 0 && k == 0);
    for (i = 1; i < ranks; i++) {
        uint32_t to = (rank + i) % ranks;
        uint32_t from = (rank + ranks - i) % ranks;
        struct cs_blocks sent = {to, 1};
        struct cs_blocks received = {from, 1};

        if (alltoall->spread_bytes)
            sent = received = (struct cs_blocks){0};
        cs_ops_send_input(out, to, sent);
        out->op[out->count - 1].amount = block_bytes(alltoall, rank, to);
        cs_ops_recv(out, from, received);
        out->op[out->count - 1].amount = block_bytes(alltoall, from, rank);
    }
}

struct cs_program cs_alltoall_program(const struct cs_alltoall *alltoall)
{
    uint32_t ranks = alltoall_case_ranks_of(alltoall->tree);

    return (struct cs_program){
        .ranks = ranks,
        .lanes = 1,
        .blocks = ranks,
        .elements = ranks * alltoall->block_bytes,
        .element_bytes = 1,
        .before = CS_EVERY_RANK,
        .after = CS_TRANSPOSED,
        .moves_blocks = true,
        .output_empty = true,
        .ctx = alltoall,
        .rounds = one_round,
        .round = send_to_all,
    };
}

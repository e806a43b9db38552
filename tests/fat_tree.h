/*
 * All-to-all on a fat tree of two levels: the hard case for models with shared
 * links, since every rank sends to every rank at once.
 *
 *              spine 0      spine 1            each leaf has a link to each
 *              |  |   \    /   |  |            spine; a message takes the spine
 *              |  |     \/     |  |            dst mod spines
 *              |  |     /\     |  |
 *              leaf 0    ...   leaf 1
 *              / | \           / | \
 *             0  1  2         3  4  5
 */
#pragma once

#include "sim/net/net.h"
#include "sim/program/program.h"

#include <assert.h>

struct fat_tree {
    uint32_t leaves;
    uint32_t ranks_per_leaf;
    uint32_t spines;
    double rate_Bps; /* of every link */
    uint64_t latency_ps;
};

/* Every rank sends a block to every further rank, in a single round. */
struct alltoall {
    const struct fat_tree *tree;
    uint64_t block_bytes;
};
static inline uint32_t fat_tree_ranks(const struct fat_tree *tree)
{
    return tree->leaves * tree->ranks_per_leaf;
}

/* The wire from a leaf to a spine. */
static inline uint32_t fat_tree_trunk(const struct fat_tree *tree, uint32_t leaf, uint32_t spine)
{
    return fat_tree_ranks(tree) + leaf * tree->spines + spine;
}

static inline uint32_t fat_tree_route(void *ctx, uint32_t src, uint32_t dst, uint32_t *links)
{
    const struct fat_tree *tree = ctx;
    uint32_t spine = dst % tree->spines;
    uint32_t src_leaf = src / tree->ranks_per_leaf;
    uint32_t dst_leaf = dst / tree->ranks_per_leaf;
    uint32_t hops = 0;

    links[hops++] = 2 * src;
    if (src_leaf != dst_leaf) {
        links[hops++] = 2 * fat_tree_trunk(tree, src_leaf, spine);
        links[hops++] = 2 * fat_tree_trunk(tree, dst_leaf, spine) + 1;
    }
    links[hops++] = 2 * dst + 1;
    return hops;
}

static inline void fat_tree_wire(const struct fat_tree *tree, struct cs_net *net, uint32_t wire,
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

static inline void fat_tree_net(const struct fat_tree *tree, struct cs_net *net,
                                struct cs_arena *arena)
{
    uint32_t ranks = fat_tree_ranks(tree);
    uint32_t links = 2 * (ranks + tree->leaves * tree->spines);

    *net = (struct cs_net){
        .links = cs_arena_alloc(arena, links, sizeof(struct cs_net_link)),
        .link_count = links,
        .resource_count = links,
        .parties = cs_arena_alloc(arena, ranks, sizeof(struct cs_net_party)),
        .party_count = ranks,
        .node_count = ranks + tree->leaves + tree->spines,
        .route = fat_tree_route,
        .route_ctx = (void *)tree,
        .max_hops = 4,
    };
    for (uint32_t i = 0; i < ranks; i++) {
        net->parties[i].node = i;
        fat_tree_wire(tree, net, i, i, ranks + i / tree->ranks_per_leaf);
    }
    for (uint32_t i = 0; i < tree->leaves * tree->spines; i++)
        fat_tree_wire(tree, net, ranks + i, ranks + i / tree->spines,
                      ranks + tree->leaves + i % tree->spines);
    cs_net_finish(net);
}

static inline uint64_t alltoall_rounds(const void *ctx, struct cs_at at)
{
    (void)at;
    (void)ctx;
    return 1;
}

static inline void alltoall_round(const void *ctx, struct cs_at at, struct cs_ops *out)
{
    const struct alltoall *alltoall = ctx;
    uint32_t ranks = fat_tree_ranks(alltoall->tree);

    assert(at.lane == 0 && at.round == 0);
    for (uint32_t i = 1; i < ranks; i++) {
        uint32_t to = (at.party + i) % ranks;
        uint32_t from = (at.party + ranks - i) % ranks;

        cs_ops_send_input(out, to, (struct cs_blocks){to, 1});
        out->op[out->count - 1].amount = alltoall->block_bytes;
        cs_ops_recv(out, from, (struct cs_blocks){from, 1});
        out->op[out->count - 1].amount = alltoall->block_bytes;
    }
}

static inline struct cs_program alltoall_program(const struct alltoall *alltoall)
{
    uint32_t ranks = fat_tree_ranks(alltoall->tree);

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
        .rounds = alltoall_rounds,
        .round = alltoall_round,
    };
}

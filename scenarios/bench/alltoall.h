/*
 * The hard case for models in which messages share links: every rank sends to
 * every other at once, over a fat tree of two levels.
 *
 *              spine 0      spine 1            each leaf has a link to each
 *              |  |   \    /   |  |            spine; a message takes the spine
 *              |  |     \/     |  |            dst mod spines
 *              |  |     /\     |  |
 *              leaf 0    ...   leaf 1
 *              / | \           / | \
 *             0  1  2         3  4  5
 *
 * For measuring and testing; what people simulate comes from topo/.
 */
#ifndef CS_SCENARIOS_BENCH_ALLTOALL_H
#define CS_SCENARIOS_BENCH_ALLTOALL_H

#include "sim/net/net.h"
#include "sim/program/program.h"

struct cs_fat_tree {
    uint32_t leaves;
    uint32_t ranks_per_leaf;
    uint32_t spines;
    double rate_Bps; /* of every link */
    uint64_t latency_ps;
};

/* The net of the tree, which must outlive it; memory in the arena.  Every wire
 * is two links with a server each: 2w up, 2w + 1 down; first the ranks' wires,
 * then those of leaf 0 to each spine, ... */
void cs_fat_tree_net(const struct cs_fat_tree *tree, struct cs_net *net,
                     struct cs_arena *arena);

/* Every rank sends to each other rank, in one round. */
struct cs_alltoall {
    const struct cs_fat_tree *tree;
    uint64_t block_bytes;
    /* 0, or blocks are of sizes from block_bytes to less than as much more,
     * drawn from the ranks' numbers; bytes that are nobody's data. */
    uint64_t spread_bytes;
};

/* What is asked for must outlive the program. */
struct cs_program cs_alltoall_program(const struct cs_alltoall *alltoall);

#endif

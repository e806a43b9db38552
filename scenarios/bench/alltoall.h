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
 *
 * For benchmarks and tests; machines of users come from topo/.
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

/* Makes the network of a tree, which must outlive the network; memory in the
 * arena. Wire w is two links with a resource each: 2w up, 2w + 1 down; first
 * the ranks' wires, then the wires of leaf 0 to each spine, of leaf 1, ... */
void cs_fat_tree_net(const struct cs_fat_tree *tree, struct cs_net *net, struct cs_arena *arena);

/* Every rank sends to every further rank, in a single round. */
struct cs_alltoall {
    const struct cs_fat_tree *tree;
    uint64_t block_bytes;
    /* Blocks have sizes from block_bytes to less than spread_bytes more, drawn
     * from the ranks' numbers; 0: equal sizes.  The bytes carry no data. */
    uint64_t spread_bytes;
};

/* `alltoall` must outlive the program. */
struct cs_program cs_alltoall_program(const struct cs_alltoall *alltoall);

#endif

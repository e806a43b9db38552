/*
 * Cluster trees: the trees of one node, repeated in all nodes of a cluster.
 *
 * A tree of the cluster is the node's tree in every node, and messages from the
 * root to the equal rank of each other node:
 *
 *     node's tree out of rank 0:   0          0 -----------> 4      second node
 *                                 / \        / \            / \
 *                                1   2      1   2          5   6
 *                                    |          |              |
 *                                    3          3              7
 *
 * A byte enters every node once, the least possible, while a ring through all
 * ranks of m nodes carries (p-1)/p of the vector between nodes, where (m-1)/m are
 * enough.  Planning takes as long as for one node.
 */
#ifndef CS_ALGORITHMS_SHARED_TREES_CLUSTER_TREES_H
#define CS_ALGORITHMS_SHARED_TREES_CLUSTER_TREES_H

#include "algorithms/shared/trees/trees.h"

/* The trees of a cluster of nodes of node->ranks ranks each, with consecutive
 * numbers; `node` has the trees of the first, as many units out of every rank.
 * O(trees x ranks) routes. */
const struct cs_trees *cs_trees_of_cluster(const struct cs_net *net, uint32_t ranks,
                                           const struct cs_trees *node, enum cs_tree_use use,
                                           struct cs_arena *arena);

/* Parts of `each` ranks with consecutive numbers, `parts` of them in a node. */
struct cs_tree_cluster {
    uint32_t ranks;
    uint32_t each, parts;
    uint32_t root;
};

/* Trees out of one root: a tree of `home`, the trees out of the root within the
 * root's part, and a tree of `part`, as many units out of every rank, in all other
 * parts.  Parts are a chain: the equal parts of all nodes, then the next parts; a
 * rank receives from the equal rank of the part before. */
const struct cs_trees *cs_trees_of_chain(const struct cs_net *net,
                                         const struct cs_tree_cluster *cluster,
                                         const struct cs_trees *home, const struct cs_trees *part,
                                         enum cs_tree_use use, struct cs_arena *arena);

#endif

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
#ifndef CS_ALGORITHMS_SHARED_CLUSTER_TREES_H
#define CS_ALGORITHMS_SHARED_CLUSTER_TREES_H

#include "algorithms/shared/trees.h"

/* The trees of a cluster of nodes of node->ranks ranks each, with consecutive
 * numbers; `node` has the trees of the first, as many units out of every rank.
 * O(trees x ranks) routes. */
const struct cs_trees *cs_trees_of_cluster(const struct cs_net *net,
                                           uint32_t ranks,
                                           const struct cs_trees *node,
                                           enum cs_tree_use use,
                                           struct cs_arena *arena);

#endif

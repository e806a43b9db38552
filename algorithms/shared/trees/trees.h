/*
 * Trees: spanning trees of the ranks with a share of the vector each.
 *
 * A table of parents and children, and the load on the machine's links when all
 * trees carry bytes at once.  The trees come from the machine
 * (machine_trees.h).
 *
 * The vector is cut into equal units.  A tree carries a run of units; the trees
 * out of one root carry consecutive runs, in the order of the roots, so that
 * with as many units out of each rank (all-gather) the units of root r are piece
 * r of the vector.
 */
#pragma once

#include "algorithms/shared/trees/pack.h"
#include "sim/net/net.h"

enum {
    CS_TREES_RANKS_MAX = 64,    /* of a machine with trees */
    CS_TREES_CLUSTER_MAX = 128, /* where trees of parts are repeated */
};

struct cs_tree {
    uint32_t root;
    uint32_t first, units;
    const uint32_t *parent;      /* by rank; CS_TREE_ABSENT: the root */
    const uint32_t *first_child; /* by rank, in `child`; ranks + 1 entries */
    const uint32_t *child;
};

struct cs_trees {
    uint32_t ranks;
    uint32_t count;
    uint32_t units;  /* of all trees */
    uint32_t depth;  /* of the deepest tree */
    uint32_t fan_in; /* units that a rank receives from children, at most */
    const struct cs_tree *tree;
    /* The busiest link, in seconds per byte of a unit, and the rate of the
     * slowest link in use. */
    double load_s_per_byte, slowest_Bps;
    const double *resource_s_per_byte; /* the same of each resource */
    bool direct;                       /* every branch is a single wire */
};

/* In which direction messages use the trees. */
enum cs_tree_use {
    CS_TREES_DOWN = 1,
    CS_TREES_UP = 2,
    CS_TREES_BOTH = 3,
};

/* The table of complete trees.  O(trees x ranks) routes. */
const struct cs_trees *cs_trees_of_packing(const struct cs_net *net, uint32_t ranks,
                                           const struct cs_packing *packing, enum cs_tree_use use,
                                           struct cs_arena *arena);

/* Steps from the root to a rank. */
uint32_t cs_tree_depth(const struct cs_tree *tree, uint32_t rank);

/* Seconds per byte of the vector that the busiest link needs. */
double cs_trees_s_per_byte(const struct cs_trees *trees);

/*
 * Tree mix: two sets of trees, each with a share of the vector.
 *
 * Sets with different bottlenecks are together faster than either: trees into
 * every group of a node fill the adapters and leave the wires between the groups
 * idle, trees into every node do the opposite.
 */

/* The fastest mix of two of the sets, with shares of 1 to 4 parts each; NULL
 * where the gain is below a twentieth.  The sets have as many units out of every
 * rank and one use.  O(sets^2 x resources). */
const struct cs_trees *cs_trees_mixed(const struct cs_net *net, const struct cs_trees *const *sets,
                                      uint32_t count, enum cs_tree_use use, struct cs_arena *arena);

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

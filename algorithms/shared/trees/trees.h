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
#ifndef CS_ALGORITHMS_SHARED_TREES_TREES_H
#define CS_ALGORITHMS_SHARED_TREES_TREES_H

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

#endif

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

#include "algorithms/shared/trees/branches.h"
#include "algorithms/shared/trees/pack.h"
#include "sim/net/net.h"

enum {
    CS_TREES_RANKS_MAX = 64,     /* of a machine with trees */
    CS_TREES_RANKS_LISTED = 128, /* where forest is one of several algorithms */
    CS_TREES_CLUSTER_MAX = 1024, /* of identical nodes */
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
    double limit_s_per_byte; /* of the vector: no trees of the kind take less; 0: unknown */
};

/* The table of complete trees.  O(trees x ranks) routes. */
const struct cs_trees *cs_trees_of_packing(const struct cs_net *net, uint32_t ranks,
                                           const struct cs_packing *packing, enum cs_tree_use use,
                                           struct cs_arena *arena);

/* Blocks of a vector over trees of so many ranks, at most: more would make messages of
 * one block too many for a simulation, and a proof too long; but not fewer than a pipeline
 * needs. */
uint32_t cs_trees_blocks(uint32_t ranks);

/* Seconds per byte of the vector that the busiest link needs. */
double cs_trees_s_per_byte(const struct cs_trees *trees);

struct cs_branches;
struct cs_units;

/* The trees of the units over the branches: those of identical nodes in every node.  A chain
 * of nodes becomes k trees of k children a node, each node being inner in one of them, where the
 * links carry these as fast: they are full sooner.  More trees where latencies are long.
 * O(trees x ranks) routes. */
const struct cs_trees *cs_trees_of_units(const struct cs_net *net,
                                         const struct cs_branches *branches,
                                         const struct cs_units *units, struct cs_arena *arena);

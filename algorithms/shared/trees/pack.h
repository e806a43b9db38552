/*
 * Tree packing: spanning trees out of roots, with whole multiplicities, that
 * use no pair of ranks more often than the capacity.
 *
 * Edmonds (Edge-disjoint branchings, in Combinatorial Algorithms, 1973): trees
 * with given roots exist if and only if the flow of all roots into every rank is
 * the number of trees.  Several equal trees grow as one with a multiplicity
 * (Berczi and Frank, Packing arborescences, EGRES TR-2009-04; Zhao et al.,
 * ForestColl, arXiv 2402.06787): a pair (x, y) out of the tree is added mu times,
 * mu being the least of the capacity, the multiplicity, and what the demand of
 * the other trees leaves over, one maximum flow from x to y.  With mu below the
 * multiplicity the remainder goes on as a second tree from the same pairs.
 *
 * Pairs close to the root come first, the widest first, so that trees are flat.
 */
#pragma once

#include "sim/base/mem.h"
#include "sim/engine/progress.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    CS_TREE_ABSENT = UINT32_MAX /* no parent: the root, or not in the tree */
};

/* `units` equal trees. */
struct cs_packed_tree {
    uint32_t root;
    uint32_t units;
    uint32_t size;    /* ranks in the tree */
    uint32_t *parent; /* of each rank */
    uint32_t *depth;  /* of each rank; CS_TREE_ABSENT: not in the tree */
};

struct cs_packing {
    const struct cs_monitor *monitor; /* of the caller: false ends the packing */
    struct cs_packed_tree *tree;
    uint32_t count;
};

/* Trees of `roots[r]` units out of each rank r, on pairs of `capacity` [from *
 * ranks + to].  False if the roots' flows are too small, or
 * with more than `most` trees, or where the monitor, or NULL, of `packing` stops. */
bool cs_tree_pack(uint32_t ranks, const double *capacity, const double *roots, uint32_t most,
                  struct cs_packing *packing, struct cs_arena *arena);

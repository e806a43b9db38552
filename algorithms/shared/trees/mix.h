/*
 * Tree mix: two sets of trees, each with a share of the vector.
 *
 * Sets with different bottlenecks are together faster than either: trees into
 * every group of a node fill the adapters and leave the wires between the groups
 * idle, trees into every node do the opposite.
 */
#ifndef CS_ALGORITHMS_SHARED_TREES_MIX_H
#define CS_ALGORITHMS_SHARED_TREES_MIX_H

#include "algorithms/shared/trees/trees.h"

/* The fastest mix of two of the sets, with shares of 1 to 4 parts each; NULL
 * where the gain is below a twentieth.  The sets have as many units out of every
 * rank and one use.  O(sets^2 x resources). */
const struct cs_trees *cs_trees_mixed(const struct cs_net *net, const struct cs_trees *const *sets,
                                      uint32_t count, enum cs_tree_use use, struct cs_arena *arena);

#endif

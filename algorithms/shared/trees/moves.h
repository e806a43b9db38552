/*
 * Tree moves: units along trees that load the busiest rows less, found branch by branch.
 *
 * Good trees of identical nodes are nearly good where a link of one of the nodes is slow or down.
 * Where a branch loads one of the busiest rows, its vertex goes below another one, or two
 * vertices take each other's place, whichever lowers a sum of steep powers of all loads most;
 * until no move does.  No tree becomes deeper than the deepest one, but for a level.
 *
 *     move   O(vertices x rows of a branch) for each branch of a busiest row, and each pass
 */
#pragma once

#include "algorithms/shared/trees/units.h"

/* The same units along other trees of the branches, until no row carries more than in
 * from->limit_s, in whole messages; `s_per_byte` is not filled. */
struct cs_units cs_tree_moves(const struct cs_branches *branches, const struct cs_monitor *monitor,
                              const struct cs_units *from, struct cs_arena *arena);

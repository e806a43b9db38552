/*
 * Symmetry: permutations of the ranks that keep the program, of any form.
 *
 * Messages lead from rank 0 to every other rank, and the image of a message is
 * known by lane, round and position among the ops: the image of rank 0 determines
 * the images of all ranks.  Each image is tried.  The permutations found form a
 * group; of a group that is the product of two cyclic groups all elements are
 * taken, otherwise the largest cyclic subgroup.  Ranks are then renumbered so that
 * the elements are rotations of rows and columns (fold.h).
 *
 * Agents are moved in the same way, each within its own kind.
 *
 * Only the first two rounds and the last round of each lane are compared; the
 * group is to be checked.
 *
 *     O(ranks x lanes) rounds for each generator of the group
 */
#ifndef CS_SIM_FOLD_SYMMETRY_H
#define CS_SIM_FOLD_SYMMETRY_H

#include "sim/fold/search.h"

/* Rank order[i] of search->program is to have number i; the group is that of the
 * renumbered ranks.  In search->arena.  False: there is none. */
bool cs_fold_symmetry(struct fold_search *search, struct cs_fold_group *group,
                      const uint32_t **order);

#endif

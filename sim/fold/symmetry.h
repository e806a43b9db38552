/*
 * Symmetry: permutations of the ranks that keep the program, of any form.
 *
 * Messages lead from rank 0 to every other rank, and the image of a message is
 * known by lane, round and position among the ops: the image of rank 0 determines
 * the images of all ranks.  Each image is tried.  The permutations found form a
 * group; of a group that is the product of up to three cyclic groups all elements are
 * taken, otherwise such a product.  Ranks are then renumbered so that the elements
 * are rotations of rows and of the digits of columns (fold.h).  A machine may have
 * some of the cyclic groups only.
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

struct symmetry;

/* The symmetries of search->program, in search->scratch; NULL: there are none. */
struct symmetry *cs_fold_symmetry(struct fold_search *search);

/* With the generators of the set `some`, a sum of 1, 2 and 4: rank order[i] of the
 * program is to have number i; the group is that of the renumbered ranks.  In
 * search->arena.  NULL: there is no such generator. */
const uint32_t *cs_fold_symmetry_order(const struct symmetry *of, unsigned some,
                                       struct cs_fold_group *group);

#endif

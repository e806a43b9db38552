/*
 * Renumbering: a program with its ranks and lanes in another order.
 *
 * Rank i is rank order[i] of the given program, and the lanes of a rank are
 * numbered by their turns (struct cs_program), in which simultaneous rounds
 * begin.  Messages have explicit channels: the turn of the sender's lane.  A
 * permutation of ranks and channels that keeps the turns is thus a permutation of
 * ranks alone.
 */
#ifndef CS_SIM_FOLD_RENUMBER_H
#define CS_SIM_FOLD_RENUMBER_H

#include "sim/program/program.h"

/* The renumbered program, without turns, in the arena: O(ranks x lanes) memory.
 * order: a permutation of the ranks, or NULL.  The program must have no agents.
 * Program and order must outlive the result. */
const struct cs_program *cs_fold_renumber(const struct cs_program *program,
                                          const uint32_t *order,
                                          struct cs_arena *arena);

#endif

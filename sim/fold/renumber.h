/*
 * Renumbering: a program with its ranks and lanes in another order.
 *
 * Rank i is rank order[i] of the given program, and the lanes of a rank are
 * numbered by their turns (struct cs_program), in which simultaneous rounds
 * begin.  Messages have explicit channels: the turn of the sender's lane.  A
 * permutation of ranks and channels that keeps the turns is thus a permutation of
 * ranks alone.
 *
 * An agent that serves (struct cs_program) is split into an agent for each of its
 * runs of lanes, as a permutation may keep the agent and move its lanes.  Messages
 * between rank and agent have the turn of the rank's lane as their channel.
 */
#ifndef CS_SIM_FOLD_RENUMBER_H
#define CS_SIM_FOLD_RENUMBER_H

#include "sim/program/program.h"

struct cs_turns;

/* The turns of all lanes, in the arena: O(ranks x lanes) time, and memory where all
 * ranks differ. */
const struct cs_turns *cs_fold_turns(const struct cs_program *program, struct cs_arena *arena);

/* The renumbered program, without turns, in the arena: O(ranks) memory.
 * order: a permutation of the ranks and, among themselves, of the split agents, or
 * NULL.  Agents must serve.  Program and turns must outlive the result.
 * origin: set to the party of `program` of each party. */
const struct cs_program *cs_fold_renumber(const struct cs_program *program,
                                          const struct cs_turns *turns, const uint32_t *order,
                                          const uint32_t **origin, struct cs_arena *arena);

#endif

/*
 * Ordered sums: a program in which no two lanes of a party add to a block at one time.
 *
 * Sums into one block commute, and lanes may add in any order.  Thread blocks that add to
 * one chunk race.  Before a round that adds to a block, the program waits for the last
 * round of each other lane that has added to it, in the order in which lanes proceed
 * round by round: the lanes stay as near to one another as they were.
 *
 *     cs_ordered_of    time O(ops x lanes), memory O(waits + lanes x (lanes + blocks))
 *     a round          O(waits of its lane) more than before
 */
#pragma once

#include "sim/program/program.h"

/* False where no wait is missing.  The program is in the arena, as long as `program` is
 * valid. */
bool cs_ordered_of(const struct cs_program *program, struct cs_arena *arena,
                   struct cs_program *ordered);

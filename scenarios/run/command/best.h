/*
 * The best schedule of a call: the least simulated time over all algorithms, packed
 * trees among them, and over numbers of chunks, of peers and radices.
 *
 * Closed forms choose these for a switch without contention; here they are halved as long
 * as the simulated time falls, or doubled, up to 98 % of the bound.  Trees of very many messages
 * begin with few chunks: what two numbers of chunks take says how many bring the time to 98 % of
 * the bound, or within a hundredth or two of what infinitely many would take, and these are
 * simulated.  Of more than CS_TREES_RANKS_LISTED ranks packed trees alone are simulated.
 *
 *     find   a simulation of each algorithm, most of which end early, and a few more
 *            of the best one and of packed trees
 */
#pragma once

#include "scenarios/run/command/group.h"

struct cs_best {
    struct cs_record record;
    struct cs_scenario scenario; /* with the algorithm and its parameters alone */
};

/* `scenario` has every algorithm and one size; texts are in the arena.  CS_EINPUT where no
 * algorithm runs the call.  Appends notes about packed trees, unless NULL. */
int cs_best_find(const struct cs_scenario *scenario, struct cs_progress_line *display,
                 struct cs_text *notes, struct cs_arena *arena, struct cs_best *best,
                 struct cs_err *err);

/* cs_run_group; of --algo synth the group is the best schedule alone. */
int cs_best_run_group(struct cs_run_group *group, uint64_t first, struct cs_run_outcome *outcome,
                      struct cs_err *err);

/* Names in the scenario what auto, any or synth choose for its single call; other scenarios
 * stay as they are.  CS_EINPUT for synth and several calls. */
int cs_best_choose(struct cs_scenario *scenario, struct cs_progress_line *display,
                   struct cs_err *err);

/* The same with a line of progress of its own. */
int cs_best_choose_alone(struct cs_scenario *scenario, struct cs_progress_line *display,
                         struct cs_err *err);

/*
 * The best schedule of a call: the least simulated time over all algorithms, packed
 * trees among them, and over numbers of chunks.
 *
 * Closed forms choose the chunks of a pipeline for a switch without contention; here
 * they are doubled or halved as long as the simulated time falls.  Of more than
 * CS_TREES_RANKS_LISTED ranks packed trees alone are simulated.
 *
 *     find   a simulation of each algorithm, most of which end early, and a few more
 *            of the best one and of packed trees
 */
#pragma once

#include "reports/results/record.h"
#include "scenarios/run/case/case.h"

struct cs_synth_best {
    struct cs_record record;
    struct cs_scenario scenario; /* with the algorithm and the chunks alone */
};

/* `scenario` has every algorithm and one size; texts are in the arena.  CS_EINPUT where no
 * algorithm runs the call.  Appends notes about packed trees, unless NULL. */
int cs_synth_find(const struct cs_scenario *scenario, struct cs_progress_line *display,
                  struct cs_text *notes, struct cs_arena *arena, struct cs_synth_best *best,
                  struct cs_err *err);

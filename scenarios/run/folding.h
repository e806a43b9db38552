/*
 * Folding of a run: some ranks simulated in place of all (sim/fold/).
 */
#ifndef CS_SCENARIOS_RUN_FOLDING_H
#define CS_SCENARIOS_RUN_FOLDING_H

#include "scenarios/run/run.h"

/*
 * Folds and simulates the open run where that is allowed and worthwhile.  Then
 * run->fold is set, and run->result stands for all ranks.  Otherwise run->fold is
 * NULL, and *why is the reason, "" for none worth printing.
 */
int cs_run_fold(struct cs_run *run, const char **why);

/* "8 of 64 ranks simulated, rotation by 8": for people; in the run's arena. */
const char *cs_run_fold_describe(const struct cs_run *run);

#endif

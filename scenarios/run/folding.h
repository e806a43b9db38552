/*
 * Folding of a run: simulation of representative ranks (sim/fold/).
 */
#ifndef CS_SCENARIOS_RUN_FOLDING_H
#define CS_SCENARIOS_RUN_FOLDING_H

#include "scenarios/run/run.h"

/*
 * Folds and simulates the open run where folding is allowed and worthwhile:
 * run->fold is set, and run->result covers every rank.  Otherwise run->fold is
 * NULL, and *why is the reason, "" for a trivial reason.
 */
int cs_run_fold(struct cs_run *run, const char **why);

/* "8 of 64 ranks simulated, rotation by 8", in the run's arena. */
const char *cs_run_fold_describe(const struct cs_run *run);

#endif

/*
 * Folding of a run: in space, by simulation of representative ranks (sim/fold/),
 * and in time, by jumps over rounds that repeat (sim/engine/repeat.h).
 */
#ifndef CS_SCENARIOS_RUN_FOLD_FOLDING_H
#define CS_SCENARIOS_RUN_FOLD_FOLDING_H

#include "scenarios/run/case/run.h"

/* Rounds of all lanes from which rounds that repeat are counted: fewer are
 * simulated within some milliseconds. */
enum {
    CS_RUN_JUMPS_FROM = 1 << 16
};

/* Whether a fold is searched for; otherwise *why is the reason, "" for a trivial
 * reason. */
bool cs_run_may_fold(const struct cs_run *run, const char **why);

/* Ops that are simulated at least: all, or where ranks may fold, no more than those
 * from which a fold is searched for. */
double cs_run_simulated_ops(const struct cs_run *run);

/*
 * Folds and simulates the open run where folding is allowed and worthwhile:
 * run->fold is set, and run->result covers every rank.  Otherwise run->fold is
 * NULL, and *why is the reason, "" for a trivial reason.  CS_SIMULATE_SLOWER where the
 * folded run takes more than run->limit.
 *
 * A long run whose blocks are unequal may be folded with a padded vector
 * (padding.h): run->padded_bytes is set, and a note says so.
 */
int cs_run_fold(struct cs_run *run, const char **why);

/* "8 of 64 ranks simulated, rotation by 8, 12,000 messages in rounds that
 * repeat", in the run's arena. */
const char *cs_run_fold_describe(const struct cs_run *run);

#endif

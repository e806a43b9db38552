/*
 * Completion of a scenario, once all options are read.
 */
#pragma once

#include "scenarios/run/case/run.h"
#include "scenarios/run/request/scenario.h"

/* Turns names into algorithms and -b, -e, -f into sizes; chooses what was not
 * given (model, algorithm).  CS_EINPUT for options that exclude each other or have
 * no effect. */
int cs_scenario_finish(struct cs_scenario *scenario, struct cs_err *err);

/* ---- the default algorithm ---- */

/* The ring, or the collective's first algorithm.  On several nodes of several
 * ranks, up to 512 ranks in all, the multi-ring over all adapters where the
 * collective has a multi-ring: the algorithm of NCCL for large vectors of
 * all-gather, reduce-scatter and all-reduce, and the only one of broadcast and
 * reduce.  The graph may be NULL. */
const char *cs_default_algo(const struct cs_collective *collective, const struct cs_graph *graph);

/* The default on the scenario's machine with the largest number of ranks; opens
 * the machine. */
const char *cs_default_algo_of(const struct cs_scenario *scenario);

/* Adds a note where the number of ranks makes the default a single ring, which
 * uses one of several adapters of each node. */
void cs_note_default_algo(const struct cs_run *run);

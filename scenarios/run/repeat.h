/*
 * Repetition with other random numbers: jitter, stragglers, hashes of routes, and
 * the spread of many runs.
 */
#pragma once

#include "scenarios/run/case/run.h"

/*
 * Simulates the run, with all jobs, as often as `--runs` says; run->result holds
 * the run without noise before.  Afterwards run->result and run->noise are those
 * of the run of median time (of two, the shorter), and *spread describes all runs.
 * The watch sees the median run only.
 */
int cs_run_repeat(struct cs_run *run, const struct cs_exec_watch *watch,
                  struct cs_record_spread *spread);

/*
 * Execution of a program on the machine of a run.
 */
#pragma once

#include "scenarios/run/case/run.h"

/* Simulates the run's program on the run's ranks, or a combined program on the
 * ranks of every job, with the run's faults and run->noise.  CS_EINPUT names a
 * fault that disconnects ranks for good, CS_SIMULATE_SLOWER a time beyond
 * run->limit. */
int cs_run_execute(const struct cs_run *run, const struct cs_program *program,
                   const struct cs_exec_watch *watch, struct cs_arena *arena,
                   struct cs_exec_result *result);

/*
 * Execution of a program on the machine of a run.
 */
#ifndef CS_SCENARIOS_RUN_EXECUTE_H
#define CS_SCENARIOS_RUN_EXECUTE_H

#include "scenarios/run/run.h"

/* Simulates the run's own program on its own ranks, or any other program on the
 * ranks of all jobs, with the run's faults and run->noise.  CS_EINPUT names the
 * fault where it disconnects ranks for good. */
int cs_run_execute(const struct cs_run *run, const struct cs_program *program,
                   const struct cs_exec_watch *watch, struct cs_arena *arena,
                   struct cs_exec_result *result);

#endif

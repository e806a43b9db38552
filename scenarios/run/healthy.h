/*
 * Effect of faults: a run compared with the same run on the healthy machine.
 */
#ifndef CS_SCENARIOS_RUN_HEALTHY_H
#define CS_SCENARIOS_RUN_HEALTHY_H

#include "scenarios/run/run.h"

/* Simulates all of a run: alone, with all jobs, with noise. */
typedef int cs_healthy_fn(struct cs_run *run, const struct cs_exec_watch *watch,
                          struct cs_record *record);

/* Adds to the record of a run with faults what the healthy machine takes, what
 * was the bottleneck there, and the links that carry messages with the faults
 * only.  With timed faults the bound becomes that of the healthy machine, which
 * holds at all times. */
int cs_healthy_compare(const struct cs_run *run, cs_healthy_fn *simulate,
                       struct cs_record *record);

#endif

/*
 * Effect of faults: a run compared with the same run on the healthy machine.
 */
#ifndef CS_SCENARIOS_RUN_HEALTHY_H
#define CS_SCENARIOS_RUN_HEALTHY_H

#include "scenarios/run/case/run.h"

/* Simulates a run completely: alone, with concurrent jobs, with noise. */
typedef int cs_healthy_fn(struct cs_run *run, const struct cs_exec_watch *watch,
                          struct cs_record *record);

/* Adds the healthy machine's time and bottleneck to the record of a run with
 * faults, and the links that carry messages only with the faults.  With timed
 * faults the bound becomes the healthy machine's, which holds at every time. */
int cs_healthy_compare(const struct cs_run *run, cs_healthy_fn *simulate, struct cs_record *record);

#endif

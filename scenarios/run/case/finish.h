/*
 * Completion of a scenario, once all options are read.
 */
#ifndef CS_SCENARIOS_RUN_CASE_FINISH_H
#define CS_SCENARIOS_RUN_CASE_FINISH_H

#include "scenarios/run/request/scenario.h"

/* Turns names into algorithms and -b, -e, -f into sizes; chooses what was not
 * given (model, algorithm).  CS_EINPUT for options that exclude each other or have
 * no effect. */
int cs_scenario_finish(struct cs_scenario *scenario, struct cs_err *err);

#endif

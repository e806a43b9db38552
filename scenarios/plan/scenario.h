/*
 * Scenarios: options of `collsim plan` in a YAML file; keys are the names of
 * options, as in command/scenario.h.
 */
#ifndef CS_SCENARIOS_PLAN_SCENARIO_H
#define CS_SCENARIOS_PLAN_SCENARIO_H

#include "sim/base/err.h"

/* Reads the file into a struct cs_plan_options.  CS_EINPUT with file and line. */
int cs_plan_set_scenario(void *target, const char *value, struct cs_err *err);

#endif

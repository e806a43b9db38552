/*
 * Scenarios: options of `collsim train` in a YAML file.
 *
 *     about: free text
 *     topo: cluster:node=ndv2,nodes=4
 *     model: resnet50
 *     no-overlap: true
 *
 * A key is the name of an option, true sets a flag, a list repeats an option.  Cases
 * (command/cases.h) are computed with --cases or --plot.  Later options of the command
 * override the file.  scenarios/library holds examples.
 */
#ifndef CS_SCENARIOS_TRAIN_COMMAND_SCENARIO_H
#define CS_SCENARIOS_TRAIN_COMMAND_SCENARIO_H

#include "sim/base/err.h"

/* Reads the file into a struct cs_train_options (option.h).  CS_EINPUT with file
 * and line. */
int cs_train_set_scenario(void *target, const char *value, struct cs_err *err);

#endif

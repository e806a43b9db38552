/*
 * Values of options for single systems of `collsim train`; the target is a struct
 * cs_train_options (option.h).  CS_EINPUT with what was expected.
 */
#ifndef CS_SCENARIOS_TRAIN_COMMAND_SYSTEM_OPTIONS_H
#define CS_SCENARIOS_TRAIN_COMMAND_SYSTEM_OPTIONS_H

#include "sim/base/err.h"

/* "8,12,16": the first blocks of the stages behind the first. */
int cs_train_set_cuts(void *target, const char *value, struct cs_err *err);

/* "1.5": compute time of one worker over the others'. */
int cs_train_set_straggler(void *target, const char *value, struct cs_err *err);

#endif

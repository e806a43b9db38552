/*
 * Options of `collsim train`; the target is a struct cs_train_options.
 */
#ifndef CS_SCENARIOS_TRAIN_COMMAND_OPTIONS_H
#define CS_SCENARIOS_TRAIN_COMMAND_OPTIONS_H

#include "scenarios/options/option.h"

extern const struct cs_option cs_train_option_table[];

#endif

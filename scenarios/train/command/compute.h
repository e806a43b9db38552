/*
 * The computation behind `collsim train`: step, scaling, search of an options set.
 */
#ifndef CS_SCENARIOS_TRAIN_COMMAND_COMPUTE_H
#define CS_SCENARIOS_TRAIN_COMMAND_COMPUTE_H

#include "scenarios/train/command/result.h"

/* Opens the setup of the options and fills result->step and ->one_samples_per_s;
 * for a system that searches also `search`, whose fastest configuration becomes
 * the job.  `given`, setup and search must outlive the result. */
int cs_train_compute(const struct cs_train_options *given, struct cs_train_setup *setup,
                     struct cs_search *search, struct cs_train_result *result, struct cs_err *err);

#endif

/*
 * The batch of a training job: global, of a rank, micro batches.
 */
#ifndef CS_SCENARIOS_TRAIN_COMMAND_BATCH_H
#define CS_SCENARIOS_TRAIN_COMMAND_BATCH_H

#include "scenarios/train/command/given.h"
#include "scenarios/train/systems/system.h"

/* Fills micro batch and accumulation from the options and the job's degrees;
 * CS_EINPUT for sizes that do not divide or that contradict each other. */
int cs_train_set_batch(const struct cs_train_options *given, const struct cs_train_system *system,
                       struct cs_train_job *job, struct cs_err *err);

#endif

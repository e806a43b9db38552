/*
 * One device that computes all of a job's model.
 */
#ifndef CS_SCENARIOS_TRAIN_PARALLEL_ONE_DEVICE_H
#define CS_SCENARIOS_TRAIN_PARALLEL_ONE_DEVICE_H

#include "scenarios/train/job/job.h"

/* The step of one device with `micro_batch` samples and the job's accumulation,
 * without communication; its memory may exceed the device's. */
int cs_train_one_device(const struct cs_train_job *job, double micro_batch,
                        struct cs_train_step *step, struct cs_err *err);

#endif

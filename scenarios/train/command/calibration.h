/*
 * `collsim train --log FILE`: the job that ran, by the times in its log.
 *
 * The log moves the kernels' parameters as a measured row of a publication does
 * (step_fit.h).  All that the command prints is by these then: the parts of the step, and
 * what other settings, cases and machines would take.
 */
#pragma once

#include "scenarios/train/calibrate/run_log.h"
#include "scenarios/train/calibrate/step_fit.h"
#include "scenarios/train/command/result.h"
#include "sim/base/statistics.h"

struct cs_train_calibration {
    struct cs_run_log log;
    const char *file;
    uint32_t warm_up;       /* first steps that do not count */
    struct cs_spread steps; /* s, of the others */
    double low_s, high_s;   /* of four in five of them */
    double predicted_s;     /* without the log */
    struct cs_step_fit fit;
};

/* Reads given->log and sets given->calibration and what it says of the job.  CS_EINPUT for a
 * log that is not of this job: another batch, or more FLOPs than the GPUs have. */
int cs_train_calibrate(struct cs_train_options *given, struct cs_err *err);

/* The same for options that were read anew. */
void cs_train_calibrate_as(const struct cs_train_options *calibrated,
                           struct cs_train_options *given);

/* A predicted step's 90 % interval is of so many times: after a calibration that of other
 * settings. */
double cs_train_interval(const struct cs_train_options *given);

/* Time of a measured step by cause, beside the parts of the computed one. */
struct cs_train_causes {
    double peak_s;     /* FLOPs of the model over the peak of all GPUs */
    double launches_s; /* forward and backward passes wait for the host */
    double memory_s;   /* and for the memory */
    double slower_s;   /* products below the peak, unequal stages */
    double unknown_s;  /* measured, less what is computed */
};

struct cs_train_causes cs_train_causes_of(const struct cs_train_result *result);

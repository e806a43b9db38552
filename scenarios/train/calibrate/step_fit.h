/*
 * A measured step moves the kernels' parameters and a factor on compute, in units of
 * their spreads, to the most probable values: small kernels teach the speed of the host,
 * large ones that of the device.  The step is not met exactly, for it has causes of its
 * own (CS_STEP_ROW_SPREAD).
 *
 *     fit   five rounds of a step for each parameter
 */
#pragma once

#include "scenarios/train/kernels/kernels.h"
#include "scenarios/train/systems/system.h"

/* Standard deviation of ln(predicted / measured) among the rows that one row
 * calibrates, by parameters estimated without their publisher: 0.01 to 0.14 in nine
 * tables of configurations, 0.07 in the root mean square. */
#define CS_STEP_ROW_SPREAD 0.07

/* Steps of published runs that the estimate of the kernels has not seen: nine in ten lie
 * within this factor (collsim validate training, tables of transformers). */
#define CS_STEP_INTERVAL 1.3

struct cs_step_fit {
    double parameters[CS_KERNEL_PARAMETERS];
    double scale; /* of compute */
};

/* From the job's parameters, and the time that `system` gives it. */
struct cs_step_fit cs_step_fit(const struct cs_train_system *system, const struct cs_train_job *job,
                               double measured_s);

/* The fit must outlive the job. */
void cs_step_fit_apply(const struct cs_step_fit *fit, struct cs_train_job *job);

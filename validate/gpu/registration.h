/*
 * Registered predictions: whether a prediction was written down before the run.
 *
 * `validate predict` writes a line of kind "predicted" for every run of the
 * measurement plan (prediction_list.h).  A prediction counts as registered
 * before the run when the line is older than the measurement and the model
 * still gives the same time; a later change of model or calibration shows.
 *
 *     find, is_planned   O(lines)
 */
#ifndef CS_VALIDATE_GPU_REGISTRATION_H
#define CS_VALIDATE_GPU_REGISTRATION_H

#include "validate/gpu/measured.h"

#include <stdbool.h>

enum cs_registered {
    CS_REGISTERED_NOT,
    CS_REGISTERED_BEFORE,  /* before the run, with today's time */
    CS_REGISTERED_AFTER,   /* when the run was measured, or later */
    CS_REGISTERED_CHANGED, /* with a time that today's model does not give */
    CS_REGISTERED_COUNT,
};

/* Whether two lines are about the same program in the same configuration.  A
 * size that is skipped because a smaller size was skipped has no channels. */
bool cs_registration_same_run(const struct cs_measured *a, const struct cs_measured *b);

/* The registration of a run whose predicted time is time_s.  Of several lines
 * the strongest counts: before, after, changed.  `written` is the line, or
 * NULL. */
enum cs_registered cs_registration_find(const struct cs_measurements *all,
                                        const struct cs_measured *run, double time_s,
                                        const struct cs_measured **written);

/* Whether one of the first `end` lines predicts the same run. */
bool cs_registration_is_planned(const struct cs_measurements *all, size_t end,
                                const struct cs_measured *run);

#endif

/*
 * Prediction lists: predictions written down before any measurement.
 *
 * The calibration of a GPU determines the predicted time of every run of the
 * plan of measure.sh.  A list has a JSON line of kind "predicted" for each run,
 * with the sources' commit, the calibration and the date; comparison.h
 * compares the lines with later measurements.
 *
 *     write    O(lines) for each GPU, and a simulation for each prediction
 */
#pragma once

#include "sim/base/text.h"
#include "validate/gpu/measured.h"

struct cs_prediction_list {
    const char *date;  /* 2026-11-22T12:00:00Z */
    uint64_t count;    /* lines with a time */
    uint64_t left_out; /* lines without a time: not calibrated */
    uint64_t runs;     /* measured already, hence not predicted beforehand */
    uint64_t hash;     /* of the lines */
};

/* Appends the lines of every calibrated GPU to `text`; CS_ECANNOT without a
 * calibrated GPU. */
int cs_prediction_list_write(const struct cs_measurements *all, struct cs_prediction_list *list,
                             struct cs_text *text, struct cs_err *err);

/* The commit of this program's sources; "unknown" outside a checkout. */
extern const char cs_prediction_commit[];

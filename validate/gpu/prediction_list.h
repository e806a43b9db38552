/*
 * Predictions that are written down before anything is measured.
 *
 * As soon as a GPU is calibrated, what every run of the grid of measure.sh will
 * take is known: a line for each, of kind "predicted", with the sources' commit,
 * the calibration and the date.  Beside measurements (comparison.h) each shows
 * whether it is older than the run, and still what the model says.
 *
 *     write    O(lines) for each GPU, and a simulation for each
 */
#ifndef CS_VALIDATE_GPU_PREDICTION_LIST_H
#define CS_VALIDATE_GPU_PREDICTION_LIST_H

#include "sim/base/text.h"
#include "validate/gpu/measured.h"

struct cs_prediction_list {
    const char *date;  /* 2026-11-22T12:00:00Z */
    uint64_t count;    /* lines with a time */
    uint64_t left_out; /* lines without: the calibration is not enough */
    uint64_t runs;     /* measured already: these are not predicted before */
    uint64_t hash;     /* of the lines */
};

/* Appends the lines of every GPU that was calibrated; CS_ECANNOT where none
 * was. */
int cs_prediction_list_write(const struct cs_measurements *all,
                             struct cs_prediction_list *list,
                             struct cs_text *text, struct cs_err *err);

/* Of the sources that this program is made from; "unknown" outside a checkout. */
extern const char cs_prediction_commit[];

#endif

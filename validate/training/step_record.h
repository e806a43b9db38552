/*
 * Recorded scores: the gate of published training steps.
 *
 * score.csv has the columns of `collsim validate training --scores --csv`,
 * written by a version of this program.  A later version fails where the mean or
 * the 90th percentile of a table is worse than the record allows (record.h), where a
 * row is no longer served, or where fewer of the fastest configurations are
 * found; and where less than CS_STEP_FOUND of all of them are.
 *
 *     read    O(bytes)
 */
#ifndef CS_VALIDATE_TRAINING_STEP_RECORD_H
#define CS_VALIDATE_TRAINING_STEP_RECORD_H

#include "validate/lines/record.h"
#include "validate/training/step_score.h"

/* Fastest configurations among the first three, of all groups. */
#define CS_STEP_FOUND 0.9

struct cs_step_record {
    const char *table;
    uint32_t served, found;
    double mean, p90; /* calibrated; NAN: no such row */
    double plain_mean, plain_p90;
    double memory_mean, memory_p90;
};

/* Lines are struct cs_step_record. */
extern const struct cs_record_form cs_training_record;

/* The sheet of scores, which is the record as CSV; the caller frees. */
void cs_step_score_sheet(const struct cs_step_score *scores, uint32_t count,
                         struct cs_sheet *sheet);

/* CS_EANSWER for the first table that is worse than recorded. */
int cs_step_records_judge(const struct cs_recorded_lines *records,
                          const struct cs_step_score *scores, uint32_t count, struct cs_err *err);

#endif

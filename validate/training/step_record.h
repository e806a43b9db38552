/*
 * Recorded scores: the gate of published training steps.
 *
 * score.csv has the columns of `collsim validate training --scores --csv`,
 * written by a version of this program.  A later version fails where the mean or
 * the 90th percentile of a table is worse by more than CS_STEP_SLACK, where a
 * row is no longer served, or where fewer of the fastest configurations are
 * found; and where less than CS_STEP_FOUND of all of them are.
 *
 *     read    O(bytes)
 */
#ifndef CS_VALIDATE_TRAINING_STEP_RECORD_H
#define CS_VALIDATE_TRAINING_STEP_RECORD_H

#include "reports/results/sheet.h"
#include "validate/training/step_score.h"

/* A point, as a share. */
#define CS_STEP_SLACK 0.01
/* Fastest configurations among the first three, of all groups. */
#define CS_STEP_FOUND 0.9

struct cs_step_record {
    const char *table;
    uint32_t served, found;
    double mean, p90; /* calibrated; NAN: no such row */
    double plain_mean, plain_p90;
    double memory_mean, memory_p90;
};

struct cs_step_records {
    const struct cs_step_record *items;
    uint32_t count;
};

/* The sheet of scores, which is the record as CSV; the caller frees. */
void cs_step_score_sheet(const struct cs_step_score *scores, uint32_t count,
                         struct cs_sheet *sheet);

/* CS_EINPUT with file and line for a text of another form. */
int cs_step_records_read(struct cs_published_text text, struct cs_arena *arena,
                         struct cs_step_records *records, struct cs_err *err);

/* Reads score.csv of a directory; NULL: the record that the program carries. */
int cs_step_records_open(const char *directory, struct cs_arena *arena,
                         struct cs_step_records *records, struct cs_err *err);

/* CS_EANSWER for the first table that is worse than recorded. */
int cs_step_records_judge(const struct cs_step_records *records, const struct cs_step_score *scores,
                          uint32_t count, struct cs_err *err);

#endif

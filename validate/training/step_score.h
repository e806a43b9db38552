/*
 * Scores of predicted training steps.
 *
 *     |error| of a row   |predicted / measured - 1|
 *     of a table         mean, median and 90th percentile over its rows
 *     signed             mean of predicted / measured - 1
 *
 * A row that calibrates others is not scored where one row calibrates.  All
 * predictors meet the same rows: those that the model serves.
 *
 * Memory is scored apart, on rows whose memory was measured; no row calibrates it.
 *
 * Repeated rows, of one framework, machine, model, degrees and batch, differ from their
 * mean by what no model of these inputs can predict.
 *
 * Ranking: of rows of one model, machine and number of GPUs, whether the
 * fastest as measured is among the three that are fastest as predicted; groups
 * of at least CS_STEP_CHOICES_MIN rows.
 *
 *     scores   O(rows^2) comparisons inside a table
 */
#pragma once

#include "validate/lines/record.h"
#include "validate/training/step_rows.h"

#include <stdbool.h>

/*
 * Baselines of training steps: what a planning sheet predicts.
 *
 *     perfect    the calibrating row, scaled by FLOPs over GPUs
 *     6ND        6 FLOPs per parameter and token at 45 % of peak
 *     compact    FLOPs at half of peak, tensor-parallel all-reduces, bubble, and
 *                data-parallel all-reduce at data-sheet rates, none overlapped;
 *                FLOPs of a scaling row are the calibrating row's time
 *
 * FLOPs of a step are 6 N + 12 L h s per token, times 4/3 with full
 * recomputation.  NAN: the row lacks a figure that the baseline needs.
 */

enum cs_step_baseline {
    CS_STEP_PERFECT,
    CS_STEP_SIX_ND,
    CS_STEP_COMPACT,
    CS_STEP_BASELINES,
};

/* Seconds of a step, or per sample of the job where the batch is unknown.
 * `peak_flops` is the data sheet's of one GPU; 0: unknown. */
double cs_step_baseline_s(enum cs_step_baseline baseline, const struct cs_step_row *row,
                          const struct cs_step_row *anchor, double peak_flops);

enum {
    CS_STEP_CHOICES_MIN = 4,
};

enum cs_step_predictor {
    CS_STEP_CALIBRATED, /* compute scaled by one measured row */
    CS_STEP_PLAIN,      /* machine, model and degrees alone */
    CS_STEP_BY_PERFECT,
    CS_STEP_BY_SIX_ND,
    CS_STEP_BY_COMPACT,
    CS_STEP_PREDICTORS,
};

/* Seconds as of cs_step_measured_s; NAN: no prediction. */
struct cs_step_answer {
    double predicted_s[CS_STEP_PREDICTORS];
    double memory_bytes;  /* of the peak device; NAN: no prediction */
    double device_bytes;  /* that such a device has, of a language model's job; 0: other */
    const char *command;  /* that gives CS_STEP_PLAIN; NULL: none */
    const char *unserved; /* the reason without a prediction; NULL: served */
    bool calibrates;      /* its measured time calibrated the model */
};

struct cs_step_error {
    uint32_t rows; /* 0: none, the others are NAN */
    double mean, median, p90, signed_mean;
};

struct cs_step_score {
    const struct cs_step_table *table;
    uint32_t rows, served;
    uint32_t language, refused; /* jobs of language models; that exceed the memory */
    /* CS_STEP_PLAIN over all rows served, the others without rows that
     * calibrate. */
    struct cs_step_error error[CS_STEP_PREDICTORS];
    struct cs_step_error beside;   /* CS_STEP_PLAIN on the calibrated rows */
    struct cs_step_error memory;   /* of the rows with measured memory */
    struct cs_step_error repeated; /* measured, of rows with equal inputs */
    uint32_t choices;              /* groups of the ranking */
    uint32_t found, compact_found; /* by the model, by the compact formula */
};

/* One predictor over the rows of a table; NULL: of all tables. */
struct cs_step_error cs_step_error_of(const struct cs_step_data *steps,
                                      const struct cs_step_answer *answers,
                                      const struct cs_step_table *table,
                                      enum cs_step_predictor predictor, struct cs_arena *arena);

/* A score for each table, in the arena, by index of the table. */
const struct cs_step_score *cs_step_scores(const struct cs_step_data *steps,
                                           const struct cs_step_answer *answers,
                                           struct cs_arena *arena);

/* Indices of the rows that count for the calibrated score, worst first, in the
 * arena; returns their number. */
uint32_t cs_step_worst(const struct cs_step_data *steps, const struct cs_step_answer *answers,
                       struct cs_arena *arena, uint32_t **rows);

/*
 * Groups of training steps: rows that one measured row calibrates.
 *
 * Configurations of one model, GPU, precision and framework share the speed of
 * the kernels, and so do the systems of one framework; rows of a scaling table share
 * one series.  The row that gives the
 * speed is the one with the fewest GPUs, of these with the least pipeline, then
 * the least tensor and context parallelism, for compute takes most of its time;
 * of these the first as published.
 *
 *     anchors    O(rows^2)
 */

/* Whether a choice between the rows is a choice of configuration alone: one
 * model, sequence, machine and number of GPUs. */
bool cs_step_same_choice(const struct cs_step_row *a, const struct cs_step_row *b);

/* Index of the calibrating row of each row, in the arena; rows
 * with `skip` set calibrate no other row. */
const uint32_t *cs_step_anchors(const struct cs_step_data *steps, const bool *skip,
                                struct cs_arena *arena);

/* Seconds of a step, or per sample of the job where the batch is unknown. */
double cs_step_measured_s(const struct cs_step_row *row);

/*
 * Recorded scores: the gate of published training steps.
 *
 * score.csv has the columns of `collsim validate training --scores --csv`,
 * written by a version of this program.  A later version fails where the mean or
 * the 90th percentile of a table is worse than the record allows (record.h), where a
 * row is no longer served, or where fewer of the fastest configurations are
 * found; and where less than CS_STEP_FOUND of all of them are, or more than
 * CS_STEP_REFUSED_MAX jobs exceed the memory.
 *
 *     read    O(bytes)
 */

/* Fastest configurations among the first three, of all groups. */
#define CS_STEP_FOUND 0.9

/* Jobs that ran, and exceed the memory by the model, of all tables. */
enum {
    CS_STEP_REFUSED_MAX = 30
};

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

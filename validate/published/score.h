/*
 * Scores of predictions on published tables.
 *
 *     |error| of a row     exp |ln(predicted / measured)| - 1
 *     of a table           exp(mean of |ln|) - 1, over its rows of a size range
 *     of a group           median and 90th percentile over its tables
 *
 * A table counts once, with few rows or many.  Tables that are not healthy have
 * groups of their own.  A row without a prediction of the model counts for no
 * predictor: predictors meet equal rows.
 *
 * Biases, the order of the worst tables and intervals take the prediction
 * without the site where present.
 *
 *     scores   O(groups * rows)
 */
#ifndef CS_VALIDATE_PUBLISHED_SCORE_H
#define CS_VALIDATE_PUBLISHED_SCORE_H

#include "validate/published/prediction.h"

/* Ranges of sizes.  Below 64 KiB broadcast and reduce of nccl-tests stand apart:
 * a root may start the next call before the last rank has ended, so the loop
 * measures the rate of issue. */
enum cs_size_range {
    CS_SIZES_FROM_64K,
    CS_SIZES_BELOW_64K,
    CS_SIZES_FROM_256M,
    CS_SIZES_ROOTED_BELOW_64K,
    CS_SIZE_RANGES,
};

struct cs_published_score {
    /* "library", "seen" and "unseen" (no_estimate is "held out"), "class", "site",
     * "health" */
    const char *group;
    const char *name; /* "nccl" (with RCCL), "efa", "microsoft", "doubtful" */
    enum cs_size_range sizes;
    uint32_t tables, rows;
    double median[CS_PREDICTORS], p90[CS_PREDICTORS];
    double bias;      /* exp(median over tables of the mean ln) - 1 */
    uint32_t bounded; /* rows with an interval, and rows inside */
    uint32_t inside;
};

/* The scores of groups with at least a table, in the arena; returns the
 * number. */
uint32_t cs_published_scores(const struct cs_published_answer *answers, uint32_t count,
                             struct cs_arena *arena, struct cs_published_score **scores);

/* Whether a row of the table is in the range. */
bool cs_size_range_has(const struct cs_published_table *table, uint64_t bytes,
                       enum cs_size_range sizes);

/* "from-64KiB". */
extern const char *const cs_size_range_names[CS_SIZE_RANGES];

/* A table in a range of sizes; rows 0: no row predicted. */
struct cs_table_error {
    const struct cs_published_answer *answer;
    uint32_t rows;
    double error[CS_PREDICTORS];
    double bias; /* exp(mean ln) - 1 */
};

struct cs_table_error cs_published_table_error(const struct cs_published_answer *answer,
                                               enum cs_size_range sizes);

/* The tables with rows in the range, worst first, in the arena; returns their
 * number. */
uint32_t cs_published_worst(const struct cs_published_answer *answers, uint32_t count,
                            enum cs_size_range sizes, struct cs_arena *arena,
                            struct cs_table_error **errors);

/* ln(predicted / measured) of a row; NAN without a prediction of the model. */
double cs_published_log(const struct cs_published_answer *answer, uint32_t row,
                        enum cs_predictor predictor);

/* The predictor of signed errors: without the site, so that the tables of the
 * row took no part; otherwise the shipped parameters. */
enum cs_predictor cs_published_fair(const struct cs_published_point *point);

#endif

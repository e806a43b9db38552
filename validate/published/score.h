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
#pragma once

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

/*
 * Signed errors of predictions on published tables, by machine class and by
 * decade of sizes, of the prediction without the site where that exists
 * (cs_published_fair).
 *
 *     biases   O(rows)
 */

/* Decades of sizes: below 64 KiB, to 1, 16 and 256 MiB, and above. */
enum {
    CS_SIZE_DECADES = 5
};

struct cs_published_bias {
    const char *name; /* of a class, or "all" */
    uint32_t rows[CS_SIZE_DECADES + 1];
    /* exp(mean ln) - 1; the last: all sizes. */
    double bias[CS_SIZE_DECADES + 1];
};

/* Signed errors by class and decade over rows of healthy tables, in the arena;
 * "all" is last.  Returns the number of lines. */
uint32_t cs_published_biases(const struct cs_published_answer *answers, uint32_t count,
                             struct cs_arena *arena, struct cs_published_bias **biases);

/* The decade of a table with the largest |mean ln|; rows 0: none predicted. */
struct cs_decade_error {
    uint32_t decade, rows;
    double bias;      /* exp(mean ln) - 1 */
    const char *part; /* "launch", "latency", "transfer": most of the predicted
                         time of these rows */
};

struct cs_decade_error cs_published_worst_decade(const struct cs_published_answer *answer);

/* "below 64 KiB". */
extern const char *const cs_size_decade_names[CS_SIZE_DECADES];

/*
 * Noise of published tables: the difference between two tables of a call on
 * machines of a kind.
 *
 * Two healthy tables make a pair when collective, ranks, nodes, machine class,
 * library, forced engine and protocol agree, and the GPU model; between nodes and
 * for MPI the description of the machine as well.  A pair counts once for the rows
 * of equal sizes.  No model can be right on both tables of a pair to less than half
 * of their difference.
 *
 *     measure   O(tables^2 * rows)
 */

struct cs_site_noise {
    uint32_t pairs;
    double median, p90; /* of exp(mean |ln|) - 1; NAN without a pair */
};

/* Pairs of different sites, or of one site with itself (`same_site`), in a
 * range of sizes; the arena has the values. */
struct cs_site_noise cs_site_noise_of(const struct cs_published *published,
                                      enum cs_size_range sizes, bool same_site,
                                      struct cs_arena *arena);

/*
 * Estimates of parameters (algorithms/libraries/parameters.h) from published
 * tables.
 *
 * The values minimise, in ln(value),
 *
 *     sum over rows    soft(w ln(predicted / measured))
 *   + sum over values  soft(ESTIMATE_PRIOR ln(value / prior) / spread)
 *
 * with the loss soft of sim/base/soft_loss.h, a square below c and linear above:
 * a row far from the model pulls no harder than its neighbours.  w is
 * ESTIMATE_SITE / sqrt(tables of the site x rows of the table), and
 * ESTIMATE_SMALL times as much below 64 KiB: neither a table with many rows nor
 * a publisher of many tables, which share machine, people and causes of error,
 * weighs more than others.  Tables are the healthy ones of the set's libraries
 * with an empty no_estimate.
 *
 * The search starts at the priors, with a site left out as well: values depend
 * neither on the values in the program nor on an estimate with the site.
 *
 *     make     a choice of the library for each row, and 2 times for each parameter
 *     solve    tens of evaluations of each row with its parameters; seconds at
 *              most
 */
#pragma once

#include "algorithms/libraries/parameters.h"
#include "validate/published/prediction.h"

/* Residual from which the loss is linear. */
#define ESTIMATE_CORNER 0.3
/* Weights of a site's tables together, of rows below 64 KiB, and of a deviation
 * from a prior by its spread. */
#define ESTIMATE_SITE  4.5
#define ESTIMATE_SMALL 0.6
#define ESTIMATE_PRIOR 0.7

/* A row of a table within the model. */
struct cs_estimate_row {
    uint32_t answer, row; /* indices */
    struct cs_library_request request;
    const void *call; /* cs_library.prepare */
    double weight;    /* 0: not for estimates */
    uint32_t *parameters;
    uint32_t parameter_count; /* parameters of the time */
};

struct cs_estimate_rows {
    const struct cs_parameters *set;
    const struct cs_published_answer *answers;
    struct cs_estimate_row *items;
    uint32_t count;
    uint32_t tables; /* with weight */
};

enum {
    CS_ESTIMATE_SETS = 2,
};

/* The sets that published tables estimate. */
extern const struct cs_parameters *const cs_estimate_sets[CS_ESTIMATE_SETS];

/* Prepares the rows of all answers of the set's libraries; memory is in the
 * arena, and the answers must outlive the rows. */
void cs_estimate_prepare(const struct cs_published_answer *answers, uint32_t count,
                         const struct cs_parameters *set, struct cs_arena *arena,
                         struct cs_estimate_rows *rows);

/* Writes the values of the set estimated without the tables of a site; NULL: from
 * all. */
int cs_estimate_solve(const struct cs_estimate_rows *rows, const char *without, double *values,
                      struct cs_err *err);

/* Predicts a row with the values of the caller, without an interval. */
void cs_estimate_time(const struct cs_estimate_rows *rows, const struct cs_estimate_row *row,
                      const double *values, struct cs_library_time *time);

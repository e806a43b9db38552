/*
 * Rows, parameters and the answer of a fit; fit.h has the formulas.
 */
#ifndef CS_VALIDATE_FIT_STATE_H
#define CS_VALIDATE_FIT_STATE_H

#include "algorithms/libraries/library.h"
#include "sim/engine/progress.h"

enum {
    CS_FIT_FOLDS_MAX = 8,
};

/* A measured call.  Only `request`, `measured_s` and `table` are set before; the
 * request and its site outlive the fit. */
struct cs_fit_row {
    struct cs_library_request request; /* parameters: not read */
    double measured_s;
    uint32_t table;
    uint32_t row;             /* of the table; for callers */
    const void *call;         /* cs_library.prepare */
    double before_s, after_s; /* by the prior, by the fitted values */
    double held_out_s;        /* by values from the other folds */
    double weight;            /* of the last solution, 0 to 1.25 */
    uint32_t fold;
};

struct cs_fit_parameter {
    uint32_t parameter; /* index in the library's parameters */
    double prior, spread;
    bool is_machine; /* MACHINE of the definitions: a prior with tails */
    double value;
    double error; /* standard, of ln(value) */
    /* 1 - (error / spread)^2: share of the prior's variance that the rows
     * remove. */
    double learned;
};

/* Values to start from and their spreads of ln, by the library's parameters. */
struct cs_fit_prior {
    double values[CS_PARAMETERS_MAX];
    double spreads[CS_PARAMETERS_MAX];
};

struct cs_fit {
    const struct cs_library *library; /* set before */
    struct cs_fit_row *rows;          /* set before */
    uint32_t row_count;               /* set before */
    struct cs_fit_prior prior;        /* set before */
    const struct cs_monitor *monitor; /* set before; or NULL */
    uint32_t solves, solved;          /* for the monitor */
    struct cs_fit_parameter *parameters;
    uint32_t count;
    double *correlations;             /* count x count */
    double values[CS_PARAMETERS_MAX]; /* all */
    double noise;                     /* sigma */
    double neighbours;                /* rho */
    uint32_t outliers;                /* rows with a weight below .25 */
    double before, after;             /* mean |r|, in sample */
    double held_out_before, held_out; /* the same of held-out rows */
    uint32_t folds;
    double kappa; /* INFINITY: the values are the prior */
};

#endif

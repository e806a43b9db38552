/*
 * Rows, parameters and the answer of a fit; fit.h has the formulas.
 */
#pragma once

#include "algorithms/libraries/library.h"
#include "sim/base/mem.h"
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

/*
 * The least squares of a fit: weights, noise, solution and covariance for a set
 * of rows (fit.h has the formulas).
 */

struct cs_fit_problem {
    const struct cs_fit *fit;
    const uint32_t *rows; /* indices */
    uint32_t row_count;
    double kappa;
    double *values;   /* of the last evaluation */
    double *unknowns; /* fit->count */
    double *weights;  /* row_count */
    double *ones;     /* row_count */
    /* Of the prior at the solution, for the covariance; NULL: the prior itself. */
    const double *slopes;
    double sigma; /* noise of a row */
    double scale; /* s */
    double neighbours;
};

/* Allocates a problem for the rows, which the caller keeps. */
struct cs_fit_problem cs_fit_problem_open(const struct cs_fit *fit, const uint32_t *rows,
                                          uint32_t row_count, double kappa, struct cs_arena *arena);

/* Solves from the prior; `unknowns` and `values` are the solution. */
int cs_fit_problem_solve(struct cs_fit_problem *problem, struct cs_arena *arena,
                         struct cs_err *err);

/* Covariance of the unknowns at the solution, with kappa = 1. */
int cs_fit_problem_covariance(struct cs_fit_problem *problem, double *covariance,
                              struct cs_err *err);

/* The prior's variance of an unknown, in squares of its spread: 1, and of a
 * property of a machine what its tail makes of it at the value. */
double cs_fit_prior_variance(const struct cs_fit_parameter *is, double unknown);

/* The median; sorts the values, of which there is at least one. */
double cs_fit_median(double *values, uint32_t count);

/* The time of a row by values. */
double cs_fit_row_time(const struct cs_fit *fit, const struct cs_fit_row *row,
                       const double *values);

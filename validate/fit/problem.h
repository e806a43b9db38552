/*
 * The least squares of a fit: weights, noise, solution and covariance for a set
 * of rows (fit.h has the formulas).
 */
#ifndef CS_VALIDATE_FIT_PROBLEM_H
#define CS_VALIDATE_FIT_PROBLEM_H

#include "sim/base/mem.h"
#include "validate/fit/state.h"

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

#endif

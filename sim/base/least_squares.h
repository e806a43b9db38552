/*
 * Least squares: the unknowns with the smallest sum of squared residuals.
 *
 * Levenberg-Marquardt in a trust region (GSL, gsl_multifit_nlinear), with
 * derivatives by differences; with the caller's sparse derivatives the normal
 * equations instead (gsl_multilarge_nlinear).
 *
 * A build without GSL (CS_NO_GSL) refuses both, with CS_ECANNOT.
 *
 *     solve   tens of evaluations; memory O(unknowns * residuals), with sparse
 *             derivatives O(unknowns^2 + residuals)
 */
#pragma once

#include "sim/base/err.h"

#include <stdint.h>

struct cs_least_squares {
    uint32_t unknowns;
    uint32_t residuals; /* at least as many as unknowns */
    /* Writes the residuals at `x`, finite for every finite x. */
    void (*evaluate)(const void *context, const double *x, double *residuals);
    const void *context;
    /* Writes the unknowns that one residual depends on, and its derivatives by
     * them at `x`; returns their number.  NULL: by differences. */
    uint32_t (*derive)(const void *context, const double *x, uint32_t residual, uint32_t *unknowns,
                       double *derivatives);
    /* Relative change of the unknowns and of the gradient at the end; 0: 1e-8. */
    double precision;
};

/* Improves the start `x` in place.  CS_ECANNOT where the search cannot start; a
 * search that ends before convergence keeps its best point. */
int cs_least_squares_solve(const struct cs_least_squares *problem, double *x, struct cs_err *err);

/* Writes the unknowns x unknowns covariance inv(J'J) at `x`, J by differences:
 * that of the unknowns where residuals have a standard deviation of 1.
 * CS_ECANNOT as solve, and without memory. */
int cs_least_squares_covariance(const struct cs_least_squares *problem, const double *x,
                                double *covariance, struct cs_err *err);

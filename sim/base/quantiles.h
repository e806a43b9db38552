/*
 * Quantiles of the standard normal and of Student's distribution.
 *
 *     normal    O(1); the digits of GSL's gsl_cdf_ugaussian_Pinv
 *     student   O(degrees), of at most CS_QUANTILES_TERMS; within 3e-16 of the true value
 */
#ifndef CS_SIM_BASE_QUANTILES_H
#define CS_SIM_BASE_QUANTILES_H

#include <stdint.h>

enum {
    CS_QUANTILES_TERMS = 2000 /* degrees of freedom beyond: by an expansion */
};

/* The value that a share `at`, 0 < at < 1, of normal values does not exceed. */
double cs_quantile_normal(double at);

/* The t that a share `at`, 0.5 < at < 1, does not exceed; degrees > 0. */
double cs_quantile_student(double at, uint64_t degrees);

#endif

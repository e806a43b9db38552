/*
 * Statistics: the spread of many runs of the same, and the quantiles behind it.
 */
#pragma once

#include <stdint.h>

enum {
    CS_QUANTILES_TERMS = 2000 /* degrees of freedom beyond: by an expansion */
};

/* The value that a share `at`, 0 < at < 1, of standard normal values does not exceed: the
 * digits of GSL's gsl_cdf_ugaussian_Pinv.  O(1). */
double cs_quantile_normal(double at);

/* The t that a share `at`, 0.5 < at < 1, of Student's distribution does not exceed, within
 * 3e-16 of the true value; degrees > 0.  O(degrees), of at most CS_QUANTILES_TERMS. */
double cs_quantile_student(double at, uint64_t degrees);

struct cs_spread {
    double mean;
    double sd; /* of the sample; 0 for one run */
    /* 95 % confidence interval of the mean: of each side the outer end of
     * Student's interval and of Hall's, which corrects for a skewed sample
     * (statistics.c); the mean itself for one run.  Of values that are
     * all 0 or more it begins at 0 or above: times have no mean below, so that
     * what is cut off never holds it, and the coverage stays. Without a third moment
     * (heavy tails) the coverage is lower: of pareto with shape 2.5, 87 % of
     * samples of 10 runs, 93 % of 100, 95 % of 1,000; Student's alone 79, 89
     * and 93 %. */
    double mean_low, mean_high;
    double least, p5, median, p95, p99, most;
};

/* Of `count` > 0 values, which are sorted in place.  Percentiles lie between
 * neighbours in proportion (GSL's, R's type 7).  O(n log n). */
struct cs_spread cs_spread_of(double *values, uint64_t count);

/* Mean of the largest of `count` > 0 standard normal values: Blom's quantile
 * (count - 3/8) / (count + 1/4), within 5 %.  O(1). */
double cs_normal_largest(double count);

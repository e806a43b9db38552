/*
 * Distributions of random times, by their quantiles.
 *
 *     constant     value
 *     normal       mean, sd         cut off at 0
 *     lognormal    median, sigma    exp of a normal of mean ln median
 *     exponential  mean
 *     gumbel       mode, scale      of maxima; cut off at 0
 *     weibull      scale, shape
 *     pareto       least, shape     shape > 1, else the mean is infinite
 *
 * No draw is negative: noise only adds time.  A distribution is a line in
 * distribution.c; the quantiles have GSL's digits.
 */
#pragma once

#include "sim/base/err.h"

#include <stdbool.h>
#include <stdint.h>

/* A distribution with its parameters: times in picoseconds, shapes as given. */
struct cs_distribution {
    const struct cs_distribution_kind *kind;
    double first;
    double second;
};

/* Reads "exponential,mean=2us".  CS_EINPUT with the nearest right name. */
int cs_distribution_read(const char *text, struct cs_distribution *distribution,
                         struct cs_err *err);

/* With infinite variance (pareto of a shape up to 2), no confidence interval
 * describes the spread of means. */
bool cs_distribution_has_variance(const struct cs_distribution *distribution);

/* With infinite skewness (pareto of a shape up to 3), the mean of few draws
 * hardly bounds its own error: statistics.h has figures. */
bool cs_distribution_has_skewness(const struct cs_distribution *distribution);

/* The quantile `at`, 0 < at < 1, at least 0 and at most about 10 days, in
 * picoseconds. */
uint64_t cs_distribution_quantile_ps(const struct cs_distribution *distribution, double at);

/* A draw from 64 random bits. */
uint64_t cs_distribution_draw_ps(const struct cs_distribution *distribution, uint64_t bits);

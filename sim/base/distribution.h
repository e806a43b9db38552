/*
 * Laws: distributions of times that are drawn, by their quantiles.
 *
 *     constant     value
 *     normal       mean, sd         cut off at 0
 *     lognormal    median, sigma    exp of a normal of mean ln median
 *     exponential  mean
 *     gumbel       mode, scale      of maxima; cut off at 0
 *     weibull      scale, shape
 *     pareto       least, shape     shape > 1, else there is no mean
 *
 * Nothing drawn is negative: noise makes nothing faster.  A law is a line in
 * distribution.c; the quantiles are GSL's.
 */
#ifndef CS_SIM_BASE_DISTRIBUTION_H
#define CS_SIM_BASE_DISTRIBUTION_H

#include "sim/base/err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A law with its parameters: times in picoseconds, shapes as they are. */
struct cs_distribution {
    const struct cs_distribution_kind *kind;
    double first;
    double second;
};

/* Reads "exponential,mean=2us".  CS_EINPUT with the nearest right name. */
int cs_distribution_read(const char *text, struct cs_distribution *distribution,
                         struct cs_err *err);

/* Without one (pareto of a shape up to 2), means of many draws spread in ways
 * that no confidence interval tells. */
bool cs_distribution_has_variance(const struct cs_distribution *distribution);

/* Without one (pareto of a shape up to 3), a mean of few draws hardly tells how
 * far off it may be: statistics.h has figures. */
bool cs_distribution_has_skewness(const struct cs_distribution *distribution);

/* The time that a share `at` of all draws stays below, 0 < at < 1, at least 0
 * and at most some 10 days, in picoseconds. */
uint64_t cs_distribution_quantile_ps(const struct cs_distribution *distribution,
                                     double at);

/* The same of 64 random bits. */
uint64_t cs_distribution_draw_ps(const struct cs_distribution *distribution,
                                 uint64_t bits);

#endif

/*
 * Likelihood of a table of measured times under a prediction.
 *
 * r = ln(measured / predicted) of a healthy machine is nearly smooth in size: most of
 * the error of a cost model is common to a table, and small and large sizes err
 * apart.  Two parts, each to a power, since every model of such errors is too sure
 * where a library changes its protocol:
 *
 *     levels   the medians of r in the four bands of sizes: a multivariate t of 3
 *              degrees of freedom whose 90 % interval is that of the band, correlated
 *              by exp(-|octaves| / 5); power .5
 *     steps    the differences of r from size to size: independent t with scale and
 *              degrees of freedom of the band, for each square root of an octave, and
 *              the level of the last sizes; power .3
 *
 * Sizes closer than half an octave count as one, by the median of r.  A size that
 * takes 1.5 times as long as both neighbours, where these agree, is odd and left out.
 *
 * Form and numbers are chosen on healthy published tables; `collsim validate
 * published --verdicts` scores them.
 *
 *     open    O(points)
 *     of      O(points), no allocation
 */
#pragma once

#include "algorithms/libraries/nccl/interval.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    CS_LIKELIHOOD_BANDS = CS_NCCL_INTERVAL_SIZES,
    CS_LIKELIHOOD_STEPS_MAX = 96,
};

/* A size: its measured time, and the spread of ln(time) over healthy machines. */
struct cs_likelihood_point {
    uint64_t bytes;
    double measured_s;
    double spread;
    bool is_odd; /* set by open */
};

struct cs_likelihood {
    const struct cs_likelihood_point *points;
    uint32_t count;
    bool is_network; /* between nodes: steps scatter more */
    /* Bands with points, and the points of each: [from, to). */
    uint32_t bands;
    uint32_t from[CS_LIKELIHOOD_BANDS], to[CS_LIKELIHOOD_BANDS];
    double spread[CS_LIKELIHOOD_BANDS];
    double octave[CS_LIKELIHOOD_BANDS]; /* the mean of log2(bytes) */
};

/* `points` in order of size, at least one; marks the odd ones against the expected
 * times.  The points must outlive the likelihood. */
void cs_likelihood_open(struct cs_likelihood_point *points, uint32_t count,
                        const double *expected_s, bool is_network, struct cs_likelihood *is);

/* ln L of predicted times.  `unknown` is the spread of a further smooth error: 0, but
 * for a cause that is not known. */
double cs_likelihood_of(const struct cs_likelihood *is, const double *predicted_s, double unknown);

/* The median of ln(a / b) over the points of a band that are not odd. */
double cs_likelihood_level(const struct cs_likelihood *is, uint32_t band, const double *a,
                           const double *b);

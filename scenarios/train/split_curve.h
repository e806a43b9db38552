/*
 * The time of a batch in m micro batches on s equal stages:
 *
 *     T(m) = (m + s - 1) (T_1/(s m) + o)
 *
 * T_1 is the time of all stages one after another, copies between them included;
 * o is the overhead of a stage for each micro batch.  The least is at
 * m = sqrt((s - 1) T_1 / (s o)).
 */
#ifndef CS_SCENARIOS_TRAIN_SPLIT_CURVE_H
#define CS_SCENARIOS_TRAIN_SPLIT_CURVE_H

#include <stdint.h>

struct cs_split_curve {
    double work_s;     /* T_1 */
    double overhead_s; /* o */
    uint32_t stages;   /* s, at least 1 */
};

/* T(m) of m >= 1. */
double cs_split_curve_s(const struct cs_split_curve *curve, double micro);

/* The m of the least time, a real number; INFINITY without overhead. */
double cs_split_curve_best(const struct cs_split_curve *curve);

/* The overhead with which the curve passes through a measured time at `micro`;
 * negative where the measurement is below the curve without overhead. */
double cs_split_curve_overhead(const struct cs_split_curve *curve, double micro,
                               double measured_s);

#endif

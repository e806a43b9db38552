/*
 * Diagnosis: which known cause explains measured times best.
 *
 * For each cause the residuals r = ln(measured / predicted) of all sizes have a
 * normal distribution: the spread of the library model over machines (the 90 %
 * interval / 1.645), correlated over sizes by exp(-|octaves| / 6), and 3 % of
 * noise of its own for each size.  A model errs by similar factors at
 * neighbouring sizes, so that a change of shape is stronger evidence than a
 * shift.  Probability is weight x evidence x likelihood, normalised over the
 * causes and the machine as described; evidence is what messages of the library
 * state (evidence.h).
 *
 *     O(causes x rows^2) and a decomposition of the covariance, O(rows^3)
 */
#ifndef CS_VALIDATE_LOGS_DIAGNOSIS_H
#define CS_VALIDATE_LOGS_DIAGNOSIS_H

#include "validate/logs/evidence.h"

#include "sim/base/mem.h"

enum {
    CS_DIAGNOSIS_POINTS_MAX = 96, /* more sizes are thinned for the likelihood */
};

/* A size, measured and as the library model expects on a sound machine. */
struct cs_diagnosis_point {
    uint64_t bytes;
    double measured_s;
    struct cs_library_time expected;
};

struct cs_explanation {
    const struct cs_cause *cause; /* NULL: the machine as described */
    struct cs_changed changed;    /* the most likely level */
    double *predicted_s;          /* by point */
    double log_likelihood;        /* of the level, with the evidence */
    double probability;           /* of all levels together */
    double error;                 /* root mean square of r */
    struct cs_evidence evidence;  /* of the level */
};

struct cs_diagnosis {
    struct cs_diagnosis_point *points;   /* in order of size; set before */
    uint32_t point_count;                /* set before */
    const struct cs_log_facts *facts;    /* set before; NULL: none */
    struct cs_explanation *explanations; /* the most probable first */
    uint32_t explanation_count;
    uint32_t none; /* explanation without a cause */
    /* Sizes from points[short_from] on are at least 15 % slower than expected;
     * point_count: none is, at the largest size. */
    uint32_t short_from;
    uint32_t inside; /* points inside the 90 % interval */
};

/* Sets `expected` of the points and the other members.  CS_ECANNOT and CS_EINPUT
 * as struct cs_library.time. */
int cs_diagnose(const struct cs_library *library, const struct cs_library_request *request,
                struct cs_arena *arena, struct cs_diagnosis *diagnosis, struct cs_err *err);

/* measured / expected, of time. */
static inline double cs_diagnosis_ratio(const struct cs_diagnosis_point *point)
{
    return point->measured_s / point->expected.total_s;
}

static inline bool cs_diagnosis_is_inside(const struct cs_diagnosis_point *point)
{
    return point->measured_s >= point->expected.low_s &&
           point->measured_s <= point->expected.high_s;
}

#endif

/*
 * Diagnosis: which known cause explains measured times best.
 *
 * Hypotheses are the machine as described, the causes of causes.def in their levels,
 * and a cause that is not known.  Of each the library model predicts a curve over the
 * sizes.  The strength of a cause is uncertain by a third: its effect on ln(time) counts
 * at .6 to 1.5 times the model's.  Probability is weight x evidence x likelihood
 * (likelihood.h), summed over levels and strengths, normalised over the hypotheses;
 * evidence is what messages of the library state (below).  Without it nothing has more
 * than 95 %.
 *
 * Causes that look the same form a group: the curves by which they explain this table best
 * lie within the spread of healthy machines in each band of sizes.  It has the most
 * probable of them, as many as hold 80 % together.
 *
 *     open    O(levels of causes x points) calls of the cost model
 *     judge   O(levels of causes x points), after each change of the measured times
 */
#pragma once

#include "sim/base/mem.h"
#include "validate/logs/causes.h"
#include "validate/logs/likelihood.h"
#include "validate/logs/log.h"

/*
 * Evidence: what the messages of a library state about a cause.
 *
 * A log with NCCL_DEBUG=INFO names network, adapters, paths, channels, NVLS,
 * variables and choices.  A statement rules a cause in (its weight counts
 * CS_EVIDENCE_FOR times) or out (CS_EVIDENCE_AGAINST); several statements
 * multiply.  Where a cause is ruled in, the machine as described is ruled out.
 *
 *     weigh   O(choices)
 */

/* Between certain and silent: a message can belong to another communicator. */
#define CS_EVIDENCE_FOR     1e4
#define CS_EVIDENCE_AGAINST 1e-6
/* The log has messages, and none of a kind that the cause would print. */
#define CS_EVIDENCE_SILENT .05

enum {
    CS_EVIDENCE_FACT = 80,
};

struct cs_evidence {
    double factor;               /* 1: the log is silent */
    char fact[CS_EVIDENCE_FACT]; /* of the strongest statement; "": none */
};

/* The statements about a level of a cause: `none` is the case before the
 * change.  `facts` may be NULL. */
struct cs_evidence cs_evidence_weigh(const struct cs_log_facts *facts, const struct cs_cause *cause,
                                     const struct cs_changed *none,
                                     const struct cs_changed *changed);

/* A size, measured and as the library model expects on a sound machine. */
struct cs_diagnosis_point {
    uint64_t bytes;
    double measured_s;
    struct cs_library_time expected;
};

/* A level of a cause, with its curve. */
struct cs_hypothesis {
    const struct cs_cause *cause; /* NULL: the machine as described */
    struct cs_changed changed;
    double *predicted_s; /* by point */
    struct cs_evidence evidence;
};

struct cs_explanation {
    const struct cs_cause *cause; /* NULL: the machine as described */
    struct cs_changed changed;    /* the most likely level */
    double *predicted_s;          /* by point */
    double strength;              /* the most likely: of the effect on ln(time) */
    double log_likelihood;        /* of the level, with the evidence */
    double probability;           /* of all levels and strengths together */
    double error;                 /* root mean square of r */
    struct cs_evidence evidence;  /* of the level */
    bool is_similar;              /* of the group of the first cause */
};

/* Whether it is a cause of the list: not the machine as described, nor an unknown one. */
static inline bool cs_explanation_is_known(const struct cs_explanation *is)
{
    return is->cause && is->changed.unknown_sd <= 0;
}

/* The weight before the figures of a log are known. */
double cs_explanation_weight(const struct cs_cause *cause);

/* What the probabilities allow to say: from here on "as if". */
#define CS_VERDICT_SURE .8

enum cs_verdict {
    CS_VERDICT_SOUND,  /* as described, first */
    CS_VERDICT_FASTER, /* faster than a machine as described: no fault */
    CS_VERDICT_CAUSE,  /* a cause has 80 % or more */
    CS_VERDICT_GROUP,  /* causes that look the same have, together */
    CS_VERDICT_LIKELY, /* a cause has 50 % or more */
    CS_VERDICT_OPEN,   /* no known cause stands out */
    CS_VERDICTS,
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
    uint32_t odd;    /* points that stand alone, left out of the likelihood */
    enum cs_verdict verdict;
    double group;     /* probability of the first cause's group together */
    uint32_t similar; /* causes in the group */
    /* Of `open`. */
    struct cs_hypothesis *hypotheses; /* the machine as described first */
    uint32_t hypothesis_count;
    struct cs_likelihood_point *likelihood_points;
    double *scratch_s;
    bool is_network;
};

/* Sets `expected` of the points and the hypotheses; measured times are not read.
 * CS_ECANNOT and CS_EINPUT as struct cs_library.time. */
int cs_diagnosis_open(const struct cs_library *library, const struct cs_library_request *request,
                      struct cs_arena *arena, struct cs_diagnosis *diagnosis, struct cs_err *err);

/* Judges the measured times of the points; may be called again with others. */
void cs_diagnosis_judge(struct cs_diagnosis *diagnosis);

/* Both. */
int cs_diagnose(const struct cs_library *library, const struct cs_library_request *request,
                struct cs_arena *arena, struct cs_diagnosis *diagnosis, struct cs_err *err);

/* By which share the bus bandwidth of the plateau falls short of the expected: the median
 * over the sizes from an eighth of the largest on, and from `from` on.  0 where one of
 * them is not slower than its 90 % interval: the sizes of a plateau share their error. */
double cs_diagnosis_short(const struct cs_diagnosis *diagnosis, uint64_t from);

/* "sound". */
const char *cs_verdict_name(enum cs_verdict verdict);

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

/*
 * Verdicts on published tables: what `collsim compare` says of logs whose truth is
 * known, with the site of each table left out of parameters and spreads.
 *
 *     healthy    a table as published: no cause is right
 *     odd        the same with one size at ten times its time: no cause is right
 *     injected   measured x (model with a cause / model without) ^ strength, the
 *                strength drawn from .6 to 1.5, where that changes a band of sizes by
 *                10 % or more: the cause is right
 *
 *     make    some 60 curves a table and a judgement a case: some five seconds for 100 tables
 */
#pragma once

#include "validate/published/left_out.h"

enum {
    CS_VERDICT_STEPS = 4, /* said 20-40, 40-60, 60-80, 80-95 %: no more by times alone */
};

/* Groups of tables, each a line of the report. */
enum cs_verdict_group {
    CS_VERDICTS_ALL,    /* of NCCL and RCCL */
    CS_VERDICTS_UNSEEN, /* that the estimate of the parameters does not use */
    CS_VERDICTS_NODES,  /* of these, several nodes */
    CS_VERDICTS_HOST,   /* of MPI and Gloo */
    CS_VERDICT_GROUPS,
};

/* Shares of cases; NAN without one. */
struct cs_verdict_score {
    const char *group;
    uint32_t tables, sites, injected;
    double sound;                   /* healthy, and no known cause comes first */
    double named;                   /* healthy, and a cause or group is named */
    double blamed_50, blamed_80;    /* healthy, a cause has 50 %, 80 % or more */
    double short_20;                /* healthy, and --expect 20% fails */
    double odd_50;                  /* an odd size, a cause has 50 % or more */
    double first, in_three;         /* injected: the first of causes, in three */
    double said_80, right_80;       /* injected: 80 % or more, right */
    double group_said, group_right; /* injected: a group has 80 % or more, right */
    double group_size;              /* causes in such a group */
    double set_holds;               /* the fewest hypotheses with 80 % hold the truth */
    double loss, prior_loss;        /* mean -ln P(truth), by the weights alone */
    /* What is said of the first hypothesis, and how often that is right; healthy and
     * injected cases weigh the same. */
    double right[CS_VERDICT_STEPS];
    uint32_t said[CS_VERDICT_STEPS];
};

/* Judges the answers; `scores` has CS_VERDICT_GROUPS. */
void cs_verdicts_make(const struct cs_published_answer *answers, uint32_t count,
                      const struct cs_left_out *left, uint64_t seed,
                      struct cs_verdict_score *scores);

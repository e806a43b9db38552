/*
 * Fits: parameters of the cost model per machine, learned on some rows and scored
 * on others.
 *
 * Tables with equal site, node, GPU model and library are a machine.  A fit is
 * that of `collsim fit` (validate/fit), from the values without the site where
 * present.  Only the rest is scored: a fit is no prediction of the training.  Other
 * collectives and nodes take what a fit carries to them (carried.h).
 *
 *     sizes        training: sizes from 4^k to 4^(k+1) with odd k
 *     collective   training: all-reduce, or the machine's first collective
 *     nodes        training: the tables with fewer nodes than the largest
 *     far          as sizes, of machines whose error from 64 KiB is above 40 %
 *                  without a fit
 *
 *     fit   a fit of `collsim fit` for each machine
 */
#pragma once

#include "validate/published/left_out.h"

enum cs_refit_split {
    CS_REFIT_SIZES,
    CS_REFIT_COLLECTIVE,
    CS_REFIT_NODES,
    CS_REFIT_FAR,
    CS_REFIT_SPLITS,
};

/* Answers without the rows of training (time NAN), and without machines that
 * have no training or nothing else. */
struct cs_refit {
    struct cs_published_answer *before; /* as predicted */
    struct cs_published_answer *after;  /* by the fitted values */
    uint32_t machines;                  /* fitted */
};

struct cs_refit_request {
    const struct cs_published_answer *answers;
    uint32_t count;
    enum cs_refit_split split;
    const struct cs_left_out *left;   /* values to start at, without the site;
                                       else the program's */
    const struct cs_monitor *monitor; /* or NULL */
};

/* Fits and applies; memory is in the arena. */
int cs_refit_make(const struct cs_refit_request *request, struct cs_arena *arena,
                  struct cs_refit *refit, struct cs_err *err);

/* CS_EANSWER where a fit makes the median of a library worse by more than a
 * point, and the 90th percentile, too, on ten tables or more. */
int cs_refit_judge(const struct cs_refit_request *request, const struct cs_refit *refit,
                   struct cs_arena *arena, struct cs_err *err);

/* "sizes". */
const char *cs_refit_split_name(enum cs_refit_split split);

/*
 * Fits: three factors per machine, learned on some rows and scored on others.
 *
 * A fit starts from the prediction without the site where present.  Tables with
 * equal site, node, GPU model and library are a machine.  A fit scales the
 * launch, latency and transfer of each prediction by a factor; the factors
 * minimise ln(predicted / measured) over the rows of training.  Only the
 * rest is scored: a fit is no prediction of the training.
 *
 *     sizes        training: sizes from 4^k to 4^(k+1) with odd k
 *     collective   training: all-reduce, or the machine's first collective
 *     nodes        training: the tables with fewer nodes than the largest
 *
 *     fit   tens of evaluations of three products for each row
 */
#ifndef CS_VALIDATE_PUBLISHED_REFIT_H
#define CS_VALIDATE_PUBLISHED_REFIT_H

#include "validate/published/prediction.h"

enum cs_refit_split {
    CS_REFIT_SIZES,
    CS_REFIT_COLLECTIVE,
    CS_REFIT_NODES,
    CS_REFIT_SPLITS,
};

/* Answers without the rows of training (time NAN), and without machines that
 * have no training or nothing else. */
struct cs_refit {
    struct cs_published_answer *before; /* as predicted */
    struct cs_published_answer *after;  /* scaled by the factors */
    uint32_t machines;                  /* fitted */
};

/* Fits and applies; memory is in the arena. */
int cs_refit_make(const struct cs_published_answer *answers, uint32_t count,
                  enum cs_refit_split split, struct cs_arena *arena,
                  struct cs_refit *refit, struct cs_err *err);

/* "sizes". */
const char *cs_refit_split_name(enum cs_refit_split split);

#endif

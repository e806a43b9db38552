/*
 * The pace of a fold whose ranks move blocks of two lengths.
 *
 * Where every link and every reducer serves one lane, which uses it again when it
 * has finished with it, nothing waits: a round takes as long as its slowest op on
 * an idle machine.  So the lanes of the representatives are walked through once,
 * with times that are sums (sum.h): the time of an op with a short block, and the
 * additional time with a long one, which depends on the copy.  Where an op of a
 * round is slower in some copies and faster in others, there is a lower and an
 * upper bound; in the end the two must meet.
 */
#ifndef CS_SIM_FOLD_PACE_H
#define CS_SIM_FOLD_PACE_H

#include "sim/fold/fold.h"

/* Can longer blocks be proven to set the time in that model? */
bool cs_fold_keeps_pace(const struct cs_fold *fold,
                        const struct cs_fold_run *run);

/* After a run of the longest blocks in which nothing waited: 0 and bytes and
 * links as they really are; or CS_FOLD_UNEVEN, or CS_ESTOPPED. */
int cs_fold_pace(struct cs_fold *fold, const struct cs_fold_run *run,
                 struct cs_exec_result *result, struct cs_err *err);

#endif

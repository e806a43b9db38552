/*
 * The pace of a fold whose ranks move blocks of two lengths.
 *
 * Where every link and every reducer serves a single lane, and the lane returns
 * to the resource only after its previous use, no message queues: a round takes
 * as long as its slowest op on an idle machine.  A single walk through the lanes
 * of the representatives therefore suffices, with times as sums (sum.h): the time
 * of an op with a short block, and the additional time of a long block, which
 * depends on the copy.  Where an op of a round is slower in some copies and
 * faster in others, the sum has a lower and an upper bound; at the end the two
 * bounds must meet.
 */
#ifndef CS_SIM_FOLD_PACE_H
#define CS_SIM_FOLD_PACE_H

#include "sim/fold/request.h"

/* Can longer blocks be proven to set the time in that model? */
bool cs_fold_keeps_pace(const struct cs_fold *fold, const struct cs_fold_run *run);

/* After a run of the longest blocks without waiting: 0 with exact bytes and
 * links; or CS_FOLD_UNEVEN, or CS_ESTOPPED. */
int cs_fold_pace(struct cs_fold *fold, const struct cs_fold_run *run, struct cs_exec_result *result,
                 struct cs_err *err);

#endif

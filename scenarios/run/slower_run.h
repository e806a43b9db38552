/*
 * Runs and calls that take longer with a faster machine or with fewer bytes.
 *
 * By fixed parameters, routes and orders of messages no simulated run does, and by
 * fixed decisions no call of a library.  A plan chooses parameters and routes by
 * estimates, a library by rules of its own, and queues serve in the order of arrival:
 * each can change for the worse.  A comparison names the change.
 *
 *     put   both runs are simulated again, in full (sim/watch/service_log.h); of calls
 *           the cost model is asked three times (algorithms/libraries/slower_call.h)
 */
#pragma once

#include "scenarios/run/case/case.h"

/* Whether the later run takes longer, beyond rounding. */
bool cs_slower_run_is(double before_s, double after_s);

/* Appends the change from a case to a slower one, "the message from rank 1 to rank 3
 * waits at LINK behind another from rank 0 to rank 3, which came after it there", or
 * the decision of the library.  False, and nothing: runs with noise or concurrent
 * jobs, runs that do not open, and runs without such a change. */
bool cs_slower_run_put(const struct cs_case *before, const struct cs_case *after,
                       struct cs_text *out);

/* Notes of a case whose faults make it faster what is worse without them: "25 MiB takes
 * less time with the faults: without them, nccl decides for ...".  Of runs that are not
 * faster the note may be wrong; calls are compared here. */
void cs_slower_run_note_faults(const struct cs_case *which, struct cs_text *notes);

/*
 * Runs that take longer with a faster machine or with fewer bytes.
 *
 * By fixed parameters, routes and orders of messages no simulated run does.  A plan
 * chooses parameters and routes by estimates, and queues serve in the order of
 * arrival: each can change for the worse.  A comparison of runs names the change.
 *
 *     put   both runs are simulated again, in full (sim/watch/service_log.h)
 */
#ifndef CS_SCENARIOS_RUN_SLOWER_RUN_H
#define CS_SCENARIOS_RUN_SLOWER_RUN_H

#include "scenarios/run/case/case.h"

/* Whether the later run takes longer, beyond rounding. */
bool cs_slower_run_is(double before_s, double after_s);

/* Appends the change from a case to a slower one, "the message from rank 1 to rank 3
 * waits at LINK behind another from rank 0 to rank 3, which came after it there".  False, and nothing: runs with noise
 * or concurrent jobs, runs that do not open, and runs without such a change. */
bool cs_slower_run_put(const struct cs_case *before, const struct cs_case *after,
                       struct cs_text *out);

#endif

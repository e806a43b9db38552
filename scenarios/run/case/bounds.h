/*
 * Bounds of a run's call; each is at least the one before.
 *
 *     machine     no algorithm takes less on the machine: with reductions in the
 *                 network where its switches can, for whatever algorithm runs
 *     own         nor does an algorithm with the agents of the run's alone
 *     reachable   nor does one of these over the routes of the machine: over the
 *                 links that messages between ranks take (used_links.h)
 *
 * Without the launch of kernels.  Texts are in the arena of the run.
 */
#ifndef CS_SCENARIOS_RUN_CASE_BOUNDS_H
#define CS_SCENARIOS_RUN_CASE_BOUNDS_H

#include "algorithms/bounds/request.h"
#include "scenarios/run/case/run.h"

struct cs_bounds cs_run_bounds(const struct cs_run *run);
struct cs_bound cs_run_reachable(const struct cs_run *run, const struct cs_bound *own);

/* Sets the record's bounds, with the launch of kernels: the machine's; the own, NAN
 * where equal; and the reachable, or NAN for a time that no simulation gave, which
 * has the launch already: NULL. */
void cs_run_record_bounds(const struct cs_run *run, const struct cs_bounds *bounds,
                          const struct cs_bound *reachable, struct cs_record *record);

#endif

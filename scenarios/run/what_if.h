/*
 * What if each link, or device, were lost: which of them matter.
 */
#ifndef CS_SCENARIOS_RUN_WHAT_IF_H
#define CS_SCENARIOS_RUN_WHAT_IF_H

#include "reports/results/store.h"
#include "scenarios/commands/command.h"
#include "scenarios/run/run.h"

/* Simulates the case with each of them down, and at half its rate, and prints
 * them, those first whose loss costs most.  Links that carry nothing are not
 * tried, and of those that the ranks' turn brings one into the other (symmetry.h) one
 * is simulated; CS_EINPUT where there are no others.  The scenario's what_if says of
 * what.  With noise a time is that of one run, or the mean of its runs.  When it
 * is stopped, those that were tried are printed.  Each run goes to the store as
 * that of --fault would, and one that is there is not run again; NULL for none. */
int cs_what_if(const struct cs_cli *cli, const struct cs_case *which,
               struct cs_store *store, struct cs_err *err);

#endif

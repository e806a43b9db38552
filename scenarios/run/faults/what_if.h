/*
 * What-if: the effect of losing each link, switch or adapter.
 */
#pragma once

#include "reports/results/store/store.h"
#include "scenarios/options/command.h"
#include "scenarios/run/case/run.h"

/* Simulates the case with each loss of the scenario's kind, down and at half its
 * rate, and prints a table with the largest slowdown first.  Idle links are skipped;
 * CS_EINPUT where no loss remains.  Losses that a symmetry of the machine maps to each
 * other are simulated one by one: detours and the order of simultaneous messages
 * depend on the numbers of the ranks.  With noise, times are the mean of the runs.  An
 * interrupted table has the losses tried so far.  Runs are kept in the store like
 * runs with --fault, and known runs are not repeated; the store may be NULL. */
int cs_what_if(const struct cs_cli *cli, const struct cs_case *which, struct cs_store *store,
               struct cs_err *err);

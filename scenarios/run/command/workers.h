/*
 * Groups of runs on several cores: each group is computed in a process.
 *
 * Outcomes and events arrive in the order of the groups, so that the output does
 * not depend on the number of processes.
 *
 *     run   a fork per process; the groups
 */
#pragma once

#include "scenarios/run/command/group.h"

/* Whether the scenario permits processes: several cores, and no database, memory
 * curve, timeline or repeated runs, which have processes of their own. */
bool cs_run_workers_apply(const struct cs_run_group *group);

struct cs_run_keeper {
    void (*keep)(void *ctx, const struct cs_run_outcome *outcome);
    void *ctx;
};

/* Computes the groups from number `first` on; `keep` takes the outcome of each,
 * which is freed behind it.  The first error of a group ends the call after the
 * groups before it.  CS_ESTOPPED after Ctrl-C, with the finished groups kept.
 * CS_ECANNOT with an empty error where a process could not be started or died:
 * nothing is kept, and the caller computes the groups itself. */
int cs_run_workers(const struct cs_run_group *group, uint64_t first, struct cs_run_keeper keeper,
                   struct cs_err *err);

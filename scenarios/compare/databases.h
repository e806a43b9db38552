/*
 * Two databases of runs: what changed, and by how much.
 *
 * Runs are equal requests where machine, collective, algorithm, size, ranks, model
 * and parameters are equal; of several runs of a request the latest counts.
 *
 *     compare   O(runs log runs), the runs' times in memory
 */
#ifndef CS_SCENARIOS_COMPARE_DATABASES_H
#define CS_SCENARIOS_COMPARE_DATABASES_H

#include "scenarios/options/command.h"

/* Prints the changed runs, greatest change first (a table: at most 20), and the
 * numbers of equal runs and of runs in one database alone. */
int cs_compare_databases(const struct cs_cli *cli, const char *before, const char *after,
                         enum cs_format format, struct cs_err *err);

#endif

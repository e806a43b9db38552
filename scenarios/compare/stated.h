/*
 * What a log states about its run: launch, nodes and GPUs, where the command line does
 * not; and what of it the command line contradicts.
 */
#ifndef CS_SCENARIOS_COMPARE_STATED_H
#define CS_SCENARIOS_COMPARE_STATED_H

#include "algorithms/libraries/site/site.h"
#include "scenarios/run/request/scenario.h"
#include "validate/logs/log.h"

/* Sets --launch and, on a machine of one node, --nodes from the first table's lines,
 * before the cluster is finished.  Returns "2 nodes (hosts), process-per-gpu (Pids)" in
 * the scenario's arena; NULL: nothing is taken. */
const char *cs_log_stated_take(const struct cs_log *log, struct cs_scenario *scenario);

/* CS_EINPUT for a table that another machine, or other nodes, made; `site` is the
 * machine with the table's ranks. */
int cs_log_stated_check(const struct cs_log_table *table, const struct cs_site *site,
                        struct cs_err *err);

#endif

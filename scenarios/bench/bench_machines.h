/*
 * How fast machines are read, and ways in them are found.
 */
#ifndef CS_SCENARIOS_BENCH_BENCH_MACHINES_H
#define CS_SCENARIOS_BENCH_BENCH_MACHINES_H

#include "reports/results/table.h"
#include "sim/base/err.h"

/* A row for each format: a text made in memory, read once. */
int cs_bench_reading(struct cs_table *table, struct cs_err *err);

/* A row for each kind of routes: the machine is opened, then ways between pairs
 * of its hosts are asked for, each source to 64 destinations. */
int cs_bench_routes(struct cs_table *table, struct cs_err *err);

#endif

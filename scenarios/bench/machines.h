/*
 * Benchmarks of machines: reading of files, and search of routes.
 */
#ifndef CS_SCENARIOS_BENCH_MACHINES_H
#define CS_SCENARIOS_BENCH_MACHINES_H

#include "reports/results/table.h"
#include "sim/base/err.h"

/* Adds a row per format: a generated text, read once. */
int cs_bench_reading(struct cs_table *table, struct cs_err *err);

/* Adds a row per kind of routing: opens a machine, then requests routes from
 * each host to 64 hosts. */
int cs_bench_routes(struct cs_table *table, struct cs_err *err);

#endif

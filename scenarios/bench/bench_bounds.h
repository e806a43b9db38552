/*
 * Time of lower bounds (algorithms/bounds/bound.h): single machines, clusters
 * whose hosts are merged, and networks where no two ranks can be.
 */
#ifndef CS_SCENARIOS_BENCH_BENCH_BOUNDS_H
#define CS_SCENARIOS_BENCH_BENCH_BOUNDS_H

#include "reports/results/table.h"
#include "sim/base/err.h"

/* A row for each machine, with a column for each collective. */
int cs_bench_bounds(struct cs_table *table, struct cs_err *err);

#endif

/*
 * Time of lower bounds (algorithms/bounds/bound.h): single machines, clusters
 * with merged hosts, and networks without ranks to merge.
 */
#ifndef CS_SCENARIOS_BENCH_BOUNDS_H
#define CS_SCENARIOS_BENCH_BOUNDS_H

#include "reports/results/table.h"
#include "sim/base/err.h"

/* A row per machine, with a column per collective. */
int cs_bench_bounds(struct cs_table *table, struct cs_err *err);

#endif

/*
 * Time of training commands from start to end, beside the limits of the project: a
 * step of 1,024 GPUs, a search of configurations, DDP on a server, and a replayed
 * trace of 100 MB.
 */
#ifndef CS_SCENARIOS_BENCH_TRAIN_H
#define CS_SCENARIOS_BENCH_TRAIN_H

#include "reports/results/table.h"
#include "sim/base/err.h"

/* A row per command; `program` is this executable. */
int cs_bench_train(const char *program, struct cs_table *table, struct cs_err *err);

#endif

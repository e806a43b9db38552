/*
 * The bench of a schedule in a file: a ring in GOAL text, from the name of the
 * file to the record.
 */
#ifndef CS_SCENARIOS_BENCH_GOAL_H
#define CS_SCENARIOS_BENCH_GOAL_H

#include "scenarios/bench/case.h"

/* Writes the ring into a file for temporary use, about 300 MB for 1,024 ranks,
 * outside the time; not `good` where the disk is full. */
struct cs_bench_figures cs_bench_goal(const struct cs_bench_case *bench);

#endif

/*
 * Recorded run times of further simulators for the cases of the bench.
 */
#ifndef CS_SCENARIOS_BENCH_PEERS_H
#define CS_SCENARIOS_BENCH_PEERS_H

#include "reports/results/table.h"
#include "scenarios/bench/case.h"

void cs_bench_peers_begin(struct cs_table *table);

/* The cases: a switch; the same from a file; 8 leaves of 128 ranks; packets of
 * 9000 B. */
extern const char cs_bench_of_ring[], cs_bench_of_file[], cs_bench_of_levels[],
    cs_bench_of_packets[];

/* Adds a row per simulator with a time for the case, number of ranks
 * and kind of network. */
void cs_bench_peers_add(struct cs_table *table, const struct cs_bench_case *bench,
                        const struct cs_bench_timing *ours);

/* The conditions of the figures, in a line or two. */
extern const char cs_bench_peers_note[];

#endif

/*
 * How long other simulators take for what the bench measures.
 */
#ifndef CS_SCENARIOS_BENCH_BENCH_PEERS_H
#define CS_SCENARIOS_BENCH_BENCH_PEERS_H

#include "reports/results/table.h"

#include <stdint.h>

/* What was measured here: a ring all-reduce of 1 GiB. */
struct cs_bench_ours {
    const char *what; /* one of those below */
    const char *model;
    uint32_t ranks;
    double took_s;
    uint64_t peak_bytes;
};

void cs_bench_peers_begin(struct cs_table *table);

/* Over one switch, over 8 leaves of 128 ranks, and in packets of 9000 B. */
extern const char cs_bench_ring[], cs_bench_two_levels[], cs_bench_packets[];

/* A row for each peer that was measured with the same, the same number of ranks
 * and a network of the same kind. */
void cs_bench_peers_add(struct cs_table *table,
                        const struct cs_bench_ours *ours);

/* What must be known about the figures, in a line or two. */
extern const char cs_bench_peers_note[];

#endif

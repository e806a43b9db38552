/*
 * How long other simulators take for what the bench measures.
 */
#ifndef CS_SCENARIOS_BENCH_PEERS_H
#define CS_SCENARIOS_BENCH_PEERS_H

#include "reports/table.h"

#include <stdint.h>

/* What was measured here: a ring all-reduce of 1 GiB. */
struct cs_bench_ours {
    const char *model;
    uint32_t ranks;
    double took_s;
    uint64_t peak_bytes;
};

void cs_bench_peers_begin(struct cs_table *table);

/* A row for each peer that was measured with the same number of ranks and a
 * network of the same kind. */
void cs_bench_peers_add(struct cs_table *table,
                        const struct cs_bench_ours *ours);

/* What must be known about the figures, in a line or two. */
extern const char cs_bench_peers_note[];

#endif

/*
 * What the cases of the bench do (scenarios/bench/case.h), and the times of others.
 */
#ifndef CS_SCENARIOS_BENCH_WORK_H
#define CS_SCENARIOS_BENCH_WORK_H

#include "reports/results/table.h"
#include "scenarios/bench/case.h"

#include <stdio.h>

enum {
    CS_BENCH_PACKET_BYTES = 9000 /* Ethernet's jumbo frames */
};

/* ---- scenarios/bench/work.c: simulated by a model, or proved without one */

/* A ring all-reduce of 1 GiB over a single switch; over leaves of 128 ranks below
 * a spine. */
struct cs_bench_figures cs_bench_ring(const struct cs_bench_case *bench);
struct cs_bench_figures cs_bench_two_levels(const struct cs_bench_case *bench);
/* The ring from a file in GOAL, about 300 MB for 1,024 ranks, written outside the
 * time; not `good` where the disk is full. */
struct cs_bench_figures cs_bench_goal(const struct cs_bench_case *bench);
/* All to all; `detail`: bytes by which blocks differ, so that the rates change at
 * the end of each. */
struct cs_bench_figures cs_bench_alltoall(const struct cs_bench_case *bench);
/* An algorithm on a machine, from its name to the record, as in a run of a user;
 * `detail`: enum cs_folding. */
struct cs_bench_figures cs_bench_named(const struct cs_bench_case *bench);

/* Steps of a PyTorch profile of 100 MB. */
bool cs_bench_write_trace(FILE *file);

/* ---- scenarios/bench/machines.c */

/* Reads a generated text once; `detail` is its format. */
enum cs_bench_format {
    CS_BENCH_YAML,
    CS_BENCH_NCCL,
    CS_BENCH_HWLOC,
    CS_BENCH_FORMATS,
};
struct cs_bench_figures cs_bench_read(const struct cs_bench_case *bench);
/* Opens a machine, then requests routes from each host to 64 hosts; `detail`: enum
 * cs_routing. */
struct cs_bench_figures cs_bench_routes(const struct cs_bench_case *bench);
/* Lower bounds (algorithms/bounds/bound.h) of all-gather, all-reduce, all-to-all
 * and broadcast. */
struct cs_bench_figures cs_bench_bounds(const struct cs_bench_case *bench);

/* ---- scenarios/bench/peers.c: recorded run times of further simulators */

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

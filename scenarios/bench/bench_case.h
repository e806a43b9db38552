/*
 * One case of the bench, in a process of its own, so that its peak memory is
 * its own.
 */
#ifndef CS_SCENARIOS_BENCH_BENCH_CASE_H
#define CS_SCENARIOS_BENCH_BENCH_CASE_H

#include "sim/base/err.h"

#include <stdbool.h>
#include <stdint.h>

/* What a case measured, as its process reports it. */
struct cs_bench_figures {
    uint64_t done;  /* messages, devices or routes */
    uint64_t bytes; /* of text; 0: none */
    double took_s;
    double open_s; /* before that */
    bool good;
};

struct cs_bench_timing {
    struct cs_bench_figures figures;
    uint64_t peak_bytes;
    uint64_t grown_bytes; /* of it, over what the process began with */
};

struct cs_bench_case {
    const char *what;
    const char *model; /* or format; NULL: neither */
    uint32_t ranks;
    struct cs_bench_figures (*run)(const struct cs_bench_case *bench);
};

/* Since some moment, in seconds. */
double cs_bench_now_s(void);

/* Runs it apart; CS_ECANNOT when it did not finish or is not `good`. */
int cs_bench_time(const struct cs_bench_case *bench,
                  struct cs_bench_timing *timing, struct cs_err *err);

#endif

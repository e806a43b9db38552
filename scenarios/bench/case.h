/*
 * A case of the bench, run in a child process: the peak memory of a process
 * cannot be reset, so a case needs a new process.
 */
#ifndef CS_SCENARIOS_BENCH_CASE_H
#define CS_SCENARIOS_BENCH_CASE_H

#include "sim/base/err.h"

#include <stdbool.h>
#include <stdint.h>

/* The figures of a case, as reported by the child process. */
struct cs_bench_figures {
    uint64_t done;  /* messages, devices or routes */
    uint64_t bytes; /* of text; 0: no text */
    double took_s;
    double open_s; /* preparation, before took_s */
    bool good;
};

struct cs_bench_timing {
    struct cs_bench_figures figures;
    uint64_t peak_bytes;
    uint64_t grown_bytes; /* beyond the memory at the start of the child */
};

struct cs_bench_case {
    const char *what;
    const char *model; /* or format, or NULL */
    uint32_t ranks;
    struct cs_bench_figures (*run)(const struct cs_bench_case *bench);
};

/* Runs a case in a child; CS_ECANNOT where the child fails or the figures are
 * not `good`. */
int cs_bench_time(const struct cs_bench_case *bench, struct cs_bench_timing *timing,
                  struct cs_err *err);

#endif

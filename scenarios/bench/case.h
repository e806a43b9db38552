/*
 * A case of the bench, run in a child process: the peak memory of a process
 * cannot be reset, so a case needs a new process.
 */
#ifndef CS_SCENARIOS_BENCH_CASE_H
#define CS_SCENARIOS_BENCH_CASE_H

#include "sim/base/err.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    CS_BENCH_BOUNDS = 4, /* collectives with a bound */
    CS_BENCH_WORDS = 16,
};

/* The figures of a case, as reported by the child process. */
struct cs_bench_figures {
    uint64_t done;  /* messages, devices or routes */
    uint64_t bytes; /* of text; 0: no text */
    double took_s;
    double open_s; /* preparation, before took_s */
    double bound_s[CS_BENCH_BOUNDS];
    bool good;
};

struct cs_bench_timing {
    struct cs_bench_figures figures;
    uint64_t peak_bytes;
    uint64_t grown_bytes; /* beyond the memory at the start of the child */
};

/* A function in a child, or a command line. */
struct cs_bench_case {
    const char *what;
    const char *model; /* or algorithm, or kind of routing, or NULL */
    uint32_t ranks;
    struct cs_bench_figures (*run)(const struct cs_bench_case *bench);
    uint64_t detail; /* of `run` */
    /* Words behind the program; the fastest of so many runs counts, and should be
     * within the limits of the project, or 0. */
    const char *words[CS_BENCH_WORDS];
    uint32_t runs;
    double limit_s;
    uint64_t limit_bytes;
    bool has_trace; /* a word is the name of a trace */
};

/* Runs a case in children; `program` is this executable.  CS_ECANNOT where a child
 * fails or the figures are not `good`. */
int cs_bench_time(const char *program, const struct cs_bench_case *bench,
                  struct cs_bench_timing *timing, struct cs_err *err);

#endif

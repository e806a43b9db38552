/*
 * A case of the bench: a command line of collsim, timed from start to end.
 *
 * A child process executes the line, so that the peak memory is the line's own.
 * Tools that were timed with the same case stand beside it in a second table.
 */
#pragma once

#include "reports/results/table.h"
#include "sim/base/err.h"

#include <stdint.h>

enum {
    CS_BENCH_OTHERS = 4,
};

struct cs_bench_case {
    const char *what;
    const char *line;  /* words behind the program, separated by spaces */
    const char *input; /* line that writes /dev/fd/3 beforehand, or NULL */
    uint32_t runs;     /* of which the fastest counts; 0: one */
    double limit_s;    /* of the project; 0: none */
    uint64_t limit_bytes;
    /* Recorded times of other simulators. */
    struct cs_bench_other {
        const char *tool;
        double took_s;
        double peak_MB; /* 0: not recorded */
    } others[CS_BENCH_OTHERS];
};

struct cs_bench_timing {
    double took_s;
    uint64_t peak_bytes;
    uint64_t messages; /* that the line prints as JSON; 0: none */
};

/* Runs a case; `program` is this executable.  CS_ECANNOT where a line fails: exit
 * status 1 is an answer, as of a job beyond the memory of a device. */
int cs_bench_time(const char *program, const struct cs_bench_case *bench,
                  struct cs_bench_timing *timing, struct cs_err *err);

/* Adds a row per other simulator. */
void cs_bench_others_begin(struct cs_table *table);
void cs_bench_others_add(struct cs_table *table, const struct cs_bench_case *bench,
                         const struct cs_bench_timing *ours);

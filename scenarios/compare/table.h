/*
 * A table of a log beside the predictions of a library: figures and words.
 */
#ifndef CS_SCENARIOS_COMPARE_TABLE_H
#define CS_SCENARIOS_COMPARE_TABLE_H

#include "scenarios/compare/log_table.h"
#include "validate/logs/diagnosis.h"

enum {
    CS_COMPARE_WORDS = 10,
};

struct cs_compared_table {
    const struct cs_log_table *table;
    const struct cs_collective *collective;
    const char *library; /* "nccl" */
    uint32_t version;    /* 0: the newest modelled */
    uint32_t ranks;
    struct cs_site site;
    struct cs_diagnosis diagnosis;
    /* Of the largest size, bytes per second; `wire` is the links' and adapters'
     * effective rate, which bounds rings. */
    double expected_Bps, measured_Bps, wire_Bps;
    uint32_t worst; /* point with the largest measured / expected time */
    /* Sizes whose algorithm and protocol the log names, and those of them that
     * the model chooses as well. */
    uint32_t choices, same_choices;
    uint32_t in_sample;                  /* sizes that a profile was fitted to */
    const char *words[CS_COMPARE_WORDS]; /* sentences */
    uint32_t word_count;
};

/* Opens the machine, predicts and explains.  CS_EINPUT for a table whose
 * collective is unknown, or whose ranks the machine does not have. */
int cs_compare_table(const struct cs_log_table_request *request, struct cs_compared_table *to,
                     struct cs_err *err);

/* Adds to the words of `later` how its common sizes changed against `earlier`, a table of the
 * same collective, ranks and library in the same log. */
void cs_compare_again(const struct cs_compared_table *earlier, struct cs_compared_table *later,
                      struct cs_arena *arena);

/* Bus bandwidth of a time, bytes per second. */
double cs_compare_busbw(const struct cs_compared_table *of, uint64_t bytes, double time_s);

#endif

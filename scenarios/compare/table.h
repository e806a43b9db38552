/*
 * A table of a log beside the predictions of a library: figures and words.
 */
#pragma once

#include "algorithms/libraries/site/site.h"
#include "scenarios/run/library_call.h"
#include "scenarios/run/request/scenario.h"
#include "validate/logs/diagnosis.h"
#include "validate/logs/log.h"

#include <stdio.h>

/*
 * A table of a log on a machine: collective, ranks and the calls of a library.
 */

struct cs_log_table_request {
    const struct cs_log *log;
    const struct cs_log_table *table;
    struct cs_scenario *scenario; /* its collective is set to the table's */
    struct cs_text *notes;
    struct cs_arena *arena;
};

/* Opens the machine with the ranks of the table: --ranks, else those of the log,
 * else all of the machine.  CS_EINPUT for a table whose collective is unknown,
 * or whose ranks the machine does not have.  `calls` refers to the arena. */
int cs_log_table_open(const struct cs_log_table_request *request,
                      const struct cs_collective **collective, struct cs_library_calls *calls,
                      struct cs_err *err);

/* The size of a row as a request counts. */
static inline uint64_t cs_log_table_bytes(const struct cs_log_table *table,
                                          const struct cs_log_row *row, uint32_t ranks)
{
    return row->bytes * (table->sizes_of_rank ? ranks : 1);
}

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

/*
 * What a log states about its run: launch, nodes and GPUs, where the command line does
 * not; and what of it the command line contradicts.
 */

/* Sets --topo, --launch and, on a machine of one node, --nodes from the first table's lines,
 * before the cluster is finished.  *words: "2 nodes (hosts), process-per-gpu (Pids)" in the
 * scenario's arena; NULL: nothing is taken.  CS_EINPUT without --topo for devices of which no
 * machine is known. */
int cs_log_stated_take(const struct cs_log *log, struct cs_scenario *scenario, const char **words,
                       struct cs_err *err);

/* Chooses the library: --library, else the one and the release that the log names; a release
 * that is not modelled counts as the newest, with a message.  CS_EINPUT as
 * cs_library_choose_one. */
int cs_log_stated_library(const struct cs_log *log, struct cs_scenario *scenario, FILE *messages,
                          struct cs_err *err);

/* CS_EINPUT for a table that another machine, or other nodes, made; `site` is the
 * machine with the table's ranks. */
int cs_log_stated_check(const struct cs_log_table *table, const struct cs_site *site,
                        struct cs_err *err);

/*
 * Cases of a scenario: the combinations of rank counts, sizes and algorithms.
 *
 * Cases are numbered by rank count, then size, then algorithm, so that runs to be
 * compared are adjacent.  Scenario and outputs must outlive the case.
 */
#pragma once

#include "reports/results/record.h"
#include "scenarios/options/progress_line.h"
#include "scenarios/run/request/scenario.h"
#include "sim/watch/memory_curve.h"

struct cs_known;
struct cs_run_timeline;

struct cs_case {
    const struct cs_scenario *scenario;
    const struct cs_algo *algo; /* NULL: a call of a library */
    const char *engine;         /* of the call; NULL: the library's choice */
    uint64_t bytes;
    uint32_t ranks; /* 0: all of the machine's */
    /* Outputs and hooks; NULL: not required. */
    struct cs_text *notes;            /* notes are appended as lines */
    struct cs_memory_curve *memory;   /* memory of ranks over time */
    struct cs_run_timeline *timeline; /* zeroed, to be filled */
    struct cs_progress_line *display; /* shows progress, and stops the run */
    const struct cs_known *known;     /* results of earlier runs */
    /* A simulation may end with CS_SIMULATE_SLOWER beyond this time; 0: none.
     * Without effect on runs with noise, concurrent jobs, or faults that are late or compared. */
    uint64_t limit_ps;
    /* One of several, of which the time alone counts: no comparison with the machine without
     * faults. */
    bool is_candidate;
    /* Of a choice on the announced machine: no such comparison either, but no time limit with
     * faults. */
    bool is_planned;
    /* A slower run is not proved; 0: every run is. */
    uint64_t best_ps;
    /* A program of more messages ends with CS_SIMULATE_LATER; 0: no limit. */
    uint64_t messages_max;
    const struct cs_call *call;  /* of a concurrent job; NULL: the scenario's */
    const struct cs_fault *lost; /* a fault in addition to the scenario's */
};

/* Results of earlier runs: look_up sets *known where the fingerprint of the query
 * has a result. */
struct cs_known {
    int (*look_up)(void *ctx, const struct cs_record *query, bool *known, struct cs_err *err);
    void *ctx;
};

/* The number of cases, and case i of them, 0 <= i < count. */
uint64_t cs_case_count(const struct cs_scenario *scenario);
struct cs_case cs_case_of(const struct cs_scenario *scenario, uint64_t i);

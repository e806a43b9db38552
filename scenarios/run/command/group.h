/*
 * A group of runs: the cases that differ in the algorithm only.
 *
 * Of `auto` the fastest is kept, with the second fastest; otherwise every run.  With
 * faults that are not announced `auto` chooses on the machine as announced, and runs
 * the two on the machine with its faults.
 * Refusals and notes are passed on as events, in order: a group may be computed in
 * another process (command/workers.h) than the one that prints.
 */
#pragma once

#include "reports/results/store/store.h"
#include "scenarios/run/case/case.h"
#include "scenarios/run/command/candidates.h"

struct cs_run_event {
    uint32_t algo;    /* number in the scenario */
    int code;         /* of a refusal; 0: a note */
    const char *text; /* one line, without its end */
};

struct cs_run_listener {
    void (*event)(void *ctx, const struct cs_run_event *event);
    void *ctx;
};

/* Passes on each line of the notes, and frees them. */
void cs_run_notes(const struct cs_run_listener *listener, uint32_t algo, struct cs_text *notes);

struct cs_run_group {
    const struct cs_scenario *scenario;
    const struct cs_scenario *announced; /* for the choice of auto; NULL: `scenario` */
    struct cs_store *store;              /* NULL: no database */
    struct cs_progress_line *display;    /* NULL: no progress is shown */
    struct cs_run_listener listener;
    uint64_t done, total; /* cases of the command, for the line of progress */
    uint64_t known;       /* runs found in the database */
    bool chooses;         /* the name of the fastest is asked for, no record */
    bool plans;           /* the choice on the announced machine: its cases are planned */
    uint64_t limit_ps;    /* slower ones are of no use; 0: no limit */
};

/* The scenario with the faults that planners know, for the choice of auto; NULL where
 * they know all faults.  Memory is in the arena of the scenario. */
const struct cs_scenario *cs_run_group_announced(const struct cs_scenario *scenario);

struct cs_run_outcome {
    struct cs_records records;
    struct cs_candidate second; /* of auto; no name: a single candidate */
};

/* Computes the cases from number `first` on, one for each algorithm.  Runs that
 * had finished are in the outcome after an error, too.  The outcome is freed by
 * the caller, with cs_run_outcome_free. */
int cs_run_group(struct cs_run_group *group, uint64_t first, struct cs_run_outcome *outcome,
                 struct cs_err *err);

/* Names in *named, the scenario or a copy of it, the algorithm that auto chooses for its single
 * call; none where all take `limit_ps` or more, unless 0. */
int cs_run_group_choose(const struct cs_scenario *scenario, uint64_t limit_ps,
                        struct cs_progress_line *display, struct cs_scenario *named,
                        struct cs_err *err);

void cs_run_outcome_free(struct cs_run_outcome *outcome);

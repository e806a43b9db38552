/*
 * Reports of published tables: scores, signed errors, ablation and fits, each as
 * one sheet; then tables and rows, estimates and verdicts.
 */
#pragma once

#include "scenarios/options/command.h"
#include "validate/published/left_out.h"
#include "validate/published/published.h"
#include "validate/published/score.h"

/* The answers under report. */
struct cs_published_view {
    const struct cs_cli *cli;
    enum cs_format format;
    const struct cs_published *published;
    const struct cs_published_answer *answers;
    struct cs_arena *arena;
};

/* Scores for people: a line per group with the ranges side by side. */
void cs_published_print_scores(const struct cs_published_view *view,
                               const struct cs_published_score *scores, uint32_t count);

void cs_published_print_biases(const struct cs_published_view *view);

/* Baselines, noise and coverage in sentences; whether sites were left out. */
void cs_published_print_summary(const struct cs_published_view *view,
                                const struct cs_published_score *scores, uint32_t count,
                                bool left_out);

/* A variant of the answers: scores of its libraries. */
struct cs_published_variant {
    const char *group; /* "without", "fit by sizes" */
    const char *name;  /* "launch" */
    const struct cs_published_score *scores;
    uint32_t count;
    uint32_t machines; /* of a fit */
};

/* One sheet of variants: a line for each variant and library. */
void cs_published_print_variants(const struct cs_published_view *view, const char *name,
                                 const struct cs_published_variant *variants, uint32_t count);

/*
 * Reports of published tables, line by line: tables, worst first, and rows.
 */

/* The `most` worst tables from 64 KiB, then those with smaller rows only;
 * 0: all tables, with the reason for those without a prediction. */
void cs_published_print_tables(const struct cs_published_view *view, uint32_t most);

/* A line per row of every table. */
void cs_published_print_points(const struct cs_published_view *view);

/*
 * validate published --estimate and --leave-out: parameters estimated again, and
 * predictions by parameters that have not seen the site.
 */

/* Prints each parameter with its prior, its value in the program and its
 * estimate; writes the definition files of the sets to the directory `out` unless
 * NULL.  A set without a table is left out; CS_ECANNOT without any.  Gated:
 * CS_EANSWER for a value in the program that is not its estimate. */
int cs_published_estimate(const struct cs_published_view *view, const char *out, bool gated,
                          struct cs_err *err);

/* Predicts all tables of the view without their site. */
int cs_published_leave_out(const struct cs_published_view *view, const struct cs_monitor *monitor,
                           struct cs_left_out *left, struct cs_err *err);

/* Predictions by the program's parameters are those of a site left out where the
 * program has no table of the site: marks them so. */
int cs_published_mark_unseen(const struct cs_published_view *view, struct cs_err *err);

/* The half widths of intervals, one line per class, in text. */
void cs_published_print_intervals(const struct cs_published_view *view,
                                  const struct cs_left_out *left);

/* Writes score.csv and nccl/intervals.def to the directory. */
int cs_published_write_left_out(const char *directory, const struct cs_left_out *left,
                                const struct cs_published_score *scores, uint32_t count,
                                struct cs_err *err);

/* CS_EANSWER for a half width that is not the program's. */
int cs_published_judge_intervals(const struct cs_left_out *left, struct cs_err *err);

/*
 * validate published --verdicts: what `collsim compare` says of published tables, as
 * they are and with known causes.
 */

/* Prints the scores; `wrong` is CS_EANSWER with the first score beyond its limit, for a gate. */
void cs_published_verdicts(const struct cs_published_view *view, const struct cs_left_out *left,
                           struct cs_err *wrong);

/*
 * The command of a published row: `collsim run --library ...` with its time.
 */

/* The command in the arena, for a shell. */
const char *cs_call_command(const struct cs_published_table *table, uint32_t row,
                            struct cs_arena *arena);

/*
 * Reports of published tables: scores, signed errors, ablation and fits, each as
 * one sheet; published/rows.h has the tables and rows.
 */
#ifndef CS_SCENARIOS_PUBLISHED_REPORT_H
#define CS_SCENARIOS_PUBLISHED_REPORT_H

#include "scenarios/options/command.h"
#include "validate/published/score.h"
#include "validate/published/site_noise.h"

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

#endif

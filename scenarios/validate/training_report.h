/*
 * Reports of published training steps: scores, worst rows, all rows, reasons.
 */
#ifndef CS_SCENARIOS_VALIDATE_TRAINING_REPORT_H
#define CS_SCENARIOS_VALIDATE_TRAINING_REPORT_H

#include "scenarios/options/command.h"
#include "validate/training/step_score.h"

/* The answers under report. */
struct cs_training_view {
    const struct cs_cli *cli;
    enum cs_format format;
    const struct cs_step_data *steps;
    const struct cs_step_answer *answers;
    struct cs_arena *arena;
};

/* Scores for people: a line per table, and the rows that no model serves. */
void cs_training_print_scores(const struct cs_training_view *view,
                              const struct cs_step_score *scores);

/* The `most` worst rows. */
void cs_training_print_worst(const struct cs_training_view *view, uint32_t most);

/* A line per row. */
void cs_training_print_points(const struct cs_training_view *view);

/* Baselines and ranking in sentences. */
void cs_training_print_summary(const struct cs_training_view *view,
                               const struct cs_step_score *scores);

#endif

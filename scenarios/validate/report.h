/*
 * Reports of a comparison: tables of groups and runs, and the lines below.
 */
#pragma once

#include "scenarios/published/published.h"
#include "validate/gpu/comparison.h"
#include "validate/training/step_score.h"

/* A row for each group, and each run. */
void cs_validate_print_groups(const struct cs_cli *cli, enum cs_format format,
                              const struct cs_comparison *comparison);
void cs_validate_print_runs(const struct cs_cli *cli, enum cs_format format,
                            const struct cs_comparison *comparison);

/* The counts over all runs as text, with the number of dropped duplicate
 * lines. */
void cs_validate_print_summary(const struct cs_cli *cli, size_t copies,
                               const struct cs_comparison *comparison, struct cs_arena *arena);

/*
 * Reports of published training steps: scores, worst rows, all rows, reasons.
 */

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

/* validate training: predictions of published training steps.  Prints what is asked
 * for and judges the scores last: CS_EANSWER for a score that is worse than recorded,
 * CS_EINPUT for an unknown table. */
int cs_validate_training(const struct cs_cli *cli, const struct cs_validate_request *request,
                         struct cs_err *err);

#define CS_TCP_DATA "validate/data/tcp"

/* validate tcp: collectives over TCP, as predicted from a calibration and as measured,
 * of files and directories, or of CS_TCP_DATA.  Prints the groups, or the points.
 * CS_EANSWER beyond a gate or for a wrong sum, CS_ECANNOT without recorded runs. */
int cs_validate_tcp(const struct cs_cli *cli, const struct cs_validate_request *request,
                    struct cs_err *err);

struct cs_figures;

/* Draws the figures in the directory and frees them: without gnuplot there are scripts
 * and data, and the tables are still valid. */
int cs_validate_draw(const struct cs_cli *cli, const char *dir, struct cs_figures *figures,
                     struct cs_err *err);

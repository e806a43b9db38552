/*
 * validate published --estimate and --leave-out: parameters estimated again, and
 * predictions by parameters that have not seen the site.
 */
#ifndef CS_SCENARIOS_PUBLISHED_ESTIMATE_H
#define CS_SCENARIOS_PUBLISHED_ESTIMATE_H

#include "scenarios/published/report.h"
#include "validate/published/left_out.h"

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

#endif

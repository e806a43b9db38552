/*
 * Curves: figures of a quantity of runs against size or number of ranks.
 *
 * Runs that differ only in algorithm, parameters and the number on the x axis
 * share a figure.  A series is an algorithm with the parameters chosen by the
 * user: faults, noise, a transport.  The name of a series has the parameters in
 * which runs differ, the subtitle the common parameters.  A parameter chosen by
 * the algorithm, such as chunks, may change along a series, and is in the name
 * only if two runs would otherwise coincide.  A figure needs two different x;
 * single runs are omitted.  Figures are sorted by name, series and points by run.
 *
 *     add   O(n log n) to name the series of a figure of n runs
 */
#pragma once

#include "reports/figures/machine.h"
#include "reports/figures/plot/figure.h"
#include "reports/figures/report.h"

enum cs_curves_over {
    CS_OVER_BYTES, /* a figure per number of ranks */
    CS_OVER_RANKS, /* a figure per size */
};

typedef double cs_curves_fn(const struct cs_record *record);

struct cs_curves {
    enum cs_curves_over over;
    const char *y_title;
    enum cs_axis y_axis;
    enum cs_limit limit;
    const char *limit_name;
    cs_curves_fn *y;
    cs_curves_fn *model_y;
    cs_curves_fn *limit_y;
};

/* The `order` and `add` of a report with curves.  Names of files begin with the name of
 * the report; series appear in the order of the database. */
int cs_curves_order_runs(const struct cs_report *report, const struct cs_record *a,
                         const struct cs_record *b);
void cs_curves_add(const struct cs_report *report, const struct cs_report_data *data,
                   const struct cs_record *const *runs, size_t count, struct cs_figures *figures);

/* The machine in the title of a figure: the name, and the words in which machines
 * with the name differ. */
const char *cs_curves_machine(const struct cs_report_data *data, const struct cs_record *run,
                              enum cs_curves_over over, struct cs_arena *arena);

/* "sharp (hypothetical)" if the machine is not known to have the ability. */
const char *cs_curves_algorithm(const struct cs_record *record, struct cs_arena *arena);

/* Marks the current series, which contains the run. */
void cs_curves_mark(const struct cs_record *record, struct cs_figures *figures);

/* 0 for two runs of a figure; otherwise a total order of figures. */
int cs_curves_order(const struct cs_record *a, const struct cs_record *b, enum cs_curves_over over);

/* Whether one of the parameters has the name and the value. */
bool cs_curves_has_parameter(const struct cs_record_parameter *parameters, uint32_t count,
                             const struct cs_record_parameter *parameter);

/* The parameters that all of the runs, at least one, have; in the arena. */
const struct cs_record_parameter *cs_curves_common(const struct cs_record *const *runs,
                                                   size_t count, uint32_t *common_count,
                                                   struct cs_arena *arena);

/* The values of curves: simulated time, closed form, and lower bound (with the
 * agents of the run). */
double cs_curves_time_s(const struct cs_record *record);
double cs_curves_closed_form_s(const struct cs_record *record);
double cs_curves_lower_bound_s(const struct cs_record *record);

/*
 * Curves: figures that show one number of a run against another.
 *
 * Runs that differ only in algorithm, parameters and the number on the x axis are
 * in one figure.  A series is an algorithm with the parameters that the user
 * chose: faults, noise, a transport.  The name of a series has the parameters in
 * which runs differ, the subtitle those that all runs share.  A number that the
 * algorithm chose, such as chunks, may change along a series; it is in the name
 * only where two runs would have the same point.  A figure needs two different
 * x; single runs are omitted.  Figures are sorted by name, series and points by
 * run.
 *
 *     add    O(n log n) to group n runs, O(n^2) in those of a figure
 */
#ifndef CS_REPORTS_FIGURES_CURVES_H
#define CS_REPORTS_FIGURES_CURVES_H

#include "reports/figures/figure.h"
#include "reports/figures/machine.h"
#include "reports/figures/report.h"

enum cs_curves_over {
    CS_OVER_BYTES, /* one figure for each number of ranks */
    CS_OVER_RANKS, /* one figure for each size */
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

/* The `write` of a report with curves.  Names of files begin with the name of
 * the report. */
void cs_curves_write(const struct cs_report *report,
                     const struct cs_report_data *data,
                     struct cs_figures *figures);

/* The machine in the title of a figure: its name, and the words in which
 * machines of that name differ. */
const char *cs_curves_machine(const struct cs_report_data *data,
                              const struct cs_record *run,
                              enum cs_curves_over over, struct cs_arena *arena);

/* "sharp (hypothetical)" where the machine is not known to have the ability. */
const char *cs_curves_algorithm(const struct cs_record *record,
                                struct cs_arena *arena);

/* Marks the series that was named last, which has the run. */
void cs_curves_mark(const struct cs_record *record, struct cs_figures *figures);

/* 0 for two runs of one figure; else a total order of figures. */
int cs_curves_order(const struct cs_record *a, const struct cs_record *b,
                    enum cs_curves_over over);

/* The values of curves: simulated time, closed form, and lower bound (with the
 * agents of the run). */
double cs_curves_time_s(const struct cs_record *record);
double cs_curves_closed_form_s(const struct cs_record *record);
double cs_curves_lower_bound_s(const struct cs_record *record);

#endif

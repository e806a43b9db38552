/*
 * Curves: figures that show one number of a run against another.
 *
 * What the reports share: runs that differ only in algorithm, in parameters and
 * in the number on the x axis go into one figure.  A series is an algorithm
 * with what it was told: faults, noise, a transport; its name says what runs
 * differ in, the subtitle what they share.  Numbers that algorithms choose by
 * themselves, as chunks, may change along a series; runs that would else be one
 * point have them in the name.  A figure needs two different x; runs that stand
 * alone are left out.  Figures come in the order of their names, series and
 * points in the order of the runs.
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
    const char *name;  /* what file names start with */
    const char *about; /* "time against message size" */
    enum cs_curves_over over;
    const char *y_title;
    enum cs_axis y_axis;
    enum cs_limit limit;
    const char *limit_name;
    cs_curves_fn *y;
    cs_curves_fn *model_y;
    cs_curves_fn *limit_y;
};

/* Adds the figures of all groups. */
void cs_curves_add(const struct cs_curves *curves,
                   const struct cs_report_data *data,
                   struct cs_figures *figures);

/* What of --topo tells the machines of figures apart. */
enum cs_machine_words cs_curves_words(enum cs_curves_over over);

/* What a figure calls its machine: its name and what tells it apart from others
 * of that name. */
const char *cs_curves_machine(const struct cs_report_data *data,
                              const struct cs_record *run,
                              enum cs_curves_over over, struct cs_arena *arena);

/* "sharp (hypothetical)" where the machine is not known to be able to. */
const char *cs_curves_algorithm(const struct cs_record *record,
                                struct cs_arena *arena);

/* Marks the series that was named last, of which that is a run. */
void cs_curves_mark(const struct cs_record *record, struct cs_figures *figures);

/* 0 for two runs that belong into one figure; else a total order of figures. */
int cs_curves_order(const struct cs_record *a, const struct cs_record *b,
                    enum cs_curves_over over);

/* Whose help the run had, so that another bound holds. */
enum cs_helper cs_curves_helper(const struct cs_record *record);

/* What curves show: the simulated time, its closed form, its lower bound
 * (with the help that the run has). */
double cs_curves_time_s(const struct cs_record *record);
double cs_curves_closed_form_s(const struct cs_record *record);
double cs_curves_lower_bound_s(const struct cs_record *record);

#endif

/*
 * Report runs: the runs of a database that reports need.
 *
 * Of runs that would be drawn as one point of one curve, as runs that differ only
 * in the seed, curves need the first, which places the series, and the last,
 * which is drawn.  Runs with times of repetitions, or with a loss, are all kept.
 * The table of the page has the first CS_REPORT_ROWS runs.
 *
 *     read   O(runs) time, O(different runs) memory
 */
#ifndef CS_REPORTS_FIGURES_REPORT_RUNS_H
#define CS_REPORTS_FIGURES_REPORT_RUNS_H

#include "reports/results/record.h"
#include "reports/results/store/store.h"
#include "reports/results/where.h"
#include "sim/base/mem.h"

#include <stddef.h>

enum {
    CS_REPORT_ROWS = 5000
};

struct cs_report_runs {
    const struct cs_monitor *monitor; /* of the reading, a third; NULL: none */
    struct cs_arena arena;            /* of texts and times */
    struct cs_record *drawn;          /* for the figures, in the order of the database */
    size_t drawn_count;
    struct cs_record *rows; /* for the table */
    size_t row_count;
    size_t count; /* runs that meet the conditions */
};

/* Reads the latest run of every request that meets the conditions; NULL: all.
 * CS_EINPUT for a database without runs and for conditions without a run.  Call
 * cs_report_runs_free, also after an error. */
int cs_report_runs_read(struct cs_store *store, const struct cs_where *where,
                        struct cs_report_runs *runs, struct cs_err *err);

void cs_report_runs_free(struct cs_report_runs *runs);

#endif

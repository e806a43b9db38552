/*
 * Report: figures and a page from the runs of a database.
 *
 * A report is a const struct cs_report, in a file NAME.c, and a line in
 * reports.def.  A report reads all records and adds a figure per group of runs;
 * plot.h makes files of figures.
 *
 * Files in the directory: NAME.gp, NAME.dat, NAME.svg and NAME.png per figure,
 * and index.html, a page with the pictures.  Equal records give equal scripts,
 * data and pages.
 *
 * Training steps of the database have pages of their own, training.html and
 * training.md (below), unless conditions or names choose runs.
 */
#pragma once

#include "reports/figures/machine.h"
#include "reports/figures/plot/figure.h"
#include "reports/results/record.h"
#include "reports/results/store/store.h"
#include "reports/results/where.h"
#include "sim/base/err.h"
#include "sim/base/mem.h"
#include "sim/base/text.h"

#include <stddef.h>

struct cs_curves;  /* reports/figures/curves.h */
struct cs_figures; /* reports/figures/plot/figure.h */
struct cs_where;   /* reports/results/where.h */

struct cs_report {
    const char *name;               /* "time_size" */
    const char *title;              /* "time against message size" */
    const char *about;              /* a sentence */
    const struct cs_curves *curves; /* of cs_curves_add */
    /* Whether a run has a figure; NULL: all runs. */
    bool (*keeps)(const struct cs_record *run);
    /* 0 for two runs of a figure, else their order, which is total. */
    int (*order)(const struct cs_report *report, const struct cs_record *a,
                 const struct cs_record *b);
    /* Adds the figure of runs, at least one, in the order of the database, or none. */
    void (*add)(const struct cs_report *report, const struct cs_report_data *data,
                const struct cs_record *const *runs, size_t count, struct cs_figures *figures);
};

/* Adds the figures of the report, in order, to `figures`.  O(n log n) comparisons of n
 * runs. */
void cs_report_add_figures(const struct cs_report *report, const struct cs_report_data *data,
                           struct cs_figures *figures);

/* The registry, in the order of reports.def; ends with NULL. */
extern const struct cs_report *const cs_reports[];

/* The report with the name, or NULL and an error with the nearest name. */
const struct cs_report *cs_report_find(const char *name, struct cs_err *err);

struct cs_reports_ask {
    const char *outdir;
    const char *const *names;         /* of reports */
    size_t name_count;                /* 0: all reports */
    const struct cs_where *where;     /* conditions on runs; NULL: all runs */
    const struct cs_monitor *monitor; /* NULL: none */
};

/* Scripts, data and page are written, but no pictures: gnuplot is not installed.
 * The log has the command to draw the pictures. */
enum {
    CS_REPORTS_NO_GNUPLOT = 1
};

/* Writes the reports about the latest run of every request.  Missing directories
 * are made.  `log` gets a line per file.  Returns 0,
 * CS_REPORTS_NO_GNUPLOT, or an error: CS_EINPUT for an unknown report, for
 * conditions without a run, for a read-only directory and for a database without
 * runs and training steps, CS_ECANNOT when gnuplot fails. */
int cs_reports_write(struct cs_store *store, const struct cs_reports_ask *request,
                     struct cs_text *log, struct cs_err *err);

/*
 * Training steps of a results database, as pages.
 *
 * The tables `training` and `cases` of `train --db` become training.html and
 * training.md (document.h): steps with efficiency and parts, efficiency and time
 * against ranks, and the cases of each variation.
 *
 *     write   O(rows)
 */

/* Writes the pages into the directory, made if needed, and sets *found; no pages for a
 * database without training steps.  `log` gets a line per file. */
int cs_report_training(struct cs_store *store, const char *outdir, struct cs_text *log, bool *found,
                       struct cs_err *err);

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

/*
 * Page: figures and runs as an HTML file.
 *
 * The page needs only the pictures in the directory: no scripts, fonts or style
 * sheets.  Text is escaped.
 */

enum cs_page_pictures {
    CS_PAGE_DRAWN,
    CS_PAGE_NOT_DRAWN, /* the page has the command */
};

struct cs_page {
    const struct cs_figures *figures;
    enum cs_page_pictures pictures;
    const struct cs_record *records; /* the different runs, for the title */
    size_t count;
    const struct cs_record *rows; /* the runs of the table */
    size_t row_count;
    size_t runs; /* all of them */
    size_t figures_left_out;
    bool has_training; /* training.html is beside the page */
};

/* Appends the page. */
void cs_page_write(const struct cs_page *page, struct cs_text *out);

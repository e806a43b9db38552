#include "reports/figures/report.h"
#include "reports/figures/plot/figure.h"
#include "reports/figures/plot/plot.h"
#include "reports/results/files.h"
#include "sim/base/hint.h"

#include <stdlib.h>

#define REPORT(name) extern const struct cs_report cs_report_##name;
#include "reports/figures/reports.def"
#undef REPORT

#define REPORT(name) &cs_report_##name,
const struct cs_report *const cs_reports[] = {
#include "reports/figures/reports.def"
    NULL,
};
#undef REPORT

enum {
    REPORTS = sizeof cs_reports / sizeof cs_reports[0] - 1,
    FIGURES_MAX = 24, /* of a database with more runs than the table shows */
};

static void report_fail_name(const char *name, struct cs_err *err)
{
    const char *names[REPORTS];
    size_t count;

    for (count = 0; cs_reports[count]; count++)
        names[count] = cs_reports[count]->name;
    (void)cs_err_set(err, CS_EINPUT, "no report called '%.40s'%s", name,
                     cs_hint(name, names, count, "'collsim list reports' shows all").text);
}

const struct cs_report *cs_report_find(const char *name, struct cs_err *err)
{
    for (size_t i = 0; cs_reports[i]; i++)
        if (cs_same(cs_reports[i]->name, name))
            return cs_reports[i];
    report_fail_name(name, err);
    return NULL;
}

struct report_order {
    const struct cs_report *report;
};

/* Pointers into an array: the comparison of pointers makes the sort stable. */
static int report_order_runs(const void *a, const void *b, void *ctx)
{
    const struct report_order *by = ctx;
    const struct cs_record *const *left = a;
    const struct cs_record *const *right = b;
    int order = by->report->order(by->report, *left, *right);

    return order != 0 ? order : (*left > *right) - (*left < *right);
}

void cs_report_add_figures(const struct cs_report *report, const struct cs_report_data *data,
                           struct cs_figures *figures)
{
    const struct cs_record **runs = cs_grow(NULL, data->count, sizeof runs[0]);
    struct report_order by = {report};
    size_t count = 0, end;

    for (size_t i = 0; i < data->count; i++)
        if (!report->keeps || report->keeps(&data->records[i]))
            runs[count++] = &data->records[i];
    if (count)
        qsort_r(runs, count, sizeof runs[0], report_order_runs, &by);
    for (size_t begin = 0; begin < count; begin = end) {
        end = begin + 1;
        while (end < count && report->order(report, runs[begin], runs[end]) == 0)
            end++;
        report->add(report, data, &runs[begin], end - begin, figures);
    }
    free(runs);
}

/* Names are valid: report_check_names() runs first, before any work. */
static void report_make_figures(const struct cs_reports_ask *request,
                                const struct cs_report_data *data, struct cs_figures *figures)
{
    for (size_t i = 0; i < request->name_count; i++) {
        const struct cs_report *report = cs_report_find(request->names[i], NULL);

        cs_report_add_figures(report, data, figures);
    }
    for (size_t i = 0; request->name_count == 0 && cs_reports[i]; i++)
        cs_report_add_figures(cs_reports[i], data, figures);
}

static int report_write_page(const struct cs_reports_ask *request, const struct cs_page *page,
                             struct cs_text *log, struct cs_err *err)
{
    CS_AT_END(cs_text_free) struct cs_text html = {0};
    int rc;

    cs_page_write(page, &html);
    rc = cs_files_write(request->outdir, "index.html", &html, err);
    if (!rc)
        cs_text_printf(log, "%s/index.html\n", request->outdir);
    return rc;
}

/* A missing gnuplot is no error: the page then explains how to draw the
 * scripts. */
static int report_write_all(const struct cs_reports_ask *request, const struct cs_report_runs *runs,
                            bool has_training, struct cs_text *log, struct cs_err *err)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    const struct cs_report_data data = cs_machine_data(runs->drawn, runs->drawn_count, &arena);
    CS_AT_END(cs_figures_free) struct cs_figures figures = {0};
    struct cs_page page = {.figures = &figures,
                           .records = data.records,
                           .count = data.count,
                           .rows = runs->rows,
                           .row_count = runs->row_count,
                           .runs = runs->count,
                           .has_training = has_training};
    int drawn = 0;
    int rc = cs_files_mkdirs(request->outdir, err);

    report_make_figures(request, &data, &figures);
    if (runs->count > runs->row_count)
        page.figures_left_out = cs_figures_keep(&figures, FIGURES_MAX);
    figures.monitor = request->monitor;
    if (!rc)
        rc = drawn = cs_figures_write(&figures, request->outdir, log, err);
    if (rc >= 0) {
        page.pictures = drawn ? CS_PAGE_NOT_DRAWN : CS_PAGE_DRAWN;
        rc = report_write_page(request, &page, log, err);
    }
    if (!rc && figures.count == 0)
        cs_text_add(
            log, "no figure: a figure needs runs of at least two sizes or two numbers of ranks\n");
    if (!rc && page.figures_left_out > 0)
        cs_text_printf(log,
                       "%zu more figures are not drawn; --where and --report choose among them\n",
                       page.figures_left_out);
    return rc ? rc : drawn ? CS_REPORTS_NO_GNUPLOT : 0;
}

/* Wrong names are reported before the database is read and files are
 * written. */
static int report_check_names(const struct cs_reports_ask *request, struct cs_err *err)
{
    for (size_t i = 0; i < request->name_count; i++)
        if (!cs_report_find(request->names[i], err))
            return CS_EINPUT;
    return 0;
}

/* Conditions and names of reports are about runs. */
static bool report_is_of_runs(const struct cs_reports_ask *request)
{
    return request->name_count || (request->where && request->where->count);
}

int cs_reports_write(struct cs_store *store, const struct cs_reports_ask *request,
                     struct cs_text *log, struct cs_err *err)
{
    CS_AT_END(cs_report_runs_free) struct cs_report_runs runs = {.monitor = request->monitor};
    bool has_training = false;
    uint64_t last = 1;
    int rc = report_check_names(request, err);

    if (!rc && !report_is_of_runs(request))
        rc = cs_report_training(store, request->outdir, log, &has_training, err);
    if (!rc && has_training)
        rc = cs_store_last(store, &last, err);
    if (rc || !last)
        return rc;
    rc = cs_report_runs_read(store, request->where, &runs, err);
    if (!rc)
        rc = report_write_all(request, &runs, has_training, log, err);
    if (rc == CS_REPORTS_NO_GNUPLOT)
        cs_text_printf(log,
                       "gnuplot is not installed: scripts and data are written; run 'gnuplot "
                       "NAME.gp' in '%s'\n",
                       request->outdir);
    return rc;
}

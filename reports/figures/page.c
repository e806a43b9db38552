/* Page: see report.h. */
#include "reports/figures/report.h"
#include "reports/results/fields.h"
#include "reports/results/html.h"
#include "reports/results/runs_table.h"
#include "sim/base/mem.h"

#include <stdlib.h>
#include <string.h>

/* Styles are in the page: no file is needed besides the pictures. */
static void page_add_head(struct cs_text *out, const char *title)
{
    cs_text_add(out, "<!DOCTYPE html>\n"
                     "<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                     "<meta name=\"viewport\" content=\"width=device-width\">\n"
                     "<title>");
    cs_html_add(out, title);
    cs_text_add(out, "</title>\n<style>\n"
                     "body { font: 16px/1.5 sans-serif; color: #222; max-width: 1280px; margin: "
                     "2em auto; padding: 0 1em; }\n"
                     "h1 { font-size: 1.6em; }\n"
                     "h2 { font-size: 1.25em; margin-top: 2em; }\n"
                     "img { width: 100%; height: auto; border: 1px solid #ddd; }\n"
                     "figure { margin: 1em 0 2.5em; }\n"
                     "figcaption { color: #555; }\n"
                     ".wide { overflow-x: auto; }\n"
                     "table { border-collapse: collapse; font-size: 0.9em; font-variant-numeric: "
                     "tabular-nums; }\n"
                     "th, td { padding: 0.25em 0.7em; text-align: right; white-space: nowrap; }\n"
                     "th { border-bottom: 2px solid #888; vertical-align: bottom; }\n"
                     "td { border-bottom: 1px solid #e3e3e3; }\n"
                     ".t { text-align: left; }\n"
                     "</style>\n</head>\n<body>\n<h1>");
    cs_html_add(out, title);
    cs_text_add(out, "</h1>\n");
}

/* The names of the curves without a name in the picture. */
static void page_add_others(struct cs_text *out, const struct cs_figure *figure)
{
    const char *before = "; grey curves: ";

    for (size_t i = 0; i < figure->count; i++) {
        if (!figure->series[i].is_other)
            continue;
        cs_text_add(out, before);
        cs_html_add(out, figure->series[i].name);
        before = "; ";
    }
}

/* The caption has the text of the picture and links to picture, data and
 * script. */
static void page_add_figure(struct cs_text *out, const struct cs_figure *figure,
                            enum cs_page_pictures pictures)
{
    const char *name = figure->name;

    cs_text_add(out, "<figure>\n");
    if (pictures == CS_PAGE_DRAWN) {
        cs_text_printf(out, "<a href=\"%s.png\"><img src=\"%s.svg\" alt=\"", name, name);
        cs_html_add(out, figure->alt);
        cs_text_add(out, "\"></a>\n");
    }
    cs_text_add(out, "<figcaption>");
    cs_html_add(out, figure->alt);
    page_add_others(out, figure);
    if (pictures == CS_PAGE_DRAWN)
        cs_text_printf(out, " (<a href=\"%s.png\">PNG</a>,", name);
    else
        cs_text_printf(out, " (not drawn; run <code>gnuplot %s.gp</code>;", name);
    cs_text_printf(
        out,
        " <a href=\"%s.dat\">data</a>, <a href=\"%s.gp\">script</a>)</figcaption>\n</figure>\n",
        name, name);
}

static void page_add_figures(struct cs_text *out, const struct cs_page *page)
{
    if (page->figures->count == 0)
        cs_text_add(out, "<p>No figure: a figure needs runs of at least two sizes or two numbers "
                         "of ranks.</p>\n");
    for (size_t i = 0; i < page->figures->count; i++)
        page_add_figure(out, &page->figures->items[i], page->pictures);
    if (page->figures_left_out > 0)
        cs_text_printf(out,
                       "<p>%zu more figures are not drawn; <code>--where COLUMN=VALUE</code> and "
                       "<code>--report NAME</code> choose among them.</p>\n",
                       page->figures_left_out);
}

/* ---- the table of runs ---- */

/* A column of the table; the names of fields are those of record.def. */
struct page_column {
    const char *title;
    const char *field;
    bool (*is_shown)(const struct cs_page *page); /* NULL: always */
};

static bool page_differ_in_parameters(const struct cs_page *page)
{
    for (size_t i = 1; i < page->count; i++)
        if (!cs_same(page->records[i].parameters, page->records[0].parameters))
            return true;
    return false;
}

static int page_order_machines(const void *a, const void *b)
{
    const struct cs_record *left = *(const struct cs_record *const *)a;
    const struct cs_record *right = *(const struct cs_record *const *)b;

    return strcmp(left->topology, right->topology);
}

/* Whether machines with a common name have different specifications. */
static bool page_differ_in_machine(const struct cs_page *page)
{
    const struct cs_record **runs = cs_grow(NULL, page->count, sizeof *runs);
    bool differ = false;

    for (size_t i = 0; i < page->count; i++)
        runs[i] = &page->records[i];
    qsort(runs, page->count, sizeof *runs, page_order_machines);
    for (size_t i = 1; i < page->count && !differ; i++)
        differ = cs_same(runs[i]->topology, runs[i - 1]->topology) &&
                 !cs_same(runs[i]->topology_spec, runs[i - 1]->topology_spec);
    free(runs);
    return differ;
}

static bool page_has_padding(const struct cs_page *page)
{
    for (size_t i = 0; i < page->count; i++)
        if (page->records[i].padded_bytes > 0)
            return true;
    return false;
}

static bool page_has_reachable(const struct cs_page *page)
{
    for (size_t i = 0; i < page->count; i++)
        if (cs_record_is_narrowed(&page->records[i]))
            return true;
    return false;
}

static const struct page_column page_columns[] = {
    {"machine", "topology", NULL},
    {"specification", "topology_spec", page_differ_in_machine},
    {"collective", "collective", NULL},
    {"algorithm", "algorithm", NULL},
    {"model", "model", NULL},
    {"type", "dtype", NULL},
    {"placement", "placement", NULL},
    {"parameters", "parameters", page_differ_in_parameters},
    {"ranks", "ranks", NULL},
    {"size", "bytes", NULL},
    {"padded by", "padded_bytes", page_has_padding},
    {"time", "time_s", NULL},
    {"closed form", "closed_form_s", NULL},
    {"lower bound", "lower_bound_s", NULL},
    {"reachable", "reachable_s", page_has_reachable},
    {"algbw", "algbw_Bps", NULL},
    {"busbw", "busbw_Bps", NULL},
    {"messages", "messages", NULL},
    {"bottleneck", "bottleneck", NULL},
    {"data flow", "data_flow", NULL},
};

enum {
    PAGE_COLUMNS = sizeof page_columns / sizeof page_columns[0]
};

static void page_add_title(struct cs_text *out, const struct page_column *column)
{
    bool is_text = cs_sheet_is_text(cs_record_field(column->field)->value.kind);

    cs_text_printf(out, "<th%s>%s</th>", is_text ? " class=\"t\"" : "", column->title);
}

/* A hypothetical algorithm has the assumed ability as a tooltip. */
static void page_add_cell(struct cs_text *out, const struct page_column *column,
                          const struct cs_record *record)
{
    const struct cs_field *field = cs_record_field(column->field);
    bool is_marked = cs_same(column->field, "algorithm") && cs_record_is_hypothetical(record);
    CS_AT_END(cs_text_free) struct cs_text value = {0};

    cs_text_add(out, cs_sheet_is_text(field->value.kind) ? "<td class=\"t\"" : "<td");
    if (is_marked) {
        cs_text_add(out, " title=\"");
        cs_html_add(out, record->hypothetical);
        cs_text_add(out, "\"");
    }
    cs_text_add(out, ">");
    cs_field_show(field, record, &value);
    cs_html_add(out, cs_text_str(&value));
    cs_text_add(out, is_marked ? " (hypothetical)</td>" : "</td>");
}

static void page_add_runs(struct cs_text *out, const struct cs_page *page)
{
    bool shown[PAGE_COLUMNS];

    cs_text_add(out, "<h2>Runs</h2>\n");
    if (page->row_count < page->runs)
        cs_text_printf(
            out,
            "<p>The first %zu of %zu runs; <code>--where COLUMN=VALUE</code> chooses others.</p>\n",
            page->row_count, page->runs);
    cs_text_add(out, "<div class=\"wide\">\n<table>\n"
                     "<thead><tr>");
    for (size_t c = 0; c < PAGE_COLUMNS; c++) {
        shown[c] = !page_columns[c].is_shown || page_columns[c].is_shown(page);
        if (shown[c])
            page_add_title(out, &page_columns[c]);
    }
    cs_text_add(out, "</tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < page->row_count; i++) {
        cs_text_add(out, "<tr>");
        for (size_t c = 0; c < PAGE_COLUMNS; c++)
            if (shown[c])
                page_add_cell(out, &page_columns[c], &page->rows[i]);
        cs_text_add(out, "</tr>\n");
    }
    cs_text_add(out, "</tbody>\n</table>\n</div>\n");
}

void cs_page_write(const struct cs_page *page, struct cs_text *out)
{
    CS_AT_END(cs_text_free) struct cs_text title = {0};

    cs_runs_table_title_of(page->records, page->count, page->runs, &title);
    page_add_head(out, cs_text_str(&title));
    if (page->has_training)
        cs_text_add(out, "<p><a href=\"training.html\">Training steps</a></p>\n");
    page_add_figures(out, page);
    page_add_runs(out, page);
    cs_text_add(out, "</body>\n</html>\n");
}

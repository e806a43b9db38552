/*
 * Page: see page.h.
 */
#include "reports/figures/page.h"
#include "reports/results/html.h"
#include "reports/results/runs_table.h"
#include "sim/base/units.h"

#include <inttypes.h>
#include <math.h>

static void page_add_head(struct cs_text *out, const char *title)
{
    cs_text_add(out, "<!DOCTYPE html>\n"
                     "<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
                     "<meta name=\"viewport\" content=\"width=device-width\">\n"
                     "<title>");
    cs_html_add(out, title);
    cs_text_add(
        out,
        "</title>\n<style>\n"
        "body { font: 16px/1.5 sans-serif; color: #222; max-width: 1280px; "
        "margin: 2em auto; padding: 0 1em; }\n"
        "h1 { font-size: 1.6em; }\n"
        "h2 { font-size: 1.25em; margin-top: 2em; }\n"
        "img { width: 100%; height: auto; border: 1px solid #ddd; }\n"
        "figure { margin: 1em 0 2.5em; }\n"
        "figcaption { color: #555; }\n"
        ".wide { overflow-x: auto; }\n"
        "table { border-collapse: collapse; font-size: 0.9em; "
        "font-variant-numeric: tabular-nums; }\n"
        "th, td { padding: 0.25em 0.7em; text-align: right; white-space: "
        "nowrap; }\n"
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

static void page_add_figure(struct cs_text *out, const struct cs_figure *figure,
                            enum cs_page_pictures pictures)
{
    const char *name = figure->name;

    cs_text_add(out, "<figure>\n");
    if (pictures == CS_PAGE_DRAWN) {
        cs_text_printf(out, "<a href=\"%s.png\"><img src=\"%s.svg\" alt=\"",
                       name, name);
        cs_html_add(out, figure->alt);
        cs_text_add(out, "\"></a>\n");
    }
    cs_text_add(out, "<figcaption>");
    cs_html_add(out, figure->alt);
    page_add_others(out, figure);
    if (pictures == CS_PAGE_DRAWN)
        cs_text_printf(out, " (<a href=\"%s.png\">PNG</a>,", name);
    else
        cs_text_printf(out, " (not drawn; run <code>gnuplot %s.gp</code>;",
                       name);
    cs_text_printf(out,
                   " <a href=\"%s.dat\">data</a>, <a href=\"%s.gp\">script</a>)"
                   "</figcaption>\n</figure>\n",
                   name, name);
}

static void page_add_figures(struct cs_text *out, const struct cs_page *page)
{
    if (page->figures->count == 0)
        cs_text_add(out, "<p>No figure: a figure needs runs of at least two "
                         "sizes or two numbers of ranks.</p>\n");
    for (size_t i = 0; i < page->figures->count; i++)
        page_add_figure(out, &page->figures->items[i], page->pictures);
}

static void cell_name(struct cs_text *out, const char *text)
{
    cs_text_add(out, "<td class=\"t\">");
    cs_html_add(out, text);
    cs_text_add(out, "</td>");
}

static void page_cell(struct cs_text *out, const char *text)
{
    cs_text_printf(out, "<td>%s</td>", text);
}

static void page_cell_seconds(struct cs_text *out, double time_s)
{
    char text[CS_UNITS_TEXT];

    page_cell(out, cs_units_show_seconds(text, time_s));
}

static void page_cell_rate(struct cs_text *out, double rate_Bps)
{
    char text[CS_UNITS_TEXT];

    page_cell(out,
              isfinite(rate_Bps) ? cs_units_show_rate(text, rate_Bps) : "-");
}

static bool page_differ_in_parameters(const struct cs_page *page)
{
    for (size_t i = 1; i < page->count; i++)
        if (!cs_same(page->records[i].parameters, page->records[0].parameters))
            return true;
    return false;
}

static void page_cell_algorithm(struct cs_text *out,
                                const struct cs_record *record)
{
    cs_text_add(out, "<td class=\"t\"");
    if (cs_record_is_hypothetical(record)) {
        cs_text_add(out, " title=\"");
        cs_html_add(out, record->hypothetical);
        cs_text_add(out, "\"");
    }
    cs_text_add(out, ">");
    cs_html_add(out, record->algorithm);
    cs_text_add(out, cs_record_is_hypothetical(record) ? " (hypothetical)</td>"
                                                       : "</td>");
}

/* Whether machines of one name have different specifications. */
static bool page_differ_in_machine(const struct cs_page *page)
{
    for (size_t i = 0; i < page->count; i++)
        for (size_t k = 0; k < i; k++)
            if (cs_same(page->records[i].topology, page->records[k].topology) &&
                !cs_same(page->records[i].topology_spec,
                         page->records[k].topology_spec))
                return true;
    return false;
}

/* Columns that are shown only where rows differ in them. */
struct extra {
    bool machine;
    bool parameters;
};

static void page_add_row(struct cs_text *out, const struct cs_record *record,
                         struct extra extra)
{
    char text[CS_UNITS_TEXT];

    cs_text_add(out, "<tr>");
    cell_name(out, record->topology);
    if (extra.machine)
        cell_name(out, record->topology_spec);
    cell_name(out, record->collective);
    page_cell_algorithm(out, record);
    cell_name(out, record->model);
    cell_name(out, record->dtype);
    cell_name(out, record->placement);
    if (extra.parameters)
        cell_name(out, record->parameters);
    cs_text_printf(out, "<td>%" PRIu32 "</td>", record->ranks);
    page_cell(out, cs_units_show_bytes(text, record->bytes));
    page_cell(out, cs_units_show_time(text, record->time_ps));
    page_cell_seconds(out, record->closed_form_s);
    page_cell_seconds(out, record->lower_bound_s);
    page_cell_rate(out, record->algbw_Bps);
    page_cell_rate(out, record->busbw_Bps);
    page_cell(out, cs_units_show_count(text, record->messages));
    cell_name(out, record->bottleneck);
    cell_name(out, cs_verified_word(record->verified));
    cs_text_add(out, "</tr>\n");
}

static void page_add_runs(struct cs_text *out, const struct cs_page *page)
{
    struct extra extra = {page_differ_in_machine(page),
                          page_differ_in_parameters(page)};

    cs_text_printf(
        out,
        "<h2>Runs</h2>\n<div class=\"wide\">\n<table>\n<thead><tr>"
        "<th class=\"t\">machine</th>%s<th class=\"t\">collective</th>"
        "<th class=\"t\">algorithm</th><th class=\"t\">model</th>"
        "<th class=\"t\">type</th><th class=\"t\">placement</th>%s"
        "<th>ranks</th><th>size</th><th>time</th><th>closed form</th>"
        "<th>lower bound</th><th>algbw</th><th>busbw</th><th>messages</th>"
        "<th class=\"t\">bottleneck</th><th class=\"t\">data flow</th>"
        "</tr></thead>\n<tbody>\n",
        extra.machine ? "<th class=\"t\">specification</th>" : "",
        extra.parameters ? "<th class=\"t\">parameters</th>" : "");
    for (size_t i = 0; i < page->count; i++)
        page_add_row(out, &page->records[i], extra);
    cs_text_add(out, "</tbody>\n</table>\n</div>\n");
}

void cs_page_write(const struct cs_page *page, struct cs_text *out)
{
    struct cs_text title = {0};

    cs_runs_table_title(page->records, page->count, &title);
    page_add_head(out, cs_text_str(&title));
    page_add_figures(out, page);
    page_add_runs(out, page);
    cs_text_add(out, "</body>\n</html>\n");
    cs_text_free(&title);
}

#include "reports/results/html.h"
#include "reports/document/document.h"

#include <stdio.h>

enum {
    PAGE_WIDE = 760, /* pixels of a picture */
    PAGE_NARROW = 352,
};

/* Colours by Okabe and Ito ("Color Universal Design", 2008), lighter on dark
 * ground; in print the ground is white. */
static const char *const page_colours_light =
    "--ground:#fff;--text:#1b1b1f;--faint:#5a5f69;--rule:#c9ccd3;--panel:#eef4fb;--edge:#0072b2;--"
    "s0:#0072b2;--s1:#d55e00;--s2:#008a66;--s3:#b0508a;--s4:#8a5a00;--s5:#3d8ec9;--s6:#5f6773;--s7:"
    "#b58900;--s8:#7a3db8;--s9:#a11c2e;--s10:#2f6b2f;--s11:#12486b;--u0:#b3b8c2;--u1:#6aaed8;--u2:#"
    "1b6fb0;--u3:#e08a00;--u4:#c2182b;";
static const char *const page_colours_dark =
    "--ground:#15171c;--text:#e8e9ec;--faint:#a9b0bb;--rule:#434853;--panel:#1d2836;--edge:#56b4e9;"
    "--s0:#56b4e9;--s1:#f28e4b;--s2:#3ac79c;--s3:#e29cc6;--s4:#d3a75a;--s5:#8cc8f2;--s6:#a9b0bb;--"
    "s7:#f0d060;--s8:#b792e8;--s9:#ef7d8b;--s10:#8ccf8c;--s11:#7fb2d6;--u0:#565c68;--u1:#3f7fb0;--"
    "u2:#7cc2f2;--u3:#f0a63c;--u4:#ff6b6b;";

static const char *const page_style =
    "body{font:16px/1.5 "
    "system-ui,sans-serif;color:var(--text);background:var(--ground);max-width:1200px;margin:2em "
    "auto;padding:0 "
    "1em}h1{font-size:1.6em;line-height:1.25}h2{font-size:1.25em;margin-top:2em}.answer{background:"
    "var(--panel);border-left:4px solid var(--edge);margin:0;padding:.35em "
    ".9em;font-size:1.05em}a{color:var(--edge)}pre{white-space:pre-wrap;overflow-wrap:anywhere;"
    "background:var(--panel);padding:.7em .9em}figure{margin:1.5em "
    "0}figcaption{color:var(--faint)}.scroll{overflow-x:auto}.scroll:focus-visible,summary:focus-"
    "visible{outline:2px solid var(--edge)}.wide svg,.narrow "
    "svg{display:block;width:100%;height:auto}.wide "
    "svg{max-width:860px}.narrow{display:none}.key{list-style:none;margin:0 0 "
    ".5em;padding:0;display:flex;flex-wrap:wrap;gap:.15em 1.3em;max-width:860px}.key "
    "svg{width:26px;height:14px;margin-right:.4em;vertical-align:-1px}table{border-collapse:"
    "collapse;font-size:.9em;font-variant-numeric:tabular-nums;min-width:50%}.caption{color:var(--"
    "faint);margin:.6em 0 .3em}th,td{padding:.25em "
    ".7em;text-align:right;vertical-align:top}th{border-bottom:2px solid "
    "var(--rule);vertical-align:bottom;max-width:9em}td{border-bottom:1px solid "
    "var(--rule);white-space:nowrap}.l{text-align:left}td.l{white-space:normal;max-width:30em}"
    "summary{cursor:pointer;color:var(--faint)}svg text{font:14px "
    "system-ui,sans-serif;fill:var(--text)}svg .e{text-anchor:end}svg .t{text-anchor:middle}svg "
    ".g{stroke:var(--rule);stroke-width:1}svg .a{stroke:var(--faint);stroke-width:1}svg "
    ".c{fill:none;stroke-width:2.2}svg .d{stroke-dasharray:6 5}svg .b{opacity:.16;stroke:none}svg "
    ".f{stroke:var(--ground);stroke-width:1}svg .n{font-size:12px}svg "
    ".h{fill:var(--faint);stroke:var(--ground);stroke-width:4;paint-order:stroke}svg "
    ".o{fill:var(--panel);stroke:var(--faint)}svg "
    ".w{fill:none;stroke:var(--faint);stroke-dasharray:4 4}svg .u{fill:none}svg "
    ".u0{stroke:var(--u0);stroke-width:1.2}svg .u1{stroke:var(--u1);stroke-width:2}svg "
    ".u2{stroke:var(--u2);stroke-width:3}svg .u3{stroke:var(--u3);stroke-width:4}svg "
    ".u4{stroke:var(--u4);stroke-width:5}";

/* A phone has its own pictures, and rows of tables as blocks, with the titles of
 * the columns above the cells. */
static const char *const page_phone =
    "@media screen and (max-width:1000px){table{font-size:.8em}th,td{padding:.2em .35em}}\n"
    "@media screen and (max-width:860px){table{font-size:.72em}th,td{padding:.2em .25em}}\n"
    "@media screen and "
    "(max-width:640px){table{font-size:.9em}.wide{display:none}.narrow{display:block}table,tbody,"
    "tr,td{display:block;min-width:0}thead{display:none}tr{display:flex;flex-wrap:wrap;gap:.15em "
    "1.1em;padding:.5em 0;border-bottom:1px solid "
    "var(--rule)}td,td.l{border:0;padding:0;text-align:left;white-space:normal}td:first-child{flex-"
    "basis:100%;font-weight:600}td[data-l]:not(:first-child)::before{content:attr(data-l);display:"
    "block;color:var(--faint);font-size:.8em}}\n";

static void page_add_style(struct cs_text *out)
{
    cs_text_printf(out, "<style>\n:root{color-scheme:light dark;%s}\n", page_colours_light);
    cs_text_printf(out, "@media screen and (prefers-color-scheme:dark){:root{%s}}\n",
                   page_colours_dark);
    cs_text_add(out, page_style);
    for (int s = 0; s < CS_CHART_SERIES_MAX; ++s)
        cs_text_printf(
            out, "svg .c.s%d{stroke:var(--s%d)}svg .m.s%d,svg .b.s%d,svg .f.s%d{fill:var(--s%d)}",
            s, s, s, s, s, s);
    cs_text_add(out,
                "\n@page{size:A4;margin:14mm}\n"
                "@media "
                "print{body{font-size:11px;max-width:none;margin:0}figure,tr,.answer{break-inside:"
                "avoid}h2,.caption{break-after:avoid}.scroll{overflow:visible}table{font-size:."
                "85em}th,td{padding:.2em .35em}details:not([open]){display:none}}\n");
    cs_text_add(out, page_phone);
    cs_text_add(out, "</style>\n");
}

static void page_add_head(const struct cs_document *document, struct cs_text *out)
{
    cs_text_add(out, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n"
                     "<meta charset=\"utf-8\"/>\n<meta name=\"viewport\" "
                     "content=\"width=device-width, initial-scale=1\"/>\n"
                     "<title>");
    cs_html_add(out, document->title);
    cs_text_add(out, "</title>\n");
    page_add_style(out);
    cs_text_add(out, "</head>\n<body>\n<main>\n<h1>");
    cs_html_add(out, document->title);
    cs_text_add(out, "</h1>\n");
}

static void page_add_text(const char *open, const char *text, const char *close,
                          struct cs_text *out)
{
    cs_text_add(out, open);
    cs_html_add(out, text);
    cs_text_add(out, close);
}

static void page_add_title(const struct cs_document_table *table, size_t column,
                           struct cs_text *out)
{
    cs_text_printf(out, "<th scope=\"col\"%s>", table->is_text[column] ? " class=\"l\"" : "");
    cs_html_add(out, table->titles[column]);
    cs_text_add(out, "</th>");
}

static void page_add_cell(const struct cs_document_table *table, size_t row, size_t column,
                          struct cs_text *out)
{
    cs_text_printf(out, "<td%s data-l=\"", table->is_text[column] ? " class=\"l\"" : "");
    cs_html_add(out, table->titles[column]);
    cs_text_add(out, "\">");
    cs_html_add(out, table->cells[row * table->columns + column]);
    cs_text_add(out, "</td>");
}

static void page_add_table(const struct cs_document_table *table, const char *caption,
                           struct cs_text *out)
{
    page_add_text("<p class=\"caption\">", caption, "</p>\n", out);
    cs_text_add(out, "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"");
    cs_html_add(out, caption);
    cs_text_add(out, "\">\n<table>\n<thead><tr>");
    for (size_t c = 0; c < table->columns; ++c)
        page_add_title(table, c, out);
    cs_text_add(out, "</tr></thead>\n<tbody>\n");
    for (size_t r = 0; r < table->rows; ++r) {
        cs_text_add(out, "<tr>");
        for (size_t c = 0; c < table->columns; ++c)
            page_add_cell(table, r, c, out);
        cs_text_add(out, "</tr>\n");
    }
    cs_text_add(out, "</tbody>\n</table>\n</div>\n");
}

/* A picture of a block, of one of the two widths. */
static void page_add_picture(const struct cs_block *block, const char *kind, uint32_t id,
                             uint32_t width, struct cs_text *out)
{
    char name[32];

    snprintf(name, sizeof(name), "%s%u", kind, id);
    cs_text_printf(out, "<div class=\"%s\">\n", kind);
    if (block->kind == CS_BLOCK_CHART)
        cs_chart_svg(&block->chart, name, width, out);
    else
        cs_diagram_svg(&block->diagram, name, width, out);
    cs_text_add(out, "</div>\n");
}

static void page_add_data(const struct cs_block *block, struct cs_text *out)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_document_table table = cs_document_chart_table(&block->chart, &arena);

    cs_text_add(out, "<details><summary>Data</summary>\n");
    page_add_table(&table, block->text, out);
    cs_text_add(out, "</details>\n");
}

static void page_add_figure(const struct cs_block *block, uint32_t id, struct cs_text *out)
{
    cs_text_add(out, "<figure>\n");
    if (block->kind == CS_BLOCK_CHART)
        cs_chart_key(&block->chart, out);
    else
        cs_diagram_key(out);
    page_add_picture(block, "wide", id, PAGE_WIDE, out);
    page_add_picture(block, "narrow", id, PAGE_NARROW, out);
    page_add_text("<figcaption>", block->text, "</figcaption>\n", out);
    if (block->kind == CS_BLOCK_CHART)
        page_add_data(block, out);
    cs_text_add(out, "</figure>\n");
}

static void page_add_block(const struct cs_document *document, uint32_t b, struct cs_text *out)
{
    const struct cs_block *block = &document->blocks[b];
    bool first = b == 0 || block[-1].kind != CS_BLOCK_ITEM;
    bool last = b + 1 == document->count || block[1].kind != CS_BLOCK_ITEM;

    switch (block->kind) {
    case CS_BLOCK_HEADING:
        page_add_text("<h2>", block->text, "</h2>\n", out);
        break;
    case CS_BLOCK_ANSWER:
        page_add_text("<p class=\"answer\">", block->text, "</p>\n", out);
        break;
    case CS_BLOCK_PARAGRAPH:
        page_add_text("<p>", block->text, "</p>\n", out);
        break;
    case CS_BLOCK_ITEM:
        page_add_text(first ? "<ul>\n<li>" : "<li>", block->text,
                      last ? "</li>\n</ul>\n" : "</li>\n", out);
        break;
    case CS_BLOCK_CODE:
        page_add_text("<pre><code>", block->text, "</code></pre>\n", out);
        break;
    case CS_BLOCK_TABLE:
        page_add_table(&block->table, block->text, out);
        break;
    case CS_BLOCK_CHART:
    case CS_BLOCK_DIAGRAM:
        page_add_figure(block, b, out);
        break;
    }
}

void cs_document_html(const struct cs_document *document, struct cs_text *out)
{
    page_add_head(document, out);
    for (uint32_t b = 0; b < document->count; ++b)
        page_add_block(document, b, out);
    cs_text_add(out, "</main>\n</body>\n</html>\n");
}

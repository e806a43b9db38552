/*
 * Document: headings, paragraphs, tables and charts, written as a page or text.
 *
 *     struct cs_document document = {0};
 *     cs_document_begin(&document, "Capacity of a training cluster");
 *     cs_document_add(&document, CS_BLOCK_PARAGRAPH, "%u GPUs take %s.", gpus, time);
 *     cs_document_add_table(&document, "Sizes", &sheet);
 *     cs_document_html(&document, &out);
 *     cs_document_free(&document);
 *
 * The page is one HTML file without references to other files: styles and charts
 * (inline SVG) stand inside, colours follow the reader's light or dark setting.
 * Each chart has a description and its data as a table, for screen readers and
 * for a reader without the picture.  Markdown has the tables in place of the
 * charts, and no diagrams, which a table of the author's accompanies.  Texts of any
 * origin are escaped in both.
 *
 * Blocks are copied into the document's arena; charts are copied by value, their
 * arrays too.
 *
 *     block   O(length)
 *     write   O(all text)
 */
#pragma once

#include "reports/document/chart.h"
#include "reports/results/sheet.h"

enum cs_block_kind {
    CS_BLOCK_HEADING,
    CS_BLOCK_ANSWER, /* a paragraph that stands out */
    CS_BLOCK_PARAGRAPH,
    CS_BLOCK_ITEM, /* of a list; neighbours form one list */
    CS_BLOCK_CODE, /* a command */
    CS_BLOCK_TABLE,
    CS_BLOCK_CHART,
    CS_BLOCK_DIAGRAM,
};

/* A table of shown texts, row by row. */
struct cs_document_table {
    size_t columns, rows;
    const char **titles; /* of the columns, with units */
    const bool *is_text; /* of the columns: aligned left */
    const char *const *cells;
};

struct cs_block {
    enum cs_block_kind kind;
    const char *text; /* of a table or a chart: the caption */
    struct cs_document_table table;
    struct cs_chart chart;
    struct cs_diagram diagram;
};

struct cs_document {
    struct cs_arena arena;
    const char *title;
    struct cs_block *blocks;
    uint32_t count, capacity;
};

/* `document` is zeroed or freed. */
void cs_document_begin(struct cs_document *document, const char *title);

/* Appends a block with text as printf; not for tables and charts. */
void cs_document_add(struct cs_document *document, enum cs_block_kind kind, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* Appends the sheet as shown to people. */
void cs_document_add_table(struct cs_document *document, const char *caption,
                           const struct cs_sheet *sheet);

/* Appends a chart; the document keeps copies of points and texts. */
void cs_document_add_chart(struct cs_document *document, const struct cs_chart *chart);

/* Appends a diagram; the document keeps copies of links and texts. */
void cs_document_add_diagram(struct cs_document *document, const struct cs_diagram *diagram);

/* Append the whole document. */
void cs_document_html(const struct cs_document *document, struct cs_text *out);
void cs_document_markdown(const struct cs_document *document, struct cs_text *out);

void cs_document_free(struct cs_document *document);

/* The data of a chart as a table; memory is in the arena. */
struct cs_document_table cs_document_chart_table(const struct cs_chart *chart,
                                                 struct cs_arena *arena);

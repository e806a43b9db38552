#include "reports/document/document.h"

#include "sim/base/collections/vector.h"
#include "sim/base/order.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void cs_document_begin(struct cs_document *document, const char *title)
{
    *document = (struct cs_document){0};
    document->title = cs_arena_text(&document->arena, title);
}

static struct cs_block *document_next(struct cs_document *document, enum cs_block_kind kind,
                                      const char *text)
{
    struct cs_block *block;

    block = CS_VECTOR_NEXT(document->blocks, document->count, document->capacity);
    *block = (struct cs_block){.kind = kind, .text = cs_arena_text(&document->arena, text)};
    return block;
}

void cs_document_add(struct cs_document *document, enum cs_block_kind kind, const char *format, ...)
{
    CS_AT_END(cs_text_free) struct cs_text text = {0};
    va_list args;

    va_start(args, format);
    cs_text_vprintf(&text, format, args);
    va_end(args);
    document_next(document, kind, cs_text_str(&text));
}

/* ---- tables ---- */

static const char *document_column_title(const struct cs_sheet_column *column,
                                         struct cs_arena *arena)
{
    struct cs_text text = {0};

    if (!column->unit)
        return cs_arena_text(arena, column->title);
    cs_text_printf(&text, "%s, %s", column->title, column->unit);
    return cs_text_keep(&text, arena);
}

/* Columns without any known cell are left out. */
static size_t document_known_columns(const struct cs_sheet *sheet, size_t *columns)
{
    size_t count = 0;

    for (size_t c = 0; c < sheet->column_count; ++c)
        for (size_t i = c; i < sheet->cell_count; i += sheet->column_count)
            if (sheet->cells[i].known) {
                columns[count++] = c;
                break;
            }
    return count;
}

void cs_document_add_table(struct cs_document *document, const char *caption,
                           const struct cs_sheet *sheet)
{
    struct cs_arena *arena = &document->arena;
    struct cs_block *block = document_next(document, CS_BLOCK_TABLE, caption);
    size_t *columns = cs_arena_alloc(arena, sheet->column_count, sizeof(*columns));
    size_t count = document_known_columns(sheet, columns);
    size_t rows = cs_sheet_rows(sheet);
    const char **titles = cs_arena_alloc(arena, count, sizeof(*titles));
    const char **cells = cs_arena_alloc(arena, rows * count, sizeof(*cells));
    bool *is_text = cs_arena_alloc(arena, count, sizeof(*is_text));
    char text[CS_SHEET_SHOWN];

    for (size_t c = 0; c < count; ++c) {
        const struct cs_sheet_column *column = &sheet->columns[columns[c]];

        titles[c] = document_column_title(column, arena);
        is_text[c] = cs_sheet_is_text(column->kind) || column->kind == CS_SHEET_BOOL;
        for (size_t r = 0; r < rows; ++r)
            cells[r * count + c] = cs_arena_text(arena, cs_sheet_show(sheet, r, columns[c], text));
    }
    block->table = (struct cs_document_table){count, rows, titles, is_text, cells};
}

/* ---- charts ---- */

static const double *document_numbers(const double *from, uint32_t count, struct cs_arena *arena)
{
    double *copy;

    if (!from)
        return NULL;
    copy = cs_arena_alloc(arena, count, sizeof(*copy));
    if (count)
        memcpy(copy, from, count * sizeof(*copy));
    return copy;
}

void cs_document_add_chart(struct cs_document *document, const struct cs_chart *chart)
{
    struct cs_arena *arena = &document->arena;
    struct cs_block *block = document_next(document, CS_BLOCK_CHART, chart->caption);
    struct cs_chart *copy = &block->chart;
    const char **categories = cs_arena_alloc(arena, chart->category_count, sizeof(*categories));

    *copy = *chart;
    copy->caption = block->text;
    copy->x_title = cs_arena_text(arena, chart->x_title);
    copy->y_title = cs_arena_text(arena, chart->y_title);
    for (uint32_t c = 0; c < chart->category_count; ++c)
        categories[c] = cs_arena_text(arena, chart->categories[c]);
    copy->categories = categories;
    for (uint32_t s = 0; s < chart->series_count; ++s) {
        struct cs_chart_series *series = &copy->series[s];

        series->name = cs_arena_text(arena, series->name);
        series->x = document_numbers(series->x, series->count, arena);
        series->y = document_numbers(series->y, series->count, arena);
        series->low = document_numbers(series->low, series->count, arena);
        series->high = document_numbers(series->high, series->count, arena);
    }
}

/* ---- diagrams ---- */

void cs_document_add_diagram(struct cs_document *document, const struct cs_diagram *diagram)
{
    struct cs_arena *arena = &document->arena;
    struct cs_block *block = document_next(document, CS_BLOCK_DIAGRAM, diagram->caption);
    struct cs_diagram *copy = &block->diagram;
    struct cs_diagram_link *links = cs_arena_alloc(arena, diagram->link_count, sizeof(*links));

    *copy = *diagram;
    copy->caption = block->text;
    copy->frame = cs_arena_text(arena, diagram->frame);
    for (uint32_t l = 0; l < diagram->link_count; ++l)
        links[l] = diagram->links[l];
    copy->links = links;
    for (uint32_t r = 0; r < diagram->row_count; ++r) {
        struct cs_diagram_row *row = &copy->rows[r];
        const char **boxes = cs_arena_alloc(arena, row->count, sizeof(*boxes));

        row->name = cs_arena_text(arena, row->name);
        for (uint32_t b = 0; b < row->count; ++b)
            boxes[b] = cs_arena_text(arena, row->boxes[b]);
        row->boxes = boxes;
    }
}

/* ---- data of a chart ---- */

static void document_chart_row(const struct cs_chart *chart, double x, const char *category,
                               const char **row, struct cs_arena *arena)
{
    char text[CS_CHART_NUMBER];

    row[0] = category ? category : cs_arena_text(arena, cs_chart_show(chart->x_number, x, text));
    for (uint32_t s = 0; s < chart->series_count; ++s)
        row[s + 1] = "-";
}

static void document_chart_put(const struct cs_chart *chart, uint32_t s, uint32_t i,
                               const char **row, struct cs_arena *arena)
{
    const struct cs_chart_series *series = &chart->series[s];
    char text[CS_CHART_NUMBER];

    if (isfinite(series->y[i]))
        row[s + 1] = cs_arena_text(arena, cs_chart_show(chart->y_number, series->y[i], text));
}

/* The different x of all series, in order. */
static size_t document_chart_places(const struct cs_chart *chart, double *places)
{
    size_t count = 0, kept = 0;

    for (uint32_t s = 0; s < chart->series_count; ++s)
        for (uint32_t i = 0; i < chart->series[s].count; ++i)
            places[count++] = chart->series[s].x[i];
    if (!count)
        return 0;
    qsort(places, count, sizeof(*places), cs_order_of_doubles);
    for (size_t i = 1; i < count; ++i)
        if (places[i] > places[kept])
            places[++kept] = places[i];
    return kept + 1;
}

static size_t document_chart_points(const struct cs_chart *chart)
{
    size_t count = 0;

    for (uint32_t s = 0; s < chart->series_count; ++s)
        count += chart->series[s].count;
    return count;
}

static void document_chart_lines(const struct cs_chart *chart, const double *places, size_t rows,
                                 const char **cells, struct cs_arena *arena)
{
    size_t columns = chart->series_count + 1;

    for (size_t r = 0; r < rows; ++r) {
        document_chart_row(chart, places[r], NULL, cells + r * columns, arena);
        for (uint32_t s = 0; s < chart->series_count; ++s)
            for (uint32_t i = 0; i < chart->series[s].count; ++i)
                if (!(chart->series[s].x[i] < places[r]) && !(chart->series[s].x[i] > places[r]))
                    document_chart_put(chart, s, i, cells + r * columns, arena);
    }
}

static void document_chart_stack(const struct cs_chart *chart, const char **cells,
                                 struct cs_arena *arena)
{
    size_t columns = chart->series_count + 1;

    for (uint32_t r = 0; r < chart->category_count; ++r) {
        document_chart_row(chart, 0, chart->categories[r], cells + r * columns, arena);
        for (uint32_t s = 0; s < chart->series_count; ++s)
            document_chart_put(chart, s, r, cells + r * columns, arena);
    }
}

struct cs_document_table cs_document_chart_table(const struct cs_chart *chart,
                                                 struct cs_arena *arena)
{
    size_t columns = chart->series_count + 1;
    const char **titles = cs_arena_alloc(arena, columns, sizeof(*titles));
    bool *is_text = cs_arena_alloc(arena, columns, sizeof(*is_text));
    double *places = cs_arena_alloc(arena, document_chart_points(chart) + 1, sizeof(*places));
    bool is_stack = chart->kind == CS_CHART_STACK;
    size_t rows = is_stack ? chart->category_count : document_chart_places(chart, places);
    const char **cells = cs_arena_alloc(arena, rows * columns, sizeof(*cells));

    titles[0] = chart->x_title;
    is_text[0] = is_stack;
    for (uint32_t s = 0; s < chart->series_count; ++s) {
        titles[s + 1] = chart->series[s].name;
        is_text[s + 1] = false;
    }
    if (is_stack)
        document_chart_stack(chart, cells, arena);
    else
        document_chart_lines(chart, places, rows, cells, arena);
    return (struct cs_document_table){columns, rows, titles, is_text, cells};
}

void cs_document_free(struct cs_document *document)
{
    free(document->blocks);
    cs_arena_free(&document->arena);
    *document = (struct cs_document){0};
}

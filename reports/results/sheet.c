#include "reports/results/sheet.h"

#include "reports/results/json.h"
#include "sim/base/collections/vector.h"
#include "sim/base/units.h"

#include <assert.h>
#include <ctype.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void cs_sheet_begin(struct cs_sheet *sheet, const char *name, const struct cs_sheet_column *columns,
                    size_t count)
{
    *sheet = (struct cs_sheet){.name = name, .columns = columns, .column_count = count};
}

/* ---- cells ---- */

static void sheet_add(struct cs_sheet *sheet, struct cs_sheet_cell cell)
{
    sheet->cells = cs_vector_room(sheet->cells, (uint32_t)sheet->cell_count + 1, &sheet->capacity,
                                  sizeof(*sheet->cells));
    sheet->cells[sheet->cell_count++] = cell;
}

void cs_sheet_row(struct cs_sheet *sheet, const void *row)
{
    for (size_t c = 0; c < sheet->column_count; c++) {
        const struct cs_sheet_column *column = &sheet->columns[c];
        struct cs_sheet_cell cell = cs_column_cell(column, row);

        if (cell.known && cs_sheet_is_text(column->kind))
            cell.is.text = cs_arena_text(&sheet->arena, cell.is.text);
        sheet_add(sheet, cell);
    }
}

void cs_sheet_fill(struct cs_sheet *sheet, const struct cs_rows *rows)
{
    cs_sheet_begin(sheet, rows->name, rows->columns, rows->column_count);
    for (size_t i = 0; i < rows->count; i++)
        cs_sheet_row(sheet, (const char *)rows->rows + i * rows->size);
}

size_t cs_sheet_rows(const struct cs_sheet *sheet)
{
    return sheet->cell_count / sheet->column_count;
}

const struct cs_sheet_cell *cs_sheet_at(const struct cs_sheet *sheet, size_t row, size_t column)
{
    return &sheet->cells[row * sheet->column_count + column];
}

/* ---- for people ---- */

const char *cs_sheet_show_cell(const struct cs_sheet_cell *cell, enum cs_sheet_kind kind,
                               char text[CS_SHEET_SHOWN])
{
    switch (kind) {
    case CS_SHEET_TEXT:
    case CS_SHEET_NAMED:
    case CS_SHEET_FIGURE:
        return cell->is.text;
    case CS_SHEET_PLAIN:
        snprintf(text, CS_SHEET_SHOWN, "%" PRIu64, cell->is.u64);
        return text;
    case CS_SHEET_COUNT:
        return cs_units_show_count(text, cell->is.u64);
    case CS_SHEET_BYTES:
        return cs_units_show_bytes(text, cell->is.u64);
    case CS_SHEET_MEMORY:
        snprintf(text, CS_SHEET_SHOWN, "%.2f GiB", (double)cell->is.u64 / (1 << 30));
        return text;
    case CS_SHEET_TIME:
        return cs_units_show_time(text, cell->is.u64);
    case CS_SHEET_SECONDS:
        return cs_units_show_seconds(text, cell->is.real);
    case CS_SHEET_RATE:
        return cs_units_show_rate(text, cell->is.real);
    case CS_SHEET_SHARE:
        snprintf(text, CS_SHEET_SHOWN, "%.1f %%", 100 * cell->is.real);
        return text;
    case CS_SHEET_TIMES:
        snprintf(text, CS_SHEET_SHOWN, "%.4g x", cell->is.real);
        return text;
    case CS_SHEET_REAL:
        /* All digits before the point, up to nine. */
        snprintf(text, CS_SHEET_SHOWN,
                 fabs(cell->is.real) >= 1e4 && fabs(cell->is.real) < 1e9 ? "%.0f" : "%.4g",
                 cell->is.real);
        return text;
    default:
        return cell->is.boolean ? "yes" : "no";
    }
}

static const char *sheet_show_or(const struct cs_sheet *sheet, size_t cell, const char *unknown,
                                 char text[CS_SHEET_SHOWN])
{
    assert(sheet->column_count);
    return sheet->cells[cell].known
               ? cs_sheet_show_cell(&sheet->cells[cell],
                                    sheet->columns[cell % sheet->column_count].kind, text)
               : unknown;
}

const char *cs_sheet_show(const struct cs_sheet *sheet, size_t row, size_t column,
                          char text[CS_SHEET_SHOWN])
{
    return sheet_show_or(sheet, row * sheet->column_count + column, "-", text);
}

/* ---- for programs ---- */

/* An object of the numbers; a name may have '=', the number has none. */
static void sheet_json_named(const char *text, struct cs_json *json)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    char *rest = NULL, *words = cs_arena_text(&arena, text);

    cs_json_object(json);
    for (char *word = strtok_r(words, ";", &rest); word; word = strtok_r(NULL, ";", &rest)) {
        char *equal = strrchr(word, '=');

        assert(equal);
        *equal = '\0';
        cs_json_key_real(json, word + strspn(word, " "), strtod(equal + 1, NULL));
    }
    cs_json_end(json);
}

void cs_sheet_json_cell(const struct cs_sheet_cell *cell, enum cs_sheet_kind kind,
                        struct cs_json *json)
{
    if (!cell->known) {
        cs_json_null(json);
        return;
    }
    switch (kind) {
    case CS_SHEET_TEXT:
    case CS_SHEET_FIGURE:
        cs_json_text(json, cell->is.text);
        break;
    case CS_SHEET_NAMED:
        sheet_json_named(cell->is.text, json);
        break;
    case CS_SHEET_COUNT:
    case CS_SHEET_PLAIN:
    case CS_SHEET_BYTES:
    case CS_SHEET_MEMORY:
        cs_json_u64(json, cell->is.u64);
        break;
    case CS_SHEET_TIME:
        cs_json_exact(json, cell->is.u64);
        break;
    case CS_SHEET_BOOL:
        cs_json_bool(json, cell->is.boolean);
        break;
    default:
        cs_json_real(json, cell->is.real);
    }
}

void cs_sheet_json_row(const struct cs_sheet_column *columns, size_t count, const void *row,
                       struct cs_json *json)
{
    for (size_t c = 0; c < count; c++) {
        struct cs_sheet_cell cell = cs_column_cell(&columns[c], row);

        cs_json_key(json, columns[c].name);
        cs_sheet_json_cell(&cell, columns[c].kind, json);
    }
}

void cs_sheet_json_rows(const struct cs_rows *rows, struct cs_json *json)
{
    cs_json_key(json, rows->name);
    cs_json_array(json);
    for (size_t i = 0; i < rows->count; i++) {
        cs_json_object(json);
        cs_sheet_json_row(rows->columns, rows->column_count,
                          (const char *)rows->rows + i * rows->size, json);
        cs_json_end(json);
    }
    cs_json_end(json);
}

/* ---- writing ---- */

/* What a document shows: values for programs under the columns' names, or as people read
 * them under the titles. */
struct sheet_view {
    bool shown;
    const char *unknown; /* of shown values */
};

/* The name for programs: that of the column, or of a shown title in lower case, such as
 * links_of_a_rank. */
static const char *sheet_key(const char *name, struct sheet_view view, char key[CS_SHEET_SHOWN])
{
    size_t length = 0;

    if (!view.shown)
        return name;
    for (; *name && length + 1 < CS_SHEET_SHOWN; name++)
        if (isalnum((unsigned char)*name))
            key[length++] = (char)tolower((unsigned char)*name);
        else if (length && key[length - 1] != '_')
            key[length++] = '_';
    key[length] = '\0';
    return key;
}

static void sheet_json(const struct cs_sheet *sheet, struct sheet_view view, struct cs_json *json)
{
    char text[CS_SHEET_SHOWN], key[CS_SHEET_SHOWN];

    cs_json_key(json, sheet_key(sheet->name, view, key));
    cs_json_array(json);
    for (size_t i = 0; i < sheet->cell_count; i++) {
        const struct cs_sheet_column *column = &sheet->columns[i % sheet->column_count];

        if (i % sheet->column_count == 0)
            cs_json_object(json);
        cs_json_key(json, sheet_key(column->name, view, key));
        if (view.shown)
            cs_json_text(json, sheet_show_or(sheet, i, view.unknown, text));
        else
            cs_sheet_json_cell(&sheet->cells[i], column->kind, json);
        if ((i + 1) % sheet->column_count == 0)
            cs_json_end(json);
    }
    cs_json_end(json);
}

void cs_sheet_json(const struct cs_sheet *sheet, struct cs_json *json)
{
    sheet_json(sheet, (struct sheet_view){.shown = false}, json);
}

void cs_sheet_csv_cell(const struct cs_sheet_cell *cell, enum cs_sheet_kind kind,
                       struct cs_table *table)
{
    CS_AT_END(cs_text_free) struct cs_text text = {0};
    struct cs_json json = {.out = &text};

    if (cell->known && cs_sheet_is_text(kind))
        cs_text_add(&text, cell->is.text);
    else if (cell->known)
        cs_sheet_json_cell(cell, kind, &json);
    cs_table_cell(table, cs_text_str(&text));
}

static struct cs_table_column sheet_head(const struct cs_sheet_column *column, bool shown)
{
    bool left = column->kind < CS_SHEET_FIGURE || column->kind == CS_SHEET_BOOL;

    return shown ? (struct cs_table_column){column->title, column->unit,
                                            left ? CS_TABLE_LEFT : CS_TABLE_RIGHT}
                 : (struct cs_table_column){column->name, NULL, CS_TABLE_LEFT};
}

/* People see no column without a title, and none without a value in any row. */
static bool sheet_is_shown(const struct cs_sheet *sheet, size_t column)
{
    bool any = sheet->cell_count == 0;

    for (size_t i = column; i < sheet->cell_count && !any; i += sheet->column_count)
        any = sheet->cells[i].known;
    return any && sheet->columns[column].title;
}

static void sheet_write(const struct cs_sheet *sheet, struct sheet_view view, enum cs_format format,
                        enum cs_style style, struct cs_text *out)
{
    struct cs_table_column *heads;
    char(*keys)[CS_SHEET_SHOWN];
    bool *is_shown;
    struct cs_json json = {.out = out};
    CS_AT_END(cs_table_free) struct cs_table table = {0};
    char text[CS_SHEET_SHOWN];
    size_t i, count = 0;

    if (format == CS_FORMAT_JSON) {
        cs_json_object(&json);
        sheet_json(sheet, view, &json);
        cs_json_end(&json);
        return;
    }
    assert(sheet->column_count);
    heads = cs_grow(NULL, sheet->column_count, sizeof(*heads));
    keys = cs_grow(NULL, sheet->column_count, sizeof(*keys));
    is_shown = cs_grow(NULL, sheet->column_count, sizeof(*is_shown));
    for (i = 0; i < sheet->column_count; i++) {
        is_shown[i] = format == CS_FORMAT_CSV || sheet_is_shown(sheet, i);
        heads[count] = sheet_head(&sheet->columns[i], view.shown);
        if (format == CS_FORMAT_CSV)
            heads[count].title = sheet_key(sheet->columns[i].name, view, keys[i]);
        count += is_shown[i];
    }
    cs_table_begin(&table, heads, count);
    table.width = sheet->width;
    for (i = 0; i < sheet->cell_count; i++)
        if (!is_shown[i % sheet->column_count])
            continue;
        else if (view.shown)
            cs_table_cell(&table, sheet_show_or(sheet, i, view.unknown, text));
        else
            cs_sheet_csv_cell(&sheet->cells[i], sheet->columns[i % sheet->column_count].kind,
                              &table);
    if (format == CS_FORMAT_CSV)
        cs_table_csv(&table, out);
    else
        cs_table_write(&table, style, out);
    free(heads);
    free(keys);
    free(is_shown);
}

void cs_sheet_write(const struct cs_sheet *sheet, enum cs_format format, enum cs_style style,
                    struct cs_text *out)
{
    assert(sheet->cell_count % sheet->column_count == 0);
    sheet_write(sheet, (struct sheet_view){format == CS_FORMAT_TEXT, "-"}, format, style, out);
}

void cs_sheet_write_shown(const struct cs_sheet *sheet, enum cs_format format, enum cs_style style,
                          struct cs_text *out)
{
    sheet_write(sheet, (struct sheet_view){true, ""}, format, style, out);
}

void cs_sheet_free(struct cs_sheet *sheet)
{
    free(sheet->cells);
    cs_arena_free(&sheet->arena);
    *sheet = (struct cs_sheet){0};
}

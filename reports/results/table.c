#include "reports/results/table.h"
#include "sim/base/collections/vector.h"
#include "sim/base/divisor.h"
#include "sim/base/utf8.h"

#include <stdlib.h>
#include <string.h>

#define GAP "  "

void cs_table_begin(struct cs_table *table, const struct cs_table_column *columns, size_t count)
{
    *table = (struct cs_table){.columns = columns, .column_count = count};
}

static void table_add_cell(struct cs_table *table, const char *text)
{
    table->cells = cs_vector_room(table->cells, (uint32_t)table->cell_count + 1, &table->capacity,
                                  sizeof table->cells[0]);
    table->cells[table->cell_count++] = text;
}

void cs_table_cell(struct cs_table *table, const char *text)
{
    table_add_cell(table, text ? cs_arena_text(&table->arena, text) : "");
}

void cs_table_cellf(struct cs_table *table, const char *format, ...)
{
    CS_AT_END(cs_text_free) struct cs_text text = {0};
    va_list args;

    va_start(args, format);
    cs_text_vprintf(&text, format, args);
    va_end(args);
    cs_table_cell(table, cs_text_str(&text));
}

void cs_table_free(struct cs_table *table)
{
    free(table->cells);
    cs_arena_free(&table->arena);
    *table = (struct cs_table){0};
}

static size_t table_row_count(const struct cs_table *table)
{
    return cs_divide_up(table->cell_count, table->column_count);
}

static const char *table_cell_at(const struct cs_table *table, size_t row, size_t column)
{
    size_t i = row * table->column_count + column;

    return i < table->cell_count ? table->cells[i] : "";
}

/* Appends the text without control sequences for a terminal.  Invalid UTF-8 also
 * becomes '?': terminals differ in the display. */
static void table_add_visible(const char *text, struct cs_text *out)
{
    struct cs_utf8_char c;

    for (c = cs_utf8_first(text); c.length != 0; c = cs_utf8_first(text)) {
        if (!c.valid || cs_utf8_is_control(c.code))
            cs_text_add(out, "?");
        else
            cs_text_add_n(out, text, c.length);
        text += c.length;
    }
}

static void table_add_times(const char *piece, size_t times, struct cs_text *out)
{
    for (size_t i = 0; i < times; i++)
        cs_text_add(out, piece);
}

static void table_add_styled(enum cs_style style, const char *code, const char *text,
                             struct cs_text *out)
{
    if (style == CS_STYLE_COLOUR)
        cs_text_printf(out, "\033[%sm", code);
    table_add_visible(text, out);
    if (style == CS_STYLE_COLOUR)
        cs_text_add(out, "\033[0m");
}

void cs_style_bold(enum cs_style style, const char *text, struct cs_text *out)
{
    table_add_styled(style, "1", text, out);
}

void cs_style_dim(enum cs_style style, const char *text, struct cs_text *out)
{
    table_add_styled(style, "2", text, out);
}

static size_t table_column_width(const struct cs_table *table, size_t column)
{
    const struct cs_table_column *head = &table->columns[column];
    size_t width = cs_utf8_width(head->title);
    size_t rows = table_row_count(table);

    if (head->unit && cs_utf8_width(head->unit) > width)
        width = cs_utf8_width(head->unit);
    for (size_t row = 0; row < rows; row++) {
        size_t cell = cs_utf8_width(table_cell_at(table, row, column));
        if (cell > width)
            width = cell;
    }
    return width;
}

/* A line under construction.  Spaces are written before the next non-empty cell
 * only, so no line ends in spaces. */
struct table_line {
    struct cs_text *out;
    enum cs_style style;
    const char *code; /* ANSI code of the cells, or NULL */
    size_t blanks;
};

/* Spaces are deferred until the next text. */
static void table_put_cell(struct table_line *line, const char *text, size_t width,
                           enum cs_table_align align)
{
    size_t pad = width - cs_utf8_width(text);

    if (align == CS_TABLE_RIGHT)
        line->blanks += pad;
    if (text[0] != '\0') {
        table_add_times(" ", line->blanks, line->out);
        line->blanks = 0;
        if (line->code)
            table_add_styled(line->style, line->code, text, line->out);
        else
            table_add_visible(text, line->out);
    }
    if (align == CS_TABLE_LEFT)
        line->blanks += pad;
    line->blanks += strlen(GAP);
}

static void table_write_header(const struct cs_table *table, const size_t *widths,
                               enum cs_style style, struct cs_text *out)
{
    struct table_line titles = {out, style, "1", 0};
    struct table_line units = {out, style, "2", 0};
    bool has_units = false;

    for (size_t c = 0; c < table->column_count; c++) {
        table_put_cell(&titles, table->columns[c].title, widths[c], table->columns[c].align);
        has_units = has_units || table->columns[c].unit;
    }
    cs_text_add(out, "\n");
    for (size_t c = 0; has_units && c < table->column_count; c++)
        table_put_cell(&units, table->columns[c].unit ? table->columns[c].unit : "", widths[c],
                       table->columns[c].align);
    if (has_units)
        cs_text_add(out, "\n");
}

/* A rule spans the columns, with gaps between columns. */
static void table_write_rule(const struct cs_table *table, const size_t *widths,
                             enum cs_style style, struct cs_text *out)
{
    if (style == CS_STYLE_COLOUR)
        cs_text_add(out, "\033[2m");
    for (size_t c = 0; c < table->column_count; c++) {
        cs_text_add(out, c > 0 ? GAP : "");
        table_add_times("-", widths[c], out);
    }
    if (style == CS_STYLE_COLOUR)
        cs_text_add(out, "\033[0m");
    cs_text_add(out, "\n");
}

/* A column is not narrower than its words. */
static size_t table_longest_word(const struct cs_table *table, size_t column,
                                 struct cs_arena *arena)
{
    size_t longest = cs_utf8_width(table->columns[column].title);

    for (size_t row = 0; row < table_row_count(table); row++) {
        char *rest = cs_arena_text(arena, table_cell_at(table, row, column));

        for (const char *word; (word = strtok_r(rest, " ", &rest));)
            if (cs_utf8_width(word) > longest)
                longest = cs_utf8_width(word);
    }
    return longest;
}

/* Takes from the widest columns what the terminal has no room for. */
static void table_narrow(const struct cs_table *table, size_t *widths, struct cs_arena *arena)
{
    size_t *least = cs_arena_alloc(arena, table->column_count, sizeof(*least)), all = 0;

    for (size_t c = 0; c < table->column_count; c++) {
        least[c] = table_longest_word(table, c, arena);
        all += widths[c] + (c ? strlen(GAP) : 0);
    }
    for (; all > table->width; all--) {
        size_t widest = table->column_count;

        for (size_t c = 0; c < table->column_count; c++)
            if (widths[c] > least[c] &&
                (widest == table->column_count || widths[c] > widths[widest]))
                widest = c;
        if (widest == table->column_count)
            return;
        widths[widest]--;
    }
}

/* Cuts the words that fit from the front of a text. */
static const char *table_cut(const char **text, size_t width, struct cs_arena *arena)
{
    const char *from = *text, *piece = from;
    size_t length = strlen(from);

    while (cs_utf8_width(piece) > width && length) {
        while (length && from[--length] != ' ')
            continue;
        piece = cs_arena_printf(arena, "%.*s", (int)length, from);
    }
    *text += length + strspn(from + length, " ");
    return piece;
}

void cs_table_write(const struct cs_table *table, enum cs_style style, struct cs_text *out)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    size_t *widths = cs_arena_alloc(&arena, table->column_count, sizeof(*widths));
    const char **rest = cs_arena_alloc(&arena, table->column_count, sizeof(*rest));
    size_t rows = table_row_count(table);

    for (size_t c = 0; c < table->column_count; c++)
        widths[c] = table_column_width(table, c);
    if (table->width)
        table_narrow(table, widths, &arena);
    table_write_header(table, widths, style, out);
    table_write_rule(table, widths, style, out);
    for (size_t row = 0; row < rows; row++) {
        bool more = true;

        for (size_t c = 0; c < table->column_count; c++)
            rest[c] = table_cell_at(table, row, c);
        while (more) {
            struct table_line line = {out, style, NULL, 0};

            more = false;
            for (size_t c = 0; c < table->column_count; c++) {
                table_put_cell(&line, table_cut(&rest[c], widths[c], &arena), widths[c],
                               table->columns[c].align);
                more = more || *rest[c];
            }
            cs_text_add(out, "\n");
        }
    }
}

/* RFC 4180; a leading space is quoted too, since readers may strip spaces. */
static void table_csv_quoted(const char *text, struct cs_text *out)
{
    if (text[strcspn(text, ",\"\r\n")] == '\0' && text[0] != ' ') {
        cs_text_add(out, text);
        return;
    }
    cs_text_add(out, "\"");
    for (; *text; text++)
        cs_text_add_n(out, *text == '"' ? "\"\"" : text, *text == '"' ? 2 : 1);
    cs_text_add(out, "\"");
}

/* Spreadsheets read a text with such a first character as a formula, except
 * numbers and "-". */
static bool table_is_formula(const char *text)
{
    char *end;

    if (text[0] == '\0' || !strchr("=+-@\t\r", text[0]) || cs_same(text, "-"))
        return false;
    (void)strtod(text, &end);
    return *end != '\0';
}

/* A leading ' marks a text for spreadsheets. */
static void table_csv_cell(const char *text, struct cs_text *out)
{
    CS_AT_END(cs_text_free) struct cs_text safe = {0};

    cs_text_printf(&safe, "%s%s", table_is_formula(text) ? "'" : "", text);
    table_csv_quoted(cs_text_str(&safe), out);
}

void cs_table_csv(const struct cs_table *table, struct cs_text *out)
{
    size_t rows = table_row_count(table);

    for (size_t c = 0; c < table->column_count; c++) {
        cs_text_add(out, c > 0 ? "," : "");
        table_csv_cell(table->columns[c].title, out);
    }
    cs_text_add(out, "\n");
    for (size_t row = 0; row < rows; row++) {
        for (size_t c = 0; c < table->column_count; c++) {
            cs_text_add(out, c > 0 ? "," : "");
            table_csv_cell(table_cell_at(table, row, c), out);
        }
        cs_text_add(out, "\n");
    }
}

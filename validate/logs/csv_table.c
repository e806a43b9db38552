/*
 * Tables of sizes and times as CSV: a header with a column of bytes ("bytes",
 * "size", "size_bytes") and a column of time ("time_us", "latency_us", "time_s"),
 * and, if any, "busbw_gbs" and "collective".  Other columns are not read.  A row
 * without a time is not whole.
 */
#include "sim/base/text.h"
#include "validate/logs/format.h"
#include "validate/logs/words.h"

#include <math.h>
#include <string.h>

enum {
    COLUMNS_MAX = 32,
    LINE_BYTES = 1024,
    NONE = COLUMNS_MAX,
};

struct csv_table {
    uint32_t bytes, time, busbw, collective, columns;
    double unit_s;
    bool has_header;
};

/* Cuts the line at commas; a quoted column may have commas. */
static uint32_t csv_cut(char *line, char *columns[COLUMNS_MAX])
{
    uint32_t count = 0;
    bool quoted = false;

    columns[count++] = line;
    for (char *at = line; *at; at++) {
        if (*at == '"')
            quoted = !quoted;
        else if (*at == ',' && !quoted && count < COLUMNS_MAX) {
            *at = '\0';
            columns[count++] = at + 1;
        }
    }
    return count;
}

static bool csv_is(const char *name, const char *a, const char *b, const char *c)
{
    return cs_same(name, a) || cs_same(name, b) || cs_same(name, c);
}

/* The places of the columns of a header. */
static struct csv_table csv_header(char **columns, uint32_t count)
{
    struct csv_table table = {NONE, NONE, NONE, NONE, count, 1e-6, false};

    for (uint32_t i = 0; i < count; i++) {
        const char *name = columns[i];

        if (table.bytes == NONE && csv_is(name, "bytes", "size", "size_bytes"))
            table.bytes = i;
        else if (table.time == NONE && csv_is(name, "time_us", "latency_us", "time_s")) {
            table.time = i;
            table.unit_s = cs_same(name, "time_s") ? 1 : 1e-6;
        } else if (csv_is(name, "busbw_gbs", "busbw_GBps", "busbw"))
            table.busbw = i;
        else if (cs_same(name, "collective"))
            table.collective = i;
    }
    table.has_header = table.bytes != NONE && table.time != NONE;
    return table;
}

static bool csv_table_claims(const char *head)
{
    char line[LINE_BYTES];
    char *columns[COLUMNS_MAX];
    const char *at = head + strspn(head, "\xef\xbb\xbf");
    size_t length = strcspn(at, "\r\n");

    if (length >= sizeof(line))
        return false;
    memcpy(line, at, length);
    line[length] = '\0';
    return csv_header(columns, csv_cut(line, columns)).has_header;
}

static void *csv_table_open(struct cs_log_builder *builder)
{
    struct csv_table *table = cs_arena_alloc(builder->arena, 1, sizeof(*table));

    *table = (struct csv_table){0};
    return table;
}

static bool csv_row(struct cs_log_builder *builder, const struct csv_table *table, char **columns,
                    struct cs_log_line *row)
{
    struct cs_log_number time;
    struct cs_log_number busbw;
    const struct cs_collective *named =
        table->collective != NONE ? cs_collective_find(columns[table->collective]) : NULL;

    if (!cs_log_whole(columns[table->bytes], &row->row.bytes) ||
        !cs_log_number(columns[table->time], &time) || !(time.value > 0))
        return false;
    row->row.time_s = time.value * table->unit_s;
    if (table->busbw != NONE && cs_log_number(columns[table->busbw], &busbw)) {
        row->row.busbw_Bps = busbw.value * 1e9;
        cs_log_factor(
            row->row.bytes,
            (struct cs_log_number){0, time.low * table->unit_s, time.high * table->unit_s},
            (struct cs_log_number){0, busbw.low * 1e9, busbw.high * 1e9}, &row->factor_low,
            &row->factor_high);
    }
    if (named && named != builder->next_collective) {
        cs_log_end_table(builder);
        builder->next_collective = named;
    }
    return true;
}

static void csv_table_line(struct cs_log_builder *builder, void *context, char *line,
                           bool continues)
{
    struct csv_table *table = context;
    char *columns[COLUMNS_MAX];
    struct cs_log_line row = {.row = {.line = builder->line, .in_place_s = NAN, .busbw_Bps = NAN},
                              .factor_high = -1};
    uint32_t count;

    if (continues || !*line || *line == '#')
        return;
    if (!table->has_header) {
        line += strspn(line, "\xef\xbb\xbf");
        *table = csv_header(columns, csv_cut(line, columns));
        return;
    }
    count = csv_cut(line, columns);
    if (count == table->columns && csv_row(builder, table, columns, &row))
        cs_log_add_row(builder, &row);
    else
        cs_log_add_broken(builder);
}

static void csv_table_close(struct cs_log_builder *builder, void *context)
{
    (void)context;
    if (builder->table && !builder->is_unended)
        builder->table->is_closed = true;
}

const struct cs_log_format cs_log_format_csv_table = {
    .name = "csv",
    .claims = csv_table_claims,
    .open = csv_table_open,
    .line = csv_table_line,
    .close = csv_table_close,
};

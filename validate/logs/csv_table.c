/*
 * Tables of sizes and times as CSV: a header with a column of bytes ("bytes",
 * "size", "size_bytes") and a column of time ("time_us", "latency_us", "time_s"),
 * and, if any, "busbw_gbs" and "collective".  Other columns are not read.  A row
 * without a time is not whole.
 */
#include "sim/base/text.h"
#include "topo/documents/csv_rows.h"
#include "validate/logs/builder.h"

#include <math.h>
#include <string.h>

enum {
    NONE = CS_CSV_CELLS_MAX,
};

struct csv_table {
    uint32_t bytes, time, busbw, collective, columns;
    double unit_s;
    bool has_header;
    struct cs_csv_rows row; /* the line that is read, in an arena of its own */
    struct cs_arena arena;
};

static bool csv_is(const char *name, const char *a, const char *b, const char *c)
{
    return cs_same(name, a) || cs_same(name, b) || cs_same(name, c);
}

/* Cuts the line, and finds the columns of a header. */
static void csv_header(struct csv_table *table, const char *line, size_t length)
{
    table->bytes = table->time = table->busbw = table->collective = NONE;
    table->unit_s = 1e-6;
    (void)cs_csv_rows_cut(&table->row, line, length, NULL);
    table->columns = (uint32_t)table->row.count;
    for (uint32_t i = 0; i < table->columns; i++) {
        const char *name = table->row.cells[i];

        if (table->bytes == NONE && csv_is(name, "bytes", "size", "size_bytes"))
            table->bytes = i;
        else if (table->time == NONE && csv_is(name, "time_us", "latency_us", "time_s")) {
            table->time = i;
            table->unit_s = cs_same(name, "time_s") ? 1 : 1e-6;
        } else if (csv_is(name, "busbw_gbs", "busbw_GBps", "busbw"))
            table->busbw = i;
        else if (cs_same(name, "collective"))
            table->collective = i;
    }
    table->has_header = table->bytes != NONE && table->time != NONE;
}

static bool csv_table_claims(const char *head)
{
    struct csv_table table = {.row = {.arena = &table.arena}};
    const char *at = head + strspn(head, "\xef\xbb\xbf");

    csv_header(&table, at, strcspn(at, "\r\n"));
    cs_arena_free(&table.arena);
    return table.has_header;
}

static void *csv_table_open(struct cs_log_builder *builder)
{
    struct csv_table *table = cs_arena_alloc(builder->arena, 1, sizeof(*table));

    *table = (struct csv_table){0};
    return table;
}

static bool csv_row(struct cs_log_builder *builder, const struct csv_table *table,
                    struct cs_log_line *row)
{
    const char *const *columns = table->row.cells;
    struct cs_log_number time;
    struct cs_log_number busbw;
    bool has_busbw;
    const struct cs_collective *named =
        table->collective != NONE ? cs_collective_find(columns[table->collective]) : NULL;

    if (!cs_log_whole(columns[table->bytes], &row->row.bytes) ||
        !cs_log_number(columns[table->time], &time) || !(time.value > 0))
        return false;
    has_busbw = table->busbw != NONE && cs_log_number(columns[table->busbw], &busbw);
    cs_log_set_times(row, &time, table->unit_s, has_busbw ? &busbw : NULL);
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
    struct cs_log_line row = {.row = {.line = builder->line, .in_place_s = NAN}};

    if (continues || !*line || *line == '#')
        return;
    cs_arena_free(&table->arena);
    table->row.arena = &table->arena;
    if (!table->has_header) {
        line += strspn(line, "\xef\xbb\xbf");
        csv_header(table, line, strlen(line));
        return;
    }
    if (!cs_csv_rows_cut(&table->row, line, strlen(line), NULL) &&
        table->row.count == table->columns && csv_row(builder, table, &row))
        cs_log_add_row(builder, &row);
    else
        cs_log_add_broken(builder);
}

static void csv_table_close(struct cs_log_builder *builder, void *context)
{
    struct csv_table *table = context;

    cs_arena_free(&table->arena);
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

#include "validate/logs/builder.h"

#include "sim/base/text.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>

void cs_log_note(struct cs_log_builder *builder, const char *format, ...)
{
    struct cs_log *log = builder->log;
    char text[CS_ERR_TEXT_MAX];
    va_list args;

    if (log->note_count == CS_LOG_NOTES_MAX)
        return;
    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    log->notes[log->note_count++] = cs_arena_text(builder->arena, text);
}

/* ---- the run ---- */

enum {
    NAMES_MAX = 4096 /* hosts and processes that are distinguished */
};

void cs_log_begin_run(struct cs_log_builder *builder)
{
    builder->next = (struct cs_log_setup){0};
    builder->listed = 0;
}

/* Adds a name that is not in the list; the last ones are the likeliest. */
static void log_add_name(struct cs_log_builder *builder, const char ***names, uint32_t *count,
                         const char *name)
{
    if (!*names)
        *names = cs_arena_alloc(builder->arena, NAMES_MAX, sizeof(**names));
    for (uint32_t i = *count; i-- > 0;)
        if (cs_same((*names)[i], name))
            return;
    if (*count < NAMES_MAX)
        (*names)[(*count)++] = cs_arena_text(builder->arena, name);
}

void cs_log_add_device(struct cs_log_builder *builder, const char *host, const char *process,
                       const char *place)
{
    builder->listed++;
    log_add_name(builder, &builder->places, &builder->next.places, place);
    log_add_name(builder, &builder->hosts, &builder->next.hosts, host);
    log_add_name(builder, &builder->processes, &builder->next.processes, process);
}

void cs_log_add_caller(struct cs_log_builder *builder, const char *host)
{
    log_add_name(builder, &builder->callers, &builder->caller_count, host);
}

/* ---- tables ---- */

void cs_log_set_times(struct cs_log_line *line, const struct cs_log_number *time, double unit_s,
                      const struct cs_log_number *busbw)
{
    double bytes = (double)line->row.bytes;

    line->row.time_s = time->value * unit_s;
    line->row.busbw_Bps = busbw ? busbw->value * 1e9 : (double)NAN;
    line->factor_low = 0;
    line->factor_high = -1;
    /* Few digits of a small bandwidth bound the factor loosely, and a zero not
     * at all. */
    if (!busbw || !line->row.bytes || busbw->low <= 0 || time->low <= 0)
        return;
    line->factor_low = busbw->low * 1e9 * (time->low * unit_s) / bytes;
    line->factor_high = busbw->high * 1e9 * (time->high * unit_s) / bytes;
}

void cs_log_close_table(struct cs_log_builder *builder)
{
    if (builder->table)
        builder->table->is_closed = true;
}

void cs_log_begin_table(struct cs_log_builder *builder)
{
    struct cs_log *log = builder->log;

    if (builder->table && !builder->table->row_count) {
        builder->table->line = builder->line;
        return;
    }
    cs_log_end_table(builder);
    if (log->table_count == CS_LOG_TABLES_MAX)
        return;
    if (!log->tables)
        log->tables = cs_arena_alloc(builder->arena, CS_LOG_TABLES_MAX, sizeof(*log->tables));
    builder->table = &log->tables[log->table_count++];
    *builder->table = (struct cs_log_table){
        .line = builder->line,
        .rows = cs_arena_alloc(builder->arena, CS_LOG_ROWS_MAX, sizeof(struct cs_log_row)),
    };
    builder->cursor = 0;
    builder->factor_low = 0;
    builder->factor_high = INFINITY;
    builder->count_ranks = 0;
    builder->counts_differ = builder->reduces = builder->has_root = false;
}

/* Columns of a table without a name: operation and root distinguish reductions
 * from copies, the factor and the counts do the rest. */
static const struct cs_collective *log_guess_collective(const struct cs_log_builder *builder)
{
    bool shares = builder->count_ranks > 1 && !builder->counts_differ;

    if (builder->has_root)
        return builder->reduces ? &cs_collective_reduce : &cs_collective_broadcast;
    if (builder->reduces)
        return shares || (!builder->count_ranks && builder->factor_high < .999)
                   ? &cs_collective_reducescatter
                   : &cs_collective_allreduce;
    return shares ? &cs_collective_allgather : NULL;
}

static void log_settle_collective(struct cs_log_builder *builder)
{
    struct cs_log_table *table = builder->table;

    table->collective = builder->next_collective;
    table->collective_from = "name";
    if (table->collective)
        return;
    table->collective = log_guess_collective(builder);
    table->collective_from = table->collective ? "columns" : NULL;
}

static void log_settle_ranks(struct cs_log_builder *builder)
{
    struct cs_log_table *table = builder->table;
    uint32_t named = builder->log->facts.ranks;
    uint32_t listed = builder->next.devices;
    uint32_t least = 0;
    uint32_t most = 0;

    if (table->collective)
        cs_log_ranks_of_factor(table->collective, builder->factor_low, builder->factor_high, &least,
                               &most);
    table->ranks_low = least;
    table->ranks_high = most;
    if (builder->count_ranks > 1 && !builder->counts_differ) {
        table->ranks = builder->count_ranks;
        table->ranks_from = "counts";
    } else if (listed > 1 && (!least || (listed >= least && listed <= most))) {
        table->ranks = listed;
        table->ranks_from = "devices";
    } else if (named > 1 && (!least || (named >= least && named <= most))) {
        table->ranks = named;
        table->ranks_from = "library";
    } else if (least && most < UINT32_MAX) {
        table->ranks = (uint32_t)lround(2.0 * least * most / ((double)least + most));
        table->ranks_from = "bandwidths";
    }
}

static void log_note_table(struct cs_log_builder *builder)
{
    struct cs_log_table *table = builder->table;

    if (table->broken)
        cs_log_note(
            builder,
            "rows of the table at line %u that are not whole, left out: %llu, the first at line %u",
            table->line, (unsigned long long)table->broken, table->broken_line);
    if (table->setup.devices > 1 && table->ranks && table->ranks != table->setup.devices)
        cs_log_note(builder, "the table at line %u lists %u devices, and its %s fit %u ranks",
                    table->line, table->setup.devices, table->ranks_from, table->ranks);
    if (table->setup.other)
        cs_log_note(builder,
                    "the table at line %u lists %s and %s; the machine is that of the first",
                    table->line, table->setup.device, table->setup.other);
    if (table->setup.devices < table->ranks)
        table->setup.hosts = 0; /* the list is cut, and so are its hosts */
    if (table->collective_from && *table->collective_from == 'c')
        cs_log_note(builder,
                    "the table at line %u names no collective; its columns are those of %s",
                    table->line, table->collective->name);
}

void cs_log_end_table(struct cs_log_builder *builder)
{
    struct cs_log_table *table = builder->table;

    if (!table)
        return;
    builder->table = NULL;
    if (!table->row_count && !table->broken) {
        builder->log->table_count--;
        return;
    }
    builder->table = table;
    log_settle_collective(builder);
    log_settle_ranks(builder);
    table->setup = builder->next;
    for (uint32_t i = 0; i < builder->next.hosts && i < CS_LOG_HOSTS_NAMED; i++)
        table->setup.host_names =
            cs_arena_printf(builder->arena, "%s%s%s", i ? table->setup.host_names : "",
                            i ? ", " : "", builder->hosts[i]);
    if (builder->listed != builder->next.devices) /* a shortened list */
        table->setup.hosts = table->setup.processes = table->setup.places = 0;
    log_note_table(builder);
    builder->table = NULL;
}

/* ---- rows ---- */

/* The row of the size: sizes mostly come in the same order. */
static struct cs_log_row *log_row_of(struct cs_log_builder *builder, uint64_t bytes)
{
    struct cs_log_table *table = builder->table;

    if (builder->cursor < table->row_count && table->rows[builder->cursor].bytes == bytes)
        return &table->rows[builder->cursor];
    for (uint32_t i = 0; i < table->row_count; i++)
        if (table->rows[i].bytes == bytes)
            return &table->rows[i];
    if (table->row_count == CS_LOG_ROWS_MAX)
        return NULL;
    return &table->rows[table->row_count++];
}

static double log_mean_with(double mean, double value, uint32_t count)
{
    return isnan(mean) ? value : mean + (value - mean) / count;
}

static void log_row_add(struct cs_log_row *row, const struct cs_log_row *more)
{
    uint32_t count = row->repeats + 1;

    if (!row->repeats) {
        *row = *more;
    } else {
        row->time_s = log_mean_with(row->time_s, more->time_s, count);
        row->in_place_s = log_mean_with(row->in_place_s, more->in_place_s, count);
        row->busbw_Bps = log_mean_with(row->busbw_Bps, more->busbw_Bps, count);
        row->wrong += more->wrong;
    }
    row->repeats = count < UINT32_MAX ? count : UINT32_MAX - 1;
}

/* Ranks and kind of the collective by the figures of a row. */
static void log_row_imply(struct cs_log_builder *builder, const struct cs_log_line *line)
{
    double share = (double)line->count * line->element_bytes;
    double low = fmax(builder->factor_low, line->factor_low);
    double high = fmin(builder->factor_high, line->factor_high);

    builder->reduces |= line->reduces;
    builder->has_root |= line->has_root;
    if (low <= high) { /* a row that contradicts the others is no evidence */
        builder->factor_low = low;
        builder->factor_high = high;
    }
    if (share > 0 && line->row.bytes > 0) {
        double ratio = (double)line->row.bytes / share;
        uint32_t ranks = ratio < 1 << 20 && ratio == floor(ratio) ? (uint32_t)ratio : 0;

        builder->counts_differ |= builder->count_ranks && builder->count_ranks != ranks;
        builder->count_ranks = ranks;
    }
}

void cs_log_add_row(struct cs_log_builder *builder, const struct cs_log_line *line)
{
    struct cs_log_row *row;

    if (!builder->table)
        cs_log_begin_table(builder);
    if (line->row.bytes == 0 || line->row.time_s <= 0)
        return; /* the first sizes of an all-gather hold no data */
    builder->rows++;
    row = builder->table ? log_row_of(builder, line->row.bytes) : NULL;
    if (!row) {
        builder->left_out++;
        return;
    }
    log_row_add(row, &line->row);
    builder->cursor = (uint32_t)(row - builder->table->rows) + 1;
    log_row_imply(builder, line);
}

void cs_log_add_broken(struct cs_log_builder *builder)
{
    if (!builder->table)
        cs_log_begin_table(builder);
    if (!builder->table)
        return;
    if (!builder->table->broken++)
        builder->table->broken_line = builder->line;
}

/* 0: the factor does not depend on the ranks. */
static double ranks_factor_limit(const struct cs_collective *collective)
{
    double two = cs_collective_bus_factor(collective, 2);
    double four = cs_collective_bus_factor(collective, 4);

    return four > two ? 2 * two : 0; /* f(n) = limit (1 - 1/n) */
}

static uint32_t ranks_whole(double ranks)
{
    return ranks < UINT32_MAX ? (uint32_t)ranks : UINT32_MAX;
}

void cs_log_ranks_of_factor(const struct cs_collective *collective, double low, double high,
                            uint32_t *least, uint32_t *most)
{
    const double rounding = 1e-9; /* of doubles, far below 1/n */
    double limit = ranks_factor_limit(collective);
    double first;

    *least = *most = 0;
    if (limit <= 0 || !(low <= high) || low >= limit)
        return;
    first = ceil(limit / (limit - low) * (1 - rounding));
    *least = ranks_whole(fmax(first, 2));
    *most =
        high >= limit ? UINT32_MAX : ranks_whole(floor(limit / (limit - high) * (1 + rounding)));
    if (*most < *least)
        *least = *most = 0;
}

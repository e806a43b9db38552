/*
 * NCCL Inspector and RCCL Inspector: an object for each call of a rank,
 *
 *     {"header": {"id", "rank", "n_ranks", "nnodes"}, "metadata": {...},
 *      "coll_perf": {"coll": "AllReduce", "coll_msg_size_bytes",
 *                    "coll_exec_time_us", "coll_busbw_gbs", ...}}
 *
 * one to a line or indented, also with the members of the header at the top.
 * Calls of an all-gather and a reduce-scatter count the part of a rank.  A table
 * is a collective over a number of ranks; a size has the mean of its calls, and
 * the wait for late ranks is part of a call's time.
 * Source: NVIDIA/nccl ext-profiler/inspector README.md, output format 4.0.
 */
#include "validate/logs/builder.h"
#include "validate/logs/json_scan.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    INSPECTOR_TABLES = 32,
    RANKS_MAX = 1 << 24,
};

/* The calls of a collective over a number of ranks. */
struct inspector_table {
    const struct cs_collective *collective;
    uint32_t ranks, line, count;
    struct cs_log_row rows[CS_LOG_ROWS_MAX];
};

struct inspector_call {
    const struct cs_collective *collective;
    bool is_call;  /* the object has coll_perf */
    bool is_other; /* p2p_perf: a send or a receive */
    uint64_t ranks, nodes, bytes;
    double time_s, busbw_Bps;
};

struct inspector {
    struct cs_json_scan scan;
    struct cs_log_builder *builder;
    struct inspector_call call;
    struct inspector_table *tables[INSPECTOR_TABLES];
    uint32_t count;
    uint64_t broken, others, unknown, beyond;
    uint32_t broken_line;
    uint64_t nodes; /* of all calls; 0: none, UINT64_MAX: they differ */
};

static bool inspector_claims(const char *head)
{
    return cs_json_scan_claims(head) &&
           (strstr(head, "\"coll_perf\"") || strstr(head, "\"p2p_perf\"") ||
            strstr(head, "\"dump_stats\"") || strstr(head, "\"inspector_output_format_version\""));
}

/* ---- values ---- */

/* "AllReduce" and "AlltoAll" without regard to case. */
static const struct cs_collective *inspector_find(const char *name)
{
    char low[32];
    size_t length = 0;

    for (; name[length] && length + 1 < sizeof(low); length++)
        low[length] = (char)tolower((unsigned char)name[length]);
    low[length] = '\0';
    return cs_collective_find(low);
}

static double inspector_positive(const char *text)
{
    struct cs_log_number number;

    return cs_log_number(text, &number) && number.value > 0 ? number.value : 0;
}

static void inspector_perf(struct inspector *is, const char *text)
{
    const struct cs_json_scan *scan = &is->scan;
    struct inspector_call *call = &is->call;

    if (cs_json_scan_at(scan, 2, "coll"))
        call->collective = inspector_find(text);
    else if (cs_json_scan_at(scan, 2, "coll_msg_size_bytes"))
        cs_log_whole(text, &call->bytes);
    else if (cs_json_scan_at(scan, 2, "coll_exec_time_us"))
        call->time_s = inspector_positive(text) * 1e-6;
    else if (cs_json_scan_at(scan, 2, "coll_busbw_gbs"))
        call->busbw_Bps = inspector_positive(text) * 1e9;
}

static void inspector_value(void *context, const struct cs_json_scan *scan, const char *text)
{
    struct inspector *is = context;
    bool in_header = scan->depth == 2 && cs_json_scan_at(scan, 1, "header");

    if (scan->depth == 1 || in_header) {
        if (cs_json_scan_at(scan, scan->depth, "n_ranks"))
            cs_log_whole(text, &is->call.ranks);
        else if (cs_json_scan_at(scan, scan->depth, "nnodes"))
            cs_log_whole(text, &is->call.nodes);
    } else if (scan->depth >= 2 && cs_json_scan_at(scan, 1, "coll_perf")) {
        is->call.is_call = true;
        if (scan->depth == 2)
            inspector_perf(is, text);
    } else if (cs_json_scan_at(scan, 1, "p2p_perf")) {
        is->call.is_other = true;
    }
}

/* ---- calls ---- */

static struct inspector_table *inspector_table_of(struct inspector *is)
{
    struct inspector_table *table;

    for (uint32_t i = 0; i < is->count; i++)
        if (is->tables[i]->collective == is->call.collective &&
            is->tables[i]->ranks == is->call.ranks)
            return is->tables[i];
    if (is->count == INSPECTOR_TABLES)
        return NULL;
    table = cs_arena_alloc(is->builder->arena, 1, sizeof(*table));
    table->collective = is->call.collective;
    table->ranks = (uint32_t)is->call.ranks;
    table->line = is->builder->line;
    table->count = 0;
    is->tables[is->count++] = table;
    return table;
}

/* Sums until the end: repeats calls. */
static void inspector_add(struct inspector *is)
{
    const struct inspector_call *call = &is->call;
    struct inspector_table *table = inspector_table_of(is);
    bool of_rank = call->collective == &cs_collective_allgather ||
                   call->collective == &cs_collective_reducescatter;
    uint64_t bytes = of_rank ? call->bytes * call->ranks : call->bytes;
    uint32_t i = 0;

    while (table && i < table->count && table->rows[i].bytes != bytes)
        i++;
    if (!table || i == CS_LOG_ROWS_MAX) {
        is->beyond++;
        return;
    }
    if (i == table->count)
        table->rows[table->count++] =
            (struct cs_log_row){.bytes = bytes, .line = is->builder->line};
    table->rows[i].time_s += call->time_s;
    table->rows[i].busbw_Bps += call->busbw_Bps;
    table->rows[i].repeats++;
}

static bool inspector_is_whole(const struct inspector_call *call)
{
    return call->ranks > 1 && call->ranks < RANKS_MAX && call->bytes > 0 &&
           call->bytes < UINT64_C(1) << 50 && call->time_s > 0 && call->time_s < 1e6;
}

static void inspector_broken(struct inspector *is)
{
    if (!is->broken++)
        is->broken_line = is->builder->line;
}

static void inspector_end(void *context, const struct cs_json_scan *scan, const char *text)
{
    struct inspector *is = context;
    uint64_t nodes = is->call.nodes;

    (void)text;
    if (scan->depth == 2 && cs_json_scan_at(scan, 1, "coll_perf"))
        is->call.is_call = true;
    if (scan->depth != 1)
        return;
    is->others += is->call.is_other;
    if (is->call.is_call && !inspector_is_whole(&is->call))
        inspector_broken(is);
    else if (is->call.is_call && !is->call.collective)
        is->unknown++;
    else if (is->call.is_call)
        inspector_add(is);
    if (is->call.is_call && nodes)
        is->nodes = !is->nodes || is->nodes == nodes ? nodes : UINT64_MAX;
    is->call = (struct inspector_call){0};
}

/* ---- the file ---- */

static void *inspector_open(struct cs_log_builder *builder)
{
    struct inspector *is = cs_arena_alloc(builder->arena, 1, sizeof(*is));

    *is =
        (struct inspector){.scan = {.value = inspector_value, .end = inspector_end, .context = is},
                           .builder = builder};
    return is;
}

static void inspector_put(const struct inspector *is, const struct inspector_table *table)
{
    struct cs_log_builder *builder = is->builder;

    builder->line = table->line;
    builder->next_collective = table->collective;
    builder->log->facts.ranks = table->ranks;
    cs_log_begin_table(builder);
    for (uint32_t i = 0; i < table->count; i++) {
        struct cs_log_line line = {.row = table->rows[i], .factor_high = -1};
        uint32_t repeats = line.row.repeats;

        line.row.time_s /= repeats;
        line.row.busbw_Bps = line.row.busbw_Bps > 0 ? line.row.busbw_Bps / repeats : (double)NAN;
        line.row.in_place_s = NAN;
        line.row.repeats = 0;
        cs_log_add_row(builder, &line);
        if (builder->table && builder->table->row_count)
            builder->table->rows[builder->table->row_count - 1].repeats = repeats;
    }
    cs_log_close_table(builder);
    cs_log_end_table(builder);
}

static void inspector_count(const struct inspector *is, uint64_t count, const char *what)
{
    if (count)
        cs_log_note(is->builder, "%llu %s", (unsigned long long)count, what);
}

static void inspector_close(struct cs_log_builder *builder, void *context)
{
    struct inspector *is = context;
    uint32_t lines = builder->line;

    if (is->scan.depth)
        inspector_broken(is);
    for (uint32_t i = 0; i < is->count; i++)
        inspector_put(is, is->tables[i]);
    builder->line = lines;
    if (is->nodes && is->nodes < RANKS_MAX)
        builder->log->facts.nodes = (uint32_t)is->nodes;
    if (is->count > 1)
        builder->log->facts.ranks = 0;
    if (is->broken)
        cs_log_note(builder, "%llu calls are not whole, the first at line %u: left out",
                    (unsigned long long)is->broken, is->broken_line);
    inspector_count(is, is->others, "sends and receives are left out");
    inspector_count(is, is->unknown, "calls of other collectives are left out");
    inspector_count(is, is->beyond, "calls are left out: more than 32 collectives or 512 sizes");
    if (is->count)
        cs_log_note(builder, "times of the Inspector contain the wait for late ranks");
}

const struct cs_log_format cs_log_format_inspector = {
    .name = "nccl-inspector",
    .claims = inspector_claims,
    .open = inspector_open,
    .line = cs_json_scan_line,
    .close = inspector_close,
};

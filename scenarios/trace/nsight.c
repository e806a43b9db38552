/*
 * Traces of Nsight Systems: the tables that 'nsys export --type sqlite' writes.
 *
 * Kept are kernels, copies and fills of one device of one process: the first, for a file
 * may have all ranks of a node.  A kernel has the correlation number of its launch on the
 * host, by which it finds the calls of NCCL (nsight_calls.h).  Times are nanoseconds.
 * https://docs.nvidia.com/nsight-systems/UserGuide/index.html, "SQLite Schema Reference".
 */
#include "scenarios/trace/nsight_calls.h"
#include "sim/base/text.h"

#include <stdio.h>
#include <string.h>

#define NSIGHT_KERNELS "CUPTI_ACTIVITY_KIND_KERNEL"

struct nsight_reader {
    const struct cs_database *database;
    struct cs_trace *trace;
    struct cs_nsight_calls calls;
    int64_t device, process;
};

static bool nsight_has_table(const struct cs_database *database, const char *name)
{
    struct cs_text sql = {0};
    int64_t count = 0;
    struct cs_err ignored = {0};

    cs_text_printf(&sql, "SELECT count(*) FROM sqlite_master WHERE name = '%s'", name);
    (void)cs_database_number(database, cs_text_str(&sql), &count, &ignored);
    cs_text_free(&sql);
    return count > 0;
}

/* ---- events ---- */

/* Columns of an event: start, end, stream, correlation. */
static struct cs_trace_event *nsight_add_event(struct nsight_reader *reader,
                                               struct sqlite3_stmt *row)
{
    int64_t start = cs_statement_i64(row, 0), end = cs_statement_i64(row, 1);
    int64_t stream = cs_statement_i64(row, 2), order = cs_statement_i64(row, 3);
    struct cs_trace_event *event;

    reader->trace->file_events++;
    if (start < 0 || end < start || reader->trace->event_count == UINT32_MAX)
        return NULL;
    event = cs_trace_add_event(reader->trace);
    event->start_s = (double)start / 1e9;
    event->duration_s = (double)(end - start) / 1e9;
    event->order = order > 0 ? (uint64_t)order : 0;
    event->channel = stream > 0 && stream < CS_TRACE_NONE ? (uint32_t)stream : 0;
    return event;
}

/* Behind the columns of an event: name, thread and time of the launch. */
static void nsight_add_kernel(void *ctx, struct sqlite3_stmt *row)
{
    struct nsight_reader *reader = ctx;
    struct cs_trace *trace = reader->trace;
    struct cs_trace_event *event = nsight_add_event(reader, row);
    struct cs_trace_call call;
    enum cs_trace_reason reason;

    if (!event || strncmp(cs_statement_text(row, 4), "nccl", strlen("nccl")) != 0)
        return;
    reason = cs_nsight_calls_take(&reader->calls, cs_statement_i64(row, 5),
                                  cs_statement_i64(row, 6), trace, &call);
    trace->gaps.records++;
    if (reason == CS_LEFT_REASONS) {
        event->kind = CS_TRACE_COLLECTIVE;
        event->call = cs_trace_add_call(trace, call);
    } else {
        event->kind = CS_TRACE_FIXED;
        trace->gaps.left_out[reason]++;
    }
}

static void nsight_add_copy(void *ctx, struct sqlite3_stmt *row)
{
    struct cs_trace_event *event = nsight_add_event(ctx, row);

    if (event)
        event->kind = CS_TRACE_COPY;
}

static int nsight_read_events(struct nsight_reader *reader, struct cs_err *err)
{
    static const char kernels[] =
        "SELECT k.start, k.end, k.streamId, k.correlationId, s.value, r.globalTid, r.start "
        "FROM CUPTI_ACTIVITY_KIND_KERNEL AS k JOIN StringIds AS s ON s.id = k.shortName "
        "LEFT JOIN CUPTI_ACTIVITY_KIND_RUNTIME AS r ON r.correlationId = k.correlationId "
        "AND r.globalTid >= k.globalPid AND r.globalTid < k.globalPid + 0x1000000 "
        "WHERE k.deviceId = ?1 AND k.globalPid = ?2 ORDER BY r.globalTid, r.start";
    static const char *const copies[] = {"CUPTI_ACTIVITY_KIND_MEMCPY",
                                         "CUPTI_ACTIVITY_KIND_MEMSET"};
    const int64_t marks[] = {reader->device, reader->process};
    int code = cs_database_each(reader->database, kernels, marks, 2,
                                (struct cs_database_use){nsight_add_kernel, reader}, err);

    for (size_t c = 0; c < sizeof(copies) / sizeof(*copies) && !code; c++) {
        struct cs_text sql = {0};

        if (!nsight_has_table(reader->database, copies[c]))
            continue;
        cs_text_printf(&sql,
                       "SELECT start, end, streamId, correlationId FROM %s "
                       "WHERE deviceId = ?1 AND globalPid = ?2",
                       copies[c]);
        code = cs_database_each(reader->database, cs_text_str(&sql), marks, 2,
                                (struct cs_database_use){nsight_add_copy, reader}, err);
        cs_text_free(&sql);
    }
    return code;
}

/* ---- the device ---- */

/* The first device of the first process is used; the others are counted. */
static void nsight_add_device(void *ctx, struct sqlite3_stmt *row)
{
    struct nsight_reader *reader = ctx;

    if (reader->trace->gaps.devices++)
        return;
    reader->device = cs_statement_i64(row, 0);
    reader->process = cs_statement_i64(row, 1);
}

static void nsight_name_device(void *ctx, struct sqlite3_stmt *row)
{
    struct nsight_reader *reader = ctx;

    (void)snprintf(reader->trace->origin.device, sizeof(reader->trace->origin.device), "%s",
                   cs_statement_text(row, 0));
}

/* ---- files ---- */

static int nsight_read_tables(struct nsight_reader *reader, const char *path, struct cs_err *err)
{
    const struct cs_database *database = reader->database;
    struct cs_err inner = {0};
    int code;

    if (!nsight_has_table(database, NSIGHT_KERNELS))
        return cs_err_at(err, CS_EINPUT, path, 0,
                         "an SQLite file without kernels of a GPU; expected what 'nsys export "
                         "--type sqlite' writes of a profile with --trace=cuda,nvtx");
    code = cs_database_each(
        database, "SELECT deviceId, globalPid FROM " NSIGHT_KERNELS " GROUP BY 1, 2 ORDER BY 1, 2",
        NULL, 0, (struct cs_database_use){nsight_add_device, reader}, &inner);
    if (!code && nsight_has_table(database, "NVTX_PAYLOAD_SCHEMA_ENTRIES"))
        code = cs_nsight_calls_read(database, reader->process, &reader->calls, &inner);
    if (!code)
        code = nsight_read_events(reader, &inner);
    if (code)
        return cs_err_at(err, CS_EINPUT, path, 0,
                         "not the tables that 'nsys export --type sqlite' writes: %s", inner.text);
    /* Machines have GPUs of one model; without its name the trace is whole. */
    (void)cs_database_each(database, "SELECT name FROM TARGET_INFO_GPU LIMIT 1", NULL, 0,
                           (struct cs_database_use){nsight_name_device, reader}, &inner);
    cs_nsight_calls_world(&reader->calls, &reader->trace->origin);
    return 0;
}

static int nsight_read(const struct cs_trace_file *file, struct cs_trace *trace, struct cs_err *err)
{
    struct cs_database database = {.path = file->path};
    struct nsight_reader reader = {.database = &database, .trace = trace};
    struct cs_err ignored = {0};
    int64_t tables;
    int code;

    if (!file->file || cs_database_open(&database, CS_DATABASE_UNCHANGING) ||
        cs_database_number(&database, "SELECT count(*) FROM sqlite_master", &tables, &ignored))
        code = cs_err_at(err, CS_EINPUT, file->path, 0,
                         "a damaged database, or not a file; expected what 'nsys export --type "
                         "sqlite' writes, neither packed nor from a pipe");
    else
        code = nsight_read_tables(&reader, file->path, err);
    cs_nsight_calls_free(&reader.calls);
    cs_database_close(&database);
    return code;
}

static bool nsight_recognises(const char *start, size_t length)
{
    static const char magic[] = "SQLite format 3";

    return length >= sizeof(magic) && !memcmp(start, magic, sizeof(magic));
}

const struct cs_trace_format cs_trace_nsight = {
    .name = "nsight",
    .about = "the SQLite export of Nsight Systems (nsys export --type sqlite)",
    .recognises = nsight_recognises,
    .read = nsight_read,
};

/*
 * Traces of Nsight Systems: the tables that 'nsys export --type sqlite' writes.
 *
 * Kept are kernels, copies and fills of one device of one process: the first, for a file
 * may have all ranks of a node.  A kernel has the correlation number of its launch on the
 * host, by which it finds the calls of NCCL.  Times are nanoseconds.
 * https://docs.nvidia.com/nsight-systems/UserGuide/index.html, "SQLite Schema Reference".
 *
 * NCCL marks each of its calls by an NVTX range with a typed payload (NVIDIA/nccl
 * src/include/nvtx_payload_schemas.h): the bytes of a rank's block, the communicator, of a
 * send the peer; of a communicator's start the ranks.  The export has a payload as bytes,
 * and the places of its members in a table of schemas.  A kernel has the calls of its
 * thread since the last launch: one, or those of a group.
 */
#include "reports/results/store/database.h"
#include "scenarios/trace/trace.h"
#include "sim/base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    NSIGHT_SCHEMAS = 256,
    NSIGHT_HEADER = 32, /* of a payload: domain, schema, sizes */
    NSIGHT_SCHEMA_AT = 8,
    NSIGHT_RANKS = 1 << 20,
};

struct nsight_range {
    const struct cs_collective *collective; /* NULL: the start of a communicator */
    int64_t thread, start;
    uint64_t bytes, communicator;
    int64_t peer, rank, ranks; /* -1: missing */
    bool is_receive, is_block; /* the bytes are those of one of the ranks' blocks */
};

struct nsight_calls {
    struct nsight_range *ranges; /* by thread, then by start */
    size_t count, next;          /* of the calls that no kernel has taken */
};

/* ---- payloads ---- */

enum nsight_member {
    NSIGHT_BYTES,
    NSIGHT_COMMUNICATOR,
    NSIGHT_PEER,
    NSIGHT_RANK,
    NSIGHT_RANKS_OF,
    NSIGHT_MEMBERS,
};

static const char *const nsight_member_names[NSIGHT_MEMBERS] = {
    [NSIGHT_BYTES] = "Message size [bytes]",
    [NSIGHT_COMMUNICATOR] = "NCCL communicator ID",
    [NSIGHT_PEER] = "Peer rank",
    [NSIGHT_RANK] = "Rank",
    [NSIGHT_RANKS_OF] = "No. of ranks",
};

/* A member of a schema: where, and how many bytes. */
struct nsight_entry {
    int64_t schema;
    enum nsight_member member;
    size_t at, bytes;
};

struct nsight_schemas {
    struct nsight_entry entries[NSIGHT_SCHEMAS];
    size_t count;
};

/* Whole numbers of nvtxPayloadEntryType (NVIDIA/NVTX nvToolsExtPayload.h). */
static size_t nsight_type_bytes(int64_t type)
{
    switch (type) {
    case 5: /* int */
    case 6:
    case 15: /* int32 */
    case 16:
        return 4;
    case 7: /* long */
    case 8:
    case 9:
    case 10:
    case 17: /* int64 */
    case 18:
    case 22: /* size_t */
        return 8;
    default:
        return 0;
    }
}

static void nsight_add_entry(void *ctx, struct sqlite3_stmt *row)
{
    struct nsight_schemas *schemas = ctx;
    const char *name = cs_statement_text(row, 1);
    size_t bytes = nsight_type_bytes(cs_statement_i64(row, 2));
    int64_t at = cs_statement_i64(row, 3);

    for (int m = 0; m < NSIGHT_MEMBERS; m++)
        if (cs_same(name, nsight_member_names[m]) && bytes && at >= 0 && at < UINT16_MAX &&
            schemas->count < NSIGHT_SCHEMAS)
            schemas->entries[schemas->count++] = (struct nsight_entry){
                cs_statement_i64(row, 0), (enum nsight_member)m, (size_t)at, bytes};
}

/* A number of little-endian bytes, as the processors that run CUDA write it. */
static uint64_t nsight_number(const unsigned char *bytes, size_t count)
{
    uint64_t number = 0;

    for (size_t b = 0; b < count; b++)
        number |= (uint64_t)bytes[b] << (8 * b);
    return number;
}

static void nsight_read_payload(const struct nsight_schemas *schemas, const unsigned char *blob,
                                size_t size, struct nsight_range *range)
{
    uint64_t numbers[NSIGHT_MEMBERS];
    bool has[NSIGHT_MEMBERS] = {false};
    int64_t schema;

    if (size < NSIGHT_HEADER)
        return;
    schema = (int64_t)nsight_number(blob + NSIGHT_SCHEMA_AT, 4);
    for (size_t e = 0; e < schemas->count; e++) {
        const struct nsight_entry *entry = &schemas->entries[e];

        if (entry->schema != schema || NSIGHT_HEADER + entry->at + entry->bytes > size)
            continue;
        numbers[entry->member] = nsight_number(blob + NSIGHT_HEADER + entry->at, entry->bytes);
        has[entry->member] = true;
    }
    if (has[NSIGHT_BYTES])
        range->bytes = numbers[NSIGHT_BYTES];
    if (has[NSIGHT_COMMUNICATOR])
        range->communicator = numbers[NSIGHT_COMMUNICATOR];
    if (has[NSIGHT_PEER] && numbers[NSIGHT_PEER] < NSIGHT_RANKS)
        range->peer = (int64_t)numbers[NSIGHT_PEER];
    if (has[NSIGHT_RANK] && numbers[NSIGHT_RANK] < NSIGHT_RANKS)
        range->rank = (int64_t)numbers[NSIGHT_RANK];
    if (has[NSIGHT_RANKS_OF] && numbers[NSIGHT_RANKS_OF] <= NSIGHT_RANKS)
        range->ranks = (int64_t)numbers[NSIGHT_RANKS_OF];
}

/* ---- ranges ---- */

struct nsight_function {
    const char *name, *collective;
    bool is_block, is_receive;
};

static const struct nsight_function nsight_functions[] = {
    {"ncclAllReduce", "all-reduce", false, false},
    {"ncclAllGather", "all-gather", true, false},
    {"ncclReduceScatter", "reduce-scatter", true, false},
    {"ncclAlltoAll", "all-to-all", true, false},
    {"ncclAllToAll", "all-to-all", true, false},
    {"ncclBroadcast", "broadcast", false, false},
    {"ncclBcast", "broadcast", false, false},
    {"ncclReduce", "reduce", false, false},
    {"ncclGather", "gather", true, false},
    {"ncclScatter", "scatter", true, false},
    {"ncclSend", "send-receive", false, false},
    {"ncclRecv", "send-receive", false, true},
};

struct nsight_ranges {
    struct nsight_schemas schemas;
    struct nsight_calls *calls;
};

/* Adds the range of a call or of a communicator's start; others are no calls. */
static void nsight_add_range(void *ctx, struct sqlite3_stmt *row)
{
    struct nsight_ranges *to = ctx;
    struct nsight_calls *calls = to->calls;
    struct nsight_range range = {
        .thread = cs_statement_i64(row, 0),
        .start = cs_statement_i64(row, 1),
        .peer = -1,
        .rank = -1,
        .ranks = -1,
    };
    const char *name = cs_statement_text(row, 2);
    size_t size;
    const unsigned char *blob = cs_statement_blob(row, 3, &size);

    for (size_t f = 0; f < sizeof(nsight_functions) / sizeof(*nsight_functions); f++)
        if (cs_same(name, nsight_functions[f].name)) {
            range.collective = cs_collective_find(nsight_functions[f].collective);
            range.is_block = nsight_functions[f].is_block;
            range.is_receive = nsight_functions[f].is_receive;
        }
    if (blob)
        nsight_read_payload(&to->schemas, blob, size, &range);
    if (!range.collective && range.ranks < 0)
        return;
    calls->ranges = cs_trace_room(calls->ranges, calls->count, sizeof(*calls->ranges));
    calls->ranges[calls->count++] = range;
}

/* The calls of a process, which is the upper part of its threads' numbers.  The caller
 * frees them, after errors too. */
static int nsight_calls_read(const struct cs_database *database, int64_t process,
                             struct nsight_calls *calls, struct cs_err *err)
{
    struct nsight_ranges to = {.calls = calls};
    int code =
        cs_database_each(database,
                         "SELECT DISTINCT schemaId, name, type, offset "
                         "FROM NVTX_PAYLOAD_SCHEMA_ENTRIES",
                         NULL, 0, (struct cs_database_use){nsight_add_entry, &to.schemas}, err);

    *calls = (struct nsight_calls){0};
    if (code)
        return code;
    return cs_database_each(
        database,
        "SELECT globalTid, start, COALESCE(text, (SELECT value FROM StringIds "
        "WHERE id = textId)) AS name, binaryData FROM NVTX_EVENTS "
        "WHERE globalTid >= ?1 AND globalTid < ?1 + 0x1000000 AND name LIKE 'nccl%' "
        "ORDER BY globalTid, start",
        &process, 1, (struct cs_database_use){nsight_add_range, &to}, err);
}

static void nsight_calls_free(struct nsight_calls *calls)
{
    free(calls->ranges);
    *calls = (struct nsight_calls){0};
}

/* ---- communicators ---- */

/* The start of a communicator, or NULL. */
static const struct nsight_range *nsight_start_of(const struct nsight_calls *calls,
                                                  uint64_t communicator)
{
    for (size_t r = 0; r < calls->count; r++)
        if (calls->ranges[r].ranks > 0 && calls->ranges[r].communicator == communicator)
            return &calls->ranges[r];
    return NULL;
}

/* The rank and the ranks of the largest communicator; 0 of 0: unknown. */
static void nsight_calls_world(const struct nsight_calls *calls, struct cs_trace_origin *origin)
{
    for (size_t r = 0; r < calls->count; r++)
        if (calls->ranges[r].ranks > (int64_t)origin->world) {
            origin->world = (uint32_t)calls->ranges[r].ranks;
            origin->is_ranked = calls->ranges[r].rank >= 0;
            origin->rank = origin->is_ranked ? (uint32_t)calls->ranges[r].rank : 0;
        }
}

/* The export does not say which ranks of the job a communicator has: the first. */
static uint32_t nsight_group(struct cs_trace *trace, uint32_t size)
{
    uint32_t *ranks = cs_grow(NULL, size, sizeof(*ranks)), group;

    for (uint32_t r = 0; r < size; r++)
        ranks[r] = r;
    group = cs_trace_group_of(trace, ranks, size);
    free(ranks);
    return group;
}

/* ---- the calls of a kernel ---- */

/* Sends and receives of a group: with one peer, or with several an all-to-all. */
static enum cs_trace_reason nsight_sends(const struct nsight_range *first, size_t count,
                                         const struct nsight_range *start, struct cs_trace *trace,
                                         struct cs_trace_call *call)
{
    uint64_t sent = 0, received = 0;
    int64_t rank = start->rank;
    bool is_pair = true;
    uint32_t pair[2];

    for (size_t r = 0; r < count; r++) {
        *(first[r].is_receive ? &received : &sent) += first[r].bytes;
        is_pair = is_pair && first[r].peer == first->peer;
    }
    call->bytes = sent > received ? sent : received;
    if (!is_pair) {
        call->collective = cs_collective_find("all-to-all");
        call->group = nsight_group(trace, (uint32_t)start->ranks);
        return CS_LEFT_REASONS;
    }
    if (rank < 0 || first->peer < 0)
        return CS_LEFT_INCOMPLETE;
    if (rank == first->peer)
        return CS_LEFT_SINGLE;
    pair[0] = (uint32_t)(rank < first->peer ? rank : first->peer);
    pair[1] = (uint32_t)(rank < first->peer ? first->peer : rank);
    call->collective = first->collective;
    call->group = cs_trace_group_of(trace, pair, 2);
    return CS_LEFT_REASONS;
}

static enum cs_trace_reason nsight_call_of(const struct nsight_calls *calls,
                                           const struct nsight_range *first, size_t count,
                                           struct cs_trace *trace, struct cs_trace_call *call)
{
    const struct nsight_range *start = nsight_start_of(calls, first->communicator);
    uint64_t bytes = 0;

    if (!start)
        return CS_LEFT_INCOMPLETE;
    if (start->ranks < 2)
        return CS_LEFT_SINGLE;
    for (size_t r = 0; r < count; r++) {
        bytes += first[r].bytes;
        if (first[r].collective != first->collective ||
            first[r].communicator != first->communicator)
            return CS_LEFT_INCOMPLETE;
    }
    if (!bytes)
        return CS_LEFT_EMPTY;
    if (bytes > UINT64_MAX / NSIGHT_RANKS)
        return CS_LEFT_INCOMPLETE;
    if (cs_same(first->collective->name, "send-receive"))
        return nsight_sends(first, count, start, trace, call);
    call->collective = first->collective;
    call->bytes = first->is_block ? bytes * (uint64_t)start->ranks : bytes;
    call->group = nsight_group(trace, (uint32_t)start->ranks);
    return CS_LEFT_REASONS;
}

/* Whether a range comes before a launch, by thread and time. */
static bool nsight_is_before(const struct nsight_range *range, int64_t thread, int64_t launch)
{
    return range->thread < thread || (range->thread == thread && range->start <= launch);
}

/* Takes the calls that `thread` made before `launch`, launches in ascending order by
 * thread and time; returns as cs_kineto_record_call(). */
static enum cs_trace_reason nsight_calls_take(struct nsight_calls *calls, int64_t thread,
                                              int64_t launch, struct cs_trace *trace,
                                              struct cs_trace_call *call)
{
    size_t first;

    while (calls->next < calls->count &&
           (calls->ranges[calls->next].thread < thread || !calls->ranges[calls->next].collective))
        calls->next++;
    first = calls->next;
    while (calls->next < calls->count && calls->ranges[calls->next].collective &&
           nsight_is_before(&calls->ranges[calls->next], thread, launch))
        calls->next++;
    if (calls->next == first)
        return CS_LEFT_NO_RECORD;
    return nsight_call_of(calls, &calls->ranges[first], calls->next - first, trace, call);
}

/* ---- the file ---- */

#define NSIGHT_KERNELS "CUPTI_ACTIVITY_KIND_KERNEL"

struct nsight_reader {
    const struct cs_database *database;
    struct cs_trace *trace;
    struct nsight_calls calls;
    int64_t device, process;
};

static bool nsight_has_table(const struct cs_database *database, const char *name)
{
    CS_AT_END(cs_text_free) struct cs_text sql = {0};
    int64_t count = 0;
    struct cs_err ignored = {0};

    cs_text_printf(&sql, "SELECT count(*) FROM sqlite_master WHERE name = '%s'", name);
    (void)cs_database_number(database, cs_text_str(&sql), &count, &ignored);
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
    reason = nsight_calls_take(&reader->calls, cs_statement_i64(row, 5), cs_statement_i64(row, 6),
                               trace, &call);
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
        CS_AT_END(cs_text_free) struct cs_text sql = {0};

        if (!nsight_has_table(reader->database, copies[c]))
            continue;
        cs_text_printf(&sql,
                       "SELECT start, end, streamId, correlationId FROM %s "
                       "WHERE deviceId = ?1 AND globalPid = ?2",
                       copies[c]);
        code = cs_database_each(reader->database, cs_text_str(&sql), marks, 2,
                                (struct cs_database_use){nsight_add_copy, reader}, err);
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
        code = nsight_calls_read(database, reader->process, &reader->calls, &inner);
    if (!code)
        code = nsight_read_events(reader, &inner);
    if (code)
        return cs_err_at(err, CS_EINPUT, path, 0,
                         "not the tables that 'nsys export --type sqlite' writes: %s", inner.text);
    /* Machines have GPUs of one model; without its name the trace is whole. */
    (void)cs_database_each(database, "SELECT name FROM TARGET_INFO_GPU LIMIT 1", NULL, 0,
                           (struct cs_database_use){nsight_name_device, reader}, &inner);
    nsight_calls_world(&reader->calls, &reader->trace->origin);
    return 0;
}

static int nsight_read(const struct cs_trace_file *file, struct cs_trace *trace, struct cs_err *err)
{
    CS_AT_END(cs_database_close) struct cs_database database = {.path = file->path};
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
    nsight_calls_free(&reader.calls);
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

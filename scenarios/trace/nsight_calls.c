#include "scenarios/trace/nsight_calls.h"

#include "sim/base/text.h"

#include <stdlib.h>
#include <string.h>

enum {
    NSIGHT_SCHEMAS = 256,
    NSIGHT_HEADER = 32, /* of a payload: domain, schema, sizes */
    NSIGHT_SCHEMA_AT = 8,
    NSIGHT_RANKS = 1 << 20,
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
                                size_t size, struct cs_nsight_range *range)
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
    struct cs_nsight_calls *calls;
};

/* Adds the range of a call or of a communicator's start; others are no calls. */
static void nsight_add_range(void *ctx, struct sqlite3_stmt *row)
{
    struct nsight_ranges *to = ctx;
    struct cs_nsight_calls *calls = to->calls;
    struct cs_nsight_range range = {
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

int cs_nsight_calls_read(const struct cs_database *database, int64_t process,
                         struct cs_nsight_calls *calls, struct cs_err *err)
{
    struct nsight_ranges to = {.calls = calls};
    int code =
        cs_database_each(database,
                         "SELECT DISTINCT schemaId, name, type, offset "
                         "FROM NVTX_PAYLOAD_SCHEMA_ENTRIES",
                         NULL, 0, (struct cs_database_use){nsight_add_entry, &to.schemas}, err);

    *calls = (struct cs_nsight_calls){0};
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

void cs_nsight_calls_free(struct cs_nsight_calls *calls)
{
    free(calls->ranges);
    *calls = (struct cs_nsight_calls){0};
}

/* ---- communicators ---- */

/* The start of a communicator, or NULL. */
static const struct cs_nsight_range *nsight_start_of(const struct cs_nsight_calls *calls,
                                                     uint64_t communicator)
{
    for (size_t r = 0; r < calls->count; r++)
        if (calls->ranges[r].ranks > 0 && calls->ranges[r].communicator == communicator)
            return &calls->ranges[r];
    return NULL;
}

void cs_nsight_calls_world(const struct cs_nsight_calls *calls, struct cs_trace_origin *origin)
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
static enum cs_trace_reason nsight_sends(const struct cs_nsight_range *first, size_t count,
                                         const struct cs_nsight_range *start,
                                         struct cs_trace *trace, struct cs_trace_call *call)
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

static enum cs_trace_reason nsight_call_of(const struct cs_nsight_calls *calls,
                                           const struct cs_nsight_range *first, size_t count,
                                           struct cs_trace *trace, struct cs_trace_call *call)
{
    const struct cs_nsight_range *start = nsight_start_of(calls, first->communicator);
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
static bool nsight_is_before(const struct cs_nsight_range *range, int64_t thread, int64_t launch)
{
    return range->thread < thread || (range->thread == thread && range->start <= launch);
}

enum cs_trace_reason cs_nsight_calls_take(struct cs_nsight_calls *calls, int64_t thread,
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

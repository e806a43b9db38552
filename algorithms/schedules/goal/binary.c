#include "algorithms/schedules/goal/binary.h"

#include "sim/base/collections/vector.h"
#include "sim/base/order.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
    ANY_SENDER = UINT32_MAX,
    HEADER_BYTES = 6, /* behind the magic */
    SPAN_BYTES = 16,
    COUNT_BYTES = 4,
};

/* Where a rank stands in the file. */
struct goal_span {
    uint64_t start, end;
    uint32_t rank;
};

/* Ops that require an op: a run of the list. */
struct goal_run {
    uint32_t first, count;
};

/* By op of the rank; `list` is the list of the rank. */
struct goal_binary {
    struct cs_stream *stream;
    struct cs_err *err;
    struct goal_span *spans;
    struct cs_goal_ranks ranks;
    struct goal_run (*runs)[2]; /* ends and starts */
    uint32_t run_capacity;
    uint32_t *needs; /* stated number of requirements */
    uint32_t needs_capacity;
    uint32_t *list;
    uint32_t list_count, list_capacity;
};

static uint32_t goal_u32(const char *at)
{
    const unsigned char *byte = (const unsigned char *)at;

    return (uint32_t)byte[0] | (uint32_t)byte[1] << 8 | (uint32_t)byte[2] << 16 |
           (uint32_t)byte[3] << 24;
}

static uint64_t goal_u64(const char *at)
{
    return (uint64_t)goal_u32(at) | (uint64_t)goal_u32(at + 4) << 32;
}

static uint64_t goal_magic(const struct cs_stream *stream)
{
    return stream->end - stream->at >= CS_GOAL_MAGIC_BYTES ? goal_u64(stream->at) : 0;
}

bool cs_goal_is_binary(const struct cs_stream *stream)
{
    return goal_magic(stream) == CS_GOAL_MAGIC || goal_magic(stream) == CS_GOAL_MAGIC_INVALID;
}

static uint64_t goal_position(const struct goal_binary *binary)
{
    return cs_stream_offset(binary->stream) - CS_GOAL_MAGIC_BYTES;
}

/* ---- the header ---- */

static int goal_spans_by_start(const void *a, const void *b)
{
    const struct goal_span *x = a;
    const struct goal_span *y = b;

    return CS_ORDER({x->start, y->start}, {x->rank, y->rank});
}

static int goal_read_spans(struct goal_binary *binary)
{
    uint32_t count = binary->ranks.count;
    char bytes[SPAN_BYTES];
    int code = 0;

    binary->spans = cs_grow(NULL, count, sizeof(*binary->spans));
    for (uint32_t i = 0; i < count && !code; i++) {
        code = cs_stream_take(binary->stream, bytes, sizeof(bytes), binary->err);
        if (!code)
            binary->spans[i] = (struct goal_span){goal_u64(bytes), goal_u64(bytes + 8), i};
    }
    if (!code)
        qsort(binary->spans, count, sizeof(*binary->spans), goal_spans_by_start);
    return code;
}

static int goal_read_header(struct goal_binary *binary, struct cs_arena *arena)
{
    const char *file = binary->stream->file;
    char bytes[HEADER_BYTES];
    uint32_t count;
    int code;

    if (goal_magic(binary->stream) == CS_GOAL_MAGIC_INVALID)
        return cs_err_at(binary->err, CS_EINPUT, file, 0,
                         "a run of LogGOPSim with --save-mem has overwritten the schedule; convert "
                         "the text again");
    code = cs_stream_skip(binary->stream, CS_GOAL_MAGIC_BYTES, binary->err);
    if (!code)
        code = cs_stream_take(binary->stream, bytes, sizeof(bytes), binary->err);
    if (code)
        return code;
    count = goal_u32(bytes);
    if (count == 0 || count > CS_SCHEDULE_RANKS_MAX)
        return cs_err_at(binary->err, CS_EINPUT, file, 0, "%" PRIu32 " ranks; expected 1 to %d",
                         count, CS_SCHEDULE_RANKS_MAX);
    cs_goal_ranks_open(&binary->ranks, count, arena);
    return goal_read_spans(binary);
}

/* ---- the ops of a rank ---- */

static int goal_binary_message(struct goal_binary *binary, const struct cs_goal_op *op)
{
    if (op->peer == ANY_SENDER && op->kind == CS_OP_RECV)
        return cs_goal_refuse(&binary->ranks, op->line, CS_GOAL_ANY_SENDER);
    if (op->peer >= binary->ranks.count)
        return cs_goal_refuse(&binary->ranks, op->line,
                              "peer %" PRIu32 "; expected a rank below %" PRIu32, op->peer,
                              binary->ranks.count);
    if (op->tag > CS_GOAL_TAG_MAX)
        return cs_goal_refuse(&binary->ranks, op->line, "tag %" PRIu32 "; expected at most %d",
                              op->tag, CS_GOAL_TAG_MAX);
    if (op->amount > CS_GOAL_AMOUNT_MAX)
        return cs_goal_refuse(&binary->ranks, op->line, "%" PRIu64 " bytes; expected at most 2^50",
                              op->amount);
    return 0;
}

static int goal_binary_calc(struct goal_binary *binary, struct cs_goal_op *op, unsigned cpu)
{
    if (cpu != 0)
        return cs_goal_refuse(&binary->ranks, op->line, "cpu %u; expected " CS_GOAL_ONE_PROCESSOR,
                              cpu);
    if (op->amount > CS_GOAL_AMOUNT_MAX / 1000)
        return cs_goal_refuse(&binary->ranks, op->line,
                              "calc of %" PRIu64 " ns; expected at most 2^50 ps", op->amount);
    op->amount *= 1000;
    return 0;
}

static int goal_binary_op(struct goal_binary *binary, const char *at)
{
    static const uint8_t kinds[] = {0, CS_OP_SEND, CS_OP_RECV, CS_OP_WORK};
    uint32_t number = binary->ranks.op_count;
    unsigned kind = (unsigned char)at[4];
    struct cs_goal_op op = {.line = number,
                            .peer = goal_u32(at + 5),
                            .amount = goal_u64(at + 9),
                            .tag = goal_u32(at + 17)};
    int code;

    if (kind == 0 || kind >= sizeof(kinds))
        return cs_goal_refuse(&binary->ranks, number,
                              "kind %u; expected 1 (send), 2 (recv) or 3 (calc)", kind);
    op.kind = kinds[kind];
    code = op.kind == CS_OP_WORK ? goal_binary_calc(binary, &op, (unsigned char)at[21])
                                 : goal_binary_message(binary, &op);
    if (!code)
        code = cs_goal_ranks_add(&binary->ranks, &op);
    if (code)
        return code;
    binary->needs =
        cs_vector_room(binary->needs, number + 1, &binary->needs_capacity, sizeof(*binary->needs));
    binary->runs =
        cs_vector_room(binary->runs, number + 1, &binary->run_capacity, sizeof(*binary->runs));
    binary->needs[number] = goal_u32(at);
    binary->runs[number][0] =
        (struct goal_run){.count = goal_u32(at + 23), .first = goal_u32(at + 27)};
    binary->runs[number][1] =
        (struct goal_run){.count = goal_u32(at + 31), .first = goal_u32(at + 35)};
    return 0;
}

static int goal_binary_ops(struct goal_binary *binary, uint32_t count)
{
    struct cs_stream *stream = binary->stream;
    char bytes[CS_GOAL_NODE_BYTES];
    int code = 0;

    for (uint32_t i = 0; i < count && !code; i++) {
        code = cs_stream_take(stream, bytes, sizeof(bytes), binary->err);
        if (!code)
            code = goal_binary_op(binary, bytes);
    }
    return code;
}

/* ---- requirements ---- */

static int goal_binary_list(struct goal_binary *binary, uint32_t count)
{
    char bytes[COUNT_BYTES];
    int code = 0;

    for (binary->list_count = 0; binary->list_count < count && !code;) {
        code = cs_stream_take(binary->stream, bytes, sizeof(bytes), binary->err);
        *CS_VECTOR_NEXT(binary->list, binary->list_count, binary->list_capacity) = goal_u32(bytes);
    }
    return code;
}

/* The ops of a run require op `before`. */
static int goal_binary_run(struct goal_binary *binary, uint32_t before, struct goal_run run,
                           struct cs_goal_edges *edges)
{
    struct cs_goal_ranks *ranks = &binary->ranks;
    int code = 0;

    if ((uint64_t)run.first + run.count > binary->list_count && run.count)
        return cs_goal_refuse(ranks, before,
                              "%" PRIu32 " dependent ops from %" PRIu32
                              " on; the list of the rank has %" PRIu32,
                              run.count, run.first, binary->list_count);
    for (uint32_t i = 0; i < run.count && !code; i++) {
        uint32_t after = binary->list[run.first + i];

        if (after >= ranks->op_count)
            return cs_goal_refuse(ranks, before,
                                  "dependent op %" PRIu32 "; the rank has %" PRIu32 " ops", after,
                                  ranks->op_count);
        binary->needs[after]--;
        code = cs_goal_ranks_require(ranks, edges, (struct cs_goal_edge){after, before}, before);
    }
    return code;
}

/* Every entry of the list belongs to one op, and every op is listed as often as
 * it states. */
static int goal_binary_requirements(struct goal_binary *binary)
{
    struct cs_goal_ranks *ranks = &binary->ranks;
    uint64_t listed = 0;
    int code = 0;

    for (uint32_t i = 0; i < ranks->op_count && !code; i++) {
        listed += (uint64_t)binary->runs[i][0].count + binary->runs[i][1].count;
        if (listed > binary->list_count)
            return cs_goal_refuse(ranks, i,
                                  "more dependent ops than the %" PRIu32 " of the list of the rank",
                                  binary->list_count);
        code = goal_binary_run(binary, i, binary->runs[i][0], &ranks->edges);
        if (!code)
            code = goal_binary_run(binary, i, binary->runs[i][1], &ranks->starts);
    }
    for (uint32_t i = 0; i < ranks->op_count && !code; i++)
        if (binary->needs[i] != 0)
            code = cs_goal_refuse(
                ranks, i, "the number of requirements differs from the lists of the required ops");
    return code;
}

/* ---- ranks ---- */

static int goal_binary_refuse_size(struct goal_binary *binary, const struct goal_span *span)
{
    return cs_err_at(binary->err, CS_EINPUT, binary->stream->file, 0,
                     "rank %" PRIu32 ": %" PRIu64
                     " bytes hold neither its ops nor its requirements",
                     span->rank, span->end - span->start);
}

/* Checks the sizes before the ops are read. */
static int goal_binary_rank(struct goal_binary *binary, const struct goal_span *span)
{
    char bytes[2 * COUNT_BYTES];
    uint64_t size = span->end - span->start;
    uint64_t fixed;
    uint32_t count;
    uint32_t roots;
    int code;

    if (size < sizeof(bytes))
        return goal_binary_refuse_size(binary, span);
    code = cs_stream_take(binary->stream, bytes, sizeof(bytes), binary->err);
    if (code)
        return code;
    count = goal_u32(bytes);
    roots = goal_u32(bytes + COUNT_BYTES);
    fixed = sizeof(bytes) + (uint64_t)roots * COUNT_BYTES + (uint64_t)count * CS_GOAL_NODE_BYTES;
    if (fixed > size || (size - fixed) % COUNT_BYTES ||
        (size - fixed) / COUNT_BYTES > CS_GOAL_EDGES_MAX)
        return goal_binary_refuse_size(binary, span);
    code = cs_stream_skip(binary->stream, (uint64_t)roots * COUNT_BYTES, binary->err);
    if (!code)
        code = cs_goal_ranks_begin(&binary->ranks, span->rank, 0);
    if (!code)
        code = goal_binary_ops(binary, count);
    if (!code)
        code = goal_binary_list(binary, (uint32_t)((size - fixed) / COUNT_BYTES));
    if (!code)
        code = goal_binary_requirements(binary);
    return code ? code : cs_goal_ranks_end(&binary->ranks);
}

static int goal_binary_seek(struct goal_binary *binary, const struct goal_span *span)
{
    uint64_t here = goal_position(binary);

    if (span->end < span->start || span->start < here)
        return cs_err_at(binary->err, CS_EINPUT, binary->stream->file, 0,
                         "rank %" PRIu32 ": bytes %" PRIu64 " to %" PRIu64
                         "; expected a span from %" PRIu64 " on",
                         span->rank, span->start, span->end, here);
    return cs_stream_skip(binary->stream, span->start - here, binary->err);
}

static int goal_binary_ranks(struct goal_binary *binary)
{
    int code = 0;

    for (uint32_t i = 0; i < binary->ranks.count && !code; i++) {
        const struct goal_span *span = &binary->spans[i];

        if (span->start == 0 && span->end == 0)
            continue;
        code = goal_binary_seek(binary, span);
        if (!code)
            code = goal_binary_rank(binary, span);
    }
    return code;
}

int cs_goal_read_binary(struct cs_stream *stream, struct cs_arena *arena, struct cs_algo *algo,
                        struct cs_err *err)
{
    struct goal_binary binary = {.stream = stream,
                                 .err = err,
                                 .ranks = {.file = stream->file, .is_binary = true, .err = err}};
    int code = goal_read_header(&binary, arena);

    if (!code)
        code = goal_binary_ranks(&binary);
    if (!code)
        cs_goal_ranks_finish(&binary.ranks, algo);
    cs_goal_ranks_close(&binary.ranks);
    free(binary.spans);
    free(binary.runs);
    free(binary.needs);
    free(binary.list);
    return code;
}

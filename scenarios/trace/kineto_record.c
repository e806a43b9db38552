#include "scenarios/trace/kineto_record.h"

#include "sim/base/text.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    KINETO_GROUP_MAX = 1 << 20,
    KINETO_BARRIER_BYTES = 4, /* PyTorch's barrier reduces an element */
};

/* ---- names ---- */

struct kineto_collective {
    const char *name; /* in PyTorch */
    const char *collective;
};

/* Names that ProcessGroupNCCL.cpp gives to RECORD_PARAM_COMMS_DATA. */
static const struct kineto_collective kineto_collectives[] = {
    {"allreduce", "all-reduce"},
    {"all_reduce", "all-reduce"},
    {"allreduce_coalesced", "all-reduce"},
    {"barrier", "all-reduce"},
    {"all_gather", "all-gather"},
    {"allgather", "all-gather"},
    {"_allgather_base", "all-gather"},
    {"all_gather_into_tensor", "all-gather"},
    {"all_gather_into_tensor_coalesced", "all-gather"},
    {"allgather_into_tensor_coalesced", "all-gather"},
    {"reduce_scatter", "reduce-scatter"},
    {"_reduce_scatter_base", "reduce-scatter"},
    {"reduce_scatter_tensor", "reduce-scatter"},
    {"reduce_scatter_tensor_coalesced", "reduce-scatter"},
    {"all_to_all", "all-to-all"},
    {"all_to_allv", "all-to-all"},
    {"alltoall", "all-to-all"},
    {"alltoall_base", "all-to-all"},
    {"broadcast", "broadcast"},
    {"_broadcast_oop", "broadcast"},
    {"reduce", "reduce"},
    {"_reduce_oop", "reduce"},
    {"gather", "gather"},
    {"scatter", "scatter"},
    {"send", "send-receive"},
    {"recv", "send-receive"},
};

static const struct cs_collective *kineto_collective_of(const char *name)
{
    size_t count = sizeof(kineto_collectives) / sizeof(*kineto_collectives);

    for (size_t i = 0; i < count; i++)
        if (cs_same(kineto_collectives[i].name, name))
            return cs_collective_find(kineto_collectives[i].collective);
    return NULL;
}

struct kineto_dtype {
    const char *name;
    unsigned bytes;
};

/* c10/core/ScalarType.h. */
static const struct kineto_dtype kineto_dtypes[] = {
    {"Float", 4},
    {"BFloat16", 2},
    {"Half", 2},
    {"Double", 8},
    {"Long", 8},
    {"Int", 4},
    {"Short", 2},
    {"Char", 1},
    {"Byte", 1},
    {"Bool", 1},
    {"Float8_e4m3fn", 1},
    {"Float8_e5m2", 1},
    {"Float8_e4m3fnuz", 1},
    {"Float8_e5m2fnuz", 1},
    {"Float8_e8m0fnu", 1},
    {"ComplexHalf", 4},
    {"ComplexFloat", 8},
    {"ComplexDouble", 16},
    {"UInt16", 2},
    {"UInt32", 4},
    {"UInt64", 8},
};

static unsigned kineto_dtype_bytes(const char *name)
{
    for (size_t i = 0; i < sizeof(kineto_dtypes) / sizeof(*kineto_dtypes); i++)
        if (cs_same(kineto_dtypes[i].name, name))
            return kineto_dtypes[i].bytes;
    return 0;
}

/* ---- groups ---- */

/* Numbers of "[0, 8, 16, ...]", at most `room`. */
static uint32_t kineto_list(const char *text, uint32_t *numbers, uint32_t room)
{
    uint32_t count = 0;

    while (*text && count < room) {
        char *end;
        unsigned long number;

        if (!isdigit((unsigned char)*text)) {
            text++;
            continue;
        }
        number = strtoul(text, &end, 10);
        /* The last number of a cut text may lack digits. */
        if (!*end || number >= CS_TRACE_NONE)
            break;
        numbers[count++] = (uint32_t)number;
        text = end;
    }
    return count;
}

/* Missing ranks continue by the first distance, as in groups of Megatron-LM and
 * FSDP; without a list the group is ranks 0 to size - 1. */
static void kineto_extend(uint32_t *ranks, uint32_t count, uint32_t size)
{
    uint32_t step = count > 1 && ranks[1] > ranks[0] ? ranks[1] - ranks[0] : 1;

    if (!count && size)
        ranks[count++] = 0;
    for (; count < size; count++)
        ranks[count] = ranks[count - 1] + step;
}

static uint32_t kineto_group(const struct cs_kineto_record *record, struct cs_trace *trace)
{
    uint32_t size = (uint32_t)record->group_size;
    uint32_t *ranks = cs_grow(NULL, size, sizeof(*ranks));
    uint32_t count = kineto_list(record->ranks, ranks, size), group;
    const struct cs_trace_named *named =
        count < size && record->group[0] ? cs_trace_named_group(trace, record->group) : NULL;

    if (named && named->size == size)
        memcpy(ranks, named->ranks, size * sizeof(*ranks));
    else
        kineto_extend(ranks, count, size);
    group = cs_trace_group_of(trace, ranks, size);
    free(ranks);
    return group;
}

static bool kineto_is_rank(double rank)
{
    return rank >= 0 && rank < KINETO_GROUP_MAX;
}

/* A send and a receive have two members, the source and the destination. */
static uint32_t kineto_pair(const struct cs_kineto_record *record, struct cs_trace *trace)
{
    double to = record->destination, from = record->source;
    uint32_t pair[2];

    if (!kineto_is_rank(from))
        from = record->rank;
    if (!kineto_is_rank(to))
        to = record->rank;
    if (!kineto_is_rank(from) || !kineto_is_rank(to) || from == to)
        return kineto_group(record, trace);
    pair[0] = (uint32_t)fmin(from, to);
    pair[1] = (uint32_t)fmax(from, to);
    return cs_trace_group_of(trace, pair, 2);
}

/* ---- sizes ---- */

/* nccl-tests counts the blocks of every rank for all-gather, reduce-scatter,
 * gather and scatter; PyTorch a block on a side of the call. */
static double kineto_elements(const struct cs_kineto_record *record,
                              const struct cs_collective *collective)
{
    double in = fmax(record->in_elements, 0), out = fmax(record->out_elements, 0);
    double most = fmax(in, out), least = fmin(in, out);
    const char *name = collective->name;

    if (cs_same(name, "all-reduce") || cs_same(name, "broadcast") || cs_same(name, "reduce") ||
        cs_same(name, "send-receive") || cs_same(name, "all-to-all"))
        return most;
    return most > least ? most : most * record->group_size;
}

/* An uneven all-to-all records its blocks; an even call writes "[]". */
static bool kineto_is_uneven(const struct cs_kineto_record *record)
{
    uint32_t blocks[2];

    return kineto_list(record->in_split, blocks, 2) == 2 && blocks[0] != blocks[1];
}

/* ---- records ---- */

static void kineto_record_clear(struct cs_kineto_record *record)
{
    record->collective[0] = record->dtype[0] = record->ranks[0] = record->group[0] =
        record->in_split[0] = '\0';
    record->in_elements = record->out_elements = record->group_size = record->rank =
        record->source = record->destination = (double)NAN;
}

static bool kineto_is_complete(const struct cs_kineto_record *record)
{
    return record->group_size >= 1 && record->group_size <= KINETO_GROUP_MAX &&
           (record->in_elements >= 0 || record->out_elements >= 0) &&
           !(record->in_elements > 1e15) && !(record->out_elements > 1e15);
}

static void kineto_note_unknown(struct cs_trace *trace, const char *name)
{
    if (!trace->gaps.unknown[0])
        (void)snprintf(trace->gaps.unknown, sizeof(trace->gaps.unknown), "%s", name);
}

enum cs_trace_reason cs_kineto_record_call(const struct cs_kineto_record *record,
                                           struct cs_trace *trace, struct cs_trace_call *call)
{
    bool is_barrier = cs_same(record->collective, "barrier");
    unsigned element_bytes = kineto_dtype_bytes(record->dtype);
    double elements;

    call->collective = kineto_collective_of(record->collective);
    if (!call->collective) {
        kineto_note_unknown(trace, record->collective);
        return CS_LEFT_UNKNOWN;
    }
    if (!kineto_is_complete(record))
        return CS_LEFT_INCOMPLETE;
    if (record->group_size < 2)
        return CS_LEFT_SINGLE;
    elements = kineto_elements(record, call->collective);
    if (!is_barrier && elements < 1)
        return CS_LEFT_EMPTY;
    if (!is_barrier && !element_bytes) {
        kineto_note_unknown(trace, record->dtype);
        return CS_LEFT_DTYPE;
    }
    call->bytes = is_barrier ? KINETO_BARRIER_BYTES : (uint64_t)(elements * element_bytes);
    call->group = cs_same(call->collective->name, "send-receive") ? kineto_pair(record, trace)
                                                                  : kineto_group(record, trace);
    trace->gaps.uneven += kineto_is_uneven(record);
    return CS_LEFT_REASONS;
}

/* ---- events ---- */

/* ---- scalars ---- */

void cs_kineto_copy(char *to, size_t room, const char *from)
{
    size_t length = strnlen(from, room - 1);

    memcpy(to, from, length);
    to[length] = '\0';
}

/* A number, also as a string: writers differ on "stream" and "tid". */
double cs_kineto_number(const struct cs_json_reader *json, enum cs_json_token token)
{
    const char *text = cs_json_reader_text(json);
    char *end;
    double number;

    if (token == CS_JSON_NUMBER)
        return cs_json_reader_number(json);
    if (token != CS_JSON_STRING || !isdigit((unsigned char)*text))
        return (double)NAN;
    number = strtod(text, &end);
    return *end ? (double)NAN : number;
}

static enum cs_kineto_category kineto_category_of(const char *text)
{
    static const struct {
        const char *name;
        enum cs_kineto_category category;
    } names[] = {
        {"kernel", CS_KINETO_KERNEL},
        {"Kernel", CS_KINETO_KERNEL},
        {"gpu_memcpy", CS_KINETO_COPY},
        {"gpu_memset", CS_KINETO_COPY},
        {"Memcpy", CS_KINETO_COPY},
        {"Memset", CS_KINETO_COPY},
        {"cuda_sync", CS_KINETO_SYNC},
        {"cpu_op", CS_KINETO_HOST},
        {"user_annotation", CS_KINETO_ANNOTATION},
        {"gpu_user_annotation", CS_KINETO_RANGE},
    };

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        if (cs_same(names[i].name, text))
            return names[i].category;
    return CS_KINETO_OTHER;
}

/* ---- members of "args" ---- */

/* The place of a text member of a record, or NULL. */
static char *kineto_text_place(struct cs_kineto_event *event, const char *key, size_t *room)
{
    struct cs_kineto_record *record = &event->record;
    const struct {
        const char *key;
        char *place;
        size_t room;
    } places[] = {
        {"Collective name", record->collective, sizeof(record->collective)},
        {"dtype", record->dtype, sizeof(record->dtype)},
        {"Process Group Ranks", record->ranks, sizeof(record->ranks)},
        {"Process Group Name", record->group, sizeof(record->group)},
        {"In split size", record->in_split, sizeof(record->in_split)},
    };

    for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++)
        if (*places[i].key == *key && cs_same(places[i].key, key)) {
            *room = places[i].room;
            return places[i].place;
        }
    return NULL;
}

/* The place of a number of an event, or NULL. */
static double *kineto_number_place(struct cs_kineto_event *event, const char *key)
{
    const struct {
        const char *key;
        double *place;
    } places[] = {
        {"stream", &event->stream},
        {"correlation", &event->correlation},
        {"In msg nelems", &event->record.in_elements},
        {"Out msg nelems", &event->record.out_elements},
        {"Group size", &event->record.group_size},
        {"Rank", &event->record.rank},
        {"Src Rank", &event->record.source},
        {"Dst Rank", &event->record.destination},
        {"wait_on_stream", &event->wait_stream},
        {"wait_on_cuda_event_record_corr_id", &event->wait_correlation},
    };

    for (size_t i = 0; i < sizeof(places) / sizeof(*places); i++)
        if (*places[i].key == *key && cs_same(places[i].key, key))
            return places[i].place;
    return NULL;
}

/* A list of numbers that is a list of JSON, where others write a string. */
static enum cs_json_token kineto_read_list(struct cs_json_reader *json, char *place, size_t room)
{
    CS_AT_END(cs_text_free) struct cs_text text = {0};
    uint32_t outside = cs_json_reader_depth(json) - 1;
    enum cs_json_token token;

    while ((token = cs_json_reader_next(json)) > CS_JSON_STOPS &&
           cs_json_reader_depth(json) > outside)
        if (token == CS_JSON_NUMBER && text.length < room)
            cs_text_printf(&text, "%s, ", cs_json_reader_text(json));
    cs_kineto_copy(place, room, cs_text_str(&text));
    return token;
}

static enum cs_json_token kineto_read_argument(struct cs_json_reader *json,
                                               struct cs_kineto_event *event)
{
    const char *key = cs_json_reader_text(json);
    size_t room;
    char *place = kineto_text_place(event, key, &room);
    double *number = place ? NULL : kineto_number_place(event, key);
    enum cs_json_token token;

    if (!place && !number)
        return cs_json_reader_skip(json);
    token = cs_json_reader_next(json);
    if (token == CS_JSON_LIST && place)
        return kineto_read_list(json, place, room);
    if (token == CS_JSON_OBJECT || token == CS_JSON_LIST)
        return cs_json_reader_skip(json);
    if (token == CS_JSON_STRING && place)
        cs_kineto_copy(place, room, cs_json_reader_text(json));
    else if (token > CS_JSON_STOPS && number)
        *number = cs_kineto_number(json, token);
    return token;
}

static enum cs_json_token kineto_read_arguments(struct cs_json_reader *json,
                                                struct cs_kineto_event *event)
{
    enum cs_json_token token;

    if (event->category == CS_KINETO_OTHER)
        return cs_json_reader_skip(json);
    token = cs_json_reader_next(json);
    if (token != CS_JSON_OBJECT)
        return token == CS_JSON_LIST ? cs_json_reader_skip(json) : token;
    while ((token = cs_json_reader_next(json)) == CS_JSON_KEY)
        if (kineto_read_argument(json, event) <= CS_JSON_STOPS)
            return cs_json_reader_next(json);
    return token;
}

/* ---- events ---- */

static void kineto_clear(struct cs_kineto_event *event)
{
    event->category = CS_KINETO_UNKNOWN;
    event->name[0] = '\0';
    event->is_complete_kind = false;
    event->ts_us = event->dur_us = event->stream = event->tid = event->correlation =
        event->wait_stream = event->wait_correlation = (double)NAN;
    kineto_record_clear(&event->record);
}

static void kineto_set_member(struct cs_kineto_event *event, const char *key,
                              const struct cs_json_reader *json, enum cs_json_token token)
{
    const char *text = token == CS_JSON_STRING ? cs_json_reader_text(json) : "";

    if (cs_same(key, "ph"))
        event->is_complete_kind = cs_same(text, "X");
    else if (cs_same(key, "cat"))
        event->category = kineto_category_of(text);
    else if (cs_same(key, "name"))
        cs_kineto_copy(event->name, sizeof(event->name), text);
    else if (cs_same(key, "ts"))
        event->ts_us = cs_kineto_number(json, token);
    else if (cs_same(key, "dur"))
        event->dur_us = cs_kineto_number(json, token);
    else if (cs_same(key, "tid"))
        event->tid = cs_kineto_number(json, token);
}

enum cs_json_token cs_kineto_event_read(struct cs_json_reader *json, struct cs_kineto_event *event)
{
    enum cs_json_token token;
    char key[16];

    kineto_clear(event);
    while ((token = cs_json_reader_next(json)) == CS_JSON_KEY) {
        cs_kineto_copy(key, sizeof(key), cs_json_reader_text(json));
        if (cs_same(key, "args"))
            token = kineto_read_arguments(json, event);
        else {
            token = cs_json_reader_next(json);
            if (token == CS_JSON_OBJECT || token == CS_JSON_LIST)
                token = cs_json_reader_skip(json);
            else if (token > CS_JSON_STOPS)
                kineto_set_member(event, key, json, token);
        }
        if (token <= CS_JSON_STOPS)
            return token;
    }
    return token;
}

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

void cs_kineto_record_clear(struct cs_kineto_record *record)
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

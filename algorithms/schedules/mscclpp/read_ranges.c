#include "algorithms/schedules/mscclpp/read_gpus.h"
#include "algorithms/schedules/mscclpp/reader.h"
#include "sim/base/text.h"

#include <inttypes.h>
#include <string.h>

/* ---- chunks ---- */

/* Maps chunks of the buffer of a GPU to those of the vector or scratch. */
static int place_chunks(const struct cs_mscclpp_reader *reader, uint32_t node, uint8_t name,
                        struct cs_mscclpp_range *range)
{
    const struct cs_mscclpp *plan = reader->plan;
    const struct cs_mscclpp_gpu *gpu = &plan->gpus[range->gpu];
    uint32_t chunks = gpu->scratch;
    bool is_part = false;

    range->buffer = CS_SCRATCH;
    if (name != 's') {
        const struct cs_collective *one =
            name == 'i' ? &cs_collective_allgather : &cs_collective_reducescatter;

        is_part = plan->collective == one;
        chunks = name == 'i' ? gpu->input : gpu->output;
        range->buffer = name == 'i' && !plan->in_place ? CS_INPUT : CS_OUTPUT;
    }
    if ((uint64_t)range->first + range->count > chunks)
        return cs_mscclpp_reader_err(
            reader, node, "%u chunks from %u on exceed buffer %c of GPU %u, which has %u",
            range->count, range->first, name, range->gpu, chunks);
    if (is_part)
        range->first += range->gpu * chunks;
    return 0;
}

/* The buffer of a second GPU, and the port channel that leads there. */
static int find_remote(const struct cs_mscclpp_reader *reader, uint32_t node,
                       const struct cs_mscclpp_op *op, uint32_t place,
                       struct cs_mscclpp_range *range, uint8_t *name)
{
    const struct cs_mscclpp *plan = reader->plan;
    const struct cs_mscclpp_gpu *gpu = &plan->gpus[reader->gpu];
    const struct cs_number_list *buffers;
    uint64_t id = 0;
    int code = cs_mscclpp_want_number(
        plan->doc, node, (struct cs_mscclpp_number){"buffer_id", UINT32_MAX}, &id, reader->err);

    if (code)
        return code;
    if (op->channel_type >= CS_MSCCLPP_SWITCH)
        return cs_mscclpp_reader_err(
            reader, node,
            "has no channel to another GPU; expected 'channel_type: memory' or 'port'");
    buffers = &reader->buffers[op->channel_type];
    if (id >= buffers->count)
        return cs_mscclpp_reader_err(reader, node,
                                     "no remote buffer %" PRIu64
                                     "; the thread block has %u in 'remote_buffer_refs'",
                                     id, buffers->count);
    range->gpu = reader->remotes[buffers->item[id]].gpu;
    *name = reader->remotes[buffers->item[id]].buffer;
    if (op->channel_type == CS_MSCCLPP_MEMORY)
        return 0;
    if (place >= op->number_count)
        return cs_mscclpp_reader_err(reader, node, "has fewer channels than targets");
    range->channel = plan->numbers[op->numbers + place];
    if (plan->channels[gpu->channel[CS_MSCCLPP_PORT] + range->channel].peer == range->gpu)
        return 0;
    return cs_mscclpp_reader_err(
        reader, node, "its channel leads to GPU %u, its buffer is of GPU %u",
        plan->channels[gpu->channel[CS_MSCCLPP_PORT] + range->channel].peer, range->gpu);
}

/* The channel of a group has its memory; this GPU is one of the group. */
static int find_group(const struct cs_mscclpp_reader *reader, uint32_t node,
                      struct cs_mscclpp_range *range, uint8_t *name)
{
    const struct cs_mscclpp *plan = reader->plan;
    const struct cs_number_list *channels = &reader->channels[CS_MSCCLPP_SWITCH];
    const struct cs_mscclpp_group *group;
    uint64_t id = 0;
    uint32_t i = 0;
    int code = cs_mscclpp_want_number(plan->doc, node,
                                      (struct cs_mscclpp_number){"switch_channel_id", UINT32_MAX},
                                      &id, reader->err);

    if (code)
        return code;
    if (id >= channels->count)
        return cs_mscclpp_reader_err(reader, node,
                                     "no switch channel %" PRIu64 "; the thread block has %u", id,
                                     channels->count);
    range->channel = plan->gpus[reader->gpu].group + channels->item[id];
    group = &plan->groups[range->channel];
    *name = group->buffer;
    while (i < group->count && plan->numbers[group->first + i] != reader->gpu)
        i++;
    return i < group->count ? 0
                            : cs_mscclpp_reader_err(reader, node, "its switch channel lacks GPU %u",
                                                    reader->gpu);
}

/* One source or target; `number` of `list`. */
static int read_range(struct cs_mscclpp_reader *reader, uint32_t node,
                      const struct cs_mscclpp_op *op, uint8_t place, uint32_t number)
{
    struct cs_mscclpp *plan = reader->plan;
    struct cs_mscclpp_range range = {
        .place = place, .gpu = reader->gpu, .channel = CS_MSCCLPP_NONE};
    const struct cs_mscclpp_number index = {"index", CS_MSCCLPP_CHUNKS_MAX};
    const struct cs_mscclpp_number size = {"size", CS_MSCCLPP_CHUNKS_MAX};
    uint8_t name = 's';
    uint64_t first = 0;
    uint64_t count = 0;
    int code = cs_doc_want_map(plan->doc, node, "a buffer", reader->err);

    if (!code)
        code = cs_mscclpp_want_number(plan->doc, node, index, &first, reader->err);
    if (!code)
        code = cs_mscclpp_want_number(plan->doc, node, size, &count, reader->err);
    if (code)
        return code;
    if (cs_mscclpp_is_remote(place))
        code = find_remote(reader, node, op, number, &range, &name);
    else if (cs_mscclpp_is_group(place))
        code = find_group(reader, node, &range, &name);
    else
        code = cs_mscclpp_want_buffer(plan->doc, node, "type", &name, reader->err);
    range.first = (uint32_t)first;
    range.count = (uint32_t)count;
    if (!code && count == 0)
        code = cs_mscclpp_reader_err(reader, node, "no chunks; expected 'size: 1' or more");
    if (!code && cs_mscclpp_is_packets(place) && name != 's')
        code = cs_mscclpp_reader_err(reader, node, "packets in buffer %c; expected s", name);
    if (!code)
        code = place_chunks(reader, node, name, &range);
    plan->ranges[plan->range_count++] = range;
    return code;
}

static uint8_t place_of(const struct cs_mscclpp_op *op, bool is_source, uint32_t number)
{
    const struct cs_mscclpp_type *type = op->type;

    if (!is_source)
        return type->target[number < 2 ? number : 2];
    /* A port copies packets as they are. */
    if (cs_same(type->name, "ppkt") && op->channel_type == CS_MSCCLPP_PORT)
        return CS_MSCCLPP_PACKETS;
    return type->source[number < 1 ? number : 1];
}

static int read_list(struct cs_mscclpp_reader *reader, uint32_t node, struct cs_mscclpp_op *op,
                     const char *key, uint32_t *count)
{
    const struct cs_mscclpp *plan = reader->plan;
    bool is_source = count == &op->sources;
    uint32_t list;
    uint32_t i;
    int code = cs_mscclpp_want_list(plan->doc, node, key, &list, reader->err);

    for (i = code ? CS_DOC_NONE : plan->doc->nodes[list].first; i != CS_DOC_NONE && !code;
         i = plan->doc->nodes[i].next) {
        uint8_t place = place_of(op, is_source, *count);

        if (place == CS_MSCCLPP_NOWHERE)
            return cs_mscclpp_reader_err(reader, i, "too many entries in '%s' of %s", key,
                                         op->type->name);
        code = read_range(reader, i, op, place, (*count)++);
    }
    if (!code && *count == 0)
        code = cs_mscclpp_reader_err(reader, list, "'%s' of %s is empty", key, op->type->name);
    return code;
}

/* Equal sizes; a range of one memory overlaps with another only as a whole. */
static int check_ranges(const struct cs_mscclpp_reader *reader, uint32_t node,
                        const struct cs_mscclpp_op *op)
{
    const struct cs_mscclpp_range *first = &reader->plan->ranges[op->ranges];
    uint32_t count = op->sources + op->targets;
    uint32_t i;
    uint32_t k;

    if (!op->type->sums && op->sources != op->targets)
        return cs_mscclpp_reader_err(reader, node, "%u sources for %u targets", op->sources,
                                     op->targets);
    for (i = 0; i < count; i++) {
        const struct cs_mscclpp_range *a = &first[i];

        k = op->type->sums || i < op->sources ? 0 : i - op->sources;
        if (a->count != first[k].count)
            return cs_mscclpp_reader_err(reader, node, "%u chunks where another has %u", a->count,
                                         first[k].count);
        if (a->buffer == CS_INPUT && i >= op->sources)
            return cs_mscclpp_reader_err(reader, node,
                                         "writes the input of a plan that is not in place");
        for (k = op->sources; k < count; k++) {
            const struct cs_mscclpp_range *b = &first[k];
            bool meet = a->gpu == b->gpu && a->buffer == b->buffer &&
                        cs_mscclpp_is_packets(a->place) == cs_mscclpp_is_packets(b->place) &&
                        a->first < b->first + b->count && b->first < a->first + a->count;

            if (k != i && meet && (a->first != b->first || i >= op->sources))
                return cs_mscclpp_reader_err(
                    reader, node, "its chunks overlap; expected the same or disjoint chunks");
        }
    }
    return 0;
}

static void note_group(struct cs_mscclpp *plan, const struct cs_mscclpp_range *range)
{
    if (!cs_mscclpp_is_group(range->place))
        return;
    if (cs_mscclpp_multicasts(plan, range))
        plan->multicasts = true;
    else
        plan->has_groups = true;
}

static bool places_are_remote(const struct cs_mscclpp_op *op)
{
    return cs_mscclpp_is_remote(op->type->source[0]) ||
           (op->type->sums && (cs_mscclpp_is_remote(op->type->source[1]) ||
                               cs_mscclpp_is_remote(op->type->target[1])));
}

int cs_mscclpp_read_ranges(struct cs_mscclpp_reader *reader, uint32_t node,
                           struct cs_mscclpp_op *op)
{
    struct cs_mscclpp *plan = reader->plan;
    uint32_t i;
    int code;

    op->ranges = plan->range_count;
    code = read_list(reader, node, op, "src_buff", &op->sources);
    if (!code)
        code = read_list(reader, node, op, "dst_buff", &op->targets);
    if (!code)
        code = check_ranges(reader, node, op);
    for (i = 0; i < op->sources + op->targets && !code; i++)
        note_group(plan, &plan->ranges[op->ranges + i]);
    if (!code && op->type->signals && op->channel_type != CS_MSCCLPP_PORT)
        code = cs_mscclpp_reader_err(reader, node, "%s needs 'channel_type: port'", op->type->name);
    /* A port copies; the threads of a block load and add. */
    if (!code && op->channel_type == CS_MSCCLPP_PORT && places_are_remote(op))
        code =
            cs_mscclpp_reader_err(reader, node, "%s needs 'channel_type: memory'", op->type->name);
    return code;
}

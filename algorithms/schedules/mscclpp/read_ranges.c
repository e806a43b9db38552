#include "algorithms/schedules/mscclpp/reader.h"
#include "sim/base/text.h"

/* ---- chunks ---- */

/* Maps chunks of the buffer of a GPU to those of the vector or scratch. */
static void place_chunks(struct cs_mscclpp_reader *reader, uint32_t node, uint8_t name,
                         struct cs_mscclpp_range *range)
{
    const struct cs_mscclpp *plan = reader->plan;
    const struct cs_mscclpp_gpu *gpu = &plan->gpus[range->gpu];
    uint32_t chunks = gpu->scratch;
    bool is_part = false;

    range->buffer = CS_SCRATCH;
    if (name != 's') {
        is_part = plan->collective ==
                  (name == 'i' ? &cs_collective_allgather : &cs_collective_reducescatter);
        chunks = name == 'i' ? gpu->input : gpu->output;
        range->buffer = name == 'i' && !plan->in_place ? CS_INPUT : CS_OUTPUT;
    }
    if ((uint64_t)range->first + range->count > chunks)
        cs_mscclpp_refuse_op(reader, node,
                             "%u chunks from %u on exceed buffer %c of GPU %u, which has %u",
                             range->count, range->first, name, range->gpu, chunks);
    if (is_part)
        range->first += range->gpu * chunks;
}

/* The buffer of a second GPU, and the port channel that leads there.  Returns the
 * name of the buffer. */
static uint8_t find_remote(struct cs_mscclpp_reader *reader, uint32_t node,
                           const struct cs_mscclpp_op *op, uint32_t place,
                           struct cs_mscclpp_range *range)
{
    const struct cs_mscclpp *plan = reader->plan;
    uint32_t id = cs_mscclpp_number(reader, node, "buffer_id", UINT32_MAX);
    const struct cs_number_list *buffers;
    const struct cs_mscclpp_remote *remote;
    uint32_t peer;

    if (op->channel_type >= CS_MSCCLPP_SWITCH) {
        cs_mscclpp_refuse_op(
            reader, node,
            "has no channel to another GPU; expected 'channel_type: memory' or 'port'");
        return 's';
    }
    buffers = &reader->buffers[op->channel_type];
    if (id >= buffers->count) {
        cs_mscclpp_refuse_op(reader, node,
                             "no remote buffer %u; the thread block has %u in 'remote_buffer_refs'",
                             id, buffers->count);
        return 's';
    }
    remote = &reader->remotes[buffers->item[id]];
    range->gpu = remote->gpu;
    if (op->channel_type == CS_MSCCLPP_MEMORY)
        return remote->buffer;
    if (place >= op->number_count) {
        cs_mscclpp_refuse_op(reader, node, "has fewer channels than targets");
        return 's';
    }
    range->channel = plan->numbers[op->numbers + place];
    peer = plan->channels[plan->gpus[reader->gpu].channel[CS_MSCCLPP_PORT] + range->channel].peer;
    if (peer != range->gpu)
        cs_mscclpp_refuse_op(reader, node, "its channel leads to GPU %u, its buffer is of GPU %u",
                             peer, range->gpu);
    return remote->buffer;
}

/* The channel of a group has its memory; this GPU is one of the group. */
static uint8_t find_group(struct cs_mscclpp_reader *reader, uint32_t node,
                          struct cs_mscclpp_range *range)
{
    const struct cs_mscclpp *plan = reader->plan;
    const struct cs_number_list *channels = &reader->channels[CS_MSCCLPP_SWITCH];
    uint32_t id = cs_mscclpp_number(reader, node, "switch_channel_id", UINT32_MAX);
    const struct cs_mscclpp_group *group;
    uint32_t i = 0;

    if (id >= channels->count) {
        cs_mscclpp_refuse_op(reader, node, "no switch channel %u; the thread block has %u", id,
                             channels->count);
        return 's';
    }
    range->channel = plan->gpus[reader->gpu].channel[CS_MSCCLPP_SWITCH] + channels->item[id];
    group = &plan->groups[range->channel];
    while (i < group->count && plan->numbers[group->first + i] != reader->gpu)
        i++;
    if (i == group->count)
        cs_mscclpp_refuse_op(reader, node, "its switch channel lacks GPU %u", reader->gpu);
    return group->buffer;
}

/* One source or target; `number` of its list. */
static void read_range(struct cs_mscclpp_reader *reader, uint32_t node,
                       const struct cs_mscclpp_op *op, uint8_t place, uint32_t number)
{
    struct cs_mscclpp *plan = reader->plan;
    struct cs_mscclpp_range range = {
        .place = place, .gpu = reader->gpu, .channel = CS_MSCCLPP_NONE};
    uint8_t name;

    if (cs_doc_want_map(reader->doc, node, "a buffer", reader->err))
        return;
    range.first = cs_mscclpp_number(reader, node, "index", CS_MSCCLPP_CHUNKS_MAX);
    range.count = cs_mscclpp_number(reader, node, "size", CS_MSCCLPP_CHUNKS_MAX);
    if (place & CS_MSCCLPP_REMOTE)
        name = find_remote(reader, node, op, number, &range);
    else if (place & CS_MSCCLPP_GROUP)
        name = find_group(reader, node, &range);
    else
        name = cs_mscclpp_buffer(reader, node, "type");
    if (range.count == 0)
        cs_mscclpp_refuse_op(reader, node, "no chunks; expected 'size: 1' or more");
    if ((place & CS_MSCCLPP_PACKETS) && name != 's')
        cs_mscclpp_refuse_op(reader, node, "packets in buffer %c; expected s", name);
    place_chunks(reader, node, name, &range);
    if (!reader->err->code)
        plan->ranges[plan->range_count++] = range;
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

static void read_list(struct cs_mscclpp_reader *reader, struct cs_mscclpp_op *op, const char *key,
                      uint32_t *count)
{
    uint32_t list = cs_mscclpp_list(reader, op->node, key);
    uint32_t i;

    if (list == CS_DOC_NONE)
        return;
    for (i = reader->doc->nodes[list].first; i != CS_DOC_NONE; i = cs_mscclpp_next(reader, i)) {
        uint8_t place = place_of(op, count == &op->sources, *count);

        if (place == CS_MSCCLPP_NOWHERE)
            cs_mscclpp_refuse_op(reader, i, "too many entries in '%s' of %s", key, op->type->name);
        else
            read_range(reader, i, op, place, (*count)++);
    }
    if (*count == 0)
        cs_mscclpp_refuse_op(reader, list, "'%s' of %s is empty", key, op->type->name);
}

/* A range of one memory overlaps with another only as a whole. */
static bool is_cut(const struct cs_mscclpp_range *a, const struct cs_mscclpp_range *b)
{
    return a->gpu == b->gpu && a->buffer == b->buffer &&
           !((a->place ^ b->place) & CS_MSCCLPP_PACKETS) && a->first < b->first + b->count &&
           b->first < a->first + a->count;
}

static void check_ranges(struct cs_mscclpp_reader *reader, const struct cs_mscclpp_op *op)
{
    const struct cs_mscclpp_range *first = &reader->plan->ranges[op->ranges];
    uint32_t count = op->sources + op->targets;
    uint32_t k;

    if (!op->type->sums && op->sources != op->targets) {
        cs_mscclpp_refuse_op(reader, op->node, "%u sources for %u targets", op->sources,
                             op->targets);
        return;
    }
    for (uint32_t i = 0; i < count; i++) {
        const struct cs_mscclpp_range *a = &first[i];

        k = op->type->sums || i < op->sources ? 0 : i - op->sources;
        if (a->count != first[k].count)
            cs_mscclpp_refuse_op(reader, op->node, "%u chunks where another has %u", a->count,
                                 first[k].count);
        if (a->buffer == CS_INPUT && i >= op->sources)
            cs_mscclpp_refuse_op(reader, op->node,
                                 "writes the input of a plan that is not in place");
        for (k = op->sources; k < count; k++)
            if (k != i && is_cut(a, &first[k]) && (a->first != first[k].first || i >= op->sources))
                cs_mscclpp_refuse_op(reader, op->node,
                                     "its chunks overlap; expected the same or disjoint chunks");
    }
}

void cs_mscclpp_read_ranges(struct cs_mscclpp_reader *reader, struct cs_mscclpp_op *op)
{
    struct cs_mscclpp *plan = reader->plan;
    const struct cs_mscclpp_type *type = op->type;
    int threads_reach = type->source[0] | (type->sums ? type->source[1] | type->target[1] : 0);
    const struct cs_mscclpp_range *range;

    op->ranges = plan->range_count;
    read_list(reader, op, "src_buff", &op->sources);
    read_list(reader, op, "dst_buff", &op->targets);
    if (reader->err->code)
        return;
    check_ranges(reader, op);
    for (range = &plan->ranges[op->ranges]; range < &plan->ranges[plan->range_count]; range++) {
        bool multicasts = cs_mscclpp_multicasts(plan, range);

        plan->multicasts |= multicasts;
        plan->has_groups |= !multicasts && (range->place & CS_MSCCLPP_GROUP);
    }
    if (type->signals && op->channel_type != CS_MSCCLPP_PORT)
        cs_mscclpp_refuse_op(reader, op->node, "%s needs 'channel_type: port'", type->name);
    /* A port copies; the threads of a block load and add. */
    if (op->channel_type == CS_MSCCLPP_PORT && (threads_reach & CS_MSCCLPP_REMOTE))
        cs_mscclpp_refuse_op(reader, op->node, "%s needs 'channel_type: memory'", type->name);
}

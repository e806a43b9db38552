#include "algorithms/schedules/mscclpp/reader.h"
#include "algorithms/schedules/schedule.h"
#include "sim/base/hint.h"
#include "sim/base/text.h"

#include <string.h>

enum {
    CHANNELS_MAX = 1024 /* of a GPU and type */
};

/* ---- the plan ---- */

static void read_collective(struct cs_mscclpp_reader *reader)
{
    const char *names[CS_MSCCLPP_COLLECTIVES + 1];
    const char *text = cs_mscclpp_text(reader, 0, "collective");

    for (uint32_t i = 0; i <= CS_MSCCLPP_COLLECTIVES; i++) {
        names[i] = cs_mscclpp_collectives[i].name;
        if (cs_same(names[i], text)) {
            reader->plan->collective = cs_mscclpp_collectives[i].collective;
            return;
        }
    }
    cs_mscclpp_refuse(reader, cs_doc_get(reader->doc, 0, "collective"),
                      "no collective called '%.40s'%s", text,
                      cs_hint_all(text, names, CS_MSCCLPP_COLLECTIVES).text);
}

static bool read_flag(struct cs_mscclpp_reader *reader, const char *key)
{
    const char *text = cs_mscclpp_text(reader, 0, key);
    bool value = cs_same(text, "true");

    if (!value && !cs_same(text, "false"))
        cs_mscclpp_refuse(reader, cs_doc_get(reader->doc, 0, key),
                          "'%s: %.40s'; expected true or false", key, text);
    return value;
}

/* Returns the first GPU. */
static uint32_t read_head(struct cs_mscclpp_reader *reader)
{
    static const char doubles[] = "use_double_scratch_buffer";
    struct cs_mscclpp *plan = reader->plan;
    const char *protocol;
    uint32_t list;

    if (cs_doc_want_map(reader->doc, 0, "the plan", reader->err))
        return CS_DOC_NONE;
    read_collective(reader);
    protocol = cs_mscclpp_text(reader, 0, "protocol");
    if (!cs_same(protocol, "Simple") && !cs_same(protocol, "LL"))
        cs_mscclpp_refuse(reader, cs_doc_get(reader->doc, 0, "protocol"),
                          "no protocol called '%.40s'; expected Simple or LL", protocol);
    plan->in_place = read_flag(reader, "inplace");
    if (cs_doc_get(reader->doc, 0, doubles) != CS_DOC_NONE)
        plan->double_scratch = read_flag(reader, doubles);
    list = cs_mscclpp_list(reader, 0, "gpus");
    if (list == CS_DOC_NONE)
        return list;
    plan->gpu_count = reader->doc->nodes[list].count;
    if (plan->gpu_count < 1 || plan->gpu_count > CS_MSCCLPP_GPUS_MAX)
        cs_mscclpp_refuse(reader, list, "%u GPUs; expected 1 to %d GPUs", plan->gpu_count,
                          CS_MSCCLPP_GPUS_MAX);
    return reader->doc->nodes[list].first;
}

/* ---- channels ---- */

static void read_peers(struct cs_mscclpp_reader *reader, uint32_t node)
{
    struct cs_mscclpp *plan = reader->plan;

    for (uint32_t i = cs_mscclpp_entries(reader, node, "connected_to"); i != CS_DOC_NONE;
         i = cs_mscclpp_next(reader, i)) {
        uint32_t peer = cs_mscclpp_scalar(reader, i, "connected_to", plan->gpu_count - 1);

        if (peer == reader->gpu)
            cs_mscclpp_refuse(reader, i, "GPU %u is connected to itself; expected a second GPU",
                              reader->gpu);
        plan->channels[plan->channel_count++] =
            (struct cs_mscclpp_channel){.peer = peer, .mate = CS_MSCCLPP_NONE};
    }
}

static void read_rank_group(struct cs_mscclpp_reader *reader, uint32_t node, uint8_t buffer)
{
    struct cs_mscclpp *plan = reader->plan;
    struct cs_mscclpp_group group = {.buffer = buffer, .first = plan->number_count};
    uint32_t i = cs_mscclpp_entries(reader, node, "ranks");

    if (reader->err->code)
        return;
    for (; i != CS_DOC_NONE; i = cs_mscclpp_next(reader, i)) {
        uint32_t rank = cs_mscclpp_scalar(reader, i, "ranks", plan->gpu_count - 1);

        for (uint32_t k = 0; k < group.count; k++)
            if (plan->numbers[group.first + k] == rank)
                cs_mscclpp_refuse(reader, i, "GPU %u is twice in one group", rank);
        plan->numbers[plan->number_count++] = rank;
        group.count++;
    }
    plan->groups[plan->group_count++] = group;
}

/* Early plans have shorter keys. */
static const char *either_key(const struct cs_doc *doc, uint32_t map, const char *key,
                              const char *early)
{
    return cs_doc_get(doc, map, key) == CS_DOC_NONE && cs_doc_get(doc, map, early) != CS_DOC_NONE
               ? early
               : key;
}

static void read_switch(struct cs_mscclpp_reader *reader, uint32_t node)
{
    uint8_t buffer =
        cs_mscclpp_buffer(reader, node, either_key(reader->doc, node, "buffer_type", "buff"));

    for (uint32_t i = cs_mscclpp_entries(reader, node, "rank_groups"); i != CS_DOC_NONE;
         i = cs_mscclpp_next(reader, i))
        read_rank_group(reader, i, buffer);
}

/* The channels of a type are a run. */
static void read_channels(struct cs_mscclpp_reader *reader, uint32_t type)
{
    struct cs_mscclpp *plan = reader->plan;
    struct cs_mscclpp_gpu *gpu = &plan->gpus[reader->gpu];
    const uint32_t *count = type == CS_MSCCLPP_SWITCH ? &plan->group_count : &plan->channel_count;
    uint32_t first = cs_mscclpp_optional(reader, gpu->node, "channels");

    gpu->channel[type] = *count;
    for (uint32_t i = first; i != CS_DOC_NONE; i = cs_mscclpp_next(reader, i)) {
        const char *key = either_key(reader->doc, i, "channel_type", "type");

        if (cs_mscclpp_channel_type(reader, i, key) != type || reader->err->code)
            continue;
        if (type == CS_MSCCLPP_SWITCH)
            read_switch(reader, i);
        else
            read_peers(reader, i);
    }
    gpu->channels[type] = *count - gpu->channel[type];
    if (type != CS_MSCCLPP_SWITCH && gpu->channels[type] > CHANNELS_MAX)
        cs_mscclpp_refuse(reader, first, "GPU %u has %u channels of one type; expected at most %d",
                          reader->gpu, gpu->channels[type], CHANNELS_MAX);
}

/* Channels pair in order: the n-th from a to b with the n-th from b to a. */
static void pair_channels(struct cs_mscclpp *plan, uint32_t number, uint8_t type, uint32_t *next)
{
    const struct cs_mscclpp_gpu *gpu = &plan->gpus[number];

    memset(next, 0, plan->gpu_count * sizeof(*next));
    for (uint32_t i = 0; i < gpu->channels[type]; i++) {
        struct cs_mscclpp_channel *channel = &plan->channels[gpu->channel[type] + i];
        const struct cs_mscclpp_gpu *peer = &plan->gpus[channel->peer];
        const struct cs_mscclpp_channel *theirs = &plan->channels[peer->channel[type]];
        uint32_t k = next[channel->peer];

        while (k < peer->channels[type] && theirs[k].peer != number)
            k++;
        if (k < peer->channels[type])
            channel->mate = k++;
        next[channel->peer] = k;
    }
}

/* ---- GPUs ---- */

static void read_semaphores(struct cs_mscclpp_reader *reader, struct cs_mscclpp_gpu *gpu)
{
    struct cs_mscclpp *plan = reader->plan;

    gpu->semaphore = plan->number_count;
    for (uint32_t i = cs_mscclpp_optional(reader, gpu->node, "semaphores"); i != CS_DOC_NONE;
         i = cs_mscclpp_next(reader, i)) {
        uint32_t value = cs_mscclpp_number(reader, i, "init_value", INT32_MAX);

        if (!reader->err->code)
            plan->numbers[plan->number_count++] = value;
        gpu->semaphores++;
    }
}

static void read_gpu(struct cs_mscclpp_reader *reader, uint32_t node)
{
    struct cs_mscclpp *plan = reader->plan;
    struct cs_mscclpp_gpu *gpu = &plan->gpus[reader->gpu];
    uint32_t id;

    gpu->node = node;
    if (cs_doc_want_map(reader->doc, node, "a GPU", reader->err))
        return;
    if (cs_doc_get(reader->doc, node, "inputChunks") != CS_DOC_NONE)
        cs_mscclpp_refuse(reader, node,
                          "'inputChunks' is of plans before MSCCL++ 0.7; expected 'input_chunks', "
                          "as later versions write");
    id = cs_mscclpp_number(reader, node, "id", UINT32_MAX);
    if (id != reader->gpu)
        cs_mscclpp_refuse(reader, node,
                          "'id: %u'; expected %u, as GPUs are in the order of their ids", id,
                          reader->gpu);
    gpu->input = cs_mscclpp_number(reader, node, "input_chunks", CS_MSCCLPP_CHUNKS_MAX);
    gpu->output = cs_mscclpp_number(reader, node, "output_chunks", CS_MSCCLPP_CHUNKS_MAX);
    gpu->scratch = cs_mscclpp_number(reader, node, "scratch_chunks", CS_MSCCLPP_CHUNKS_MAX);
    for (uint32_t type = 0; type < CS_MSCCLPP_CHANNEL_TYPES; type++)
        read_channels(reader, type);
    read_semaphores(reader, gpu);
    if (gpu->scratch > plan->scratch)
        plan->scratch = gpu->scratch;
}

/* In place, one of the two buffers may have no chunks of its own. */
static void settle_chunks(const struct cs_mscclpp *plan, struct cs_mscclpp_gpu *gpu)
{
    if (!plan->in_place || (gpu->input && gpu->output))
        return;
    if (plan->collective == &cs_collective_allgather && gpu->output)
        gpu->input = gpu->output / plan->gpu_count;
    else if (plan->collective == &cs_collective_reducescatter && gpu->input)
        gpu->output = gpu->input / plan->gpu_count;
    else if (gpu->input)
        gpu->output = gpu->input;
    else
        gpu->input = gpu->output;
}

/* The vector of the collective in chunks: the input and output of each GPU are
 * the vector, or its part of one GPU. */
static void check_chunks(struct cs_mscclpp_reader *reader)
{
    struct cs_mscclpp *plan = reader->plan;
    uint32_t parts_in = plan->collective == &cs_collective_allgather ? plan->gpu_count : 1;
    uint32_t parts_out = plan->collective == &cs_collective_reducescatter ? plan->gpu_count : 1;
    bool has_pieces = plan->collective == &cs_collective_alltoall && plan->gpu_count > 1;

    for (uint32_t i = 0; i < plan->gpu_count; i++) {
        struct cs_mscclpp_gpu *gpu = &plan->gpus[i];
        uint32_t most = gpu->input > gpu->output ? gpu->input : gpu->output;

        settle_chunks(plan, gpu);
        if (i == 0 || (plan->collective == &cs_collective_custom && most > plan->chunks))
            plan->chunks = most;
        if (plan->collective == &cs_collective_custom)
            continue;
        if (plan->chunks == 0 || gpu->input * parts_in != plan->chunks ||
            gpu->output * parts_out != plan->chunks ||
            (has_pieces && plan->chunks % plan->gpu_count))
            cs_mscclpp_refuse(reader, gpu->node,
                              "%u input and %u output chunks are not those of %s %s of %u GPUs",
                              gpu->input, gpu->output,
                              strchr("aeiou", *plan->collective->name) ? "an" : "a",
                              plan->collective->name, plan->gpu_count);
    }
    if (plan->chunks == 0)
        cs_mscclpp_refuse(reader, 0, "no GPU has input or output chunks");
}

/* Values of a key, or, of none, entries of lists. */
static size_t values_of(const struct cs_doc *doc, const char *key)
{
    size_t count = 0;

    for (uint32_t i = 0; i < doc->count; i++)
        count += doc->nodes[i].key ? key && cs_same(doc->nodes[i].key, key) : !key;
    return count;
}

/* Room for the whole plan.  Channels and numbers are entries of lists, which have no
 * key, and each semaphore has a number; every operation has a name, every range an
 * index, every thread block ops. */
static void make_room(struct cs_mscclpp_reader *reader, struct cs_arena *arena)
{
    struct cs_mscclpp *plan = reader->plan;
    const struct cs_doc *doc = reader->doc;
    size_t entries = values_of(doc, NULL) + values_of(doc, "init_value");

    plan->gpus = cs_arena_alloc(arena, plan->gpu_count, sizeof(*plan->gpus));
    plan->channels = cs_arena_alloc(arena, entries, sizeof(*plan->channels));
    plan->numbers = cs_arena_alloc(arena, entries, sizeof(*plan->numbers));
    plan->groups = cs_arena_alloc(arena, values_of(doc, "ranks"), sizeof(*plan->groups));
    plan->ops = cs_arena_alloc(arena, values_of(doc, "name") + 1, sizeof(*plan->ops));
    plan->ranges = cs_arena_alloc(arena, values_of(doc, "index") + 1, sizeof(*plan->ranges));
    plan->blocks = cs_arena_alloc(arena, values_of(doc, "ops") + 1, sizeof(*plan->blocks));
    reader->remotes = cs_arena_alloc(arena, values_of(doc, "rank") + 1, sizeof(*reader->remotes));
}

void cs_mscclpp_read_gpus(struct cs_mscclpp_reader *reader, struct cs_arena *arena)
{
    struct cs_mscclpp *plan = reader->plan;
    uint32_t node = read_head(reader);
    uint32_t *next;

    if (reader->err->code)
        return;
    make_room(reader, arena);
    for (; node != CS_DOC_NONE; node = cs_mscclpp_next(reader, node)) {
        read_gpu(reader, node);
        reader->gpu++;
    }
    if (reader->err->code)
        return;
    next = cs_arena_alloc(arena, plan->gpu_count, sizeof(*next));
    for (reader->gpu = 0; reader->gpu < plan->gpu_count; reader->gpu++) {
        pair_channels(plan, reader->gpu, CS_MSCCLPP_MEMORY, next);
        pair_channels(plan, reader->gpu, CS_MSCCLPP_PORT, next);
    }
    check_chunks(reader);
}

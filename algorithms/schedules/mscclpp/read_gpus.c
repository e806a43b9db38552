#include "algorithms/schedules/mscclpp/read_gpus.h"

#include "algorithms/schedules/schedule.h"
#include "sim/base/hint.h"
#include "sim/base/text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum {
    CHANNELS_MAX = 1024 /* of a GPU and type */
};

/* ---- values ---- */

int cs_mscclpp_want_scalar(const struct cs_doc *doc, uint32_t node, struct cs_mscclpp_number want,
                           uint64_t *value, struct cs_err *err)
{
    const char *text = doc->nodes[node].text;
    bool is_number = doc->nodes[node].kind == CS_DOC_SCALAR && text && *text &&
                     strspn(text, "0123456789") == strlen(text);

    if (is_number && strlen(text) <= 20) {
        *value = strtoull(text, NULL, 10);
        if (*value <= want.most)
            return 0;
    }
    return cs_doc_err(doc, node, err, "'%s: %.40s'; expected a whole number up to %" PRIu64,
                      want.key, text ? text : "", want.most);
}

int cs_mscclpp_want_number(const struct cs_doc *doc, uint32_t map, struct cs_mscclpp_number want,
                           uint64_t *value, struct cs_err *err)
{
    uint32_t node = cs_doc_get(doc, map, want.key);

    if (node == CS_DOC_NONE)
        return cs_doc_err(doc, map, err, "'%s' is missing; expected a number", want.key);
    return cs_mscclpp_want_scalar(doc, node, want, value, err);
}

int cs_mscclpp_want_text(const struct cs_doc *doc, uint32_t map, const char *key, const char **text,
                         struct cs_err *err)
{
    uint32_t node = cs_doc_get(doc, map, key);

    if (node == CS_DOC_NONE)
        return cs_doc_err(doc, map, err, "'%s' is missing; expected a text", key);
    return cs_doc_want_text(doc, node, key, text, err);
}

int cs_mscclpp_want_list(const struct cs_doc *doc, uint32_t map, const char *key, uint32_t *list,
                         struct cs_err *err)
{
    *list = cs_doc_get(doc, map, key);
    if (*list == CS_DOC_NONE)
        return cs_doc_err(doc, map, err, "'%s' is missing; expected a list", key);
    return cs_doc_want_list(doc, *list, key, err);
}

int cs_mscclpp_want_entries(const struct cs_doc *doc, uint32_t map, const char *key,
                            uint32_t *first, struct cs_err *err)
{
    uint32_t list;
    int code = cs_mscclpp_want_list(doc, map, key, &list, err);

    *first = code ? CS_DOC_NONE : doc->nodes[list].first;
    return code;
}

int cs_mscclpp_find_list(const struct cs_doc *doc, uint32_t map, const char *key, uint32_t *first,
                         struct cs_err *err)
{
    uint32_t list = cs_doc_get(doc, map, key);
    int code = list == CS_DOC_NONE ? 0 : cs_doc_want_list(doc, list, key, err);

    *first = code || list == CS_DOC_NONE ? CS_DOC_NONE : doc->nodes[list].first;
    return code;
}

int cs_mscclpp_want_channel_type(const struct cs_doc *doc, uint32_t map, const char *key,
                                 uint8_t *type, struct cs_err *err)
{
    static const char *const names[] = {"memory", "port", "switch"};
    const char *text = "";
    int code = cs_mscclpp_want_text(doc, map, key, &text, err);

    if (code)
        return code;
    for (*type = 0; *type < CS_MSCCLPP_CHANNEL_TYPES; ++*type)
        if (cs_same(names[*type], text))
            return 0;
    return cs_doc_err(doc, map, err, "no channel type called '%.40s'%s", text,
                      cs_hint_all(text, names, CS_MSCCLPP_CHANNEL_TYPES).text);
}

int cs_mscclpp_want_buffer(const struct cs_doc *doc, uint32_t map, const char *key, uint8_t *buffer,
                           struct cs_err *err)
{
    const char *text = "";
    int code = cs_mscclpp_want_text(doc, map, key, &text, err);

    if (code)
        return code;
    *buffer = (uint8_t)text[0];
    if (text[1] == '\0' && strchr("ios", text[0]))
        return 0;
    return cs_doc_err(doc, map, err, "no buffer called '%.40s'; expected i, o or s", text);
}

/* ---- the plan ---- */

static int read_collective(struct cs_mscclpp *plan, struct cs_err *err)
{
    static const char *const names[] = {"allreduce", "allgather", "reducescatter", "alltoall",
                                        "broadcast", "sendrecv",  "custom"};
    const char *text = "";
    int code = cs_mscclpp_want_text(plan->doc, 0, "collective", &text, err);

    if (code)
        return code;
    plan->collective = cs_mscclpp_collective(text);
    if (plan->collective)
        return 0;
    return cs_doc_err(plan->doc, cs_doc_get(plan->doc, 0, "collective"), err,
                      "no collective called '%.40s'%s", text,
                      cs_hint_all(text, names, sizeof(names) / sizeof(*names)).text);
}

static int read_protocol(const struct cs_mscclpp *plan, struct cs_err *err)
{
    const char *text = "";
    int code = cs_mscclpp_want_text(plan->doc, 0, "protocol", &text, err);

    if (code || cs_same(text, "Simple") || cs_same(text, "LL"))
        return code;
    return cs_doc_err(plan->doc, cs_doc_get(plan->doc, 0, "protocol"), err,
                      "no protocol called '%.40s'; expected Simple or LL", text);
}

static int read_flag(const struct cs_doc *doc, const char *key, bool *value, struct cs_err *err)
{
    const char *text = "";
    int code = cs_mscclpp_want_text(doc, 0, key, &text, err);

    *value = !code && cs_same(text, "true");
    if (code || *value || cs_same(text, "false"))
        return code;
    return cs_doc_err(doc, cs_doc_get(doc, 0, key), err, "'%s: %.40s'; expected true or false", key,
                      text);
}

static int read_head(struct cs_mscclpp *plan, uint32_t *gpus, struct cs_err *err)
{
    static const char doubles[] = "use_double_scratch_buffer";
    int code = cs_doc_want_map(plan->doc, 0, "the plan", err);

    if (!code)
        code = read_collective(plan, err);
    if (!code)
        code = read_protocol(plan, err);
    if (!code)
        code = read_flag(plan->doc, "inplace", &plan->in_place, err);
    if (!code && cs_doc_get(plan->doc, 0, doubles) != CS_DOC_NONE)
        code = read_flag(plan->doc, doubles, &plan->double_scratch, err);
    if (!code)
        code = cs_mscclpp_want_list(plan->doc, 0, "gpus", gpus, err);
    if (code)
        return code;
    plan->gpu_count = plan->doc->nodes[*gpus].count;
    if (plan->gpu_count < 1 || plan->gpu_count > CS_MSCCLPP_GPUS_MAX)
        return cs_doc_err(plan->doc, *gpus, err, "%u GPUs; expected 1 to %d GPUs", plan->gpu_count,
                          CS_MSCCLPP_GPUS_MAX);
    return 0;
}

/* ---- channels ---- */

static int read_peer(struct cs_mscclpp *plan, uint32_t gpu, uint32_t node, struct cs_err *err)
{
    uint64_t peer;
    int code = cs_mscclpp_want_scalar(
        plan->doc, node, (struct cs_mscclpp_number){"connected_to", plan->gpu_count - 1}, &peer,
        err);

    if (!code && peer == gpu)
        code = cs_doc_err(plan->doc, node, err,
                          "GPU %u is connected to itself; expected a second GPU", gpu);
    if (!code)
        plan->channels[plan->channel_count++] =
            (struct cs_mscclpp_channel){.peer = (uint32_t)peer, .mate = CS_MSCCLPP_NONE};
    return code;
}

static int read_group_rank(struct cs_mscclpp *plan, uint32_t node, struct cs_mscclpp_group *group,
                           struct cs_err *err)
{
    uint64_t rank = 0;
    uint32_t i;
    int code = cs_mscclpp_want_scalar(
        plan->doc, node, (struct cs_mscclpp_number){"ranks", plan->gpu_count - 1}, &rank, err);

    for (i = 0; i < group->count && !code; i++)
        if (plan->numbers[group->first + i] == rank)
            return cs_doc_err(plan->doc, node, err, "GPU %u is twice in one group", (unsigned)rank);
    if (!code) {
        plan->numbers[plan->number_count++] = (uint32_t)rank;
        group->count++;
    }
    return code;
}

static int read_rank_group(struct cs_mscclpp *plan, uint32_t node, uint8_t buffer,
                           struct cs_err *err)
{
    struct cs_mscclpp_group *group = &plan->groups[plan->group_count];
    uint32_t i;
    int code = cs_mscclpp_want_entries(plan->doc, node, "ranks", &i, err);

    if (code)
        return code;
    *group = (struct cs_mscclpp_group){.buffer = buffer, .first = plan->number_count};
    plan->group_count++;
    for (; i != CS_DOC_NONE && !code; i = plan->doc->nodes[i].next)
        code = read_group_rank(plan, i, group, err);
    return code;
}

/* Early plans have shorter keys. */
static const char *either_key(const struct cs_doc *doc, uint32_t map, const char *key,
                              const char *early)
{
    return cs_doc_get(doc, map, key) == CS_DOC_NONE && cs_doc_get(doc, map, early) != CS_DOC_NONE
               ? early
               : key;
}

static int read_switch(struct cs_mscclpp *plan, uint32_t node, struct cs_err *err)
{
    uint8_t buffer;
    uint32_t i = CS_DOC_NONE;
    int code = cs_mscclpp_want_buffer(
        plan->doc, node, either_key(plan->doc, node, "buffer_type", "buff"), &buffer, err);

    if (!code)
        code = cs_mscclpp_want_entries(plan->doc, node, "rank_groups", &i, err);
    for (; i != CS_DOC_NONE && !code; i = plan->doc->nodes[i].next)
        code = read_rank_group(plan, i, buffer, err);
    return code;
}

/* Channels of type `only`: the channels of a type are a run. */
static int read_channels(struct cs_mscclpp *plan, uint32_t gpu, uint32_t first, uint8_t only,
                         struct cs_err *err)
{
    uint32_t before = plan->channel_count;
    uint32_t i;
    uint32_t k;
    int code = 0;

    for (i = first; i != CS_DOC_NONE && !code; i = plan->doc->nodes[i].next) {
        uint8_t type;

        code = cs_mscclpp_want_channel_type(
            plan->doc, i, either_key(plan->doc, i, "channel_type", "type"), &type, err);
        if (code || type != only)
            continue;
        if (type == CS_MSCCLPP_SWITCH) {
            code = read_switch(plan, i, err);
            continue;
        }
        code = cs_mscclpp_want_entries(plan->doc, i, "connected_to", &k, err);
        for (; k != CS_DOC_NONE && !code; k = plan->doc->nodes[k].next)
            code = read_peer(plan, gpu, k, err);
    }
    if (!code && plan->channel_count - before > CHANNELS_MAX)
        code = cs_doc_err(plan->doc, first, err,
                          "GPU %u has %u channels of one type; expected at most %d", gpu,
                          plan->channel_count - before, CHANNELS_MAX);
    return code;
}

static int read_all_channels(struct cs_mscclpp *plan, uint32_t number, struct cs_err *err)
{
    struct cs_mscclpp_gpu *gpu = &plan->gpus[number];
    uint32_t first;
    uint8_t type;
    int code = cs_mscclpp_find_list(plan->doc, gpu->node, "channels", &first, err);

    for (type = CS_MSCCLPP_MEMORY; type <= CS_MSCCLPP_PORT && !code; type++) {
        gpu->channel[type] = plan->channel_count;
        code = read_channels(plan, number, first, type, err);
        gpu->channels[type] = plan->channel_count - gpu->channel[type];
    }
    gpu->group = plan->group_count;
    if (!code)
        code = read_channels(plan, number, first, CS_MSCCLPP_SWITCH, err);
    gpu->groups = plan->group_count - gpu->group;
    return code;
}

/* Channels pair in order: the n-th from a to b with the n-th from b to a. */
static void pair_channels(struct cs_mscclpp *plan, uint32_t number, uint8_t type, uint32_t *next)
{
    const struct cs_mscclpp_gpu *gpu = &plan->gpus[number];
    uint32_t i;

    memset(next, 0, plan->gpu_count * sizeof(*next));
    for (i = 0; i < gpu->channels[type]; i++) {
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

static int read_semaphores(struct cs_mscclpp *plan, struct cs_mscclpp_gpu *gpu, struct cs_err *err)
{
    uint32_t i;
    int code = cs_mscclpp_find_list(plan->doc, gpu->node, "semaphores", &i, err);

    gpu->semaphore = plan->number_count;
    for (; i != CS_DOC_NONE && !code; i = plan->doc->nodes[i].next) {
        uint64_t value = 0;

        code = cs_mscclpp_want_number(
            plan->doc, i, (struct cs_mscclpp_number){"init_value", INT32_MAX}, &value, err);
        plan->numbers[plan->number_count++] = (uint32_t)value;
        gpu->semaphores++;
    }
    return code;
}

static int read_gpu(struct cs_mscclpp *plan, uint32_t number, uint32_t node, struct cs_err *err)
{
    struct cs_mscclpp_gpu *gpu = &plan->gpus[number];
    uint32_t *chunks[] = {&gpu->input, &gpu->output, &gpu->scratch};
    static const char *const keys[] = {"input_chunks", "output_chunks", "scratch_chunks"};
    uint64_t value = 0;
    uint32_t i;
    int code = cs_doc_want_map(plan->doc, node, "a GPU", err);

    gpu->node = node;
    if (!code && cs_doc_get(plan->doc, node, "inputChunks") != CS_DOC_NONE)
        code = cs_doc_err(plan->doc, node, err,
                          "'inputChunks' is of plans before MSCCL++ 0.7; expected 'input_chunks', "
                          "as later versions write");
    if (!code)
        code = cs_mscclpp_want_number(plan->doc, node, (struct cs_mscclpp_number){"id", UINT32_MAX},
                                      &value, err);
    if (!code && value != number)
        code = cs_doc_err(plan->doc, node, err,
                          "'id: %" PRIu64 "'; expected %u, as GPUs are in the order of their ids",
                          value, number);
    for (i = 0; i < 3 && !code; i++) {
        code = cs_mscclpp_want_number(plan->doc, node,
                                      (struct cs_mscclpp_number){keys[i], CS_MSCCLPP_CHUNKS_MAX},
                                      &value, err);
        *chunks[i] = (uint32_t)value;
    }
    if (!code)
        code = read_all_channels(plan, number, err);
    if (!code)
        code = read_semaphores(plan, gpu, err);
    if (gpu->scratch > plan->scratch)
        plan->scratch = gpu->scratch;
    return code;
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
static int check_chunks(struct cs_mscclpp *plan, struct cs_err *err)
{
    uint32_t parts_in = plan->collective == &cs_collective_allgather ? plan->gpu_count : 1;
    uint32_t parts_out = plan->collective == &cs_collective_reducescatter ? plan->gpu_count : 1;
    bool has_pieces = plan->collective == &cs_collective_alltoall && plan->gpu_count > 1;
    uint32_t i;

    for (i = 0; i < plan->gpu_count; i++) {
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
            return cs_doc_err(plan->doc, gpu->node, err,
                              "%u input and %u output chunks are not those of %s %s of %u GPUs",
                              gpu->input, gpu->output,
                              strchr("aeiou", *plan->collective->name) ? "an" : "a",
                              plan->collective->name, plan->gpu_count);
    }
    if (plan->chunks)
        return 0;
    return cs_doc_err(plan->doc, 0, err, "no GPU has input or output chunks");
}

/* Room for all channels and numbers: the entries of lists, and one number of
 * each semaphore. */
static void make_room(struct cs_mscclpp *plan, struct cs_arena *arena)
{
    size_t entries = 0;
    size_t groups = 0;
    uint32_t i;

    for (i = 0; i < plan->doc->count; i++) {
        const struct cs_doc_node *node = &plan->doc->nodes[i];

        entries += !node->key || cs_same(node->key, "init_value");
        groups += node->key && cs_same(node->key, "ranks");
    }
    plan->gpus = cs_arena_alloc(arena, plan->gpu_count, sizeof(*plan->gpus));
    plan->channels = cs_arena_alloc(arena, entries, sizeof(*plan->channels));
    plan->numbers = cs_arena_alloc(arena, entries, sizeof(*plan->numbers));
    plan->groups = cs_arena_alloc(arena, groups, sizeof(*plan->groups));
}

int cs_mscclpp_read_gpus(struct cs_mscclpp *plan, struct cs_arena *arena, struct cs_err *err)
{
    uint32_t list = 0;
    uint32_t *next;
    uint32_t node;
    uint32_t i = 0;
    int code = read_head(plan, &list, err);

    if (code)
        return code;
    make_room(plan, arena);
    for (node = plan->doc->nodes[list].first; node != CS_DOC_NONE && !code;
         node = plan->doc->nodes[node].next)
        code = read_gpu(plan, i++, node, err);
    if (code)
        return code;
    next = cs_arena_alloc(arena, plan->gpu_count, sizeof(*next));
    for (i = 0; i < plan->gpu_count; i++) {
        pair_channels(plan, i, CS_MSCCLPP_MEMORY, next);
        pair_channels(plan, i, CS_MSCCLPP_PORT, next);
    }
    return check_chunks(plan, err);
}

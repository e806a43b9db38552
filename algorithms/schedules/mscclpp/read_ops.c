#include "algorithms/schedules/mscclpp/read_gpus.h"
#include "algorithms/schedules/mscclpp/reader.h"
#include "sim/base/hint.h"
#include "sim/base/text.h"

#include <inttypes.h>

enum {
    PARTS_MAX = 64,     /* thread blocks of a group */
    BARRIERS_MAX = 1024 /* also thread blocks of a barrier */
};

/* ---- fields ---- */

/* Positions among `count` things of an owner, and their numbers of the GPU; NULL:
 * these are the positions. */
struct ids {
    const char *key, *what, *owner;
    uint32_t count;
    const uint32_t *numbers;
};

static int read_ids(struct cs_mscclpp_reader *reader, uint32_t node, const struct ids *ids,
                    struct cs_mscclpp_op *op)
{
    struct cs_mscclpp *plan = reader->plan;
    uint32_t i;
    int code = cs_mscclpp_want_entries(plan->doc, node, ids->key, &i, reader->err);

    for (; i != CS_DOC_NONE && !code; i = plan->doc->nodes[i].next) {
        uint64_t id = 0;

        code = cs_mscclpp_want_scalar(
            plan->doc, i, (struct cs_mscclpp_number){ids->key, UINT32_MAX}, &id, reader->err);
        if (!code && id >= ids->count)
            code = cs_mscclpp_reader_err(reader, i, "no %s %" PRIu64 "; the %s has %u", ids->what,
                                         id, ids->owner, ids->count);
        if (!code)
            plan->numbers[plan->number_count++] = ids->numbers ? ids->numbers[id] : (uint32_t)id;
        op->number_count++;
    }
    return code;
}

static int read_channel_ids(struct cs_mscclpp_reader *reader, uint32_t node,
                            struct cs_mscclpp_op *op)
{
    const struct cs_doc *doc = reader->plan->doc;
    const struct cs_number_list *channels;
    int code = 0;

    op->channel_type = CS_MSCCLPP_CHANNEL_TYPES;
    if (cs_doc_get(doc, node, "channel_type") != CS_DOC_NONE)
        code =
            cs_mscclpp_want_channel_type(doc, node, "channel_type", &op->channel_type, reader->err);
    if (code || cs_doc_get(doc, node, "channel_ids") == CS_DOC_NONE ||
        op->channel_type == CS_MSCCLPP_CHANNEL_TYPES)
        return code;
    channels = &reader->channels[op->channel_type];
    return read_ids(
        reader, node,
        &(struct ids){"channel_ids", "channel", "thread block", channels->count, channels->item},
        op);
}

static int read_semaphore_ids(struct cs_mscclpp_reader *reader, uint32_t node,
                              struct cs_mscclpp_op *op)
{
    return read_ids(reader, node,
                    &(struct ids){"semaphore_ids", "semaphore", "GPU",
                                  reader->plan->gpus[reader->gpu].semaphores, NULL},
                    op);
}

static int read_barrier(struct cs_mscclpp_reader *reader, uint32_t node, struct cs_mscclpp_op *op)
{
    const struct cs_doc *doc = reader->plan->doc;
    uint64_t id = 0;
    uint64_t count = 0;
    int code = cs_mscclpp_want_number(
        doc, node, (struct cs_mscclpp_number){"barrier_id", BARRIERS_MAX}, &id, reader->err);

    if (!code)
        code = cs_mscclpp_want_number(doc, node,
                                      (struct cs_mscclpp_number){"num_threadblocks", BARRIERS_MAX},
                                      &count, reader->err);
    op->id = (uint32_t)id;
    op->count = (uint32_t)count;
    if (!code && count == 0)
        code = cs_mscclpp_reader_err(reader, node, "a barrier of no thread blocks");
    return code;
}

static int read_part(struct cs_mscclpp_reader *reader, uint32_t node, struct cs_mscclpp_op *op)
{
    const struct cs_doc *doc = reader->plan->doc;
    uint32_t map = cs_doc_get(doc, node, "tbg_info");
    uint64_t part = 0;
    uint64_t parts = 0;
    int code;

    op->parts = 1;
    if (map == CS_DOC_NONE)
        return 0;
    code = cs_mscclpp_want_number(doc, map, (struct cs_mscclpp_number){"tb_id", PARTS_MAX - 1},
                                  &part, reader->err);
    if (!code)
        code = cs_mscclpp_want_number(doc, map, (struct cs_mscclpp_number){"tbg_size", PARTS_MAX},
                                      &parts, reader->err);
    if (!code && part >= parts)
        code = cs_mscclpp_reader_err(reader, map, "'tb_id: %" PRIu64 "' of %" PRIu64, part, parts);
    op->part = (uint32_t)part;
    op->parts = (uint32_t)parts;
    return code;
}

static int read_data(struct cs_mscclpp_reader *reader, uint32_t node, struct cs_mscclpp_op *op)
{
    int code = read_channel_ids(reader, node, op);

    if (!code)
        code = read_part(reader, node, op);
    return code ? code : cs_mscclpp_read_ranges(reader, node, op);
}

static int read_sync(struct cs_mscclpp_reader *reader, uint32_t node, struct cs_mscclpp_op *op)
{
    int code = read_channel_ids(reader, node, op);

    if (!code && op->channel_type >= CS_MSCCLPP_SWITCH)
        code = cs_mscclpp_reader_err(reader, node, "%s needs 'channel_type: memory' or 'port'",
                                     op->type->name);
    if (!code && op->number_count == 0)
        code = cs_mscclpp_reader_err(reader, node, "%s needs 'channel_ids'", op->type->name);
    if (!code && op->type->kind == CS_MSCCLPP_FLUSH && op->channel_type != CS_MSCCLPP_PORT)
        code = cs_mscclpp_reader_err(reader, node, "flush needs 'channel_type: port'");
    return code;
}

/* ---- operations ---- */

/* In the executor, packets and shares of groups of thread blocks ignore the
 * iteration, and the iterations cover as many chunks as the loop has. */
static int check_in_loop(const struct cs_mscclpp_reader *reader, const struct cs_mscclpp_op *op,
                         uint32_t chunks)
{
    const struct cs_mscclpp *plan = reader->plan;
    uint32_t i;

    if (plan->ranges[op->ranges].count != chunks)
        return cs_mscclpp_reader_err(reader, op->node, "%s moves %u chunks in a loop over %u",
                                     op->type->name, plan->ranges[op->ranges].count, chunks);
    if (op->parts != 1)
        return cs_mscclpp_reader_err(reader, op->node,
                                     "%s of a group of thread blocks is in a loop", op->type->name);
    for (i = op->ranges; i < op->ranges + op->sources + op->targets; i++)
        if (cs_mscclpp_is_packets(plan->ranges[i].place))
            return cs_mscclpp_reader_err(reader, op->node, "%s of packets is in a loop",
                                         op->type->name);
    return 0;
}

static int read_loop_head(struct cs_mscclpp_reader *reader, uint32_t node,
                          struct cs_mscclpp_op *loop)
{
    const struct cs_doc *doc = reader->plan->doc;
    uint32_t map = cs_doc_get(doc, node, "iter_context");
    uint64_t unit = 0;
    uint64_t chunks = 0;
    int code;

    if (map == CS_DOC_NONE)
        return cs_mscclpp_reader_err(reader, node, "'iter_context' is missing");
    code = cs_mscclpp_want_number(doc, map, (struct cs_mscclpp_number){"unit_size", UINT32_MAX},
                                  &unit, reader->err);
    if (!code)
        code = cs_mscclpp_want_number(
            doc, map, (struct cs_mscclpp_number){"num_chunks", CS_MSCCLPP_CHUNKS_MAX}, &chunks,
            reader->err);
    if (!code && (unit == 0 || chunks == 0))
        code = cs_mscclpp_reader_err(reader, map, "a loop over nothing");
    loop->count = (uint32_t)chunks;
    if (!code && reader->plan->loop_chunks == 0) {
        reader->plan->loop_chunks = (uint32_t)chunks;
        reader->plan->loop_bytes = unit;
    }
    return code;
}

static const struct cs_mscclpp_type *type_of(const char *name)
{
    size_t i;

    for (i = 0; i < cs_mscclpp_type_count; i++)
        if (cs_same(name, cs_mscclpp_types[i].name))
            return &cs_mscclpp_types[i];
    return NULL;
}

static int refuse_type(const struct cs_mscclpp_reader *reader, uint32_t node, const char *name)
{
    enum {
        TYPES_MAX = 64
    };
    const char *names[TYPES_MAX];
    size_t i;

    for (i = 0; i < cs_mscclpp_type_count && i < TYPES_MAX; i++)
        names[i] = cs_mscclpp_types[i].name;
    return cs_mscclpp_reader_err(reader, node, "no operation called '%.40s'%s", name,
                                 cs_hint_all(name, names, i).text);
}

/* The fields of an operation whose type is known. */
static int read_fields(struct cs_mscclpp_reader *reader, uint32_t node, struct cs_mscclpp_op *op)
{
    switch (op->type->kind) {
    case CS_MSCCLPP_NOP:
        return 0;
    case CS_MSCCLPP_BARRIER:
        return read_barrier(reader, node, op);
    case CS_MSCCLPP_DATA:
        return read_data(reader, node, op);
    case CS_MSCCLPP_RELEASE:
    case CS_MSCCLPP_ACQUIRE:
        return read_semaphore_ids(reader, node, op);
    case CS_MSCCLPP_LOOP:
        return read_loop_head(reader, node, op);
    default:
        return read_sync(reader, node, op);
    }
}

/* A loop without its operations. */
static int read_one(struct cs_mscclpp_reader *reader, uint32_t node, struct cs_mscclpp_op **made)
{
    struct cs_mscclpp *plan = reader->plan;
    struct cs_mscclpp_op *op = &plan->ops[plan->op_count];
    const char *name = "";
    int code = cs_doc_want_map(plan->doc, node, "an operation", reader->err);

    reader->number = plan->op_count - reader->first;
    if (!code)
        code = cs_mscclpp_want_text(plan->doc, node, "name", &name, reader->err);
    if (code)
        return code;
    plan->op_count++;
    *op = (struct cs_mscclpp_op){.type = type_of(name),
                                 .node = node,
                                 .number = reader->number,
                                 .parts = 1,
                                 .numbers = plan->number_count};
    *made = op;
    return op->type ? read_fields(reader, node, op) : refuse_type(reader, node, name);
}

/* The operations of a loop follow it. */
static int read_loop(struct cs_mscclpp_reader *reader, struct cs_mscclpp_op *loop)
{
    struct cs_mscclpp *plan = reader->plan;
    uint32_t i;
    int code = cs_mscclpp_want_entries(plan->doc, loop->node, "ops", &i, reader->err);

    for (; i != CS_DOC_NONE && !code; i = plan->doc->nodes[i].next) {
        struct cs_mscclpp_op *op = NULL;

        code = read_one(reader, i, &op);
        loop->id++;
        if (code || !op->type)
            return code;
        if (op->type->kind == CS_MSCCLPP_LOOP)
            code = cs_mscclpp_reader_err(reader, i, "a loop in a loop");
        if (op->type->kind == CS_MSCCLPP_DATA)
            code = check_in_loop(reader, op, loop->count);
    }
    return code;
}

int cs_mscclpp_read_op(struct cs_mscclpp_reader *reader, uint32_t node)
{
    struct cs_mscclpp_op *op = NULL;
    int code = read_one(reader, node, &op);

    if (code || !op->type || op->type->kind != CS_MSCCLPP_LOOP)
        return code;
    return read_loop(reader, op);
}

#include "algorithms/schedules/mscclpp/reader.h"
#include "sim/base/hint.h"
#include "sim/base/text.h"

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

static void read_ids(struct cs_mscclpp_reader *reader, struct cs_mscclpp_op *op,
                     const struct ids *ids)
{
    struct cs_mscclpp *plan = reader->plan;

    for (uint32_t i = cs_mscclpp_entries(reader, op->node, ids->key); i != CS_DOC_NONE;
         i = cs_mscclpp_next(reader, i)) {
        uint32_t id = cs_mscclpp_scalar(reader, i, ids->key, UINT32_MAX);

        if (id >= ids->count) {
            cs_mscclpp_refuse_op(reader, i, "no %s %u; the %s has %u", ids->what, id, ids->owner,
                                 ids->count);
            return;
        }
        plan->numbers[plan->number_count++] = ids->numbers ? ids->numbers[id] : id;
        op->number_count++;
    }
}

static void read_channel_ids(struct cs_mscclpp_reader *reader, struct cs_mscclpp_op *op)
{
    const struct cs_number_list *channels;

    op->channel_type = CS_MSCCLPP_CHANNEL_TYPES;
    if (cs_doc_get(reader->doc, op->node, "channel_type") == CS_DOC_NONE)
        return;
    op->channel_type = cs_mscclpp_channel_type(reader, op->node, "channel_type");
    if (cs_doc_get(reader->doc, op->node, "channel_ids") == CS_DOC_NONE)
        return;
    channels = &reader->channels[op->channel_type];
    read_ids(
        reader, op,
        &(struct ids){"channel_ids", "channel", "thread block", channels->count, channels->item});
}

static void read_barrier(struct cs_mscclpp_reader *reader, struct cs_mscclpp_op *op)
{
    op->id = cs_mscclpp_number(reader, op->node, "barrier_id", BARRIERS_MAX);
    op->count = cs_mscclpp_number(reader, op->node, "num_threadblocks", BARRIERS_MAX);
    if (op->count == 0)
        cs_mscclpp_refuse_op(reader, op->node, "a barrier of no thread blocks");
}

static void read_part(struct cs_mscclpp_reader *reader, struct cs_mscclpp_op *op)
{
    uint32_t map = cs_doc_get(reader->doc, op->node, "tbg_info");

    if (map == CS_DOC_NONE)
        return;
    op->part = cs_mscclpp_number(reader, map, "tb_id", PARTS_MAX - 1);
    op->parts = cs_mscclpp_number(reader, map, "tbg_size", PARTS_MAX);
    if (op->part >= op->parts)
        cs_mscclpp_refuse_op(reader, map, "'tb_id: %u' of %u", op->part, op->parts);
}

static void read_sync(struct cs_mscclpp_reader *reader, struct cs_mscclpp_op *op)
{
    read_channel_ids(reader, op);
    if (op->channel_type >= CS_MSCCLPP_SWITCH)
        cs_mscclpp_refuse_op(reader, op->node, "%s needs 'channel_type: memory' or 'port'",
                             op->type->name);
    if (op->number_count == 0)
        cs_mscclpp_refuse_op(reader, op->node, "%s needs 'channel_ids'", op->type->name);
    if (op->type->kind == CS_MSCCLPP_FLUSH && op->channel_type != CS_MSCCLPP_PORT)
        cs_mscclpp_refuse_op(reader, op->node, "flush needs 'channel_type: port'");
}

/* ---- operations ---- */

/* In the executor, packets and shares of groups of thread blocks ignore the
 * iteration, and the iterations cover as many chunks as the loop has. */
static void check_in_loop(struct cs_mscclpp_reader *reader, const struct cs_mscclpp_op *op,
                          uint32_t chunks)
{
    const struct cs_mscclpp_range *ranges = &reader->plan->ranges[op->ranges];

    if (ranges->count != chunks)
        cs_mscclpp_refuse_op(reader, op->node, "%s moves %u chunks in a loop over %u",
                             op->type->name, ranges->count, chunks);
    if (op->parts != 1)
        cs_mscclpp_refuse_op(reader, op->node, "%s of a group of thread blocks is in a loop",
                             op->type->name);
    for (uint32_t i = 0; i < op->sources + op->targets; i++)
        if (ranges[i].place & CS_MSCCLPP_PACKETS)
            cs_mscclpp_refuse_op(reader, op->node, "%s of packets is in a loop", op->type->name);
}

static void read_loop_head(struct cs_mscclpp_reader *reader, struct cs_mscclpp_op *loop)
{
    uint32_t map = cs_doc_get(reader->doc, loop->node, "iter_context");
    uint32_t unit;

    if (map == CS_DOC_NONE) {
        cs_mscclpp_refuse_op(reader, loop->node, "'iter_context' is missing");
        return;
    }
    unit = cs_mscclpp_number(reader, map, "unit_size", UINT32_MAX);
    loop->count = cs_mscclpp_number(reader, map, "num_chunks", CS_MSCCLPP_CHUNKS_MAX);
    if (unit == 0 || loop->count == 0)
        cs_mscclpp_refuse_op(reader, map, "a loop over nothing");
    if (reader->plan->loop_chunks == 0) {
        reader->plan->loop_chunks = loop->count;
        reader->plan->loop_bytes = unit;
    }
}

static const struct cs_mscclpp_type *read_type(struct cs_mscclpp_reader *reader, uint32_t node)
{
    enum {
        TYPES_MAX = 64
    };
    const char *names[TYPES_MAX];
    const char *name = cs_mscclpp_text(reader, node, "name");
    size_t i;

    for (i = 0; i < cs_mscclpp_type_count && i < TYPES_MAX; i++) {
        names[i] = cs_mscclpp_types[i].name;
        if (cs_same(name, names[i]))
            return &cs_mscclpp_types[i];
    }
    cs_mscclpp_refuse_op(reader, node, "no operation called '%.40s'%s", name,
                         cs_hint_all(name, names, i).text);
    return NULL;
}

/* The fields of an operation whose type is known. */
static void read_fields(struct cs_mscclpp_reader *reader, struct cs_mscclpp_op *op)
{
    switch (op->type->kind) {
    case CS_MSCCLPP_NOP:
        break;
    case CS_MSCCLPP_BARRIER:
        read_barrier(reader, op);
        break;
    case CS_MSCCLPP_DATA:
        read_channel_ids(reader, op);
        read_part(reader, op);
        cs_mscclpp_read_ranges(reader, op);
        break;
    case CS_MSCCLPP_RELEASE:
    case CS_MSCCLPP_ACQUIRE:
        read_ids(reader, op,
                 &(struct ids){"semaphore_ids", "semaphore", "GPU",
                               reader->plan->gpus[reader->gpu].semaphores, NULL});
        break;
    case CS_MSCCLPP_LOOP:
        read_loop_head(reader, op);
        break;
    default:
        read_sync(reader, op);
    }
}

/* A loop without its operations; NULL: an error. */
static struct cs_mscclpp_op *read_one(struct cs_mscclpp_reader *reader, uint32_t node)
{
    struct cs_mscclpp *plan = reader->plan;
    struct cs_mscclpp_op *op = &plan->ops[plan->op_count];
    const struct cs_mscclpp_type *type;

    reader->number = plan->op_count - reader->first;
    if (cs_doc_want_map(reader->doc, node, "an operation", reader->err))
        return NULL;
    type = read_type(reader, node);
    if (!type)
        return NULL;
    plan->op_count++;
    *op = (struct cs_mscclpp_op){.type = type,
                                 .node = node,
                                 .number = reader->number,
                                 .parts = 1,
                                 .numbers = plan->number_count};
    read_fields(reader, op);
    return reader->err->code ? NULL : op;
}

void cs_mscclpp_read_op(struct cs_mscclpp_reader *reader, uint32_t node)
{
    struct cs_mscclpp_op *loop = read_one(reader, node);

    if (!loop || loop->type->kind != CS_MSCCLPP_LOOP)
        return;
    for (uint32_t i = cs_mscclpp_entries(reader, node, "ops"); i != CS_DOC_NONE;
         i = cs_mscclpp_next(reader, i)) {
        const struct cs_mscclpp_op *op = read_one(reader, i);

        loop->id++;
        if (op && op->type->kind == CS_MSCCLPP_LOOP)
            cs_mscclpp_refuse_op(reader, i, "a loop in a loop");
        if (op && op->type->kind == CS_MSCCLPP_DATA)
            check_in_loop(reader, op, loop->count);
    }
}

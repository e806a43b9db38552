#include "algorithms/schedules/mscclpp/read_blocks.h"

#include "algorithms/schedules/mscclpp/read_gpus.h"
#include "algorithms/schedules/mscclpp/reader.h"
#include "sim/base/text.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>

enum {
    BLOCKS_MAX = 1024 /* thread blocks of a GPU */
};

/* ---- messages ---- */

const char *cs_mscclpp_op_name(const struct cs_mscclpp *plan, const struct cs_mscclpp_op *op,
                               char text[CS_MSCCLPP_NAME])
{
    uint32_t at = (uint32_t)(op - plan->ops);
    uint32_t block = 0;
    uint32_t gpu = 0;

    while (block + 1 < plan->block_count && plan->blocks[block + 1].op <= at)
        block++;
    while (gpu + 1 < plan->gpu_count && plan->gpus[gpu + 1].blocks &&
           plan->gpus[gpu + 1].block <= block)
        gpu++;
    snprintf(text, CS_MSCCLPP_NAME, "%s %u of thread block %u of GPU %u", op->type->name,
             op->number, block - plan->gpus[gpu].block, gpu);
    return text;
}

int cs_mscclpp_err(const struct cs_mscclpp *plan, const struct cs_mscclpp_op *op,
                   struct cs_err *err, int code, const char *format, ...)
{
    char name[CS_MSCCLPP_NAME];
    char text[CS_ERR_TEXT_MAX];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    return cs_err_at(err, code, plan->doc->file, plan->doc->nodes[op->node].line, "%s %s",
                     cs_mscclpp_op_name(plan, op, name), text);
}

int cs_mscclpp_reader_err(const struct cs_mscclpp_reader *reader, uint32_t node, const char *format,
                          ...)
{
    char text[CS_ERR_TEXT_MAX];
    va_list args;

    va_start(args, format);
    vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    return cs_doc_err(reader->plan->doc, node, reader->err,
                      "operation %u of thread block %u of GPU %u: %s", reader->number,
                      reader->block, reader->gpu, text);
}

/* ---- what operations refer to ---- */

static int read_remotes(struct cs_mscclpp_reader *reader)
{
    struct cs_mscclpp *plan = reader->plan;
    uint32_t i;
    int code = cs_mscclpp_find_list(plan->doc, plan->gpus[reader->gpu].node, "remote_buffers", &i,
                                    reader->err);

    reader->remote_count = 0;
    for (; i != CS_DOC_NONE && !code; i = plan->doc->nodes[i].next) {
        struct cs_mscclpp_remote *remote = &reader->remotes[reader->remote_count++];
        uint64_t gpu = 0;

        code = cs_mscclpp_want_number(plan->doc, i,
                                      (struct cs_mscclpp_number){"rank", plan->gpu_count - 1}, &gpu,
                                      reader->err);
        if (!code)
            code = cs_mscclpp_want_buffer(plan->doc, i, "type", &remote->buffer, reader->err);
        remote->gpu = (uint32_t)gpu;
        if (!code && gpu == reader->gpu)
            code =
                cs_doc_err(plan->doc, i, reader->err, "a remote buffer of GPU %u on GPU %u itself",
                           reader->gpu, reader->gpu);
    }
    return code;
}

/* The numbers of a list, each below `most`. */
static int read_numbers(struct cs_mscclpp_reader *reader, uint32_t map,
                        struct cs_mscclpp_number want, struct cs_number_list *numbers)
{
    const struct cs_doc *doc = reader->plan->doc;
    uint32_t i;
    int code = cs_mscclpp_want_entries(doc, map, want.key, &i, reader->err);

    for (; i != CS_DOC_NONE && !code; i = doc->nodes[i].next) {
        uint64_t number = 0;

        code = cs_mscclpp_want_scalar(doc, i, want, &number, reader->err);
        if (!code && number >= want.most)
            code = cs_doc_err(doc, i, reader->err,
                              "no number %" PRIu64 " in '%s'; GPU %u has %" PRIu64, number,
                              want.key, reader->gpu, want.most);
        cs_number_list_add(numbers, (uint32_t)number);
    }
    return code;
}

static int read_block_channels(struct cs_mscclpp_reader *reader, uint32_t node)
{
    const struct cs_mscclpp *plan = reader->plan;
    const struct cs_mscclpp_gpu *gpu = &plan->gpus[reader->gpu];
    uint32_t i;
    int code;

    for (i = 0; i < CS_MSCCLPP_CHANNEL_TYPES; i++)
        reader->channels[i].count = 0;
    code = cs_mscclpp_find_list(plan->doc, node, "channels", &i, reader->err);
    for (; i != CS_DOC_NONE && !code; i = plan->doc->nodes[i].next) {
        uint8_t type = 0;

        code = cs_mscclpp_want_channel_type(plan->doc, i, "channel_type", &type, reader->err);
        if (!code)
            code = read_numbers(
                reader, i,
                (struct cs_mscclpp_number){
                    "channel_ids", type == CS_MSCCLPP_SWITCH ? gpu->groups : gpu->channels[type]},
                &reader->channels[type]);
    }
    return code;
}

static int read_block_buffers(struct cs_mscclpp_reader *reader, uint32_t node)
{
    const struct cs_doc *doc = reader->plan->doc;
    uint32_t i;
    int code = cs_mscclpp_find_list(doc, node, "remote_buffer_refs", &i, reader->err);

    reader->buffers[CS_MSCCLPP_MEMORY].count = 0;
    reader->buffers[CS_MSCCLPP_PORT].count = 0;
    for (; i != CS_DOC_NONE && !code; i = doc->nodes[i].next) {
        uint8_t type = 0;

        code = cs_mscclpp_want_channel_type(doc, i, "access_channel_type", &type, reader->err);
        if (!code && type == CS_MSCCLPP_SWITCH)
            code = cs_doc_err(doc, i, reader->err,
                              "remote buffers by a switch; expected memory or port");
        if (!code)
            code = read_numbers(
                reader, i, (struct cs_mscclpp_number){"remote_buffer_ids", reader->remote_count},
                &reader->buffers[type]);
    }
    return code;
}

/* ---- thread blocks ---- */

static int read_block(struct cs_mscclpp_reader *reader, uint32_t node)
{
    struct cs_mscclpp *plan = reader->plan;
    struct cs_mscclpp_block *block = &plan->blocks[plan->block_count++];
    uint64_t id = 0;
    uint32_t i = CS_DOC_NONE;
    int code = cs_mscclpp_want_number(plan->doc, node, (struct cs_mscclpp_number){"id", UINT32_MAX},
                                      &id, reader->err);

    block->op = plan->op_count;
    reader->first = plan->op_count;
    reader->number = 0;
    if (!code && id != reader->block)
        code = cs_doc_err(plan->doc, node, reader->err,
                          "'id: %" PRIu64
                          "'; expected %u, as thread blocks are in the order of their ids",
                          id, reader->block);
    if (!code)
        code = read_block_channels(reader, node);
    if (!code)
        code = read_block_buffers(reader, node);
    if (!code)
        code = cs_mscclpp_want_entries(plan->doc, node, "ops", &i, reader->err);
    for (; i != CS_DOC_NONE && !code; i = plan->doc->nodes[i].next)
        code = cs_mscclpp_read_op(reader, i);
    block->ops = plan->op_count - block->op;
    if (block->ops > plan->most_ops)
        plan->most_ops = block->ops;
    return code;
}

static int read_gpu_blocks(struct cs_mscclpp_reader *reader)
{
    struct cs_mscclpp *plan = reader->plan;
    struct cs_mscclpp_gpu *gpu = &plan->gpus[reader->gpu];
    uint32_t list = CS_DOC_NONE;
    uint32_t i;
    int code = read_remotes(reader);

    gpu->block = plan->block_count;
    if (!code)
        code = cs_mscclpp_want_list(plan->doc, gpu->node, "threadblocks", &list, reader->err);
    if (!code && plan->doc->nodes[list].count > BLOCKS_MAX)
        code = cs_doc_err(plan->doc, list, reader->err, "%u thread blocks; expected at most %d",
                          plan->doc->nodes[list].count, BLOCKS_MAX);
    reader->block = 0;
    for (i = code ? CS_DOC_NONE : plan->doc->nodes[list].first; i != CS_DOC_NONE && !code;
         i = plan->doc->nodes[i].next) {
        code = read_block(reader, i);
        reader->block++;
    }
    gpu->blocks = plan->block_count - gpu->block;
    return code;
}

/* Every operation has a name, every range an index, every thread block ops. */
static void make_block_room(struct cs_mscclpp_reader *reader, struct cs_arena *arena)
{
    struct cs_mscclpp *plan = reader->plan;
    size_t names = 0;
    size_t indices = 0;
    size_t lists = 0;
    size_t ranks = 0;
    uint32_t i;

    for (i = 0; i < plan->doc->count; i++) {
        const char *key = plan->doc->nodes[i].key;

        names += key && cs_same(key, "name");
        indices += key && cs_same(key, "index");
        lists += key && cs_same(key, "ops");
        ranks += key && cs_same(key, "rank");
    }
    plan->ops = cs_arena_alloc(arena, names + 1, sizeof(*plan->ops));
    plan->ranges = cs_arena_alloc(arena, indices + 1, sizeof(*plan->ranges));
    plan->blocks = cs_arena_alloc(arena, lists + 1, sizeof(*plan->blocks));
    reader->remotes = cs_arena_alloc(arena, ranks + 1, sizeof(*reader->remotes));
}

int cs_mscclpp_read_blocks(struct cs_mscclpp *plan, struct cs_arena *arena, struct cs_err *err)
{
    struct cs_mscclpp_reader reader = {.plan = plan, .err = err};
    uint32_t i;
    int code = 0;

    make_block_room(&reader, arena);
    for (reader.gpu = 0; reader.gpu < plan->gpu_count && !code; reader.gpu++)
        code = read_gpu_blocks(&reader);
    for (i = 0; i < CS_MSCCLPP_CHANNEL_TYPES; i++)
        cs_number_list_free(&reader.channels[i]);
    for (i = 0; i < CS_MSCCLPP_SWITCH; i++)
        cs_number_list_free(&reader.buffers[i]);
    return code;
}

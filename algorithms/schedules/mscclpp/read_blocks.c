#include "algorithms/schedules/mscclpp/reader.h"

enum {
    BLOCKS_MAX = 1024 /* thread blocks of a GPU */
};

/* ---- what operations refer to ---- */

static void read_remotes(struct cs_mscclpp_reader *reader)
{
    uint32_t i;

    reader->remote_count = 0;
    for (i = cs_mscclpp_optional(reader, reader->plan->gpus[reader->gpu].node, "remote_buffers");
         i != CS_DOC_NONE; i = cs_mscclpp_next(reader, i)) {
        uint32_t gpu = cs_mscclpp_number(reader, i, "rank", reader->plan->gpu_count - 1);
        uint8_t buffer = cs_mscclpp_buffer(reader, i, "type");

        if (gpu == reader->gpu)
            cs_mscclpp_refuse(reader, i, "a remote buffer of GPU %u on GPU %u itself", gpu, gpu);
        if (!reader->err->code)
            reader->remotes[reader->remote_count++] = (struct cs_mscclpp_remote){gpu, buffer};
    }
}

/* The numbers of a list, each below `count`. */
static void read_numbers(struct cs_mscclpp_reader *reader, uint32_t map, const char *key,
                         uint32_t count, struct cs_number_list *numbers)
{
    for (uint32_t i = cs_mscclpp_entries(reader, map, key); i != CS_DOC_NONE;
         i = cs_mscclpp_next(reader, i)) {
        uint32_t number = cs_mscclpp_scalar(reader, i, key, count);

        if (number >= count)
            cs_mscclpp_refuse(reader, i, "no number %u in '%s'; GPU %u has %u", number, key,
                              reader->gpu, count);
        cs_number_list_add(numbers, number);
    }
}

static void read_block_channels(struct cs_mscclpp_reader *reader, uint32_t node)
{
    for (uint32_t i = 0; i < CS_MSCCLPP_CHANNEL_TYPES; i++)
        reader->channels[i].count = 0;
    for (uint32_t i = cs_mscclpp_optional(reader, node, "channels"); i != CS_DOC_NONE;
         i = cs_mscclpp_next(reader, i)) {
        uint8_t type = cs_mscclpp_channel_type(reader, i, "channel_type");

        read_numbers(reader, i, "channel_ids", reader->plan->gpus[reader->gpu].channels[type],
                     &reader->channels[type]);
    }
}

static void read_block_buffers(struct cs_mscclpp_reader *reader, uint32_t node)
{
    reader->buffers[CS_MSCCLPP_MEMORY].count = 0;
    reader->buffers[CS_MSCCLPP_PORT].count = 0;
    for (uint32_t i = cs_mscclpp_optional(reader, node, "remote_buffer_refs"); i != CS_DOC_NONE;
         i = cs_mscclpp_next(reader, i)) {
        uint8_t type = cs_mscclpp_channel_type(reader, i, "access_channel_type");

        if (type == CS_MSCCLPP_SWITCH)
            cs_mscclpp_refuse(reader, i, "remote buffers by a switch; expected memory or port");
        else
            read_numbers(reader, i, "remote_buffer_ids", reader->remote_count,
                         &reader->buffers[type]);
    }
}

/* ---- thread blocks ---- */

static void read_block(struct cs_mscclpp_reader *reader, uint32_t node)
{
    struct cs_mscclpp *plan = reader->plan;
    struct cs_mscclpp_block *block = &plan->blocks[plan->block_count];
    uint32_t id = cs_mscclpp_number(reader, node, "id", UINT32_MAX);
    uint32_t i;

    block->op = reader->first = plan->op_count;
    reader->number = 0;
    if (id != reader->block)
        cs_mscclpp_refuse(reader, node,
                          "'id: %u'; expected %u, as thread blocks are in the order of their ids",
                          id, reader->block);
    read_block_channels(reader, node);
    read_block_buffers(reader, node);
    i = cs_mscclpp_entries(reader, node, "ops");
    if (reader->err->code)
        return;
    for (; i != CS_DOC_NONE; i = cs_mscclpp_next(reader, i))
        cs_mscclpp_read_op(reader, i);
    plan->block_count++;
    block->ops = plan->op_count - block->op;
    if (block->ops > plan->most_ops)
        plan->most_ops = block->ops;
}

static void read_gpu_blocks(struct cs_mscclpp_reader *reader)
{
    struct cs_mscclpp *plan = reader->plan;
    struct cs_mscclpp_gpu *gpu = &plan->gpus[reader->gpu];
    uint32_t list;
    uint32_t i;

    gpu->block = plan->block_count;
    read_remotes(reader);
    list = cs_mscclpp_list(reader, gpu->node, "threadblocks");
    if (list == CS_DOC_NONE)
        return;
    if (reader->doc->nodes[list].count > BLOCKS_MAX)
        cs_mscclpp_refuse(reader, list, "%u thread blocks; expected at most %d",
                          reader->doc->nodes[list].count, BLOCKS_MAX);
    reader->block = 0;
    for (i = reader->doc->nodes[list].first; i != CS_DOC_NONE; i = cs_mscclpp_next(reader, i)) {
        read_block(reader, i);
        reader->block++;
    }
    gpu->blocks = plan->block_count - gpu->block;
}

void cs_mscclpp_read_blocks(struct cs_mscclpp_reader *reader)
{
    if (reader->err->code)
        return;
    for (reader->gpu = 0; reader->gpu < reader->plan->gpu_count; reader->gpu++)
        read_gpu_blocks(reader);
    for (uint32_t i = 0; i < CS_MSCCLPP_CHANNEL_TYPES; i++)
        cs_number_list_free(&reader->channels[i]);
    for (uint32_t i = 0; i < CS_MSCCLPP_SWITCH; i++)
        cs_number_list_free(&reader->buffers[i]);
}

#include "algorithms/schedules/mscclpp/writer.h"

/* A barrier ends each thread block but the last of a lane. */
enum {
    STEPS_MAX = CS_MSCCLPP_OPS - 1
};

void cs_mscclpp_blocks_clear(struct cs_mscclpp_blocks *blocks)
{
    blocks->count = 0;
    blocks->step_count = 0;
    blocks->barriers = 0;
}

void cs_mscclpp_blocks_free(struct cs_mscclpp_blocks *blocks)
{
    free(blocks->block);
    free(blocks->steps);
    cs_number_list_free(&blocks->channels);
    cs_number_list_free(&blocks->peers);
    *blocks = (struct cs_mscclpp_blocks){0};
}

void cs_mscclpp_blocks_begin(struct cs_mscclpp_blocks *blocks)
{
    *CS_VECTOR_NEXT(blocks->block, blocks->count, blocks->capacity) =
        (struct cs_mscclpp_chain_link){.step = blocks->step_count};
    blocks->channels.count = 0;
    blocks->peers.count = 0;
}

static void push_step(struct cs_mscclpp_blocks *blocks, struct cs_mscclpp_step step)
{
    *CS_VECTOR_NEXT(blocks->steps, blocks->step_count, blocks->step_capacity) = step;
    blocks->block[blocks->count - 1].steps++;
}

static void chain_block(struct cs_mscclpp_blocks *blocks)
{
    const struct cs_mscclpp_step barrier = {
        .kind = CS_MSCCLPP_STEP_BARRIER, .id = blocks->barriers++, .blocks = 2};

    push_step(blocks, barrier);
    cs_mscclpp_blocks_begin(blocks);
    push_step(blocks, barrier);
}

void cs_mscclpp_blocks_room(struct cs_mscclpp_blocks *blocks, uint32_t steps)
{
    if (blocks->block[blocks->count - 1].steps + steps > STEPS_MAX && steps < STEPS_MAX)
        chain_block(blocks);
}

/* The list of the thread block that has the number of the step, or NULL. */
static struct cs_number_list *list_of(struct cs_mscclpp_blocks *blocks,
                                      const struct cs_mscclpp_step *step)
{
    switch (step->kind) {
    case CS_MSCCLPP_STEP_PUT:
        return &blocks->peers;
    case CS_MSCCLPP_STEP_SIGNAL:
    case CS_MSCCLPP_STEP_WAIT:
        return &blocks->channels;
    default:
        return NULL;
    }
}

void cs_mscclpp_blocks_add(struct cs_mscclpp_blocks *blocks, struct cs_mscclpp_step step)
{
    struct cs_mscclpp_chain_link *block = &blocks->block[blocks->count - 1];
    struct cs_number_list *list = list_of(blocks, &step);
    uint32_t number = step.kind == CS_MSCCLPP_STEP_PUT ? step.peer : step.id;
    uint8_t last = block->steps ? blocks->steps[blocks->step_count - 1].kind : CS_MSCCLPP_STEP_NOP;

    if (step.kind == CS_MSCCLPP_STEP_NOP && last <= CS_MSCCLPP_STEP_BARRIER)
        return;
    if (block->steps >= STEPS_MAX || (list && list->count >= CS_MSCCLPP_CHANNELS &&
                                      cs_number_list_find(list, number) == list->count))
        chain_block(blocks);
    if (list)
        (void)cs_number_list_note(list, number);
    push_step(blocks, step);
}

void cs_mscclpp_blocks_finish(struct cs_mscclpp_blocks *blocks)
{
    struct cs_mscclpp_chain_link *block = &blocks->block[blocks->count - 1];

    if (block->steps == 0 || blocks->steps[blocks->step_count - 1].kind != CS_MSCCLPP_STEP_NOP)
        return;
    block->steps--;
    blocks->step_count--;
}

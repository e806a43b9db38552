#include "algorithms/schedules/msccl/write_ops.h"

#include "sim/base/collections/vector.h"

/* The key, without the steps. */
static bool msccl_same_block(const struct cs_msccl_block *a, const struct cs_msccl_block *b)
{
    return a->lane == b->lane && a->direction == b->direction && a->peer == b->peer &&
           a->nth == b->nth && a->channel == b->channel;
}

uint32_t cs_msccl_find_block(struct cs_msccl_gpu *gpu, struct cs_msccl_block key)
{
    for (uint32_t i = 0; i < gpu->block_count; i++)
        if (msccl_same_block(&gpu->blocks[i], &key))
            return i;
    *CS_VECTOR_NEXT(gpu->blocks, gpu->block_count, gpu->block_capacity) = key;
    return gpu->block_count - 1;
}

/* Steps of all thread blocks share an array, since predecessors are numbers in
 * the array. */
uint32_t cs_msccl_add_step(struct cs_msccl_gpu *gpu, uint32_t block, struct cs_msccl_entry step)
{
    struct cs_msccl_block *owner = &gpu->blocks[block];
    uint32_t index = gpu->step_count;

    step.block = block;
    step.number = owner->steps++;
    step.next = CS_MSCCL_NONE;
    *CS_VECTOR_NEXT(gpu->steps, gpu->step_count, gpu->step_capacity) = step;
    if (owner->first == CS_MSCCL_NONE)
        owner->first = index;
    else
        gpu->steps[owner->last].next = index;
    owner->last = index;
    return index;
}

/* Whether predecessor `at` is the last one in its thread block.  Steps of a
 * thread block run in order, so the others need no wait. */
static bool msccl_is_last_of_block(const struct cs_msccl_gpu *gpu, const struct cs_walk_step *step,
                                   uint32_t at)
{
    const struct cs_msccl_entry *own = &gpu->steps[step->after[at]];

    for (uint32_t i = 0; i < step->after_count; i++) {
        const struct cs_msccl_entry *other = &gpu->steps[step->after[i]];

        if (other->block == own->block &&
            (other->number > own->number || (other->number == own->number && i < at)))
            return false;
    }
    return true;
}

uint32_t cs_msccl_add_waits(struct cs_msccl_gpu *gpu, uint32_t block,
                            const struct cs_walk_step *step)
{
    uint32_t last = CS_MSCCL_NONE;

    for (uint32_t i = 0; i < step->after_count; i++) {
        if (gpu->steps[step->after[i]].block == block || !msccl_is_last_of_block(gpu, step, i))
            continue;
        if (last != CS_MSCCL_NONE)
            cs_msccl_add_step(gpu, block,
                              (struct cs_msccl_entry){.type = CS_MSCCL_NOP, .wait = last});
        last = step->after[i];
        gpu->steps[last].waited_for = true;
    }
    return last;
}

void cs_msccl_gpu_clear(struct cs_msccl_gpu *gpu)
{
    gpu->step_count = 0;
    gpu->block_count = 0;
}

void cs_msccl_gpu_free(struct cs_msccl_gpu *gpu)
{
    free(gpu->steps);
    free(gpu->blocks);
    *gpu = (struct cs_msccl_gpu){0};
}

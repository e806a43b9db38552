/*
 * MSCCL writer, lower part: thread blocks and steps of a GPU as lists.
 *
 * A thread block is found by the key (lane, direction, peer, channel, nth) and
 * created on first use.  Numbers of steps count over the GPU; a thread block
 * links the steps in order.
 *
 *     find   O(thread blocks);   add   amortised O(1)
 *     waits  O(predecessors^2)
 *
 * A struct zeroed with {0} is empty.  Lists keep memory from GPU to GPU;
 * cs_msccl_gpu_free() releases the memory.
 */
#ifndef CS_ALGORITHMS_SCHEDULES_MSCCL_WRITE_GPU_H
#define CS_ALGORITHMS_SCHEDULES_MSCCL_WRITE_GPU_H

#include "algorithms/schedules/msccl/msccl.h"
#include "algorithms/schedules/walk.h"

enum cs_msccl_direction {
    CS_MSCCL_SENDING,
    CS_MSCCL_RECEIVING,
    CS_MSCCL_COMPUTING /* local reductions and copies */
};

struct cs_msccl_block {
    uint32_t lane;
    enum cs_msccl_direction direction;
    uint32_t peer; /* CS_MSCCL_NONE: computing */
    uint32_t nth;  /* number among concurrent computing ops */
    uint32_t channel;
    uint32_t first, last, steps; /* first and last: step or CS_MSCCL_NONE */
    uint32_t held;               /* 1 + number of the scratch vector; 0: no scratch */
};

struct cs_msccl_entry {
    enum cs_msccl_type type;
    struct cs_msccl_range source, target;
    uint32_t count; /* chunks */
    uint32_t wait;  /* step, or CS_MSCCL_NONE */
    uint32_t block;
    uint32_t number; /* in the thread block */
    uint32_t next;   /* step of the thread block, or CS_MSCCL_NONE */
    bool waited_for;
};

struct cs_msccl_gpu {
    struct cs_msccl_entry *steps;
    uint32_t step_count, step_capacity;
    struct cs_msccl_block *blocks;
    uint32_t block_count, block_capacity;
};

/* The thread block with the key; `first` of a new key is CS_MSCCL_NONE. */
uint32_t cs_msccl_find_block(struct cs_msccl_gpu *gpu, struct cs_msccl_block key);

/* Appends a step to a thread block and returns the number of the step. */
uint32_t cs_msccl_add_step(struct cs_msccl_gpu *gpu, uint32_t block, struct cs_msccl_entry step);

/* Makes the thread block wait for the predecessors of an op.  A step holds one
 * wait: all waits but the last become nops, and the last is returned for the
 * step that follows, or CS_MSCCL_NONE. */
uint32_t cs_msccl_add_waits(struct cs_msccl_gpu *gpu, uint32_t block,
                            const struct cs_walk_step *step);

/* Empties the lists for the next GPU. */
void cs_msccl_gpu_clear(struct cs_msccl_gpu *gpu);
void cs_msccl_gpu_free(struct cs_msccl_gpu *gpu);

#endif

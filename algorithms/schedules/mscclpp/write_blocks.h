/*
 * MSCCL++ writer: the thread blocks of a GPU.
 *
 * A lane of a program is a chain of thread blocks, because a thread block has a
 * limited number of operations and channels: a barrier joins each with the next.
 * Operations are added in order, lane by lane.
 *
 *     add   amortised O(1), and O(channels of the thread block)
 */
#ifndef CS_ALGORITHMS_SCHEDULES_MSCCLPP_WRITE_BLOCKS_H
#define CS_ALGORITHMS_SCHEDULES_MSCCLPP_WRITE_BLOCKS_H

#include "algorithms/schedules/mscclpp/mscclpp.h"
#include "algorithms/schedules/number_list.h"

enum cs_mscclpp_step_kind {
    CS_MSCCLPP_STEP_NOP,
    CS_MSCCLPP_STEP_BARRIER,
    CS_MSCCLPP_STEP_COPY,
    CS_MSCCLPP_STEP_ADD, /* target += source */
    CS_MSCCLPP_STEP_PUT, /* to scratch of the peer */
    CS_MSCCLPP_STEP_SIGNAL,
    CS_MSCCLPP_STEP_WAIT,
    CS_MSCCLPP_STEP_RELEASE,
    CS_MSCCLPP_STEP_ACQUIRE,
};

/* A run of blocks of a buffer. */
struct cs_mscclpp_run_of {
    uint8_t buffer; /* enum cs_buffer */
    uint32_t first;
};

struct cs_mscclpp_step {
    uint8_t kind;
    struct cs_mscclpp_run_of source, target;
    uint32_t count;
    uint32_t peer; /* of a put */
    /* Barrier; channel of the GPU; ticket (mscclpp/write_ops.h). */
    uint32_t id;
    uint32_t blocks; /* of a barrier */
};

struct cs_mscclpp_chain_link {
    uint32_t step, steps; /* a run of steps */
};

/* Zeroed at the start. */
struct cs_mscclpp_blocks {
    struct cs_mscclpp_chain_link *block;
    uint32_t count, capacity;
    struct cs_mscclpp_step *steps;
    uint32_t step_count, step_capacity;
    uint32_t barriers;
    struct cs_number_list channels, peers; /* of the last block */
};

/* Forgets all; memory is kept. */
void cs_mscclpp_blocks_clear(struct cs_mscclpp_blocks *blocks);
void cs_mscclpp_blocks_free(struct cs_mscclpp_blocks *blocks);

/* Begins the first thread block of a lane. */
void cs_mscclpp_blocks_begin(struct cs_mscclpp_blocks *blocks);

/* Room for `steps` in the last thread block, or a further one, if that has. */
void cs_mscclpp_blocks_room(struct cs_mscclpp_blocks *blocks, uint32_t steps);

/* A nop behind a nop or a barrier is left out. */
void cs_mscclpp_blocks_add(struct cs_mscclpp_blocks *blocks, struct cs_mscclpp_step step);

/* Ends a lane: nothing follows a last nop. */
void cs_mscclpp_blocks_finish(struct cs_mscclpp_blocks *blocks);

#endif

/*
 * MSCCL writer, middle part: ops of a program become steps.
 *
 * Steps of a thread block run in sequence, while ops of a round start
 * together.  Concurrent ops therefore go to different thread blocks: one per
 * connection and direction (connections.h), and one for the local ops of a
 * lane.  A step waits for the steps at the end of the preceding round.  As MSCCL
 * requires, a pair of peer and channel belongs to a single sending and a single
 * receiving thread block of the GPU.
 *
 * Out of place the output is empty at the start: a chunk is sent from the input
 * before the first write, and a reduction into the chunk is `rrc` from the
 * input.  A wrapping run of chunks becomes several concurrent steps.  A
 * reduction into chunks with a send in the round is received into scratch, and
 * added after the send.  Sums of a round into one chunk follow one another, since
 * a thread block loads, adds and stores.
 */
#pragma once

#include "algorithms/schedules/connections.h"
#include "algorithms/schedules/export.h"
#include "algorithms/schedules/msccl/msccl.h"
#include "algorithms/schedules/number_list.h"
#include "algorithms/schedules/walk.h"

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

struct cs_msccl_writer {
    const struct cs_export *what;
    struct cs_text *out;
    struct cs_err *err;
    struct cs_connections connections;
    bool in_place;
    uint64_t total; /* steps of the ranks so far */
    uint32_t rank;
    /* State of the rank. */
    struct cs_msccl_gpu gpu;
    bool *written;               /* by block of the output */
    struct cs_number_list sent;  /* steps of the round's sends, in order */
    uint32_t next_sent;          /* index in `sent` of the next send to visit */
    struct cs_number_list done;  /* steps of the ops of the round so far */
    struct cs_number_list after; /* predecessors of a sum */
    uint32_t held;               /* scratch vectors behind the program's own */
    const char *fault;           /* inexpressible op, or NULL */
};

/* Collects the steps of writer->rank in writer->gpu.  CS_EINPUT for an
 * inexpressible op, or above CS_EXPORT_STEPS_MAX steps. */
int cs_msccl_write_ops(struct cs_msccl_writer *writer);

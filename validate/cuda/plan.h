/*
 * Plans: an op table prepared for slots, as flat arrays.
 *
 * A thread block per channel runs a lane of a party; a connection joins a
 * sending lane to a receiving lane.  Arrays hold numbers only: a device gets plain copies.
 *
 *     make    O(n log n) in the ops
 */
#pragma once

#include "validate/cuda/op_table.h"
#include "validate/cuda/slot.h"

enum {
    CS_PLAN_ROUND_OPS_MAX = 32,   /* a thread of a warp per op */
    CS_PLAN_ROUNDS_MAX = 1 << 22, /* of the lanes together */
    CS_PLAN_MARKS_MAX = 1 << 26,  /* blocks of the sums together */
    /* Least bytes of a block for a channel, by default. */
    CS_PLAN_CHANNEL_BYTES = 16 << 10,
    /* A slice of copy engines: a copy starts within a few microseconds and takes
     * 80 us at 50 GB/s; large chunks still have several slices: copies out and
     * in overlap. */
    CS_PLAN_COPY_SLICE = 4 << 20,
};

struct cs_plan_op {
    uint32_t kind;         /* enum cs_table_op_kind */
    uint32_t from_input;   /* 0 or 1 */
    uint32_t link;         /* the connection; WAIT: the lane to wait for */
    uint32_t first, count; /* blocks; WAIT: first is the round */
    uint32_t after;        /* bits of earlier ops of the round on the connection,
                        to be finished first */
    /* ADD: bits of the sends of the round with common blocks; a slice is
     * sent before the add changes it (cs_plan_passed). */
    uint32_t behind;
};

/* Lane l of party i is number i * lanes + l. */
struct cs_plan_link {
    uint32_t sender, receiver; /* lanes */
};

struct cs_gpu_plan {
    uint32_t parties, ranks, lanes; /* lanes of each party */
    uint32_t blocks, parts;
    uint32_t lane_count; /* parties * lanes */
    uint32_t round_count, op_count, link_count;
    uint32_t *rounds;       /* by lane: first round; and the end */
    uint32_t *ops_of;       /* by round: first op; and the end */
    struct cs_plan_op *ops; /* by round */
    struct cs_plan_link *links;
    bool needs_input; /* sends from the input vector exist */
};

/* Whether a send at `cursor` has read the current slice of `add`. */
CS_HD static inline bool cs_plan_passed(const struct cs_slot_cut *cut,
                                        const struct cs_plan_op *send,
                                        const struct cs_slot_cursor *cursor,
                                        const struct cs_slot_cursor *add)
{
    uint32_t place = add->block >= send->first ? add->block - send->first
                                               : add->block + cut->blocks - send->first;
    uint32_t now = send->count - 1 - cursor->left;

    if (place >= send->count)
        return true;
    return now > place || (now == place && cursor->at >= add->at + cs_slot_slice(cut, add));
}

/* Makes the plan, in the arena.  CS_EINPUT, with file and line, for a send without a
 * matching receive, or a round with too many ops for a warp. */
int cs_plan_make(const struct cs_op_table *table, struct cs_arena *arena, struct cs_gpu_plan *plan,
                 struct cs_err *err);

/* The first byte of the blocks of a vector, and the end: blocks + 1 numbers, in the
 * arena.  The simulator has the same cut. */
uint64_t *cs_plan_starts(const struct cs_gpu_plan *plan, uint64_t elements, uint32_t element_bytes,
                         struct cs_arena *arena);

/* Thread blocks for each lane, 1 to `most`, with at least `least_bytes` of a block
 * per channel where possible. */
uint32_t cs_plan_channels(const struct cs_gpu_plan *plan, uint64_t bytes, uint32_t most,
                          uint64_t least_bytes);

/* Bytes of a slice for `thread_blocks` with `depth` slots per block: the largest power of
 * two, 16 KiB to 256 KiB, with the slots in half of L2.  Large slices amortize
 * flag, fence and barriers; slots beyond L2 would cost a write to memory and a read
 * back; half of L2 remains for vectors. */
uint32_t cs_plan_slice(uint64_t l2_bytes, uint32_t thread_blocks, uint32_t depth);

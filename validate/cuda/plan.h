/*
 * Plans: an op table made ready for slots, as flat arrays.
 *
 * A lane of a party is done by one thread block for each channel; a connection
 * joins the lane that sends to the lane that receives.  All arrays hold
 * numbers only, so that they can be copied to a device as they are.
 *
 *     make    O(n log n) in the ops
 */
#ifndef CS_VALIDATE_CUDA_PLAN_H
#define CS_VALIDATE_CUDA_PLAN_H

#include "validate/cuda/op_table.h"
#include "validate/cuda/slot.h"

enum {
    CS_PLAN_ROUND_OPS_MAX = 32,   /* a warp looks at them together */
    CS_PLAN_ROUNDS_MAX = 1 << 22, /* of all lanes together */
    CS_PLAN_MARKS_MAX = 1 << 26,  /* blocks of all sums together */
    /* What a channel has of a block at least, unless asked otherwise. */
    CS_PLAN_CHANNEL_BYTES = 16 << 10,
    /* A slice of copy engines: starting a copy takes some microseconds; 4 MiB
     * take 80 of them at 50 GB/s, and a chunk of some still has several, out
     * and in at once. */
    CS_PLAN_COPY_SLICE = 4 << 20,
};

struct cs_plan_op {
    uint32_t kind;         /* enum cs_table_op_kind */
    uint32_t from_input;   /* 0 or 1 */
    uint32_t link;         /* the connection; WAIT: the lane, of all parties */
    uint32_t first, count; /* blocks; WAIT: first is the round */
    uint32_t after;  /* bits for the ops of the round that must be done before,
                       as they use the same connection */
    uint32_t behind; /* ADD: bits for the sends of the round that read some of
                        its blocks, each slice of which must have been sent
                        before it is added to (cs_plan_passed) */
};

/* Lane l of party i is number i * lanes + l. */
struct cs_plan_link {
    uint32_t sender, receiver; /* lanes */
};

struct cs_plan {
    uint32_t parties, ranks, lanes; /* of each party */
    uint32_t blocks, parts;
    uint32_t lane_count; /* parties * lanes */
    uint32_t round_count, op_count, link_count;
    uint32_t *rounds;       /* by lane: its first round; and the end */
    uint32_t *ops_of;       /* by round: its first op; and the end */
    struct cs_plan_op *ops; /* by round */
    struct cs_plan_link *links;
    bool needs_input; /* some op sends from it */
};

/* Whether a send, which is at `cursor`, has read the slice that `add` is at. */
CS_HD static inline bool cs_plan_passed(const struct cs_slot_cut *cut,
                                        const struct cs_plan_op *send,
                                        const struct cs_slot_cursor *cursor,
                                        const struct cs_slot_cursor *add)
{
    uint32_t place = add->block >= send->first
                         ? add->block - send->first
                         : add->block + cut->blocks - send->first;
    uint32_t now = send->count - 1 - cursor->left;

    if (place >= send->count)
        return true;
    return now > place ||
           (now == place && cursor->at >= add->at + cs_slot_slice(cut, add));
}

/* Makes the plan, in the arena.  CS_EINPUT, with file and line, where a send
 * and its receive do not match, or a round has too much for a warp. */
int cs_plan_make(const struct cs_op_table *table, struct cs_arena *arena,
                 struct cs_plan *plan, struct cs_err *err);

/* Where the blocks of a vector start, and its end: blocks + 1 numbers, in the
 * arena.  Cut as the simulator does. */
uint64_t *cs_plan_starts(const struct cs_plan *plan, uint64_t elements,
                         uint32_t element_bytes, struct cs_arena *arena);

/* Thread blocks for each lane: at most `most`, and so that each has
 * `least_bytes` of a block to look after if it can; 1 at least. */
uint32_t cs_plan_channels(const struct cs_plan *plan, uint64_t bytes,
                          uint32_t most, uint64_t least_bytes);

/* Bytes of a slice for `thread_blocks` that each fill `depth` slots: the largest
 * power of two, 16 KiB to 256 KiB, with which all slots take half of L2 at
 * most.  Large slices pay for their flag, fence and barriers; slots that L2 does
 * not hold would be written to memory and read back, once more each; the other
 * half is for the vectors that stream past. */
uint32_t cs_plan_slice(uint64_t l2_bytes, uint32_t thread_blocks,
                       uint32_t depth);

#endif

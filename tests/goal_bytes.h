/*
 * GOAL in binary form, for tests: a file of ranks, ops and requirements, byte by
 * byte (algorithms/schedules/goal/binary.h).
 */
#pragma once

#include "sim/base/text.h"

#include <stdint.h>

struct goal_bytes_op {
    uint8_t kind; /* 1 send, 2 recv, 3 calc */
    uint32_t peer;
    uint64_t size;
    uint32_t tag;
    uint8_t cpu;
    uint32_t needs;
    /* Ops that require the end and the start: runs of the list. */
    uint32_t ends, first_end, starts, first_start;
};

struct goal_bytes_rank {
    const struct goal_bytes_op *ops;
    uint32_t op_count;
    const uint32_t *list;
    uint32_t list_count;
};

static inline void goal_bytes_put(struct cs_text *out, uint64_t value, unsigned bytes)
{
    char text[8];

    for (unsigned i = 0; i < bytes; i++)
        text[i] = (char)(value >> 8 * i);
    cs_text_add_n(out, text, bytes);
}

static inline void goal_bytes_op(struct cs_text *out, const struct goal_bytes_op *op)
{
    goal_bytes_put(out, op->needs, 4);
    goal_bytes_put(out, op->kind, 1);
    goal_bytes_put(out, op->peer, 4);
    goal_bytes_put(out, op->size, 8);
    goal_bytes_put(out, op->tag, 4);
    goal_bytes_put(out, op->cpu, 1);
    goal_bytes_put(out, 0, 1);
    goal_bytes_put(out, op->ends, 4);
    goal_bytes_put(out, op->first_end, 4);
    goal_bytes_put(out, op->starts, 4);
    goal_bytes_put(out, op->first_start, 4);
}

static inline uint64_t goal_bytes_size(const struct goal_bytes_rank *rank)
{
    uint64_t roots = 0;

    for (uint32_t i = 0; i < rank->op_count; i++)
        roots += rank->ops[i].needs == 0;
    return 8 + 4 * roots + (uint64_t)39 * rank->op_count + (uint64_t)4 * rank->list_count;
}

static inline void goal_bytes_rank(struct cs_text *out, const struct goal_bytes_rank *rank)
{
    uint32_t roots = 0;

    for (uint32_t i = 0; i < rank->op_count; i++)
        roots += rank->ops[i].needs == 0;
    goal_bytes_put(out, rank->op_count, 4);
    goal_bytes_put(out, roots, 4);
    for (uint32_t i = 0; i < rank->op_count; i++)
        if (rank->ops[i].needs == 0)
            goal_bytes_put(out, i, 4);
    for (uint32_t i = 0; i < rank->op_count; i++)
        goal_bytes_op(out, &rank->ops[i]);
    for (uint32_t i = 0; i < rank->list_count; i++)
        goal_bytes_put(out, rank->list[i], 4);
}

/* A rank without ops has no place in the file. */
static inline void goal_bytes_file(struct cs_text *out, const struct goal_bytes_rank *ranks,
                                   uint32_t count)
{
    uint64_t at = 6 + (uint64_t)16 * count;

    goal_bytes_put(out, 4223, 8);
    goal_bytes_put(out, count, 4);
    goal_bytes_put(out, 0, 2);
    for (uint32_t i = 0; i < count; i++) {
        uint64_t size = ranks[i].op_count ? goal_bytes_size(&ranks[i]) : 0;

        goal_bytes_put(out, size ? at : 0, 8);
        goal_bytes_put(out, size ? at + size : 0, 8);
        at += size;
    }
    for (uint32_t i = 0; i < count; i++)
        if (ranks[i].op_count)
            goal_bytes_rank(out, &ranks[i]);
}

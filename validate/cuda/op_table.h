/*
 * Op tables: programs as `collsim export --format table` writes them.
 *
 * Input of a program on real hardware, in the format of
 * algorithms/schedules/table_write.c; # begins a comment.  Limits are checked before
 * any allocation; every error is CS_EINPUT, "file:line: ...".
 *
 * Invariant: ops are in the order of party, lane and round, and name existing
 * parties, lanes, blocks and rounds.  plan.h checks that messages match.
 *
 *     read    O(bytes)
 */
#pragma once

#include "sim/base/err.h"
#include "sim/base/mem.h"

#include <stdbool.h>
#include <stdint.h>

enum {
    CS_OP_TABLE_BYTES_MAX = 64 << 20,
    CS_OP_TABLE_PARTIES_MAX = 256,
    CS_OP_TABLE_LANES_MAX = 256,
    CS_OP_TABLE_BLOCKS_MAX = 1 << 20,
    CS_OP_TABLE_ROUNDS_MAX = 1 << 20, /* of one lane */
    CS_OP_TABLE_OPS_MAX = 1 << 20,
    CS_OP_TABLE_NAME = 48,
};

enum cs_table_op_kind {
    CS_TABLE_SEND,
    CS_TABLE_RECV,
    CS_TABLE_ADD,
    CS_TABLE_WAIT,
};

struct cs_table_op {
    uint8_t kind; /* enum cs_table_op_kind */
    bool from_input;
    uint32_t party, lane, round;
    uint32_t peer;         /* WAIT: the lane */
    uint32_t channel;      /* WAIT: the round */
    uint32_t first, count; /* blocks; they wrap at the end */
    uint32_t line;
};

struct cs_op_table {
    const char *file; /* for messages; not copied */
    char algorithm[CS_OP_TABLE_NAME];
    char collective[CS_OP_TABLE_NAME];
    uint32_t ranks, agents, lanes, blocks, parts;
    uint32_t chunks, shards, slices; /* of the call; 0: unknown */
    uint64_t hash;                   /* cs_op_table_hash of its text */
    struct cs_table_op *ops;
    uint32_t op_count;
};

/* Ranks, then agents. */
static inline uint32_t cs_op_table_parties(const struct cs_op_table *table)
{
    return table->ranks + table->agents;
}

struct cs_op_table_text {
    const char *file;
    const char *text;
    size_t length;
};

/* Of all bytes of a table: FNV-1a of 64 bits (Fowler, Noll, Vo; draft-eastlake-fnv). */
uint64_t cs_op_table_hash(const char *text, size_t length);

/* Reads a table; its ops are in the arena. */
int cs_op_table_read(struct cs_op_table_text text, struct cs_arena *arena,
                     struct cs_op_table *table, struct cs_err *err);

/*
 * GOAL ranks: the ops and requirements of one rank after another become a
 * schedule.
 *
 * What the readers of the text and of the binary form share.  Only the ops of
 * the open rank are held; a closed rank is in the schedule (schedule.h).
 * goal/graph.h turns the ops of a rank into lanes.
 *
 * Messages carry no blocks of the vector: the prover checks the receipt and
 * size of every message and the absence of deadlock, but no result.  Messages
 * match in order per (sender, receiver, tag), as LogGOPSim posts them; sends, or
 * receives, of different sizes that start together are refused unless `irequires`
 * orders them, as either could be first.  A rank has one processor, so calc on a
 * cpu other than 0 is refused; a message occupies no processor, so cpu and nic
 * of a message are ignored.  A receive from any sender is refused: the sender
 * would depend on the machine.
 *
 *     open -> (begin, ops and edges, end) of each rank -> finish -> close
 *
 *     time O(ops + edges) expected, memory O(largest rank) + the schedule
 */
#pragma once

#include "algorithms/schedules/goal/graph.h"
#include "algorithms/schedules/schedule.h"

enum {
    CS_GOAL_OPS_MAX = 1 << 25, /* of a rank: about 200 bytes each while read */
    CS_GOAL_TAG_MAX = 1 << 30
};

/* Bytes of a message, of the sends of a rank, or picoseconds of a calc: sums
 * stay below 2^63. */
#define CS_GOAL_AMOUNT_MAX ((uint64_t)1 << 50)

/* Sentences of both readers. */
#define CS_GOAL_ANY_SENDER    "recv from -1: the sender would depend on the machine; name the rank"
#define CS_GOAL_ONE_PROCESSOR "cpu 0: a rank has one processor"

struct cs_goal_op {
    uint8_t kind;  /* enum cs_op_kind */
    uint32_t line; /* of the text; the number of the op in a binary file */
    uint32_t peer;
    uint32_t tag;
    uint64_t amount; /* bytes, or picoseconds of a calc */
};

struct cs_goal_ranks {
    const char *file;
    bool is_binary; /* errors name rank and op instead of the line */
    uint32_t count;
    uint32_t rank; /* open */
    bool *seen;    /* by rank */
    struct cs_goal_op *ops;
    uint32_t op_count, op_capacity;
    struct cs_goal_edges edges, starts; /* requires, irequires */
    struct cs_schedule_maker maker;
    uint64_t most_bytes; /* sent by a rank */
    struct cs_arena *arena;
    struct cs_err *err;
};

/* `count` of 1 to CS_SCHEDULE_RANKS_MAX ranks. */
void cs_goal_ranks_open(struct cs_goal_ranks *ranks, uint32_t count, struct cs_arena *arena);

/* CS_EINPUT: the rank is defined twice. */
int cs_goal_ranks_begin(struct cs_goal_ranks *ranks, uint32_t rank, uint32_t line);

/* CS_EINPUT: too many ops, or a rank that is its own peer. */
int cs_goal_ranks_add(struct cs_goal_ranks *ranks, const struct cs_goal_op *op);

/* Adds an edge between ops of the rank to `edges` or `starts`. */
int cs_goal_ranks_require(struct cs_goal_ranks *ranks, struct cs_goal_edges *edges,
                          struct cs_goal_edge edge, uint32_t line);

/* CS_EINPUT: a cycle, too many implied edges, too many bytes or lanes, messages of
 * one tag without an order. */
int cs_goal_ranks_end(struct cs_goal_ranks *ranks);

/* Makes the algorithm, except for the name. */
void cs_goal_ranks_finish(struct cs_goal_ranks *ranks, struct cs_algo *algo);

/* Frees what is not in the arena; in any case, at the end. */
void cs_goal_ranks_close(struct cs_goal_ranks *ranks);

/* CS_EINPUT with the position of the line, or of the op in a binary file. */
int cs_goal_refuse(struct cs_goal_ranks *ranks, uint32_t line, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

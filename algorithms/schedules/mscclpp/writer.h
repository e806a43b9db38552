/*
 * MSCCL++ writer: the rounds of a rank as operations of thread blocks.
 *
 * A message is a put into a place of its own in the scratch of the receiver,
 * which needs no other order than the signal behind it; the receiver copies or
 * adds from there.  A round is, as far as it has such ops:
 *
 *     puts; nop; signals; waits; nop; copies and sums; nop
 *
 * so that sends read blocks before sums change them.  A WAIT for another lane is
 * a semaphore, which that lane releases behind the round.
 *
 * With CS_MSCCLPP_ANNOUNCED a rank first signals to those that put to it without
 * ever hearing of it, which await that last: it takes no time, and says that the
 * launch before is over.
 *
 * A lane of a program is a chain of thread blocks, because a thread block has a
 * limited number of operations and channels: a barrier joins each with the next.
 * Operations are added in order, lane by lane.
 *
 *     add   amortised O(1), and O(channels of the thread block)
 */
#pragma once

#include "algorithms/schedules/connections.h"
#include "algorithms/schedules/export.h"
#include "algorithms/schedules/mscclpp/mscclpp.h"
#include "algorithms/schedules/number_list.h"

/* ---- thread blocks of a GPU, mscclpp/write_blocks.c */

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
    /* Barrier; channel of the GPU; ticket. */
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

/* ---- operations, mscclpp/write_ops.c */

/* A message: where it is put, and on which channels. */
struct cs_mscclpp_mail {
    uint32_t slot; /* first block in the receiver's scratch */
    uint32_t nth;  /* channel between the two, of its direction */
};

/* A WAIT of a lane: the k-th semaphore of thread blocks `from` and `to`. */
struct cs_mscclpp_ticket {
    uint32_t lane; /* waited for */
    uint64_t round;
    uint32_t waiter;
    uint64_t waiter_round;
    uint32_t from, to; /* thread blocks */
    uint32_t semaphore;
};

/* What orders the launches of a plan. */
enum cs_mscclpp_launches {
    CS_MSCCLPP_ORDERED,   /* the messages of the program */
    CS_MSCCLPP_DOUBLE,    /* and double scratch */
    CS_MSCCLPP_ANNOUNCED, /* and a signal of each receiver without an answer */
};

struct cs_mscclpp_writer {
    const struct cs_export *what;
    struct cs_text *out;
    struct cs_err *err;
    struct cs_connections connections;
    struct cs_mscclpp_mail *mail; /* by message */
    uint32_t *channels;           /* by rank x rank: between the two */
    bool *one_way;                /* by rank x rank: messages to the second one only */
    enum cs_mscclpp_launches launches;
    uint32_t *scratch; /* by rank: blocks */
    bool in_place;
    uint32_t rank;
    /* Of the rank. */
    struct cs_mscclpp_blocks blocks;
    struct cs_mscclpp_ticket *tickets;
    uint32_t ticket_count, ticket_capacity;
    uint32_t semaphores;
    struct cs_ops ops;
    const char *fault; /* an op beyond the format */
};

/* Places of all messages, and channels between all ranks. */
void cs_mscclpp_write_mail(struct cs_mscclpp_writer *writer, struct cs_arena *arena);

/* The thread blocks of writer->rank.  CS_EINPUT: the format cannot express
 * them, or the executor has too few barriers or semaphores. */
int cs_mscclpp_write_ops(struct cs_mscclpp_writer *writer);

/*
 * The state of a run of a plan, for mscclpp/run.c, mscclpp/sync.c (order),
 * mscclpp/move.c and mscclpp/hub.c (values), and mscclpp/clock.c alone.
 *
 * One thread block runs at a time: run->walker is at run->op.
 */
#ifndef CS_ALGORITHMS_SCHEDULES_MSCCLPP_STATE_H
#define CS_ALGORITHMS_SCHEDULES_MSCCLPP_STATE_H

#include "algorithms/schedules/mscclpp/lanes.h"
#include "algorithms/schedules/mscclpp/memory.h"

/* A lane that receives the puts of a lane, or answers its reads. */
struct mscclpp_far {
    uint32_t lane;    /* + 1; 0: none */
    uint32_t sent;    /* round of the last send */
    uint32_t channel; /* of values */
    uint32_t flags;   /* of flags of packets, or of requests */
};

/* A lane that acts: a thread block, or a port channel. */
struct mscclpp_source {
    uint32_t lane;
    struct mscclpp_far *puts; /* by GPU, or NULL */
    struct mscclpp_far *gets;
};

struct mscclpp_walker {
    struct mscclpp_source source;
    uint32_t signals; /* lane of signals, + 1; 0: none */
    uint32_t hub;     /* lane of the switch, + 1; 0: none */
    uint32_t gpu;
    uint32_t at, end; /* operations of the plan */
    uint32_t loop, iteration;
    uint32_t epoch; /* operations begun */
    uint32_t met;   /* before the last meeting of the threads */
    bool at_barrier;
    uint32_t acquired;       /* operations that acquired since the meeting */
    bool acquired_by_one;    /* by the first thread only */
    cs_mscclpp_clock *clock; /* shared, never written */
    cs_mscclpp_clock *heard; /* since the meeting: own */
};

/* A signal, or a release of a semaphore. */
struct mscclpp_message {
    uint32_t op, walker;
    uint32_t met;
    uint32_t port, port_epoch; /* actor, or NONE */
    bool relaxed;
    const cs_mscclpp_clock *clock;
    struct cs_mscclpp_awaited behind; /* lane NONE: a message of its own, */
    uint32_t channel;                 /* on that channel of the program */
    uint32_t next;
};

/* Messages in order; of the receiving end of a channel, or of a semaphore. */
struct mscclpp_queue {
    uint32_t oldest;          /* all messages are a list */
    uint32_t first, last;     /* not taken */
    uint32_t waiting;         /* number of them */
    uint32_t sends, takes;    /* so far */
    uint32_t releases;        /* in the plan */
    uint32_t senders, takers; /* walker + 1 of the only one, 0, or NONE */
    uint32_t last_sender, sent_epoch;
    uint32_t last_taker, taken_epoch;
};

struct mscclpp_port {
    struct mscclpp_source source;
    uint32_t actor, epoch;
};

struct mscclpp_run {
    const struct cs_mscclpp *plan;
    struct cs_err *err;
    struct cs_arena *arena;
    uint32_t iterations;
    cs_mscclpp_clock **starts; /* by GPU: what is over when a launch begins */
    size_t clock_numbers;      /* allocated */
    struct cs_mscclpp_memory memory;
    struct cs_mscclpp_lanes lanes;
    struct mscclpp_walker *walkers;   /* by block of the plan */
    struct mscclpp_queue *channels;   /* by channel of the plan */
    struct mscclpp_queue *semaphores; /* by number of the plan */
    struct mscclpp_port *ports;       /* by channel of the plan */
    struct mscclpp_message *messages;
    uint32_t message_count, message_capacity;
    uint32_t hub_blocks; /* of scratch, with those of the switch */
    uint32_t number;     /* of the thread block that runs */
    struct mscclpp_walker *walker;
    const struct cs_mscclpp_op *op;
    struct cs_mscclpp_who who; /* of a data operation */
    bool is_open;              /* a round of the thread block for reads */
};

/* ---- clocks, mscclpp/clock.c */

/* A clock with all of `clock`, or of nothing. */
cs_mscclpp_clock *cs_mscclpp_clock_copy(struct mscclpp_run *run, const cs_mscclpp_clock *clock);
/* clock := the later of both, for each number. */
void cs_mscclpp_clock_join(const struct mscclpp_run *run, cs_mscclpp_clock *clock,
                           const cs_mscclpp_clock *other, bool relaxed);
void cs_mscclpp_clock_note(const struct mscclpp_run *run, cs_mscclpp_clock *clock, uint32_t actor,
                           uint32_t epoch, bool relaxed);
/* The actor of a thread block. */
uint32_t cs_mscclpp_actor(const struct mscclpp_run *run, uint32_t walker);
/* All threads of the block meet. */
void cs_mscclpp_meet(struct mscclpp_run *run, uint32_t number);

/* ---- order, mscclpp/sync.c: operations.  Negative: an error; BLOCKED: the walker
 * has to come again. */
enum {
    CS_MSCCLPP_BLOCKED = 1
};
int cs_mscclpp_send_signals(struct mscclpp_run *run);
int cs_mscclpp_await_signals(struct mscclpp_run *run);
void cs_mscclpp_flush(struct mscclpp_run *run);
/* Before the run: who uses each semaphore, for a walker at its start. */
void cs_mscclpp_count_users(struct mscclpp_run *run, uint32_t number);
void cs_mscclpp_release(struct mscclpp_run *run);
int cs_mscclpp_acquire(struct mscclpp_run *run);
/* Takes all walkers over a barrier whose last one comes. */
int cs_mscclpp_barrier(struct mscclpp_run *run);

/* ---- values, mscclpp/move.c */

/* A data operation, which is BLOCKED until the packets that it reads are written. */
int cs_mscclpp_move(struct mscclpp_run *run);

enum {
    CS_MSCCLPP_REQUEST_BYTES = 8
};

/* The blocks of a range, of GPU `gpu`: of the share of the thread block, and of the
 * iteration. */
struct cs_mscclpp_cells cs_mscclpp_range_cells(const struct mscclpp_run *run,
                                               const struct cs_mscclpp_range *range, uint32_t gpu);

/* The lane for a GPU in a list of a source. */
struct mscclpp_far *cs_mscclpp_far_of(struct mscclpp_run *run, struct mscclpp_far **list,
                                      uint32_t gpu);

/* A request of the thread block to a GPU, whose lane has a round for the answer. */
const struct mscclpp_far *cs_mscclpp_ask(struct mscclpp_run *run, uint32_t gpu);

struct cs_op cs_mscclpp_message_op(const struct mscclpp_run *run, enum cs_op_kind kind,
                                   uint32_t peer, const struct cs_mscclpp_cells *cells,
                                   uint32_t channel);

/* ---- a switch channel of all GPUs, mscclpp/hub.c: the switch is an agent, which
 * asks, adds and copies, with blocks of its own for each operation */

/* The sum of a range of all GPUs, to blocks of this one. */
void cs_mscclpp_load_by_hub(struct mscclpp_run *run, const struct cs_mscclpp_range *range,
                            struct cs_mscclpp_cells to);
/* Blocks of this GPU, to a range of all others. */
void cs_mscclpp_store_by_hub(struct mscclpp_run *run, const struct cs_mscclpp_range *range,
                             struct cs_mscclpp_cells from);

#endif

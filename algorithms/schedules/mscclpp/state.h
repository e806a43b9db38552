/*
 * The state of a run of a plan, for mscclpp/run.c, mscclpp/sync.c (order),
 * mscclpp/move.c and mscclpp/hub.c (values), and mscclpp/clock.c alone.
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

/* ---- order, mscclpp/sync.c: the operation at which the walker is.  Negative: an
 * error; BLOCKED: the walker has to come again. */
enum {
    CS_MSCCLPP_BLOCKED = 1
};
int cs_mscclpp_send_signals(struct mscclpp_run *run, uint32_t number);
int cs_mscclpp_await_signals(struct mscclpp_run *run, uint32_t number);
void cs_mscclpp_flush(struct mscclpp_run *run, uint32_t number);
/* Before the run: who uses each semaphore, for a walker at its start. */
void cs_mscclpp_count_users(struct mscclpp_run *run, uint32_t number);
void cs_mscclpp_release(struct mscclpp_run *run, uint32_t number);
int cs_mscclpp_acquire(struct mscclpp_run *run, uint32_t number);
/* Takes all walkers over a barrier whose last one comes. */
int cs_mscclpp_barrier(struct mscclpp_run *run, uint32_t number);

/* ---- values, mscclpp/move.c */

/* Whether the packets that a data operation reads are written. */
bool cs_mscclpp_is_ready(const struct mscclpp_run *run, uint32_t number,
                         const struct cs_mscclpp_op *op);
int cs_mscclpp_move(struct mscclpp_run *run, uint32_t number, const struct cs_mscclpp_op *op);

/* Line of an operation. */
static inline uint32_t cs_mscclpp_line(const struct mscclpp_run *run,
                                       const struct cs_mscclpp_op *op)
{
    return run->plan->doc->nodes[op->node].line;
}

#endif

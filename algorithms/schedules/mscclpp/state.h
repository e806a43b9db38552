/*
 * The state of a run of a plan, for mscclpp/run.c, mscclpp/sync.c (order),
 * mscclpp/move.c and mscclpp/hub.c (values), and mscclpp/clock.c alone.
 *
 * One thread block runs at a time: run->walker is at run->op.
 */
#pragma once

#include "algorithms/schedules/mscclpp/mscclpp.h"
#include "algorithms/schedules/schedule.h"

/*
 * Memory of a plan: the accesses to every block, and whether they are ordered.
 *
 * Actors are the starts of the GPUs, the thread blocks and the port channels,
 * each with a count of its operations.  A clock has two numbers for each actor:
 * how many of its operations are over, and how many of those have written what
 * the owner of the clock may read.  Relaxed signals and the flags of packets
 * carry the first alone.
 *
 * - A read comes after the write that it needs, by the second number.
 * - A write comes after earlier writes, by the second number, and after earlier
 *   reads, by the first.
 * - Operations of a thread block are ordered where all threads met in between.
 * - Input and output of a second GPU are ready once that GPU has started.
 * - A packet is written once in a launch: a reader waits for the flag, which is
 *   the number of the launch.  The packet of a chunk takes the place of two
 *   chunks.
 * - The accesses of earlier launches stay: those of the next launch to the same
 *   places are ordered behind them in the same way.  With double scratch the
 *   executor takes its halves in turn.
 *
 *     touch   O(blocks x actors that read since the last write)
 *
 * L. Lamport, Time, clocks, and the ordering of events in a distributed system,
 * CACM 21(7), 1978; C. Flanagan and S. N. Freund, FastTrack, PLDI 2009.
 */

/*
 * Lanes of a program made from a plan: rounds are appended to any lane, in the
 * order of their discovery, and sorted into a schedule at the end.
 *
 *     wait, open, add   amortised O(1), and O(lanes awaited by the lane)
 *
 * Behind cs_mscclpp_lanes_end() nothing is appended any more: later launches of
 * the plan are followed for their order alone.
 */

enum {
    CS_MSCCLPP_NO_ROUND = UINT32_MAX
};

/* A round of a lane, awaited by a lane. */
struct cs_mscclpp_awaited {
    uint32_t lane, round;
};

struct cs_mscclpp_round {
    uint32_t op; /* the first */
    uint32_t line;
};

struct cs_mscclpp_lane {
    uint32_t gpu;
    uint32_t number; /* of the GPU */
    bool only_sends; /* the last round: more sends may join */
    struct cs_ops ops;
    struct cs_mscclpp_round *round;
    uint32_t rounds, round_capacity;
    struct cs_mscclpp_awaited *awaited;
    uint32_t awaited_count, awaited_capacity;
};

/* Zeroed at the start, except for gpu_lanes: lanes of each GPU, then of the
 * switch. */
struct cs_mscclpp_lanes {
    struct cs_mscclpp_lane *lane;
    uint32_t count, capacity;
    uint32_t *gpu_lanes;
    uint32_t line;     /* of the file, for new rounds */
    uint32_t channels; /* given out */
    uint64_t op_count;
    bool ended;
};

/* The number of a lane without rounds. */
uint32_t cs_mscclpp_lane_new(struct cs_mscclpp_lanes *lanes, uint32_t gpu);

/* The last round of the lane, or CS_MSCCLPP_NO_ROUND. */
struct cs_mscclpp_awaited cs_mscclpp_lane_last(const struct cs_mscclpp_lanes *lanes, uint32_t lane);

/* The lane continues when `round` of a second lane of the GPU is over; no round
 * where a wait says so already, or for CS_MSCCLPP_NO_ROUND. */
void cs_mscclpp_lane_wait(struct cs_mscclpp_lanes *lanes, uint32_t number,
                          struct cs_mscclpp_awaited other);

/* A new round. */
void cs_mscclpp_lane_open(struct cs_mscclpp_lanes *lanes, uint32_t number);
/* To the last round of the lane. */
void cs_mscclpp_lane_add(struct cs_mscclpp_lanes *lanes, uint32_t number, struct cs_op op);

/* Of a schedule with ranks and agents. */
void cs_mscclpp_lanes_end(struct cs_mscclpp_lanes *lanes, struct cs_schedule *schedule,
                          struct cs_arena *arena);
void cs_mscclpp_lanes_free(struct cs_mscclpp_lanes *lanes);

enum cs_mscclpp_order {
    CS_MSCCLPP_OVER,    /* operations that are over */
    CS_MSCCLPP_VISIBLE, /* and visible */
    CS_MSCCLPP_ORDERS,
};

/* By order x actor. */
typedef uint32_t cs_mscclpp_clock;

/* Blocks of a GPU. */
struct cs_mscclpp_cells {
    uint32_t gpu;
    uint8_t buffer; /* enum cs_buffer */
    bool packets;   /* of scratch */
    uint32_t first, count;
};

/* Who accesses, with everything that is over before. */
struct cs_mscclpp_who {
    uint32_t gpu;
    uint32_t actor, epoch;         /* the epoch-th operation of the actor */
    uint32_t block;                /* actor of the thread block */
    uint32_t met;                  /* its operations before its last meeting */
    const cs_mscclpp_clock *clock; /* at that meeting, and of packets read */
    uint32_t op;                   /* of the plan */
    bool packets;                  /* an operation on packets */
};

struct cs_mscclpp_access {
    struct cs_mscclpp_who who;
    uint32_t launch;              /* from 1 */
    struct cs_mscclpp_awaited by; /* of the program */
    bool writes;
};

struct cs_mscclpp_cell {
    uint32_t write; /* access, or NONE */
    uint32_t reads; /* list since the write, or NONE */
};

struct cs_mscclpp_read {
    uint32_t access, next;
};

struct cs_mscclpp_memory {
    const struct cs_mscclpp *plan;
    struct cs_mscclpp_lanes *lanes;
    uint32_t actors;
    uint32_t fine;   /* blocks of a chunk */
    uint32_t launch; /* from 1 */
    struct cs_mscclpp_cell *cells;
    uint32_t each; /* cells of a GPU */
    struct cs_mscclpp_access *accesses;
    uint32_t access_count, access_capacity;
    struct cs_mscclpp_read *reads;
    uint32_t read_count, read_capacity;
    struct cs_err *err;
};

/* Limit of cells of all GPUs. */
enum {
    CS_MSCCLPP_CELLS_MAX = 1 << 24
};

uint64_t cs_mscclpp_memory_cells(const struct cs_mscclpp *plan, uint32_t fine);
void cs_mscclpp_memory_open(struct cs_mscclpp_memory *memory, struct cs_arena *arena);
void cs_mscclpp_memory_free(struct cs_mscclpp_memory *memory);

/* The cell of the i-th block. */
struct cs_mscclpp_cell *cs_mscclpp_cell_at(const struct cs_mscclpp_memory *memory,
                                           struct cs_mscclpp_cells cells, uint32_t i);

/* The lane waits for earlier accesses that conflict with its own.  CS_EANSWER: one
 * of them is not ordered. */
struct cs_mscclpp_touch {
    struct cs_mscclpp_cells cells;
    bool writes;
    uint32_t lane; /* of the program, which does the access */
};
int cs_mscclpp_memory_touch(struct cs_mscclpp_memory *memory, const struct cs_mscclpp_who *who,
                            const struct cs_mscclpp_touch *touch);

/* At the end of a GPU: accesses of other actors to its input and output are
 * over.  `clock` is that of all its thread blocks. */
int cs_mscclpp_memory_check_end(const struct cs_mscclpp_memory *memory, uint32_t gpu,
                                const cs_mscclpp_clock *clock);

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

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
#ifndef CS_ALGORITHMS_SCHEDULES_MSCCLPP_MEMORY_H
#define CS_ALGORITHMS_SCHEDULES_MSCCLPP_MEMORY_H

#include "algorithms/schedules/mscclpp/lanes.h"
#include "algorithms/schedules/mscclpp/mscclpp.h"

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

#endif

/*
 * Warps: the schedule of a thread block through the rounds of a lane.
 *
 * The first warp of a block tracks the ops of the current round, a thread per op:
 * whether the op may proceed, the bytes for the whole block to copy or add next, and
 * the counts for the peer.  Kernels and host tests share the functions; on the host
 * the threads of the warp run in turn.  A vote combines the answers of the threads.
 *
 *     cs_warp_begin(&warp);
 *     while (warp.pending) {
 *         if (!cs_warp_look(&warp))          no op may proceed yet
 *             continue;
 *         move cs_warp_span(&warp, i) for each bit i of warp.ready
 *         cs_warp_finish(&warp);
 *     }
 *
 * A count (slot.h) is kept beside the reader of the count: slices written at the
 * receiver, slices read at the sender.  Progress is the number of completed rounds
 * of a block, published at every change; skipped empty rounds count too.
 *
 * Moved bytes have to be visible to the warp before finish, and acquired counts to
 * the whole block before a move: on a device the caller puts a barrier of the
 * block before both.
 */
#pragma once

#include "validate/cuda/plan.h"

#include <stddef.h>

enum {
    CS_WARP_COUNT_WORDS = 64, /* 256 bytes from count to count */
    CS_WARP_OWN_WORD = 16,    /* the owner's copy of the count */
};

/* A connection between two lanes. */
struct cs_warp_link {
    char *slots; /* `depth` per channel */
    uint32_t *at_receiver, *at_sender;
};

/* The tables of the blocks of a device. */
struct cs_warp_program {
    const uint32_t *rounds, *ops_of; /* plan.h */
    const struct cs_plan_op *ops;
    const struct cs_warp_link *links;
    struct cs_slot_cut cut;
    uint32_t depth;
    uint32_t lanes;                       /* of a party */
    char *const *inputs, *const *outputs; /* by party */
    uint32_t system;                      /* 1: memory shared with devices or the host */
    uint32_t waits;                       /* 1: the plan has ops of kind WAIT */
    uint32_t *progress;                   /* by lane and channel: completed rounds */
};

/* An op of the current round. */
struct cs_warp_work {
    struct cs_plan_op op;
    struct cs_slot_cursor cursor;
    uint32_t mine, other; /* own count, last seen count of the peer */
    uint32_t *own;        /* copy of the own count; NULL: not connected yet */
    uint32_t *report;     /* own count, polled by the peer */
    const uint32_t *look; /* count of the peer */
};

/* Position of a block.  On a device every thread of the warp has an equal copy. */
struct cs_warp {
    const struct cs_warp_program *program;
    struct cs_warp_work *works; /* CS_PLAN_ROUND_OPS_MAX, for the whole warp */
    uint32_t lane, channel;
    uint32_t now, end; /* rounds, by number in the plan */
    uint32_t pending;  /* a bit per unfinished op */
    uint32_t ready;    /* a bit per op about to move a slice */
};

/* Bytes to copy, or numbers to add. */
struct cs_span {
    char *target;
    const char *source;
    uint32_t bytes;
    uint32_t adds;
};

/* ---- shared memory ---- */

/* Release and acquire with the scope of the device or of the system: writes before
 * a release are visible after an acquire of the released value (PTX
 * memory model; sm_70 and newer). */
CS_HD static inline uint32_t cs_warp_acquire(const uint32_t *at, uint32_t system)
{
#ifdef __CUDA_ARCH__
    uint32_t value;

    if (system)
        asm volatile("ld.acquire.sys.u32 %0, [%1];" : "=r"(value) : "l"(at) : "memory");
    else
        asm volatile("ld.acquire.gpu.u32 %0, [%1];" : "=r"(value) : "l"(at) : "memory");
    return value;
#else
    (void)system;
    return __atomic_load_n(at, __ATOMIC_ACQUIRE);
#endif
}

/* NOLINTNEXTLINE(readability-non-const-parameter): it is written to */
CS_HD static inline void cs_warp_release(uint32_t *at, uint32_t value, uint32_t system)
{
#ifdef __CUDA_ARCH__
    if (system)
        asm volatile("st.release.sys.u32 [%0], %1;" ::"l"(at), "r"(value) : "memory");
    else
        asm volatile("st.release.gpu.u32 [%0], %1;" ::"l"(at), "r"(value) : "memory");
#else
    (void)system;
    __atomic_store_n(at, value, __ATOMIC_RELEASE);
#endif
}

/* ---- votes ---- */

typedef bool cs_warp_fn(struct cs_warp *warp, uint32_t thread);

/* A bit per thread of the warp, set where the function returns true. Writes of the
 * threads before and in the function are visible to the whole warp afterwards. */
CS_HD static inline uint32_t cs_warp_vote(struct cs_warp *warp, cs_warp_fn *fn)
{
#ifdef __CUDA_ARCH__
    bool yes;

    __syncwarp();
    yes = fn(warp, threadIdx.x);
    __syncwarp();
    return __ballot_sync(0xffffffffu, yes);
#else
    uint32_t votes = 0;

    for (uint32_t thread = 0; thread < CS_PLAN_ROUND_OPS_MAX; thread++)
        votes |= (uint32_t)fn(warp, thread) << thread;
    return votes;
#endif
}

/* ---- a thread and an op ---- */

CS_HD static inline bool cs_warp_sends(const struct cs_warp_work *work)
{
    return work->op.kind == CS_TABLE_SEND;
}

/* Loads the own count.  Ops of a round on a shared connection run in order: an
 * earlier load would miss the slices of the op before. */
CS_HD static inline void cs_warp_connect(const struct cs_warp *warp, struct cs_warp_work *work)
{
    const struct cs_warp_link *link = &warp->program->links[work->op.link];
    uint32_t word = warp->channel * CS_WARP_COUNT_WORDS;
    uint32_t *here = cs_warp_sends(work) ? link->at_sender : link->at_receiver;
    uint32_t *there = cs_warp_sends(work) ? link->at_receiver : link->at_sender;

    work->own = here + word + CS_WARP_OWN_WORD;
    work->report = there + word;
    work->look = here + word;
    work->mine = *(volatile uint32_t *)work->own;
    /* Pessimistic until the first look: no slot is free, no slot is full. */
    work->other = cs_warp_sends(work) ? work->mine - warp->program->depth : work->mine;
}

/* Starts the thread's op of the round; false without an op or without bytes. */
CS_HD static inline bool cs_warp_take_up(struct cs_warp *warp, uint32_t thread)
{
    const struct cs_warp_program *program = warp->program;
    uint32_t first = program->ops_of[warp->now];
    struct cs_warp_work *work = &warp->works[thread];

    if (thread >= program->ops_of[warp->now + 1] - first)
        return false;
    work->op = program->ops[first + thread];
    work->own = NULL;
    if (work->op.kind == CS_TABLE_WAIT)
        return true;
    work->cursor = cs_slot_begin(&program->cut, warp->channel, work->op.first, work->op.count);
    return cs_slot_slice(&program->cut, &work->cursor) > 0;
}

/* Whether earlier ops of the connection are done, and sends of common blocks have
 * read the bytes before the add. */
CS_HD static inline bool cs_warp_is_clear(const struct cs_warp *warp,
                                          const struct cs_warp_work *work)
{
    uint32_t sends = work->op.behind & warp->pending;

    if (work->op.after & warp->pending)
        return false;
    for (uint32_t k = 0; sends; k++, sends >>= 1)
        if ((sends & 1) && !cs_plan_passed(&warp->program->cut, &warp->works[k].op,
                                           &warp->works[k].cursor, &work->cursor))
            return false;
    return true;
}

CS_HD static inline bool cs_warp_may_go(struct cs_warp *warp, uint32_t thread)
{
    const struct cs_warp_program *program = warp->program;
    struct cs_warp_work *work = &warp->works[thread];
    bool sends = cs_warp_sends(work);

    if (!(warp->pending >> thread & 1) || !cs_warp_is_clear(warp, work))
        return false;
    if (work->op.kind == CS_TABLE_WAIT)
        return cs_warp_acquire(
                   &program->progress[work->op.link * program->cut.channels + warp->channel], 0) >
               work->op.first;
    if (!work->own)
        cs_warp_connect(warp, work);
    if (sends ? !cs_slot_may_write(work->mine, work->other, program->depth)
              : !cs_slot_may_read(work->other, work->mine))
        work->other = cs_warp_acquire(work->look, program->system);
    return sends ? cs_slot_may_write(work->mine, work->other, program->depth)
                 : cs_slot_may_read(work->other, work->mine);
}

/* Publishes a moved slice; true at the end of the op. */
CS_HD static inline bool cs_warp_is_done(struct cs_warp *warp, uint32_t thread)
{
    const struct cs_warp_program *program = warp->program;
    struct cs_warp_work *work = &warp->works[thread];

    if (!(warp->ready >> thread & 1))
        return false;
    if (work->op.kind == CS_TABLE_WAIT)
        return true;
    work->mine++;
    cs_warp_release(work->report, work->mine, program->system);
    cs_slot_next(&program->cut, warp->channel, &work->cursor);
    if (cs_slot_slice(&program->cut, &work->cursor) > 0)
        return false;
    *(volatile uint32_t *)work->own = work->mine;
    return true;
}

/* The first thread publishes the progress of the lane. */
CS_HD static inline bool cs_warp_reports(struct cs_warp *warp, uint32_t thread)
{
    const struct cs_warp_program *program = warp->program;

    if (thread != 0 || !program->waits)
        return false;
    cs_warp_release(&program->progress[warp->lane * program->cut.channels + warp->channel],
                    warp->now - program->rounds[warp->lane], 0);
    return true;
}

/* ---- the warp ---- */

/* Starts the next round with an op to run; pending is 0 after the last round. */
CS_HD static inline void cs_warp_enter(struct cs_warp *warp)
{
    for (; warp->now < warp->end; warp->now++) {
        warp->pending = cs_warp_vote(warp, cs_warp_take_up);
        if (warp->pending)
            break;
    }
    cs_warp_vote(warp, cs_warp_reports);
}

/* Starts the first round; the caller has set program, works, lane and channel. */
CS_HD static inline void cs_warp_begin(struct cs_warp *warp)
{
    warp->now = warp->program->rounds[warp->lane];
    warp->end = warp->program->rounds[warp->lane + 1];
    warp->pending = warp->ready = 0;
    cs_warp_enter(warp);
}

/* Polls once; true if an op may proceed. */
CS_HD static inline bool cs_warp_look(struct cs_warp *warp)
{
    warp->ready = cs_warp_vote(warp, cs_warp_may_go);
    return warp->ready != 0;
}

/* The bytes of a ready op; an empty span for a wait. */
CS_HD static inline struct cs_span cs_warp_span(const struct cs_warp *warp, uint32_t thread)
{
    const struct cs_warp_program *program = warp->program;
    const struct cs_warp_work *work = &warp->works[thread];
    uint32_t party = warp->lane / program->lanes;
    struct cs_span span = {NULL, NULL, 0, 0};
    uint64_t slot;
    char *in_slot;
    char *vector;

    if (work->op.kind == CS_TABLE_WAIT)
        return span;
    slot = (uint64_t)warp->channel * program->depth + cs_slot_of(work->mine, program->depth);
    in_slot = program->links[work->op.link].slots + slot * program->cut.slice_bytes +
              cs_slot_phase(work->cursor.at);
    vector = work->op.from_input ? program->inputs[party] : program->outputs[party];
    span.bytes = cs_slot_slice(&program->cut, &work->cursor);
    span.adds = work->op.kind == CS_TABLE_ADD;
    span.target = cs_warp_sends(work) ? in_slot : vector + work->cursor.at;
    span.source = cs_warp_sends(work) ? vector + work->cursor.at : in_slot;
    return span;
}

/* After the moves of the ready ops; starts the next round after the last op. */
CS_HD static inline void cs_warp_finish(struct cs_warp *warp)
{
    warp->pending &= ~cs_warp_vote(warp, cs_warp_is_done);
    if (warp->pending)
        return;
    warp->now++;
    cs_warp_enter(warp);
}

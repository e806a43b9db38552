/*
 * Warps: how a thread block goes through the rounds of its lane.
 *
 * The first warp of a block looks after the ops, a thread for each op of the
 * round: which of them may go on, what all threads of the block are then to
 * copy or add, and what the other sides are told.  The same functions are the
 * kernel's and, with the threads of the warp one after the other, the host
 * tests': what all threads ask together is a vote.
 *
 *     cs_warp_begin(&warp);
 *     while (warp.pending) {
 *         if (!cs_warp_look(&warp))          nothing may go on yet
 *             continue;
 *         move cs_warp_span(&warp, i) for each bit i of warp.ready
 *         cs_warp_finish(&warp);
 *     }
 *
 * Counts (slot.h) are kept where they are waited for: at the receiver how many
 * slices were written, at the sender how many were read.  Progress, the rounds
 * that a block is past, is told whenever it changes; empty rounds that are
 * passed over count as well.
 *
 * What was moved has to be seen by the warp's threads before finish, and what
 * they acquired by all that move it: on a device the caller puts a barrier of
 * the block in front of each.
 */
#ifndef CS_VALIDATE_CUDA_WARP_H
#define CS_VALIDATE_CUDA_WARP_H

#include "validate/cuda/plan.h"

#include <stddef.h>

enum {
    CS_WARP_COUNT_WORDS = 64, /* 256 bytes from count to count */
    CS_WARP_OWN_WORD = 16,    /* what its owner keeps of its own count */
};

/* A connection. */
struct cs_warp_link {
    char *slots; /* channel by channel, `depth` each */
    uint32_t *at_receiver, *at_sender;
};

/* What all blocks of a device go by. */
struct cs_warp_program {
    const uint32_t *rounds, *ops_of; /* plan.h */
    const struct cs_plan_op *ops;
    const struct cs_warp_link *links;
    struct cs_slot_cut cut;
    uint32_t depth;
    uint32_t lanes;                       /* of a party */
    char *const *inputs, *const *outputs; /* by party */
    uint32_t system;    /* 1: other devices or the host take part */
    uint32_t waits;     /* 1: some op waits for another lane */
    uint32_t *progress; /* by lane and channel: rounds that are past */
};

/* An op of the round. */
struct cs_warp_work {
    struct cs_plan_op op;
    struct cs_slot_cursor cursor;
    uint32_t mine, other; /* counts: its own, and the other side's as seen */
    uint32_t *own;        /* where its own is kept; NULL: not looked up yet */
    uint32_t *report;     /* where the other side waits for it */
    const uint32_t *look; /* where the other side tells */
};

/* Where a block is.  On a device each thread of the warp has one, and all have
 * the same. */
struct cs_warp {
    const struct cs_warp_program *program;
    struct cs_warp_work *works; /* CS_PLAN_ROUND_OPS_MAX, for all threads */
    uint32_t lane, channel;
    uint32_t now, end; /* rounds, of all */
    uint32_t pending;  /* a bit for each op that is not done */
    uint32_t ready;    /* a bit for each that goes on now */
};

/* Bytes to copy, or numbers to add. */
struct cs_span {
    char *target;
    const char *source;
    uint32_t bytes;
    uint32_t adds;
};

/* ---- memory that others write ---- */

/* Release and acquire, for a device alone or for all that share memory: what
 * was written before a release is seen after an acquire that reads it (PTX
 * memory model; sm_70 and newer). */
CS_HD static inline uint32_t cs_warp_acquire(const uint32_t *at,
                                             uint32_t system)
{
#ifdef __CUDA_ARCH__
    uint32_t value;

    if (system)
        asm volatile("ld.acquire.sys.u32 %0, [%1];"
                     : "=r"(value)
                     : "l"(at)
                     : "memory");
    else
        asm volatile("ld.acquire.gpu.u32 %0, [%1];"
                     : "=r"(value)
                     : "l"(at)
                     : "memory");
    return value;
#else
    (void)system;
    return __atomic_load_n(at, __ATOMIC_ACQUIRE);
#endif
}

/* NOLINTNEXTLINE(readability-non-const-parameter): it is written to */
CS_HD static inline void cs_warp_release(uint32_t *at, uint32_t value,
                                         uint32_t system)
{
#ifdef __CUDA_ARCH__
    if (system)
        asm volatile("st.release.sys.u32 [%0], %1;" ::"l"(at), "r"(value)
                     : "memory");
    else
        asm volatile("st.release.gpu.u32 [%0], %1;" ::"l"(at), "r"(value)
                     : "memory");
#else
    (void)system;
    __atomic_store_n(at, value, __ATOMIC_RELEASE);
#endif
}

/* ---- votes ---- */

typedef bool cs_warp_fn(struct cs_warp *warp, uint32_t thread);

/* A bit for each thread of the warp that says yes.  All see afterwards what
 * each has written before and meanwhile. */
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
    uint32_t thread;

    for (thread = 0; thread < CS_PLAN_ROUND_OPS_MAX; thread++)
        votes |= (uint32_t)fn(warp, thread) << thread;
    return votes;
#endif
}

/* ---- what each thread does for its op ---- */

CS_HD static inline bool cs_warp_sends(const struct cs_warp_work *work)
{
    return work->op.kind == CS_TABLE_SEND;
}

/* Looks up the counts.  Ops of a round that share a connection come one after
 * the other, so that this is not before the op's turn. */
CS_HD static inline void cs_warp_connect(const struct cs_warp *warp,
                                         struct cs_warp_work *work)
{
    const struct cs_warp_link *link = &warp->program->links[work->op.link];
    uint32_t word = warp->channel * CS_WARP_COUNT_WORDS;
    uint32_t *here = cs_warp_sends(work) ? link->at_sender : link->at_receiver;
    uint32_t *there = cs_warp_sends(work) ? link->at_receiver : link->at_sender;

    work->own = here + word + CS_WARP_OWN_WORD;
    work->report = there + word;
    work->look = here + word;
    work->mine = *(volatile uint32_t *)work->own;
    /* Nothing is known of the other side yet: no slot is free, none full. */
    work->other =
        cs_warp_sends(work) ? work->mine - warp->program->depth : work->mine;
}

/* Whether there is something to do for this thread in the round. */
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
    work->cursor = cs_slot_begin(&program->cut, warp->channel, work->op.first,
                                 work->op.count);
    return cs_slot_slice(&program->cut, &work->cursor) > 0;
}

/* Whether it is the op's turn: ops of its connection are done, and sends of
 * the same blocks have read what it adds to. */
CS_HD static inline bool cs_warp_is_clear(const struct cs_warp *warp,
                                          const struct cs_warp_work *work)
{
    uint32_t sends = work->op.behind & warp->pending;
    uint32_t k;

    if (work->op.after & warp->pending)
        return false;
    for (k = 0; sends; k++, sends >>= 1)
        if ((sends & 1) &&
            !cs_plan_passed(&warp->program->cut, &warp->works[k].op,
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
                   &program->progress[work->op.link * program->cut.channels +
                                      warp->channel],
                   0) > work->op.first;
    if (!work->own)
        cs_warp_connect(warp, work);
    if (sends ? !cs_slot_may_write(work->mine, work->other, program->depth)
              : !cs_slot_may_read(work->other, work->mine))
        work->other = cs_warp_acquire(work->look, program->system);
    return sends ? cs_slot_may_write(work->mine, work->other, program->depth)
                 : cs_slot_may_read(work->other, work->mine);
}

/* Tells of a slice that was moved; whether the op is done. */
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

/* The first thread tells other lanes of the party. */
CS_HD static inline bool cs_warp_tells(struct cs_warp *warp, uint32_t thread)
{
    const struct cs_warp_program *program = warp->program;

    if (thread != 0 || !program->waits)
        return false;
    cs_warp_release(
        &program->progress[warp->lane * program->cut.channels + warp->channel],
        warp->now - program->rounds[warp->lane], 0);
    return true;
}

/* ---- what the warp does ---- */

/* Takes up the next round with something to do; pending is 0 at the end. */
CS_HD static inline void cs_warp_enter(struct cs_warp *warp)
{
    for (; warp->now < warp->end; warp->now++) {
        warp->pending = cs_warp_vote(warp, cs_warp_take_up);
        if (warp->pending)
            break;
    }
    cs_warp_vote(warp, cs_warp_tells);
}

/* Before the first round; program, works, lane and channel are set. */
CS_HD static inline void cs_warp_begin(struct cs_warp *warp)
{
    warp->now = warp->program->rounds[warp->lane];
    warp->end = warp->program->rounds[warp->lane + 1];
    warp->pending = warp->ready = 0;
    cs_warp_enter(warp);
}

/* Looks once which ops may go on; whether some do. */
CS_HD static inline bool cs_warp_look(struct cs_warp *warp)
{
    warp->ready = cs_warp_vote(warp, cs_warp_may_go);
    return warp->ready != 0;
}

/* What is to be moved for an op that is ready; nothing for a wait. */
CS_HD static inline struct cs_span cs_warp_span(const struct cs_warp *warp,
                                                uint32_t thread)
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
    slot = (uint64_t)warp->channel * program->depth +
           cs_slot_of(work->mine, program->depth);
    in_slot = program->links[work->op.link].slots +
              slot * program->cut.slice_bytes + cs_slot_phase(work->cursor.at);
    vector =
        work->op.from_input ? program->inputs[party] : program->outputs[party];
    span.bytes = cs_slot_slice(&program->cut, &work->cursor);
    span.adds = work->op.kind == CS_TABLE_ADD;
    span.target = cs_warp_sends(work) ? in_slot : vector + work->cursor.at;
    span.source = cs_warp_sends(work) ? vector + work->cursor.at : in_slot;
    return span;
}

/* Everything that was ready is moved; goes on to the next round if this one is
 * done. */
CS_HD static inline void cs_warp_finish(struct cs_warp *warp)
{
    warp->pending &= ~cs_warp_vote(warp, cs_warp_is_done);
    if (warp->pending)
        return;
    warp->now++;
    cs_warp_enter(warp);
}

#endif

/*
 * A machine of slots on the host: the warps of the kernel (warp.h), by single
 * actions.
 *
 * A block starts the ops that may proceed and finishes the ops later; between start
 * and finish the block fills or empties slots. The caller chooses the block that
 * acts next.
 */
#pragma once

#include "algorithms/schedules/export.h"
#include "tests/fixture.h"
#include "validate/cuda/pattern.h"
#include "validate/cuda/warp.h"

/* A thread block. */
struct block {
    struct cs_warp warp;
    uint32_t busy; /* a bit per op in a move */
    struct cs_warp_work works[CS_PLAN_ROUND_OPS_MAX];
};

struct slot_machine {
    const struct cs_gpu_plan *plan;
    struct cs_warp_program program;
    uint32_t slots; /* real number of slots; the blocks assume `depth` */
    uint64_t vector_bytes;
    uint32_t ends;      /* connections and channels */
    uint32_t *counts;   /* by connection: at the sender, at the receiver */
    uint8_t *users;     /* by connection, channel and slot: at work */
    uint32_t *progress; /* program.progress */
    struct cs_warp_link *links;
    char **inputs, **outputs; /* by party; NULL: without data */
    struct block *blocks;
    uint32_t block_count;
    bool raced; /* a slot was filled and emptied at once */
};

static inline uint8_t *sm_user(const struct slot_machine *m, const struct block *b, uint32_t i)
{
    const struct cs_warp_work *work = &b->works[i];
    uint32_t at = work->op.link * m->program.cut.channels + b->warp.channel;

    return &m->users[at * m->slots + cs_slot_of(work->mine, m->slots)];
}

static inline void sm_move(struct cs_span span)
{
    if (span.bytes == 0)
        return;
    if (!span.adds)
        memcpy(span.target, span.source, span.bytes);
    for (uint32_t k = 0; span.adds && k < span.bytes / 4; k++)
        ((uint32_t *)span.target)[k] += ((const uint32_t *)span.source)[k];
}

static inline bool sm_begin(struct slot_machine *m, struct block *b, uint32_t wanted)
{
    if (!b->warp.pending || !cs_warp_look(&b->warp))
        return false;
    b->busy = b->warp.ready & wanted;
    for (uint32_t i = 0; i < CS_PLAN_ROUND_OPS_MAX; i++)
        if ((b->busy >> i & 1) && b->works[i].op.kind != CS_TABLE_WAIT && (*sm_user(m, b, i))++)
            m->raced = true;
    return b->busy != 0;
}

static inline void sm_finish(struct slot_machine *m, struct block *b)
{
    for (uint32_t i = 0; i < CS_PLAN_ROUND_OPS_MAX; i++) {
        if (!(b->busy >> i & 1) || b->works[i].op.kind == CS_TABLE_WAIT)
            continue;
        (*sm_user(m, b, i))--;
        if (m->outputs)
            sm_move(cs_warp_span(&b->warp, i));
    }
    b->warp.ready = b->busy;
    b->busy = 0;
    cs_warp_finish(&b->warp);
}

/* Finishes started ops; else starts the wanted ops that may proceed, as threads do
 * not poll together. Returns whether the block acted. */
static inline bool sm_act(struct slot_machine *m, struct block *b, uint32_t wanted)
{
    if (!b->busy)
        return sm_begin(m, b, wanted);
    sm_finish(m, b);
    return true;
}

static inline bool sm_done(const struct slot_machine *m)
{
    for (uint32_t i = 0; i < m->block_count; i++)
        if (m->blocks[i].warp.pending)
            return false;
    return true;
}

static inline void sm_open_links(struct slot_machine *m, struct cs_arena *arena)
{
    uint32_t words = m->program.cut.channels * CS_WARP_COUNT_WORDS;

    m->counts = cs_arena_alloc(arena, 2 * (size_t)m->plan->link_count * words, sizeof(uint32_t));
    m->links = cs_arena_alloc(arena, m->plan->link_count, sizeof(*m->links));
    for (uint32_t i = 0; i < m->plan->link_count; i++) {
        m->links[i].at_sender = m->counts + (size_t)2 * i * words;
        m->links[i].at_receiver = m->links[i].at_sender + words;
    }
}

static inline void sm_open(struct slot_machine *m, const struct cs_gpu_plan *plan,
                           struct cs_slot_cut cut, uint32_t depth, struct cs_arena *arena)
{
    *m = (struct slot_machine){.plan = plan, .slots = depth};
    m->program = (struct cs_warp_program){.rounds = plan->rounds,
                                          .ops_of = plan->ops_of,
                                          .ops = plan->ops,
                                          .cut = cut,
                                          .depth = depth,
                                          .lanes = plan->lanes,
                                          .waits = 1};
    m->vector_bytes = cut.starts[plan->blocks];
    m->ends = plan->link_count * cut.channels;
    m->block_count = plan->lane_count * cut.channels;
    sm_open_links(m, arena);
    m->users = cs_arena_alloc(arena, m->ends, depth);
    m->program.links = m->links;
    m->program.progress = m->progress = cs_arena_alloc(arena, m->block_count, sizeof(uint32_t));
    m->blocks = cs_arena_alloc(arena, m->block_count, sizeof(*m->blocks));
    for (uint32_t i = 0; i < m->block_count; i++) {
        m->blocks[i].warp = (struct cs_warp){.program = &m->program,
                                             .works = m->blocks[i].works,
                                             .lane = i / cut.channels,
                                             .channel = i % cut.channels};
        cs_warp_begin(&m->blocks[i].warp);
    }
}

/* ---- tables of the exporter ---- */

static inline void table_of(const struct cs_algo *algo, const struct cs_program *program,
                            struct cs_arena *arena, struct cs_op_table *table)
{
    struct cs_export what = {.algo = algo, .program = program};
    const struct cs_exporter *exporter;
    CS_AT_END(cs_text_free) struct cs_text text = {0};
    struct cs_op_table_text in = {.file = "table"};

    assert_done(cs_exporter_choose("table", &exporter, &err));
    assert_done_of(algo->name, exporter->write(&what, &text, &err));
    in.text = text.data;
    in.length = text.length;
    assert_done_of(algo->name, cs_op_table_read(in, arena, table, &err));
}

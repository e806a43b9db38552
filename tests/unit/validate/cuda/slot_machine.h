/*
 * A machine of slots on the host: what thread blocks do, one action at a time.
 *
 * A block begins a slice (it has seen that it may) and later ends it (it tells
 * the other side); between the two it fills or empties the slot.  Whoever uses
 * the machine chooses who acts next.
 */
#ifndef CS_TESTS_SLOT_MACHINE_H
#define CS_TESTS_SLOT_MACHINE_H

#include "algorithms/export.h"
#include "tests/fixture.h"
#include "validate/cuda/pattern.h"
#include "validate/cuda/plan.h"

/* One thread block. */
struct block {
    uint32_t lane, channel;
    uint32_t round;         /* of all rounds */
    uint32_t pending, busy; /* a bit for each op of the round */
    struct cs_slot_cursor cursors[CS_PLAN_ROUND_OPS_MAX];
};

struct slot_machine {
    const struct cs_plan *plan;
    struct cs_slot_cut cut;
    uint32_t depth; /* that is believed */
    uint32_t slots; /* that there are */
    uint64_t vector_bytes;
    uint32_t *written, *read; /* by connection and channel */
    uint8_t *users;           /* by connection, channel and slot: at work */
    uint8_t *data;            /* of the slots */
    uint8_t *input, *output;  /* by party */
    struct block *blocks;
    uint32_t block_count;
    bool raced; /* a slot was filled and emptied at once */
};

static inline uint32_t sm_end(const struct slot_machine *m,
                              const struct block *b)
{
    return m->plan->rounds[b->lane + 1];
}

/* Takes up the next round that has something to do. */
static inline void sm_enter(struct slot_machine *m, struct block *b)
{
    for (; b->round < sm_end(m, b); b->round++) {
        uint32_t first = m->plan->ops_of[b->round];
        uint32_t count = m->plan->ops_of[b->round + 1] - first;

        for (uint32_t i = 0; i < count; i++) {
            const struct cs_plan_op *op = &m->plan->ops[first + i];

            if (op->kind == CS_TABLE_WAIT) {
                b->pending |= 1u << i;
                continue;
            }
            b->cursors[i] =
                cs_slot_begin(&m->cut, b->channel, op->first, op->count);
            if (cs_slot_slice(&m->cut, &b->cursors[i]) > 0)
                b->pending |= 1u << i;
        }
        if (b->pending)
            return;
    }
}

static inline uint8_t *sm_user(const struct slot_machine *m, uint32_t at,
                               uint32_t count)
{
    return &m->users[at * m->slots + cs_slot_of(count, m->slots)];
}

static inline bool sm_waits(const struct slot_machine *m, const struct block *b,
                            const struct cs_plan_op *op)
{
    const struct block *other =
        &m->blocks[op->link * m->cut.channels + b->channel];

    return other->round <= m->plan->rounds[op->link] + op->first;
}

static inline uint8_t *sm_at(const struct slot_machine *m, uint8_t *vectors,
                             const struct block *b, uint64_t at)
{
    return vectors + b->lane / m->plan->lanes * m->vector_bytes + at;
}

static inline void sm_move(struct slot_machine *m, struct block *b,
                           const struct cs_plan_op *op, uint32_t i, uint32_t at)
{
    const struct cs_slot_cursor *cursor = &b->cursors[i];
    uint32_t bytes = cs_slot_slice(&m->cut, cursor);
    bool sends = op->kind == CS_TABLE_SEND;
    uint32_t count = sends ? m->written[at] : m->read[at];
    uint8_t *slot =
        m->data +
        (at * m->slots + cs_slot_of(count, m->slots)) * cs_slot_pitch(&m->cut) +
        cs_slot_phase(cursor->at);
    uint32_t *mine = (uint32_t *)sm_at(m, op->from_input ? m->input : m->output,
                                       b, cursor->at);

    if (sends)
        memcpy(slot, mine, bytes);
    else if (op->kind == CS_TABLE_RECV)
        memcpy(mine, slot, bytes);
    for (uint32_t k = 0; op->kind == CS_TABLE_ADD && k < bytes / 4; k++)
        mine[k] += ((uint32_t *)slot)[k];
}

static inline bool sm_clear(const struct slot_machine *m, const struct block *b,
                            uint32_t i)
{
    const struct cs_plan_op *ops = &m->plan->ops[m->plan->ops_of[b->round]];
    uint32_t sends = ops[i].behind & b->pending;

    for (uint32_t k = 0; k < CS_PLAN_ROUND_OPS_MAX; k++)
        if ((sends >> k & 1) &&
            !cs_plan_passed(&m->cut, &ops[k], &b->cursors[k], &b->cursors[i]))
            return false;
    return true;
}

/* The count that the op's side keeps. */
static inline uint32_t *sm_mine(const struct slot_machine *m,
                                const struct cs_plan_op *op, uint32_t at)
{
    return &(op->kind == CS_TABLE_SEND ? m->written : m->read)[at];
}

static inline bool sm_may_begin(const struct slot_machine *m,
                                const struct cs_plan_op *op, uint32_t at)
{
    return op->kind == CS_TABLE_SEND
               ? cs_slot_may_write(m->written[at], m->read[at], m->depth)
               : cs_slot_may_read(m->written[at], m->read[at]);
}

static inline bool sm_begin(struct slot_machine *m, struct block *b,
                            const struct cs_plan_op *op, uint32_t i)
{
    uint32_t at = op->link * m->cut.channels + b->channel;

    if (!sm_may_begin(m, op, at))
        return false;
    b->busy |= 1u << i;
    if ((*sm_user(m, at, *sm_mine(m, op, at)))++)
        m->raced = true;
    return true;
}

static inline void sm_finish(struct slot_machine *m, struct block *b,
                             const struct cs_plan_op *op, uint32_t i)
{
    uint32_t at = op->link * m->cut.channels + b->channel;
    uint32_t *mine = sm_mine(m, op, at);

    (*sm_user(m, at, *mine))--;
    b->busy &= ~(1u << i);
    if (m->data)
        sm_move(m, b, op, i, at);
    (*mine)++;
    cs_slot_next(&m->cut, b->channel, &b->cursors[i]);
    if (cs_slot_slice(&m->cut, &b->cursors[i]) == 0)
        b->pending &= ~(1u << i);
}

/* Whether the block may act on op i of its round; if so it does. */
static inline bool sm_act(struct slot_machine *m, struct block *b, uint32_t i)
{
    const struct cs_plan_op *op = &m->plan->ops[m->plan->ops_of[b->round] + i];

    if ((op->after & b->pending) || !sm_clear(m, b, i))
        return false;
    if (op->kind == CS_TABLE_WAIT) {
        if (sm_waits(m, b, op))
            return false;
        b->pending &= ~(1u << i);
    } else if (!(b->busy >> i & 1)) {
        return sm_begin(m, b, op, i);
    } else {
        sm_finish(m, b, op, i);
    }
    if (b->pending == 0) {
        b->round++;
        sm_enter(m, b);
    }
    return true;
}

static inline bool sm_done(const struct slot_machine *m)
{
    for (uint32_t i = 0; i < m->block_count; i++)
        if (m->blocks[i].round < sm_end(m, &m->blocks[i]))
            return false;
    return true;
}

static inline void sm_open(struct slot_machine *m, const struct cs_plan *plan,
                           struct cs_slot_cut cut, uint32_t depth,
                           struct cs_arena *arena)
{
    uint32_t ends = plan->link_count * cut.channels;

    *m = (struct slot_machine){
        .plan = plan, .cut = cut, .depth = depth, .slots = depth};
    m->vector_bytes = cut.starts[plan->blocks];
    m->written = cs_arena_alloc(arena, ends, sizeof(*m->written));
    m->read = cs_arena_alloc(arena, ends, sizeof(*m->read));
    m->users = cs_arena_alloc(arena, ends, depth);
    m->block_count = plan->lane_count * cut.channels;
    m->blocks = cs_arena_alloc(arena, m->block_count, sizeof(*m->blocks));
    for (uint32_t i = 0; i < m->block_count; i++) {
        m->blocks[i].lane = i / cut.channels;
        m->blocks[i].channel = i % cut.channels;
        m->blocks[i].round = plan->rounds[m->blocks[i].lane];
        sm_enter(m, &m->blocks[i]);
    }
}

/* ---- tables, as the exporter writes them ---- */

static inline void table_of(const struct cs_algo *algo,
                            const struct cs_program *program,
                            struct cs_arena *arena, struct cs_op_table *table)
{
    struct cs_export what = {.algo = algo, .program = program};
    const struct cs_exporter *exporter;
    struct cs_text text = {0};
    struct cs_err err = {0};
    struct cs_op_table_text in = {.file = "table"};

    assert_int_equal(cs_exporter_choose("table", &exporter, &err), 0);
    if (exporter->write(&what, &text, &err))
        fail_msg("%s: %s", algo->name, err.text);
    in.text = text.data;
    in.length = text.length;
    if (cs_op_table_read(in, arena, table, &err))
        fail_msg("%s: %s", algo->name, err.text);
    cs_text_free(&text);
}

#endif

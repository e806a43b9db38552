/*
 * Every order in which a small program may run, without the proof's means: no
 * clocks, the definition itself.
 *
 * An op starts with its round.  A send reads its blocks from its start until it
 * is done, which may be at any later time; a copy or sum within a party likewise.
 * A receive starts to write when its message has started, after all that its
 * own round sends is done, and is done at any time after its message.  The n-th
 * send of a connection goes with the n-th receive, in the order of their starts.
 *
 * A program is bad when in some order two lanes of a party use a block at once,
 * and one of them writes other than by adding to what another one adds to; when
 * a receive gets one message in one order and another one in another; when
 * a rank is stuck or a message is left; or, in the orders that are drawn, when
 * the blocks of a message are not those of its receive, something is added to or
 * from a block of a rank that holds nothing, or a rank ends with what it is not
 * owed.
 */
#pragma once

#include "tests/fixture.h"

enum {
    ORDERS_OPS = 1024,
    ORDERS_LANES = 256,  /* of all parties */
    ORDERS_CELLS = 4096, /* blocks of all parties, and of messages */
    ORDERS_BLOCKS = 64,
    ORDERS_STATES = 1 << 18, /* more are given up */
    ORDERS_ROOM = 1 << 19,
};

enum progress {
    NOT_STARTED,
    STARTED,
    ARRIVING, /* a receive, that writes */
    DONE,
};

enum verdict {
    EVERY_ORDER_IS_FINE,
    SOME_ORDER_IS_BAD,
    TOO_MANY_ORDERS,
};

struct placed_op {
    struct cs_op op;
    uint32_t party, lane, lane_of_party;
    uint64_t round;
    uint32_t first, count;      /* the ops of its round */
    uint32_t like;              /* the one before it at its end of the
                                 * connection, or ORDERS_OPS */
    uint32_t sends;             /* the last one that is sent there */
    uint32_t src, dst, channel; /* of a message */
};

struct orders {
    const struct cs_program *program;
    struct placed_op ops[ORDERS_OPS];
    uint32_t count;
    uint32_t lane_end[ORDERS_LANES];
    uint16_t met[ORDERS_OPS]; /* 1 + the send that each receive got */
    uint64_t *seen;           /* hashes of states; 0: none */
    uint32_t states;
    const char *fault;
};

struct moment {
    uint8_t progress[ORDERS_OPS];
    uint16_t place[ORDERS_OPS];  /* among the starts of its connection */
    uint16_t next[ORDERS_LANES]; /* the first op that is not done */
};

/* What blocks hold, and messages carry. */
struct cargo {
    uint64_t held[ORDERS_CELLS];
    uint64_t carried[ORDERS_OPS][ORDERS_BLOCKS];
};

static inline bool orders_is_send(const struct placed_op *it)
{
    return it->op.kind == CS_OP_SEND;
}

static inline bool orders_is_recv(const struct placed_op *it)
{
    return it->op.kind == CS_OP_RECV || it->op.kind == CS_OP_RECV_REDUCE;
}

static inline void orders_place_round(struct orders *orders, uint32_t lane, uint64_t round,
                                      const struct cs_ops *ops)
{
    const struct cs_program *program = orders->program;
    uint32_t party = lane / program->lanes;
    uint32_t first = orders->count;

    for (uint32_t i = 0; i < ops->count; i++) {
        struct placed_op *it = &orders->ops[orders->count++];
        bool sends = ops->op[i].kind == CS_OP_SEND;

        *it = (struct placed_op){
            .op = ops->op[i],
            .party = party,
            .lane = lane,
            .lane_of_party = lane % program->lanes,
            .round = round,
            .first = first,
            .count = ops->count,
            .src = sends ? party : ops->op[i].peer,
            .dst = sends ? ops->op[i].peer : party,
            .channel = cs_op_channel(program, lane % program->lanes, &ops->op[i]),
        };
    }
}

/* Chains the ops of each end of a connection. */
static inline void orders_chain(struct orders *orders)
{
    for (uint32_t i = 0; i < orders->count; i++) {
        struct placed_op *it = &orders->ops[i];

        it->like = it->sends = ORDERS_OPS;
        for (uint32_t k = 0; k < orders->count; k++) {
            const struct placed_op *other = &orders->ops[k];

            if ((!orders_is_send(other) && !orders_is_recv(other)) || other->src != it->src ||
                other->dst != it->dst || other->channel != it->channel)
                continue;
            if (k < i && orders_is_send(other) == orders_is_send(it))
                it->like = k;
            if (orders_is_send(other))
                it->sends = k;
        }
    }
}

/* False when the program is too large. */
static inline bool orders_open(struct orders *orders, const struct cs_program *program)
{
    uint32_t lanes = cs_program_parties(program) * program->lanes;
    uint32_t width = program->blocks + program->scratch_blocks;
    CS_AT_END(cs_ops_free) struct cs_ops ops = {0};
    bool fits = lanes <= ORDERS_LANES && width <= ORDERS_BLOCKS &&
                cs_program_parties(program) * width <= ORDERS_CELLS;

    *orders = (struct orders){.program = program};
    for (uint32_t lane = 0; lane < lanes && fits; lane++) {
        uint32_t party = lane / program->lanes;
        uint32_t own = lane % program->lanes;
        uint64_t rounds = cs_program_rounds(program, party, own);

        for (uint64_t k = 0; k < rounds && fits; k++) {
            cs_program_read(program, (struct cs_at){party, own, k}, &ops);
            fits = orders->count + ops.count <= ORDERS_OPS;
            if (fits)
                orders_place_round(orders, lane, k, &ops);
        }
        orders->lane_end[lane] = orders->count;
    }
    orders_chain(orders);
    return fits;
}

static inline struct moment orders_begin(const struct orders *orders)
{
    struct moment now = {0};

    for (uint32_t i = 1; i < ORDERS_LANES; i++)
        now.next[i] = (uint16_t)orders->lane_end[i - 1];
    return now;
}

/* ---- what may happen ---- */

/* Every op of the lane before that round is done. */
static inline bool orders_reached(const struct orders *orders, const struct moment *now,
                                  uint32_t lane, uint64_t round)
{
    return now->next[lane] >= orders->lane_end[lane] || orders->ops[now->next[lane]].round >= round;
}

/* The send that the receive goes with, or ORDERS_OPS while none has started. */
static inline uint32_t orders_partner(const struct orders *orders, const struct moment *now,
                                      uint32_t recv)
{
    uint32_t i = orders->ops[recv].sends;

    while (i != ORDERS_OPS &&
           (now->progress[i] == NOT_STARTED || now->place[i] != now->place[recv]))
        i = orders->ops[i].like;
    return i;
}

static inline bool orders_sends_done(const struct orders *orders, const struct moment *now,
                                     uint32_t op)
{
    const struct placed_op *it = &orders->ops[op];

    for (uint32_t i = it->first; i < it->first + it->count; i++)
        if (orders_is_send(&orders->ops[i]) && now->progress[i] != DONE)
            return false;
    return true;
}

/* Can the op go on (its round start, if it is the first of it)? */
static inline bool orders_may(const struct orders *orders, const struct moment *now, uint32_t op)
{
    const struct placed_op *it = &orders->ops[op];
    uint32_t lanes = orders->program->lanes;
    uint32_t partner;

    if (now->progress[op] == DONE)
        return false;
    if (now->progress[op] == NOT_STARTED)
        return op == it->first && orders_reached(orders, now, it->lane, it->round);
    if (it->op.kind == CS_OP_WAIT)
        return orders_reached(orders, now, it->party * lanes + it->op.peer,
                              (uint64_t)it->op.source + 1);
    if (!orders_is_recv(it))
        return true;
    partner = orders_partner(orders, now, op);
    if (partner == ORDERS_OPS)
        return false;
    if (now->progress[op] == STARTED)
        return orders_sends_done(orders, now, op);
    return now->progress[partner] == DONE;
}

/* ---- what happens ---- */

static inline bool orders_meet(struct cs_blocks a, uint32_t first, uint32_t count)
{
    return a.first < first + count && first < a.first + a.count;
}

/* Does `a` write what `b` uses, other than by adding to what `b` adds to? */
static inline bool orders_spoils(const struct placed_op *a, const struct placed_op *b)
{
    bool local = b->op.kind == CS_OP_COPY || b->op.kind == CS_OP_REDUCE;
    bool adds = a->op.kind == CS_OP_RECV_REDUCE || a->op.kind == CS_OP_REDUCE;
    bool both = adds && (b->op.kind == CS_OP_RECV_REDUCE || b->op.kind == CS_OP_REDUCE);

    if (orders_is_send(a) || a->op.kind == CS_OP_WAIT || b->op.kind == CS_OP_WAIT)
        return false;
    if (!both && a->op.buffer == b->op.buffer && b->op.buffer != CS_INPUT &&
        orders_meet(a->op.blocks, b->op.blocks.first, b->op.blocks.count))
        return true;
    return local && a->op.buffer == b->op.source_buffer &&
           orders_meet(a->op.blocks, b->op.source, b->op.blocks.count);
}

/* Does the op use its blocks now? */
static inline bool orders_uses(const struct orders *orders, const struct moment *now, uint32_t op)
{
    return now->progress[op] == (orders_is_recv(&orders->ops[op]) ? ARRIVING : STARTED);
}

static inline void orders_check_race(struct orders *orders, const struct moment *now, uint32_t op)
{
    const struct placed_op *it = &orders->ops[op];

    for (uint32_t i = 0; i < orders->count && !orders->fault; i++) {
        const struct placed_op *other = &orders->ops[i];

        if (other->party == it->party && other->lane != it->lane && orders_uses(orders, now, i) &&
            (orders_spoils(it, other) || orders_spoils(other, it)))
            orders->fault = "race";
    }
}

static inline void orders_join(const struct orders *orders, struct moment *now, uint32_t op)
{
    const struct placed_op *it = &orders->ops[op];
    uint16_t before = 0;

    if (!orders_is_send(it) && !orders_is_recv(it))
        return;
    for (uint32_t i = 0; i < orders->count; i++) {
        const struct placed_op *other = &orders->ops[i];

        before += other->sends == it->sends && other->op.kind != CS_OP_WAIT &&
                  now->progress[i] != NOT_STARTED && orders_is_send(other) == orders_is_send(it) &&
                  orders_is_recv(other) == orders_is_recv(it) && other->src == it->src &&
                  other->dst == it->dst && other->channel == it->channel;
    }
    now->place[op] = before;
}

static inline void orders_start(struct orders *orders, struct moment *now, uint32_t first)
{
    const struct placed_op *round = &orders->ops[first];

    for (uint32_t i = first; i < first + round->count; i++) {
        orders_join(orders, now, i);
        now->progress[i] = STARTED;
        if (orders_uses(orders, now, i))
            orders_check_race(orders, now, i);
    }
}

static inline void orders_end(const struct orders *orders, struct moment *now, uint32_t op)
{
    uint16_t *next = &now->next[orders->ops[op].lane];
    uint32_t end = orders->lane_end[orders->ops[op].lane];

    now->progress[op] = DONE;
    while (*next < end && now->progress[*next] == DONE)
        ++*next;
}

static inline void orders_arrive(struct orders *orders, struct moment *now, uint32_t op)
{
    uint32_t partner = orders_partner(orders, now, op);
    const struct cs_op *recv = &orders->ops[op].op;
    const struct cs_op *send = &orders->ops[partner].op;

    now->progress[op] = ARRIVING;
    if (orders->met[op] && orders->met[op] != partner + 1)
        orders->fault = "two messages for one receive";
    orders->met[op] = (uint16_t)(partner + 1);
    if (recv->blocks.count != send->blocks.count ||
        (!orders->program->moves_blocks && recv->blocks.first != send->blocks.first))
        orders->fault = "other blocks than were sent";
    orders_check_race(orders, now, op);
}

static inline void orders_happen(struct orders *orders, struct moment *now, uint32_t op)
{
    if (now->progress[op] == NOT_STARTED)
        orders_start(orders, now, op);
    else if (orders_is_recv(&orders->ops[op]) && now->progress[op] == STARTED)
        orders_arrive(orders, now, op);
    else
        orders_end(orders, now, op);
}

/* ---- what blocks hold ---- */

static inline uint64_t orders_tag(uint32_t rank, uint32_t block)
{
    return cs_mix64(((uint64_t)rank << 32 | block) + 1);
}

/* Where block `i` of a run is kept; the input is behind everything. */
static inline uint64_t *orders_cell(const struct orders *orders, struct cargo *cargo,
                                    uint32_t party, enum cs_buffer buffer, uint32_t block)
{
    const struct cs_program *program = orders->program;
    uint32_t width = program->blocks + program->scratch_blocks;

    return &cargo->held[party * width + (buffer == CS_SCRATCH
                                             ? program->blocks + block % program->scratch_blocks
                                             : block % program->blocks)];
}

static inline uint64_t orders_input(const struct orders *orders, uint32_t party, uint32_t block)
{
    const struct cs_program *program = orders->program;

    return party < program->ranks && cs_contributes(program, party, block % program->blocks)
               ? orders_tag(party, block % program->blocks)
               : 0;
}

static inline void orders_fill(const struct orders *orders, struct cargo *cargo)
{
    const struct cs_program *program = orders->program;

    memset(cargo, 0, sizeof(*cargo));
    for (uint32_t rank = 0; rank < program->ranks; rank++)
        for (uint32_t i = 0; i < program->blocks && !program->output_empty; i++)
            *orders_cell(orders, cargo, rank, CS_OUTPUT, i) = orders_input(orders, rank, i);
}

static inline uint64_t orders_read(const struct orders *orders, struct cargo *cargo, uint32_t party,
                                   enum cs_buffer buffer, uint32_t block)
{
    return buffer == CS_INPUT ? orders_input(orders, party, block)
                              : *orders_cell(orders, cargo, party, buffer, block);
}

/* The op is done: what it moves is moved. */
static inline void orders_move(struct orders *orders, struct cargo *cargo, uint32_t op)
{
    const struct placed_op *it = &orders->ops[op];
    bool adds = it->op.kind == CS_OP_RECV_REDUCE || it->op.kind == CS_OP_REDUCE;
    uint32_t from = orders->met[op] - 1U;

    for (uint32_t i = 0; i < it->op.blocks.count; i++) {
        uint32_t block = it->op.blocks.first + i;
        uint64_t *cell =
            orders_cell(orders, cargo, it->party, (enum cs_buffer)it->op.buffer, block);
        uint64_t value;

        if (orders_is_send(it)) {
            cargo->carried[op][i] =
                orders_read(orders, cargo, it->party, (enum cs_buffer)it->op.buffer, block);
            continue;
        }
        value = orders_is_recv(it)
                    ? cargo->carried[from][i]
                    : orders_read(orders, cargo, it->party, (enum cs_buffer)it->op.source_buffer,
                                  it->op.source + i);
        if (adds && (value == 0 || (*cell == 0 && it->party < orders->program->ranks)))
            orders->fault = "adds to or from nothing";
        *cell = adds ? *cell + value : value;
    }
}

static inline uint64_t orders_owed(const struct cs_program *program, uint32_t rank, uint32_t block)
{
    struct cs_goal goal = cs_goal_of(program, rank, block);
    uint64_t sum = 0;

    if (!goal.is_sum)
        return orders_tag(goal.rank, goal.block);
    for (uint32_t i = 0; i < program->ranks; i++)
        sum += orders_tag(i, goal.block);
    return sum;
}

static inline void orders_check_results(struct orders *orders, struct cargo *cargo)
{
    const struct cs_program *program = orders->program;

    for (uint32_t rank = 0; rank < program->ranks; rank++)
        for (uint32_t i = 0; i < program->blocks; i++)
            if (cs_owes(program, rank, i) &&
                *orders_cell(orders, cargo, rank, CS_OUTPUT, i) != orders_owed(program, rank, i))
                orders->fault = "a wrong result";
}

/* ---- the end ---- */

/* Nothing can happen any more: is everything done? */
static inline void orders_check_end(struct orders *orders, const struct moment *now)
{
    uint32_t messages = 0;

    for (uint32_t i = 0; i < orders->count; i++) {
        if (now->progress[i] != DONE)
            orders->fault = "stuck";
        messages += orders_is_send(&orders->ops[i]);
        messages -= orders_is_recv(&orders->ops[i]);
    }
    if (messages)
        orders->fault = "a message is left";
}

/* ---- all orders, or some ---- */

static inline bool orders_is_new(struct orders *orders, const struct moment *now)
{
    uint64_t hash = 14695981039346656037U; /* FNV-1a */
    uint32_t at;

    for (uint32_t i = 0; i < orders->count; i++)
        hash = (hash ^ (now->progress[i] | (uint64_t)now->place[i] << 8)) * 1099511628211U;
    hash = cs_mix64(hash) | 1;
    for (at = hash >> 32 & (ORDERS_ROOM - 1); orders->seen[at]; at = (at + 1) & (ORDERS_ROOM - 1))
        if (orders->seen[at] == hash)
            return false;
    orders->seen[at] = hash;
    orders->states++;
    return true;
}

/* NOLINTNEXTLINE(misc-no-recursion): as deep as the program has ops */
static inline void orders_explore(struct orders *orders, const struct moment *now)
{
    bool over = true;

    if (!orders_is_new(orders, now))
        return;
    for (uint32_t i = 0; i < orders->count; i++) {
        struct moment next;

        if (orders->fault || orders->states >= ORDERS_STATES)
            return;
        if (!orders_may(orders, now, i))
            continue;
        next = *now;
        orders_happen(orders, &next, i);
        orders_explore(orders, &next);
        over = false;
    }
    if (over)
        orders_check_end(orders, now);
}

/* Tries every order. */
static inline enum verdict orders_try_all(struct orders *orders)
{
    struct moment start = orders_begin(orders);

    orders->seen = calloc(ORDERS_ROOM, sizeof(*orders->seen));
    orders_explore(orders, &start);
    free(orders->seen);
    if (orders->fault)
        return SOME_ORDER_IS_BAD;
    return orders->states < ORDERS_STATES ? EVERY_ORDER_IS_FINE : TOO_MANY_ORDERS;
}

/* How soon each op does each of its steps. */
struct haste {
    uint32_t of[ORDERS_OPS][DONE];
};

static inline void orders_draw_haste(const struct orders *orders, struct cs_random *random,
                                     struct haste *haste)
{
    for (uint32_t i = 0; i < orders->count; i++)
        for (int k = 0; k < DONE; k++)
            haste->of[i][k] = 1 + (uint32_t)cs_random_below(random, UINT32_MAX - 1);
}

/* Of the steps that can be next the one with the most haste, or ORDERS_OPS: a
 * step without waits for as long as there are others. */
static inline uint32_t orders_next(const struct orders *orders, const struct moment *now,
                                   const struct haste *haste)
{
    uint32_t next = ORDERS_OPS;
    uint32_t most = 0;

    for (uint32_t i = 0; i < orders->count; i++) {
        uint32_t it = now->progress[i] == DONE ? 0 : haste->of[i][now->progress[i]];

        if (it <= most || !orders_may(orders, now, i))
            continue;
        most = it;
        next = i;
    }
    return next;
}

/* One order, drawn at random. */
static inline void orders_try_one(struct orders *orders, struct cs_random *random)
{
    static struct haste haste;
    static struct cargo cargo;
    struct moment now = orders_begin(orders);
    uint32_t op;

    orders_fill(orders, &cargo);
    orders_draw_haste(orders, random, &haste);
    while (!orders->fault && (op = orders_next(orders, &now, &haste)) != ORDERS_OPS) {
        orders_happen(orders, &now, op);
        if (now.progress[op] == DONE && orders->ops[op].op.kind <= CS_OP_REDUCE)
            orders_move(orders, &cargo, op);
    }
    if (!orders->fault)
        orders_check_end(orders, &now);
    if (!orders->fault)
        orders_check_results(orders, &cargo);
}

static inline enum verdict orders_try_some(struct orders *orders, struct cs_random *random,
                                           uint32_t times)
{
    while (times-- && !orders->fault)
        orders_try_one(orders, random);
    return orders->fault ? SOME_ORDER_IS_BAD : EVERY_ORDER_IS_FINE;
}

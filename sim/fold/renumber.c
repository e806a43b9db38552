#include "sim/fold/search.h"

#include <string.h>

enum {
    ROWS_COMPARED = 64
};

/* The turns of the lanes of each rank.  Ranks in equal places of their nodes share a
 * row. */
struct cs_turns {
    uint32_t *row;  /* by rank */
    uint32_t *turn; /* row x lanes + lane there -> lane */
    uint32_t *lane; /* row x lanes + lane -> lane there */
    uint32_t count; /* of rows */
    uint32_t room;
};

struct renumbered {
    const struct cs_program *of;
    const struct cs_turns *turns;
    uint32_t split;   /* agents for one there */
    uint32_t *order;  /* number -> party, of ranks and split agents */
    uint32_t *number; /* the inverse */
};

static size_t renumber_place(const struct renumbered *numbers, uint32_t rank, uint32_t lane)
{
    return (size_t)numbers->turns->row[rank] * numbers->of->lanes + lane;
}

/* The given program's lane of a renumbered one; false for a lane that a split
 * agent does not have. */
static bool renumber_find(const struct renumbered *numbers, struct cs_at *at)
{
    const struct cs_program *of = numbers->of;
    uint32_t party = numbers->order[at->party];
    uint32_t lane = at->lane;
    uint32_t agent = party - of->ranks;

    if (party < of->ranks)
        *at = (struct cs_at){party, numbers->turns->lane[renumber_place(numbers, party, lane)],
                             at->round};
    else
        *at = (struct cs_at){of->ranks + agent / numbers->split,
                             agent % numbers->split * of->serving + lane, at->round};
    return party < of->ranks || lane < of->serving;
}

static uint64_t renumbered_rounds(const void *ctx, struct cs_at at)
{
    const struct renumbered *numbers = ctx;

    return renumber_find(numbers, &at) ? cs_program_rounds(numbers->of, at.party, at.lane) : 0;
}

static uint32_t renumber_turn(const struct renumbered *numbers, uint32_t rank, uint32_t lane)
{
    return numbers->turns->turn[renumber_place(numbers, rank, lane)];
}

static void renumber_message(const struct renumbered *numbers, struct cs_at at, struct cs_op *op)
{
    const struct cs_program *of = numbers->of;
    uint32_t sender = op->kind == CS_OP_SEND ? at.party : op->peer;
    uint32_t peer = op->peer;

    if (peer >= of->ranks) {
        sender = at.party;
        peer = of->ranks + (peer - of->ranks) * numbers->split + at.lane / of->serving;
    } else if (at.party >= of->ranks) {
        sender = peer;
    }
    assert(sender < of->ranks && (of->agents == 0 || op->channel == 0));
    op->channel =
        1 + (op->channel ? of->lanes + op->channel - 1 : renumber_turn(numbers, sender, at.lane));
    op->peer = numbers->number[peer];
}

static void renumber_op(const struct renumbered *numbers, struct cs_at at, struct cs_op *op)
{
    if (cs_op_is_message(op)) {
        renumber_message(numbers, at, op);
    } else if (op->kind == CS_OP_WAIT && at.party < numbers->of->ranks) {
        op->peer = renumber_turn(numbers, at.party, op->peer);
    } else if (op->kind == CS_OP_WAIT) {
        assert(op->peer / numbers->of->serving == at.lane / numbers->of->serving);
        op->peer %= numbers->of->serving;
    }
}

static void renumbered_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct renumbered *numbers = ctx;
    uint32_t i = ops->count;

    (void)renumber_find(numbers, &at);
    numbers->of->round(numbers->of->ctx, at, ops);
    for (; i < ops->count; i++)
        renumber_op(numbers, at, &ops->op[i]);
}

/* Messages between rank and agent have the turn as their channel. */
static uint32_t renumbered_served(const void *ctx, uint32_t lane, const struct cs_op *send)
{
    (void)ctx;
    (void)lane;
    return send->channel - 1;
}

/* ---- turns ---- */

/* Room for a further row, in twice the memory where there is none. */
static void turns_reserve(struct cs_turns *turns, uint32_t lanes, struct cs_arena *arena)
{
    uint32_t *turn = turns->turn;
    size_t used = (size_t)turns->count * lanes;

    if (turns->count < turns->room)
        return;
    turns->room = turns->room ? 2 * turns->room : 1;
    turns->turn = cs_arena_alloc(arena, (size_t)turns->room * lanes, sizeof(*turn));
    if (used > 0)
        memcpy(turns->turn, turn, used * sizeof(*turn));
}

/* The row of equal turns among the last ones; else the one behind. */
static uint32_t turns_find(const struct cs_turns *turns, uint32_t lanes)
{
    const uint32_t *last = &turns->turn[(size_t)turns->count * lanes];

    for (uint32_t i = 1; i <= turns->count && i <= ROWS_COMPARED; i++)
        if (!memcmp(last - (size_t)i * lanes, last, lanes * sizeof(*last)))
            return turns->count - i;
    return turns->count;
}

const struct cs_turns *cs_fold_turns(struct fold_search *search, const struct cs_program *program)
{
    struct cs_arena *arena = search->arena;
    struct cs_turns *turns = cs_arena_alloc(arena, 1, sizeof(*turns));
    uint32_t lanes = program->lanes;

    turns->row = cs_arena_alloc(arena, program->ranks, sizeof(*turns->row));
    for (uint32_t rank = 0; rank < program->ranks; rank++) {
        search->steps += lanes;
        if (!fold_go_on(search))
            return NULL;
        turns_reserve(turns, lanes, arena);
        for (uint32_t lane = 0; lane < lanes; lane++)
            turns->turn[(size_t)turns->count * lanes + lane] =
                program->turn ? program->turn(program->ctx, (struct cs_at){rank, lane, 0}) : lane;
        turns->row[rank] = turns_find(turns, lanes);
        turns->count += turns->row[rank] == turns->count;
    }
    turns->lane = cs_arena_alloc(arena, (size_t)turns->count * lanes, sizeof(*turns->lane));
    for (size_t i = 0; i < (size_t)turns->count * lanes; i++)
        turns->lane[i - i % lanes + turns->turn[i]] = (uint32_t)(i % lanes);
    return turns;
}

/* ---- the program ---- */

const struct cs_program *cs_fold_renumber(const struct cs_program *program,
                                          const struct cs_turns *turns, const uint32_t *order,
                                          const uint32_t **origin, struct cs_arena *arena)
{
    struct renumbered *numbers = cs_arena_alloc(arena, 1, sizeof(*numbers));
    struct cs_program *made = cs_arena_alloc(arena, 1, sizeof(*made));
    uint32_t split = program->agents ? program->lanes / program->serving : 1;
    uint32_t parties = program->ranks + program->agents * split;
    uint32_t *of = cs_arena_alloc(arena, parties, sizeof(*of));

    *numbers = (struct renumbered){.of = program,
                                   .turns = turns,
                                   .split = split,
                                   .order = cs_arena_alloc(arena, parties, sizeof(uint32_t)),
                                   .number = cs_arena_alloc(arena, parties, sizeof(uint32_t))};
    for (uint32_t i = 0; i < parties; i++) {
        uint32_t party = order ? order[i] : i;

        numbers->order[i] = party;
        numbers->number[party] = i;
        of[i] = party < program->ranks ? party : program->ranks + (party - program->ranks) / split;
    }
    *made = *program;
    made->agents = program->agents * split;
    made->ctx = numbers;
    made->rounds = renumbered_rounds;
    made->round = renumbered_round;
    made->turn = NULL;
    made->order = NULL;
    if (program->served)
        made->served = renumbered_served;
    made->scatters = 0;
    made->where = NULL;
    *origin = of;
    return made;
}

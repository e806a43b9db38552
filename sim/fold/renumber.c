#include "sim/fold/renumber.h"

struct renumbered {
    const struct cs_program *of;
    uint32_t *order;  /* number -> rank there */
    uint32_t *number; /* the inverse */
    uint32_t *turn;   /* rank x lanes + lane there -> lane */
    uint32_t *lane;   /* rank x lanes + lane -> lane there */
};

static size_t renumber_place(const struct renumbered *numbers, uint32_t rank,
                             uint32_t lane)
{
    return (size_t)rank * numbers->of->lanes + lane;
}

static uint64_t renumbered_rounds(const void *ctx, uint32_t number,
                                  uint32_t lane)
{
    const struct renumbered *numbers = ctx;
    uint32_t rank = numbers->order[number];

    return numbers->of->rounds(
        numbers->of->ctx, rank,
        numbers->lane[renumber_place(numbers, rank, lane)]);
}

static void renumber_op(const struct renumbered *numbers, uint32_t rank,
                        uint32_t lane, struct cs_op *op)
{
    uint32_t sender = op->kind == CS_OP_SEND ? rank : op->peer;

    switch (op->kind) {
    case CS_OP_WAIT:
        op->peer = numbers->turn[renumber_place(numbers, rank, op->peer)];
        break;
    case CS_OP_SEND:
    case CS_OP_RECV:
    case CS_OP_RECV_REDUCE:
        op->channel =
            1 + (op->channel
                     ? numbers->of->lanes + op->channel - 1
                     : numbers->turn[renumber_place(numbers, sender, lane)]);
        op->peer = numbers->number[op->peer];
        break;
    default:
        break;
    }
}

static void renumbered_round(const void *ctx, uint32_t number, uint32_t lane,
                             uint64_t k, struct cs_ops *ops)
{
    const struct renumbered *numbers = ctx;
    uint32_t rank = numbers->order[number];
    uint32_t there = numbers->lane[renumber_place(numbers, rank, lane)];
    uint32_t i = ops->count;

    numbers->of->round(numbers->of->ctx, rank, there, k, ops);
    for (; i < ops->count; i++)
        renumber_op(numbers, rank, there, &ops->op[i]);
}

const struct cs_program *cs_fold_renumber(const struct cs_program *program,
                                          const uint32_t *order,
                                          struct cs_arena *arena)
{
    struct renumbered *numbers = cs_arena_alloc(arena, 1, sizeof(*numbers));
    struct cs_program *made = cs_arena_alloc(arena, 1, sizeof(*made));
    uint32_t ranks = program->ranks;
    size_t lanes = (size_t)ranks * program->lanes;
    uint32_t r, lane;

    *numbers = (struct renumbered){
        .of = program,
        .order = cs_arena_alloc(arena, ranks, sizeof(uint32_t)),
        .number = cs_arena_alloc(arena, ranks, sizeof(uint32_t)),
        .turn = cs_arena_alloc(arena, lanes, sizeof(uint32_t)),
        .lane = cs_arena_alloc(arena, lanes, sizeof(uint32_t))};
    for (r = 0; r < ranks; r++) {
        numbers->order[r] = order ? order[r] : r;
        numbers->number[numbers->order[r]] = r;
        for (lane = 0; lane < program->lanes; lane++) {
            uint32_t turn =
                program->turn ? program->turn(program->ctx, r, lane) : lane;

            numbers->turn[renumber_place(numbers, r, lane)] = turn;
            numbers->lane[renumber_place(numbers, r, turn)] = lane;
        }
    }
    *made = *program;
    made->ctx = numbers;
    made->rounds = renumbered_rounds;
    made->round = renumbered_round;
    made->turn = NULL;
    made->reduce_scatter_rounds = NULL;
    made->where = NULL;
    return made;
}

#include "algorithms/schedules/ordered.h"

#include "sim/base/collections/vector.h"

#include <string.h>

/* Before a round, for a round of another lane; both numbers are of the program as it was. */
struct ordered_wait {
    uint64_t before, round;
    uint32_t lane;
};

struct ordered_lane {
    struct ordered_wait *waits; /* in order of `before` */
    uint32_t count, room;
};

struct ordered_program {
    const struct cs_program *of;
    struct ordered_lane *lanes; /* of all parties */
};

/* ---- the program with more waits ---- */

static const struct ordered_lane *ordered_lane_at(const struct ordered_program *ordered,
                                                  uint32_t party, uint32_t lane)
{
    return &ordered->lanes[(size_t)party * ordered->of->lanes + lane];
}

/* The number that a round has behind the waits. */
static uint64_t ordered_number(const struct ordered_lane *lane, uint64_t round)
{
    uint32_t i = 0;

    while (i < lane->count && lane->waits[i].before <= round)
        i++;
    return round + i;
}

static uint64_t ordered_rounds(const void *ctx, struct cs_at at)
{
    const struct ordered_program *ordered = ctx;

    return cs_program_rounds(ordered->of, at.party, at.lane) +
           ordered_lane_at(ordered, at.party, at.lane)->count;
}

static void ordered_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct ordered_program *ordered = ctx;
    const struct ordered_lane *lane = ordered_lane_at(ordered, at.party, at.lane);
    uint32_t first = ops->count;
    uint32_t i = 0;

    while (i < lane->count && lane->waits[i].before + i < at.round)
        i++;
    if (i < lane->count && lane->waits[i].before + i == at.round) {
        cs_ops_wait(ops, lane->waits[i].lane, (uint32_t)lane->waits[i].round);
    } else {
        at.round -= i;
        ordered->of->round(ordered->of->ctx, at, ops);
    }
    for (i = first; i < ops->count; i++)
        if (ops->op[i].kind == CS_OP_WAIT)
            ops->op[i].source = (uint32_t)ordered_number(
                ordered_lane_at(ordered, at.party, ops->op[i].peer), ops->op[i].source);
}

/* ---- the waits ---- */

/* The rounds of a party, lane by lane. */
struct ordering {
    struct ordered_program *ordered;
    struct cs_arena *arena;
    uint32_t party;
    uint64_t *done;   /* rounds of each lane */
    uint64_t *heard;  /* [lane x lanes + other]: rounds of the other that it has waited for */
    uint64_t *adding; /* [block x lanes + lane]: rounds up to the last that adds to it, or 0 */
    struct cs_ops ops;
    bool any;
};

static bool ordering_adds(const struct cs_op *op)
{
    return op->kind == CS_OP_RECV_REDUCE || op->kind == CS_OP_REDUCE;
}

/* The rounds up to the last one of each lane that adds to the block. */
static uint64_t *ordering_reducers(const struct ordering *ordering, const struct cs_op *op,
                                   uint32_t number)
{
    const struct cs_program *program = ordering->ordered->of;
    uint32_t extent = cs_program_extent(program, (enum cs_buffer)op->buffer);
    uint32_t block = (op->blocks.first + number) % extent;

    if (op->buffer == CS_SCRATCH)
        block += program->blocks;
    return &ordering->adding[(size_t)block * program->lanes];
}

static void ordering_wait(struct ordering *ordering, uint32_t lane, uint32_t other, uint64_t rounds)
{
    const struct cs_program *program = ordering->ordered->of;
    struct ordered_lane *own =
        &ordering->ordered->lanes[(size_t)ordering->party * program->lanes + lane];
    uint64_t *heard = &ordering->heard[(size_t)lane * program->lanes + other];

    if (rounds <= *heard || lane == other)
        return;
    *heard = rounds;
    *CS_VECTOR_NEXT_IN(ordering->arena, own->waits, own->count, own->room) =
        (struct ordered_wait){ordering->done[lane], rounds - 1, other};
    ordering->any = true;
}

static void ordering_visit(struct ordering *ordering, uint32_t lane)
{
    uint32_t lanes = ordering->ordered->of->lanes;

    for (uint32_t i = 0; i < ordering->ops.count; i++) {
        const struct cs_op *op = &ordering->ops.op[i];

        for (uint32_t b = 0; ordering_adds(op) && b < op->blocks.count; b++) {
            uint64_t *reducers = ordering_reducers(ordering, op, b);

            for (uint32_t other = 0; other < lanes; other++)
                ordering_wait(ordering, lane, other, reducers[other]);
            reducers[lane] = ordering->done[lane] + 1;
        }
    }
    ordering->done[lane]++;
}

/* One round after the waits that are over; false where the lane has ended or waits. */
static bool ordering_advance(struct ordering *ordering, uint32_t lane)
{
    const struct cs_program *program = ordering->ordered->of;
    uint64_t rounds = cs_program_rounds(program, ordering->party, lane);
    bool moved = false;

    while (ordering->done[lane] < rounds) {
        const struct cs_op *op;

        cs_program_read(program, (struct cs_at){ordering->party, lane, ordering->done[lane]},
                        &ordering->ops);
        op = ordering->ops.op;
        if (ordering->ops.count == 0 || op->kind != CS_OP_WAIT) {
            ordering_visit(ordering, lane);
            return true;
        }
        if (ordering->done[op->peer] <= op->source)
            break;
        if (ordering->heard[(size_t)lane * program->lanes + op->peer] < op->source + 1ull)
            ordering->heard[(size_t)lane * program->lanes + op->peer] = op->source + 1ull;
        ordering->done[lane]++;
        moved = true;
    }
    return moved;
}

static void ordering_of_party(struct ordering *ordering)
{
    const struct cs_program *program = ordering->ordered->of;
    size_t lanes = program->lanes, blocks = (size_t)program->blocks + program->scratch_blocks;
    bool moved = true;

    memset(ordering->done, 0, lanes * sizeof(uint64_t));
    memset(ordering->heard, 0, lanes * lanes * sizeof(uint64_t));
    memset(ordering->adding, 0, blocks * lanes * sizeof(uint64_t));
    while (moved) {
        moved = false;
        for (uint32_t lane = 0; lane < program->lanes; lane++)
            moved |= ordering_advance(ordering, lane);
    }
}

bool cs_ordered_of(const struct cs_program *program, struct cs_arena *arena,
                   struct cs_program *ordered)
{
    CS_AT_END(cs_arena_free) struct cs_arena scratch = {0};
    size_t lanes = program->lanes, blocks = (size_t)program->blocks + program->scratch_blocks;
    struct ordered_program *kept = cs_arena_alloc(arena, 1, sizeof(*kept));
    struct ordering ordering = {.ordered = kept, .arena = arena};

    kept->of = program;
    kept->lanes = cs_arena_alloc(arena, lanes * cs_program_parties(program), sizeof(*kept->lanes));
    ordering.done = cs_arena_alloc(&scratch, lanes, sizeof(uint64_t));
    ordering.heard = cs_arena_alloc(&scratch, lanes * lanes, sizeof(uint64_t));
    ordering.adding = cs_arena_alloc(&scratch, lanes * blocks, sizeof(uint64_t));
    for (; ordering.party < cs_program_parties(program); ordering.party++)
        ordering_of_party(&ordering);
    cs_ops_free(&ordering.ops);
    *ordered = *program;
    ordered->ctx = kept;
    ordered->rounds = ordered_rounds;
    ordered->round = ordered_round;
    ordered->ring_lanes = ordered->line_lanes = false;
    ordered->turn = NULL;
    ordered->where = NULL;
    return ordering.any;
}

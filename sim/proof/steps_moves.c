#include "sim/proof/steps_state.h"

#include "sim/base/collections/vector.h"
#include "sim/proof/proof.h"

#include <string.h>

static uint64_t value_of(const struct cs_program *program, uint64_t ranks, uint32_t block)
{
    if (program->ranks > ORIGIN_SHIFT)
        return ranks;
    return ranks | (uint64_t)(block + 1) << ORIGIN_SHIFT;
}

uint64_t cs_steps_initial(const void *ctx, uint32_t rank, uint32_t block)
{
    return cs_contributes(ctx, rank, block) ? value_of(ctx, (uint64_t)1 << rank, block) : 0;
}

uint64_t cs_steps_ranks_of(uint32_t ranks, uint64_t value)
{
    return ranks > ORIGIN_SHIFT ? value : value & (((uint64_t)1 << ORIGIN_SHIFT) - 1);
}

uint16_t cs_steps_origin_of(uint32_t ranks, uint64_t value)
{
    uint16_t origin = ranks > ORIGIN_SHIFT ? CS_STEPS_MIXED : (uint16_t)(value >> ORIGIN_SHIFT);

    return origin == CS_STEPS_MIXED ? origin : (uint16_t)(origin - 1);
}

/* Both together; of two different blocks the origin is lost. */
uint64_t cs_steps_join(uint32_t ranks, uint64_t a, uint64_t b)
{
    uint64_t origin_a = a >> ORIGIN_SHIFT;
    uint64_t origin_b = b >> ORIGIN_SHIFT;

    if (ranks > ORIGIN_SHIFT)
        return a | b;
    if (origin_a && origin_b && origin_a != origin_b)
        origin_a = CS_STEPS_MIXED;
    return cs_steps_ranks_of(ranks, a | b) | (origin_a ? origin_a : origin_b) << ORIGIN_SHIFT;
}

static bool steps_add(const void *ctx, uint64_t a, uint64_t b, uint64_t *sum)
{
    const struct cs_program *program = ctx;

    *sum = cs_steps_join(program->ranks, a, b);
    return cs_steps_ranks_of(program->ranks, a & b) == 0 || program->idempotent;
}

uint64_t cs_steps_goal(const struct cs_program *program, uint32_t rank, uint32_t block)
{
    struct cs_goal owed = cs_goal_of(program, rank, block);
    uint64_t all = UINT64_MAX >> (CS_STEPS_RANKS_MAX - program->ranks);

    return value_of(program, owed.is_sum ? all : (uint64_t)1 << owed.rank, owed.block);
}

static void keep_values(struct steps_builder *builder, const uint64_t *values, uint32_t count)
{
    builder->values = cs_vector_room(builder->values, builder->value_count + count,
                                     &builder->value_capacity, sizeof(*builder->values));
    memcpy(builder->values + builder->value_count, values, count * sizeof(*values));
    builder->value_count += count;
}

static void steps_on_moved(void *watcher, const struct cs_replay_move *moved)
{
    struct steps_builder *builder = watcher;
    struct move move = {
        .from = moved->from,
        .to = moved->to,
        .adds = moved->adds,
        .amount = moved->amount,
        .local = moved->from.at.party == moved->to.at.party,
        .values = builder->value_count,
    };

    keep_values(builder, moved->values, moved->to.blocks.count);
    *CS_VECTOR_NEXT(builder->moves, builder->move_count, builder->move_capacity) = move;
    builder->messages += !move.local;
}

int cs_steps_replay(struct steps_builder *builder, struct cs_err *err)
{
    const struct cs_program *program = builder->program;
    struct cs_algebra algebra = {.initial = cs_steps_initial,
                                 .add = steps_add,
                                 .ctx = program,
                                 .moved = steps_on_moved,
                                 .watcher = builder};
    struct cs_replay_window all = {0, program->blocks};
    struct cs_replay *state;
    int code = cs_replay_run(program, &algebra, all, &state, err);

    cs_replay_free(state);
    return code;
}

#include "sim/proof/steps_state.h"

/* Classifies rounds: with sends, with a WAIT. */
static void open_lane(struct steps_builder *builder, uint32_t index, struct cs_ops *ops)
{
    const struct cs_program *program = builder->program;
    struct steps_lane *lane = &builder->lanes[index];
    struct cs_op *waits = cs_arena_alloc(builder->arena, lane->rounds, sizeof(*waits));

    lane->start = cs_arena_alloc(builder->arena, lane->rounds + 1, sizeof(*lane->start));
    lane->sends = cs_arena_alloc(builder->arena, lane->rounds, sizeof(*lane->sends));
    lane->waits = waits;
    for (uint64_t k = 0; k < lane->rounds; k++) {
        cs_program_read(program, (struct cs_at){index / program->lanes, index % program->lanes, k},
                        ops);
        for (uint32_t i = 0; i < ops->count; i++) {
            lane->sends[k] |= ops->op[i].kind == CS_OP_SEND;
            if (ops->op[i].kind == CS_OP_WAIT)
                waits[k] = ops->op[i];
        }
    }
}

void cs_steps_open_lanes(struct steps_builder *builder)
{
    CS_AT_END(cs_ops_free) struct cs_ops ops = {0};

    for (uint32_t i = 0; i < cs_lane_count(builder->program); i++)
        open_lane(builder, i, &ops);
}

static bool steps_raise(uint64_t *time, uint64_t least)
{
    if (*time >= least)
        return false;
    *time = least;
    return true;
}

static struct steps_lane *steps_lane_of(const struct steps_builder *builder, struct cs_at at)
{
    return &builder->lanes[at.party * builder->program->lanes + at.lane];
}

/* A message takes one step, and its receive is done no sooner than its round
 * starts; a round ends when all of its moves are done. */
static bool push_move(const struct steps_builder *builder, struct move *move)
{
    struct steps_lane *from = steps_lane_of(builder, move->from.at);
    struct steps_lane *to = steps_lane_of(builder, move->to.at);
    bool changed = steps_raise(&move->sent_at, from->start[move->from.at.round]);

    changed |= steps_raise(&move->taken_at, move->sent_at + !move->local);
    changed |= steps_raise(&move->taken_at, to->start[move->to.at.round]);
    changed |= steps_raise(&from->start[move->from.at.round + 1], move->sent_at + !move->local);
    changed |= steps_raise(&to->start[move->to.at.round + 1], move->taken_at);
    return changed;
}

/* Rounds of a lane follow each other; a sending round starts no sooner than its
 * number, and a waiting round ends with the awaited round. */
static bool push_lane(const struct steps_builder *builder, uint32_t index)
{
    uint32_t first = index - index % builder->program->lanes;
    struct steps_lane *lane = &builder->lanes[index];
    bool changed = false;

    for (uint64_t k = 0; k < lane->rounds; k++) {
        const struct cs_op *wait = &lane->waits[k];

        if (lane->sends[k])
            changed |= steps_raise(&lane->start[k], k);
        changed |= steps_raise(&lane->start[k + 1], lane->start[k]);
        if (wait->kind == CS_OP_WAIT)
            changed |= steps_raise(&lane->start[k + 1],
                                   builder->lanes[first + wait->peer].start[wait->source + 1]);
    }
    return changed;
}

/* Times only rise, and causes come before effects in the moves, so a few
 * passes do. */
void cs_steps_lockstep(struct steps_builder *builder)
{
    bool changed = true;

    while (changed) {
        changed = false;
        for (uint32_t i = 0; i < cs_lane_count(builder->program); i++)
            changed |= push_lane(builder, i);
        for (uint32_t i = 0; i < builder->move_count; i++)
            changed |= push_move(builder, &builder->moves[i]);
    }
}

#include "algorithms/schedules/schedule.h"

#include "sim/base/collections/vector.h"
#include "sim/base/hash.h"

#include <string.h>

const struct cs_collective cs_collective_custom = {
    .name = "custom",
    .before = CS_EVERY_RANK,
    .after = CS_NOTHING,
    .bus = CS_BUS_ONE,
    .about = "an imported schedule without a specification",
};

/* ---- shapes ---- */

static uint64_t schedule_hash(const struct cs_ops *ops)
{
    uint64_t hash = CS_HASH_START;
    uint64_t word;

    for (size_t at = 0; at < ops->count * sizeof(struct cs_op); at += sizeof(word)) {
        memcpy(&word, (const char *)ops->op + at, sizeof(word));
        hash = cs_hash_mix(hash, word);
    }
    return hash;
}

static bool schedule_is_shape(const struct cs_schedule_shape *shape, const struct cs_ops *ops)
{
    return shape->count == ops->count &&
           (ops->count == 0 || memcmp(shape->op, ops->op, ops->count * sizeof(*ops->op)) == 0);
}

/* The slot of the ops: free, or with the number of their shape. */
static uint32_t *schedule_slot(const struct cs_schedule_maker *maker, const struct cs_ops *ops)
{
    uint32_t slot = cs_hash_slot(schedule_hash(ops));

    for (;; slot++) {
        uint32_t *found = &maker->slots[slot & (maker->slot_count - 1)];

        if (*found == 0 || schedule_is_shape(&maker->shapes[*found - 1], ops))
            return found;
    }
}

/* At most half full. */
static void schedule_grow_slots(struct cs_schedule_maker *maker)
{
    maker->slot_count = maker->slot_count ? 2 * maker->slot_count : 256;
    free(maker->slots);
    maker->slots = cs_grow(NULL, maker->slot_count, sizeof(*maker->slots));
    memset(maker->slots, 0, maker->slot_count * sizeof(*maker->slots));
    for (uint32_t i = 0; i < maker->shape_count; i++) {
        /* Only read by the hash. */
        const struct cs_ops ops = {.op = (struct cs_op *)maker->shapes[i].op,
                                   .count = maker->shapes[i].count};

        *schedule_slot(maker, &ops) = i + 1;
    }
}

static uint32_t schedule_shape(struct cs_schedule_maker *maker)
{
    const struct cs_ops *ops = &maker->ops;
    struct cs_schedule_shape shape = {.count = ops->count};
    struct cs_op *copy;
    uint32_t *slot;

    if (2 * maker->shape_count >= maker->slot_count)
        schedule_grow_slots(maker);
    slot = schedule_slot(maker, ops);
    if (*slot)
        return *slot - 1;
    copy = cs_arena_alloc(maker->arena, ops->count, sizeof(*copy));
    if (ops->count)
        memcpy(copy, ops->op, ops->count * sizeof(*copy));
    shape.op = copy;
    *CS_VECTOR_NEXT(maker->shapes, maker->shape_count, maker->shape_capacity) = shape;
    *slot = maker->shape_count;
    return maker->shape_count - 1;
}

/* ---- making ---- */

void cs_schedule_open(struct cs_schedule_maker *maker, uint32_t ranks, struct cs_arena *arena)
{
    *maker = (struct cs_schedule_maker){.arena = arena};
    maker->ranks = cs_arena_alloc(arena, ranks, sizeof(*maker->ranks));
}

/* The ops pushed since the round began. */
static void schedule_end_round(struct cs_schedule_maker *maker)
{
    uint32_t round = maker->round_count - 1;

    if (!maker->in_round)
        return;
    for (uint32_t i = 0; i < maker->ops.count; i++)
        if (maker->ops.op[i].kind == CS_OP_WAIT)
            maker->ops.op[i].source =
                round - maker->first[maker->rank->lanes - 1] - maker->ops.op[i].source;
    maker->shape[round] = schedule_shape(maker);
    maker->ops.count = 0;
    maker->in_round = false;
}

static void schedule_end_rank(struct cs_schedule_maker *maker)
{
    struct cs_schedule_rank *rank = maker->rank;
    uint32_t rounds = maker->round_count;

    if (!rank)
        return;
    schedule_end_round(maker);
    if (rank->lanes > 0) {
        maker->first[rank->lanes] = rounds;
        rank->first =
            cs_arena_copy(maker->arena, maker->first, rank->lanes + 1, sizeof(*rank->first));
        rank->shape = cs_arena_copy(maker->arena, maker->shape, rounds, sizeof(*rank->shape));
        rank->line = cs_arena_copy(maker->arena, maker->line, rounds, sizeof(*rank->line));
    }
    if (rank->lanes > maker->most_lanes)
        maker->most_lanes = rank->lanes;
    maker->rank = NULL;
    maker->round_count = 0;
}

void cs_schedule_rank(struct cs_schedule_maker *maker, uint32_t rank)
{
    schedule_end_rank(maker);
    maker->rank = &maker->ranks[rank];
}

/* With room for the end. */
void cs_schedule_lane(struct cs_schedule_maker *maker)
{
    uint32_t lane = maker->rank->lanes;

    schedule_end_round(maker);
    maker->first =
        cs_vector_room(maker->first, lane + 2, &maker->lane_capacity, sizeof(*maker->first));
    maker->first[lane] = maker->round_count;
    maker->rank->lanes++;
}

void cs_schedule_round(struct cs_schedule_maker *maker, uint32_t line)
{
    schedule_end_round(maker);
    if (maker->round_count == maker->round_capacity) {
        uint32_t capacity = maker->round_capacity;

        maker->shape =
            cs_vector_grow(maker->shape, maker->round_count + 1, &capacity, sizeof(*maker->shape));
        maker->line = cs_vector_grow(maker->line, maker->round_count + 1, &maker->round_capacity,
                                     sizeof(*maker->line));
    }
    maker->line[maker->round_count++] = line;
    maker->in_round = true;
}

void cs_schedule_end(struct cs_schedule_maker *maker, uint32_t ranks, struct cs_schedule *schedule)
{
    schedule_end_rank(maker);
    schedule->ranks = ranks;
    schedule->lanes = maker->most_lanes ? maker->most_lanes : 1;
    schedule->rank = maker->ranks;
    schedule->shape =
        cs_arena_copy(maker->arena, maker->shapes, maker->shape_count, sizeof(*maker->shapes));
}

void cs_schedule_close(struct cs_schedule_maker *maker)
{
    cs_ops_free(&maker->ops);
    free(maker->first);
    free(maker->shape);
    free(maker->line);
    free(maker->shapes);
    free(maker->slots);
    *maker = (struct cs_schedule_maker){0};
}

/* ---- the algorithm ---- */

static const struct cs_schedule *schedule_of(const void *ctx)
{
    const struct cs_call *call = ctx;
    const struct cs_schedule *schedule = call->schedule;
    uint64_t bytes = call->elements * call->element_bytes;

    while (schedule->longer && bytes >= schedule->longer->from_bytes)
        schedule = schedule->longer;
    return schedule;
}

static uint64_t table_rounds(const void *ctx, struct cs_at at)
{
    const struct cs_schedule_rank *own = &schedule_of(ctx)->rank[at.party];

    return at.lane < own->lanes ? own->first[at.lane + 1] - own->first[at.lane] : 0;
}

static void table_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct cs_schedule *schedule = schedule_of(ctx);
    const struct cs_schedule_rank *own = &schedule->rank[at.party];
    const struct cs_schedule_shape *shape =
        &schedule->shape[own->shape[own->first[at.lane] + at.round]];

    for (uint32_t i = 0; i < shape->count; i++) {
        cs_ops_push(ops, shape->op[i]);
        if (shape->op[i].kind == CS_OP_WAIT)
            ops->op[ops->count - 1].source = (uint32_t)at.round - shape->op[i].source;
    }
}

/* The position in the imported file, for errors of the prover. */
static struct cs_place table_where(const void *ctx, struct cs_at at)
{
    const struct cs_schedule *schedule = schedule_of(ctx);
    const struct cs_schedule_rank *own = &schedule->rank[at.party];

    return (struct cs_place){.file = schedule->file,
                             .number = own->line[own->first[at.lane] + at.round],
                             .is_op = schedule->numbers_ops};
}

static uint32_t table_turn(const void *ctx, struct cs_at at)
{
    const struct cs_schedule *schedule = schedule_of(ctx);

    return schedule->turn[at.party * schedule->lanes + at.lane];
}

static uint32_t table_order(const void *ctx, uint32_t party)
{
    return schedule_of(ctx)->order[party];
}

static uint32_t table_lanes(const struct cs_call *call)
{
    return schedule_of(call)->lanes;
}

static uint32_t table_agents(const struct cs_call *call)
{
    return schedule_of(call)->agents;
}

static uint32_t table_blocks(const struct cs_call *call)
{
    return schedule_of(call)->blocks;
}

/* Blocks of the piece of a rank; 1 if the vector has no whole piece per rank. */
static uint32_t table_parts(const struct cs_call *call)
{
    uint32_t blocks = table_blocks(call);

    return blocks % call->ranks ? 1 : blocks / call->ranks;
}

static uint32_t table_scratch(const struct cs_call *call)
{
    return schedule_of(call)->scratch;
}

/* A schedule holds for a single number of ranks. */
static int table_check(const struct cs_algo *algo, const struct cs_call *call, struct cs_err *err)
{
    const struct cs_schedule *schedule = schedule_of(call);

    (void)algo;
    if (call->ranks == schedule->ranks)
        return 0;
    return cs_err_set(
        err, CS_EINPUT,
        "'%.200s' is for %u ranks, not %u; write --ranks %u or choose another machine",
        schedule->file, schedule->ranks, call->ranks, schedule->ranks);
}

struct cs_algo cs_schedule_algo(const struct cs_schedule *schedule)
{
    return (struct cs_algo){
        .about = "an imported schedule",
        .formula = "none: imported schedule",
        .exactness = CS_COST_ROUGHLY,
        .moves_blocks = true,
        .schedule = schedule,
        .check = table_check,
        .agents = table_agents,
        .lanes = table_lanes,
        .blocks = table_blocks,
        .parts = table_parts,
        .scratch = table_scratch,
        .rounds = table_rounds,
        .round = table_round,
        .turn = schedule->turn ? table_turn : NULL,
        .order = schedule->turn ? table_order : NULL,
        .where = table_where,
    };
}

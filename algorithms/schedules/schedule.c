#include "algorithms/schedules/schedule.h"

#include <stdio.h>
#include <string.h>

const struct cs_collective cs_collective_custom = {
    .name = "custom",
    .before = CS_EVERY_RANK,
    .after = CS_NOTHING,
    .bus = CS_BUS_ONE,
    .about = "an imported schedule without a specification",
};

/* ---- making ---- */

void cs_schedule_lane(struct cs_schedule_maker *maker)
{
    maker->round = cs_vector_room(maker->round, maker->lane_count + 1,
                                  &maker->lane_capacity, sizeof(*maker->round));
    maker->round[maker->lane_count++] = maker->round_count;
}

void cs_schedule_round(struct cs_schedule_maker *maker, uint32_t line)
{
    if (maker->round_count == maker->round_capacity) {
        uint32_t capacity = maker->round_capacity;

        maker->op = cs_vector_grow(maker->op, maker->round_count + 1, &capacity,
                                   sizeof(*maker->op));
        maker->line =
            cs_vector_grow(maker->line, maker->round_count + 1,
                           &maker->round_capacity, sizeof(*maker->line));
    }
    maker->op[maker->round_count] = maker->ops.count;
    maker->line[maker->round_count++] = line;
}

/* A copy in the arena: the lists of the maker have spare capacity. */
static void *schedule_moved(struct cs_arena *arena, const void *from,
                            size_t count, size_t size)
{
    void *to = cs_arena_alloc(arena, count, size);

    memcpy(to, from, count * size);
    return to;
}

/* Arrays move from the heap, where they grew, to the arena of the algorithm. */
void cs_schedule_end(struct cs_schedule_maker *maker,
                     struct cs_schedule *schedule, struct cs_arena *arena)
{
    uint32_t rounds = maker->round_count;
    uint32_t lanes = maker->lane_count;

    /* Sentinels: a lane ends where the next lane begins, a round likewise. */
    cs_schedule_lane(maker);
    cs_schedule_round(maker, 0);
    cs_ops_push(&maker->ops, (struct cs_op){0});
    schedule->round =
        schedule_moved(arena, maker->round, lanes + 1, sizeof(*maker->round));
    schedule->op =
        schedule_moved(arena, maker->op, rounds + 1, sizeof(*maker->op));
    schedule->line =
        schedule_moved(arena, maker->line, rounds + 1, sizeof(*maker->line));
    schedule->ops = schedule_moved(arena, maker->ops.op, maker->ops.count,
                                   sizeof(struct cs_op));
    cs_ops_free(&maker->ops);
    free(maker->op);
    free(maker->line);
    free(maker->round);
    *maker = (struct cs_schedule_maker){0};
}

/* ---- the algorithm ---- */

static const struct cs_schedule *schedule_of(const void *ctx)
{
    return ((const struct cs_call *)ctx)->schedule;
}

static uint64_t table_rounds(const void *ctx, uint32_t rank, uint32_t lane)
{
    const struct cs_schedule *schedule = schedule_of(ctx);
    size_t at = (size_t)rank * schedule->lanes + lane;

    return schedule->round[at + 1] - schedule->round[at];
}

/* The index of round k of the lane in the table. */
static uint32_t table_round_index(const struct cs_schedule *schedule,
                                  uint32_t rank, uint32_t lane, uint64_t k)
{
    return schedule->round[(size_t)rank * schedule->lanes + lane] + (uint32_t)k;
}

static void table_round(const void *ctx, uint32_t rank, uint32_t lane,
                        uint64_t k, struct cs_ops *ops)
{
    const struct cs_schedule *schedule = schedule_of(ctx);
    uint32_t round = table_round_index(schedule, rank, lane, k);
    uint32_t i;

    for (i = schedule->op[round]; i < schedule->op[round + 1]; i++)
        cs_ops_push(ops, schedule->ops[i]);
}

/* The position in the imported file, for errors of the prover. */
static struct cs_place table_where(const void *ctx, uint32_t rank,
                                   uint32_t lane, uint64_t k)
{
    const struct cs_schedule *schedule = schedule_of(ctx);

    return (struct cs_place){
        schedule->file,
        schedule->line[table_round_index(schedule, rank, lane, k)]};
}

static uint32_t table_lanes(const struct cs_call *call)
{
    return schedule_of(call)->lanes;
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
static int table_check(const struct cs_algo *algo, const struct cs_call *call,
                       struct cs_err *err)
{
    const struct cs_schedule *schedule = schedule_of(call);

    (void)algo;
    if (call->ranks == schedule->ranks)
        return 0;
    return cs_err_set(err, CS_EINPUT,
                      "'%.200s' is for %u ranks, not %u; write --ranks %u or "
                      "choose another machine",
                      schedule->file, schedule->ranks, call->ranks,
                      schedule->ranks);
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
        .lanes = table_lanes,
        .blocks = table_blocks,
        .parts = table_parts,
        .scratch = table_scratch,
        .rounds = table_rounds,
        .round = table_round,
        .where = table_where,
    };
}

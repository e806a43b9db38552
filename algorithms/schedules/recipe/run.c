#include "algorithms/schedules/recipe/recipe.h"

#include "sim/base/collections/vector.h"
#include "sim/base/order.h"

#include <stdlib.h>
#include <string.h>

/* An op at its place. */
struct placed_op {
    struct cs_op op;
    uint32_t lane, round, line;
    uint32_t number; /* in the order of the text; and of an empty round */
    bool is_empty;
};

struct recipe_run {
    const struct cs_recipe *recipe;
    const struct cs_call *call;
    struct cs_err *err;
    struct cs_schedule *schedule;
    uint32_t lanes; /* of the head */
    uint64_t steps;
    int64_t values[CS_RECIPE_NAMES_MAX];
    /* Of one rank. */
    struct placed_op *placed;
    uint32_t placed_count, placed_room;
    uint32_t lane;
    uint32_t *rounds; /* by lane: so far */
};

static int run_complain(const struct recipe_run *run, const struct cs_recipe_step *step,
                        const char *what, int64_t found, int64_t limit)
{
    return cs_err_at(run->err, CS_EINPUT, run->recipe->file, step->line,
                     "%s %lld for rank %lld of %lld; expected 0 to %lld", what, (long long)found,
                     (long long)run->values[CS_RECIPE_R], (long long)run->values[CS_RECIPE_P],
                     (long long)limit - 1);
}

static int64_t run_value(const struct recipe_run *run, const struct cs_recipe_step *step,
                         uint32_t i)
{
    return cs_recipe_value(run->recipe, step->x[i], run->values, step->line, run->err);
}

/* A value below the limit. */
static int run_number(const struct recipe_run *run, const struct cs_recipe_step *step, uint32_t i,
                      const char *what, int64_t limit, uint32_t *number)
{
    int64_t value = run_value(run, step, i);

    *number = 0;
    if (run->err->code)
        return run->err->code;
    if (value < 0 || value >= limit)
        return run_complain(run, step, what, value, limit);
    *number = (uint32_t)value;
    return 0;
}

/* ---- ops ---- */

static void run_place(struct recipe_run *run, const struct placed_op *placed)
{
    uint32_t number = run->placed_count;

    *CS_VECTOR_NEXT(run->placed, run->placed_count, run->placed_room) = *placed;
    run->placed[number].number = number;
}

/* A block number goes around. */
static int run_block(const struct recipe_run *run, const struct cs_recipe_step *step, uint32_t i,
                     uint8_t buffer, uint32_t *block)
{
    int64_t size = buffer == CS_SCRATCH ? run->schedule->scratch : run->schedule->blocks;
    int64_t value = run_value(run, step, i);

    *block = 0;
    if (run->err->code)
        return run->err->code;
    if (size == 0)
        return cs_err_at(run->err, CS_EINPUT, run->recipe->file, step->line,
                         "no scratch blocks; expected a line such as 'scratch p' in the head");
    value %= size;
    *block = (uint32_t)(value < 0 ? value + size : value);
    return 0;
}

static int run_blocks(const struct recipe_run *run, const struct cs_recipe_step *step,
                      uint8_t buffer, struct cs_blocks *blocks)
{
    int64_t size = buffer == CS_SCRATCH ? run->schedule->scratch : run->schedule->blocks;
    int code = run_block(run, step, 0, buffer, &blocks->first);

    blocks->count = 1;
    if (!code && step->x[1].count)
        code = run_number(run, step, 1, "a number of blocks of", size + 1, &blocks->count);
    if (!code && blocks->count == 0)
        code = cs_err_at(run->err, CS_EINPUT, run->recipe->file, step->line,
                         "no blocks for rank %lld of %lld; expected at least one",
                         (long long)run->values[CS_RECIPE_R], (long long)run->values[CS_RECIPE_P]);
    return code;
}

static int run_message(const struct recipe_run *run, const struct cs_recipe_step *step,
                       struct cs_op *op)
{
    int64_t parties = (int64_t)run->call->ranks + run->schedule->agents;
    int code = run_number(run, step, 2, "a message with rank", parties, &op->peer);

    if (!code && op->peer == (uint64_t)run->values[CS_RECIPE_R])
        code = cs_err_at(run->err, CS_EINPUT, run->recipe->file, step->line,
                         "rank %u of %lld and itself exchange no messages; expected 'copy'",
                         op->peer, (long long)run->values[CS_RECIPE_P]);
    return code ? code : run_blocks(run, step, op->buffer, &op->blocks);
}

static int run_copy(const struct recipe_run *run, const struct cs_recipe_step *step,
                    struct cs_op *op)
{
    struct cs_blocks source = {0};
    int code = run_blocks(run, step, op->source_buffer, &source);

    if (code)
        return code;
    op->source = source.first;
    op->blocks.count = source.count;
    return run_block(run, step, 2, op->buffer, &op->blocks.first);
}

static int run_act(struct recipe_run *run, const struct cs_recipe_step *step)
{
    struct placed_op placed = {
        .op = step->op, .lane = run->lane, .round = run->rounds[run->lane] - 1, .line = step->line};
    int code = cs_op_is_local(&placed.op) ? run_copy(run, step, &placed.op)
                                          : run_message(run, step, &placed.op);

    if (!code && step->x[6].count) {
        code = run_number(run, step, 6, "channel", 1 << 20, &placed.op.channel);
        placed.op.channel++; /* 0 is the lane's */
    }
    if (!code)
        run_place(run, &placed);
    return code;
}

static int run_wait(struct recipe_run *run, const struct cs_recipe_step *step,
                    struct placed_op placed)
{
    int code = run_number(run, step, 0, "lane", CS_RECIPE_LANES_MAX, &placed.op.peer);

    if (!code)
        code = run_number(run, step, 1, "round", CS_RECIPE_ROUNDS_MAX, &placed.op.source);
    if (!code && placed.op.peer == placed.lane)
        code = cs_err_at(run->err, CS_EINPUT, run->recipe->file, step->line,
                         "lane %u waits for itself; expected another lane", placed.lane);
    placed.op.kind = CS_OP_WAIT;
    if (!code)
        run_place(run, &placed);
    return code;
}

/* An op of a table, if it is of this rank. */
static int run_placed(struct recipe_run *run, const struct cs_recipe_step *step, uint32_t *at)
{
    int64_t parties = (int64_t)run->call->ranks + run->schedule->agents;
    struct placed_op placed = {.op = step->op, .line = step->line};
    uint32_t party = 0;
    uint32_t channel = 0;
    int code = run_number(run, step, 3, "party", parties, &party);

    if (code || party != (uint64_t)run->values[CS_RECIPE_R]) {
        *at = step->target;
        return code;
    }
    code = run_number(run, step, 4, "lane", run->lanes, &placed.lane);
    if (!code)
        code = run_number(run, step, 5, "round", CS_RECIPE_ROUNDS_MAX, &placed.round);
    if (code)
        return code;
    if (step->op.kind == CS_OP_WAIT)
        return run_wait(run, step, placed);
    code = run_number(run, step, 6, "channel", (int64_t)1 << 30, &channel);
    if (!code)
        code = run_message(run, step, &placed.op);
    if (code)
        return code;
    if (channel != placed.lane && channel < run->lanes)
        return cs_err_at(run->err, CS_EINPUT, run->recipe->file, step->line,
                         "channel %u is that of another lane; expected %u, or %u and more", channel,
                         placed.lane, run->lanes);
    placed.op.channel = channel == placed.lane ? 0 : channel - run->lanes + 1;
    run_place(run, &placed);
    return 0;
}

/* The place of a lane or party, in its own pass. */
static int run_turn(const struct recipe_run *run, const struct cs_recipe_step *step)
{
    bool is_lane = step->kind == CS_RECIPE_TURN;
    uint32_t parties = run->call->ranks + run->schedule->agents;
    uint32_t party = 0, lane = 0, place = 0;
    int code = run_number(run, step, 3, "party", parties, &party);

    if (code || party != (uint64_t)run->values[CS_RECIPE_R])
        return code;
    if (is_lane)
        code = run_number(run, step, 4, "lane", run->lanes, &lane);
    if (!code)
        code = run_number(run, step, 0, "place", is_lane ? run->lanes : parties, &place);
    if (!code && is_lane)
        run->schedule->turn[(size_t)party * run->lanes + lane] = place;
    else if (!code)
        run->schedule->order[party] = place;
    return code;
}

/* ---- steps ---- */

static int run_round(struct recipe_run *run, const struct cs_recipe_step *step)
{
    struct placed_op placed = {
        .lane = run->lane, .round = run->rounds[run->lane], .is_empty = true};

    if (run->rounds[run->lane]++ == CS_RECIPE_ROUNDS_MAX)
        return cs_err_at(run->err, CS_EINPUT, run->recipe->file, step->line,
                         "more than %d rounds of a lane", CS_RECIPE_ROUNDS_MAX);
    placed.line = step->line;
    run_place(run, &placed);
    return 0;
}

/* Steps that change the flow; returns the next one. */
static uint32_t run_flow(struct recipe_run *run, uint32_t at)
{
    const struct cs_recipe_step *step = &run->recipe->steps[at];
    int64_t *value = &run->values[step->slot];

    switch (step->kind) {
    case CS_RECIPE_FOR:
        value[0] = run_value(run, step, 0);
        value[1] = run_value(run, step, 1);
        return value[0] > value[1] ? step->target : at + 1;
    case CS_RECIPE_NEXT:
        return value[0] < value[1] ? (value[0]++, step->target) : at + 1;
    case CS_RECIPE_IF:
        return run_value(run, step, 0) ? at + 1 : step->target;
    case CS_RECIPE_JUMP:
        return step->target;
    case CS_RECIPE_LET:
        value[0] = run_value(run, step, 0);
        return at + 1;
    case CS_RECIPE_RESTORE:
        run->lane = (uint32_t)value[0];
        return at + 1;
    default:
        return at + 1;
    }
}

static int run_require(const struct recipe_run *run, const struct cs_recipe_step *step)
{
    if (run_value(run, step, 0) || run->err->code)
        return run->err->code;
    return cs_err_at(run->err, CS_EINPUT, run->recipe->file, step->line,
                     "not for %lld ranks; expected %.200s", (long long)run->values[CS_RECIPE_P],
                     step->text);
}

static int run_step(struct recipe_run *run, uint32_t *at)
{
    const struct cs_recipe_step *step = &run->recipe->steps[*at];

    *at = run_flow(run, *at);
    switch (step->kind) {
    case CS_RECIPE_LANE:
        run->values[step->slot] = run->lane;
        return run_number(run, step, 0, "lane", CS_RECIPE_LANES_MAX, &run->lane);
    case CS_RECIPE_REQUIRE:
        return run_require(run, step);
    case CS_RECIPE_ROUND:
        return run_round(run, step);
    case CS_RECIPE_ACT:
        return run_act(run, step);
    case CS_RECIPE_WAIT:
        return run_wait(run, step,
                        (struct placed_op){.lane = run->lane,
                                           .round = run->rounds[run->lane] - 1,
                                           .line = step->line});
    case CS_RECIPE_PLACE:
        return run_placed(run, step, at);
    case CS_RECIPE_TURN:
    case CS_RECIPE_ORDER:
        return run_turn(run, step);
    default:
        return run->err->code;
    }
}

static int run_too_long(const struct recipe_run *run, uint32_t line)
{
    return cs_err_at(run->err, CS_EINPUT, run->recipe->file, line,
                     "more than %d steps and rounds; expected fewer ranks or shorter loops",
                     CS_RECIPE_STEPS_MAX);
}

static int run_rank(struct recipe_run *run, uint32_t rank)
{
    uint32_t at = 0;
    int code = 0;

    for (uint32_t i = CS_RECIPE_OWN; i < CS_RECIPE_NAMES_MAX; i++)
        run->values[i] = 0;
    for (uint32_t i = 0; i < CS_RECIPE_LANES_MAX; i++)
        run->rounds[i] = 0;
    run->values[CS_RECIPE_R] = rank;
    run->lane = 0;
    run->placed_count = 0;
    while (at < run->recipe->step_count && !code) {
        if (++run->steps > CS_RECIPE_STEPS_MAX)
            return run_too_long(run, run->recipe->steps[at].line);
        code = run_step(run, &at);
    }
    return code;
}

/* ---- the schedule ---- */

uint32_t cs_recipe_ranks(const struct cs_recipe *recipe, uint32_t otherwise)
{
    const int64_t values[CS_RECIPE_NAMES_MAX] = {[CS_RECIPE_P] = otherwise};
    struct cs_err err = {0};
    int64_t ranks =
        recipe->ranks.count ? cs_recipe_value(recipe, recipe->ranks, values, 1, &err) : otherwise;

    return err.code || ranks < 1 || ranks > CS_SCHEDULE_RANKS_MAX ? otherwise : (uint32_t)ranks;
}

static int compare_placed(const void *left, const void *right)
{
    const struct placed_op *a = left;
    const struct placed_op *b = right;

    return CS_ORDER({a->lane, b->lane}, {a->round, b->round}, {a->number, b->number});
}

/* The rank's lanes and rounds up to the last one of each, in order. */
static int run_keep_rank(struct recipe_run *run, uint32_t rank, struct cs_schedule_maker *maker)
{
    uint32_t lanes = 0;
    uint32_t rounds = 0;

    if (run->placed_count)
        qsort(run->placed, run->placed_count, sizeof(*run->placed), compare_placed);
    cs_schedule_rank(maker, rank);
    for (uint32_t i = 0; i < run->placed_count; i++) {
        const struct placed_op *placed = &run->placed[i];

        if (lanes <= placed->lane)
            run->steps += (uint64_t)placed->lane - lanes + 1;
        for (; lanes <= placed->lane && run->steps <= CS_RECIPE_STEPS_MAX; lanes++) {
            cs_schedule_lane(maker);
            rounds = 0;
        }
        if (rounds <= placed->round)
            run->steps += (uint64_t)placed->round - rounds + 1;
        if (run->steps > CS_RECIPE_STEPS_MAX)
            return run_too_long(run, placed->line);
        for (; rounds <= placed->round; rounds++)
            cs_schedule_round(maker, placed->line);
        if (!placed->is_empty)
            cs_ops_push(&maker->ops, placed->op);
    }
    return 0;
}

/* A number of the head. */
static int run_head(const struct recipe_run *run, struct cs_recipe_expression x, int64_t otherwise,
                    int64_t least, uint32_t *number)
{
    enum {
        BLOCKS_MAX = 1 << 24
    };
    int64_t value = x.count ? cs_recipe_value(run->recipe, x, run->values, 1, run->err) : otherwise;

    *number = 0;
    if (run->err->code)
        return run->err->code;
    if (value < least || value > BLOCKS_MAX)
        return cs_err_set(run->err, CS_EINPUT,
                          "%s: %lld ranks, agents, lanes, blocks or scratch blocks; expected %lld "
                          "to %d",
                          run->recipe->file, (long long)value, (long long)least, BLOCKS_MAX);
    *number = (uint32_t)value;
    return 0;
}

static int run_heads(struct recipe_run *run)
{
    const struct cs_recipe *recipe = run->recipe;
    uint32_t p = run->call->ranks;
    uint32_t ranks = 0;
    int code = run_head(run, recipe->ranks, p, 1, &ranks);

    if (!code && ranks != p)
        code = cs_err_set(run->err, CS_EINPUT,
                          "'%.200s' is for %u ranks, not %u; write --ranks %u or choose another "
                          "machine",
                          recipe->file, ranks, p, ranks);
    if (!code)
        code = run_head(run, recipe->agents, 0, 0, &run->schedule->agents);
    if (!code)
        code = run_head(run, recipe->lanes, 1, 1, &run->lanes);
    if (!code)
        code = run_head(run, recipe->blocks, p, 1, &run->schedule->blocks);
    if (!code)
        code = run_head(run, recipe->scratch, 0, 0, &run->schedule->scratch);
    return code;
}

/* Numbers, until the steps say otherwise. */
static void run_open_places(struct recipe_run *run, uint32_t parties, uint32_t each,
                            struct cs_arena *arena)
{
    struct cs_schedule *schedule = run->schedule;
    size_t lanes = (size_t)parties * each;

    schedule->turn = cs_arena_alloc(arena, lanes, sizeof(*schedule->turn));
    schedule->order = cs_arena_alloc(arena, parties, sizeof(*schedule->order));
    for (size_t i = 0; i < lanes; i++)
        schedule->turn[i] = (uint32_t)(i % each);
    for (uint32_t i = 0; i < parties; i++)
        schedule->order[i] = i;
}

static int run_check_places(const struct recipe_run *run, const uint32_t *places, uint32_t count,
                            const char *of)
{
    bool *taken = cs_grow(NULL, count, sizeof(*taken));
    int code = 0;

    memset(taken, 0, count * sizeof(*taken));
    for (uint32_t i = 0; i < count && !code; i++) {
        if (taken[places[i]])
            code =
                cs_err_set(run->err, CS_EINPUT, "%s: place %u of two %s; expected a place of each",
                           run->recipe->file, places[i], of);
        taken[places[i]] = true;
    }
    free(taken);
    return code;
}

static int run_close_places(const struct recipe_run *run, uint32_t parties)
{
    const struct cs_schedule *schedule = run->schedule;
    int code = run_check_places(run, schedule->order, parties, "parties");

    if (!code && schedule->lanes != run->lanes)
        code =
            cs_err_set(run->err, CS_EINPUT, "%s: %u lanes; with 'turn', expected 'lanes %u' above",
                       run->recipe->file, schedule->lanes, schedule->lanes);
    for (uint32_t i = 0; i < parties && !code; i++)
        code = run_check_places(run, &schedule->turn[(size_t)i * run->lanes], run->lanes, "lanes");
    return code;
}

int cs_recipe_schedule(const struct cs_recipe *recipe, const struct cs_call *call,
                       struct cs_arena *arena, struct cs_schedule *schedule, struct cs_err *err)
{
    struct recipe_run run = {.recipe = recipe, .call = call, .err = err, .schedule = schedule};
    struct cs_schedule_maker maker;
    uint32_t parties;
    int code;

    *schedule = (struct cs_schedule){.file = recipe->file, .blocks = 1, .lanes = 1};
    run.values[CS_RECIPE_P] = call->ranks;
    run.values[CS_RECIPE_V] = (int64_t)(call->elements * call->element_bytes);
    run.values[CS_RECIPE_ROOT] = call->root;
    run.values[CS_RECIPE_CHUNKS] = call->chunks ? call->chunks : 1;
    code = run_heads(&run);
    parties = code ? call->ranks : call->ranks + schedule->agents;
    cs_schedule_open(&maker, parties, arena);
    if (!code && recipe->has_places && (uint64_t)parties * run.lanes > CS_SCHEDULE_LANES_MAX)
        code =
            cs_err_set(err, CS_EINPUT, "%s: %u lanes of %u parties; with 'turn' at most %d in all",
                       recipe->file, run.lanes, parties, CS_SCHEDULE_LANES_MAX);
    if (recipe->has_places)
        run_open_places(&run, code ? 1 : parties, code ? 1 : run.lanes, arena);
    run.rounds = cs_grow(NULL, CS_RECIPE_LANES_MAX, sizeof(*run.rounds));
    for (uint32_t rank = 0; rank < parties && !code; rank++) {
        code = run_rank(&run, rank);
        if (!code)
            code = run_keep_rank(&run, rank, &maker);
    }
    cs_schedule_end(&maker, call->ranks, schedule);
    if (schedule->lanes < run.lanes)
        schedule->lanes = run.lanes;
    if (!code && recipe->has_places)
        code = run_close_places(&run, parties);
    cs_schedule_close(&maker);
    free(run.placed);
    free(run.rounds);
    return code;
}

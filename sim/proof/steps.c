#include "sim/proof/steps.h"

#include "sim/proof/proof.h"
#include "sim/proof/replay.h"

#include <inttypes.h>
#include <string.h>

/* A value of the replay: the set of ranks, and above it the block they come
 * from, plus one; 0 is nothing. */
enum {
    ORIGIN_SHIFT = 16
};

/* A move of the replay, one block of it at a time for the state. */
struct move {
    struct cs_replay_end from;
    struct cs_replay_end to;
    bool adds;
    bool local;
    uint64_t amount;
    uint32_t values;   /* index of the first */
    uint64_t sent_at;  /* lockstep time: the round of the sender starts */
    uint64_t taken_at; /* and it is received */
};

/* Times of the rounds of a lane in lockstep. */
struct steps_lane {
    uint64_t rounds;
    uint64_t *start; /* rounds + 1: the last is the end */
    bool *sends;
    const struct cs_op *waits; /* by round; kind WAIT or not */
};

struct steps_builder {
    const struct cs_program *program;
    struct cs_arena *arena;
    struct cs_steps *steps;
    struct move *moves;
    uint32_t move_count, move_capacity;
    uint32_t messages;
    uint64_t *values;
    uint32_t value_count, value_capacity;
    struct steps_lane *lanes;
    uint64_t *step_time; /* of each step, rising */
};

/* ---- values ---- */

static uint64_t value_of(uint32_t rank, uint32_t block)
{
    return (uint64_t)1 << rank | (uint64_t)(block + 1) << ORIGIN_SHIFT;
}

static uint64_t steps_initial(const void *ctx, uint32_t rank, uint32_t block)
{
    return cs_contributes(ctx, rank, block) ? value_of(rank, block) : 0;
}

static uint64_t steps_ranks_of(uint64_t value)
{
    return value & ((1U << ORIGIN_SHIFT) - 1);
}

/* Both together; of two different blocks the origin is lost. */
static uint64_t steps_join(uint64_t a, uint64_t b)
{
    uint64_t ranks = steps_ranks_of(a | b);
    uint64_t origin_a = a >> ORIGIN_SHIFT;
    uint64_t origin_b = b >> ORIGIN_SHIFT;

    if (origin_a && origin_b && origin_a != origin_b)
        origin_a = CS_STEPS_MIXED;
    return ranks | (origin_a ? origin_a : origin_b) << ORIGIN_SHIFT;
}

static bool steps_add(const void *ctx, uint64_t a, uint64_t b, uint64_t *sum)
{
    const struct cs_program *program = ctx;

    *sum = steps_join(a, b);
    return steps_ranks_of(a & b) == 0 || program->idempotent;
}

static uint64_t steps_goal(const struct cs_program *program, uint32_t rank,
                           uint32_t block)
{
    struct cs_goal owed = cs_goal_of(program, rank, block);

    if (!owed.is_sum)
        return value_of(owed.rank, owed.block);
    return (((uint64_t)1 << program->ranks) - 1) | (uint64_t)(owed.block + 1)
                                                       << ORIGIN_SHIFT;
}

/* ---- moves ---- */

static void keep_values(struct steps_builder *builder, const uint64_t *values,
                        uint32_t count)
{
    if (builder->value_count + count > builder->value_capacity) {
        builder->value_capacity = 2 * (builder->value_count + count);
        builder->values = cs_grow(builder->values, builder->value_capacity,
                                  sizeof(*builder->values));
    }
    memcpy(builder->values + builder->value_count, values,
           count * sizeof(*values));
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
        .local = moved->from.party == moved->to.party,
        .values = builder->value_count,
    };

    if (builder->move_count == builder->move_capacity) {
        builder->move_capacity =
            builder->move_capacity ? 2 * builder->move_capacity : 256;
        builder->moves = cs_grow(builder->moves, builder->move_capacity,
                                 sizeof(*builder->moves));
    }
    keep_values(builder, moved->values, moved->to.blocks.count);
    builder->moves[builder->move_count++] = move;
    builder->messages += !move.local;
}

static int steps_replay(struct steps_builder *builder, struct cs_err *err)
{
    const struct cs_program *program = builder->program;
    struct cs_algebra algebra = {.initial = steps_initial,
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

/* ---- lockstep ---- */

static uint32_t lane_count(const struct steps_builder *builder)
{
    return builder->steps->parties * builder->program->lanes;
}

/* Reads which rounds send and which wait. */
static void open_lane(struct steps_builder *builder, uint32_t index,
                      struct cs_ops *ops)
{
    const struct cs_program *program = builder->program;
    struct steps_lane *lane = &builder->lanes[index];
    struct cs_op *waits =
        cs_arena_alloc(builder->arena, lane->rounds, sizeof(*waits));
    uint64_t k;
    uint32_t i;

    lane->start =
        cs_arena_alloc(builder->arena, lane->rounds + 1, sizeof(*lane->start));
    lane->sends =
        cs_arena_alloc(builder->arena, lane->rounds, sizeof(*lane->sends));
    lane->waits = waits;
    for (k = 0; k < lane->rounds; k++) {
        ops->count = 0;
        program->round(program->ctx, index / program->lanes,
                       index % program->lanes, k, ops);
        for (i = 0; i < ops->count; i++) {
            lane->sends[k] |= ops->op[i].kind == CS_OP_SEND;
            if (ops->op[i].kind == CS_OP_WAIT)
                waits[k] = ops->op[i];
        }
    }
}

static void open_lanes(struct steps_builder *builder)
{
    struct cs_ops ops = {0};
    uint32_t i;

    for (i = 0; i < lane_count(builder); i++)
        open_lane(builder, i, &ops);
    cs_ops_free(&ops);
}

static bool steps_raise(uint64_t *time, uint64_t least)
{
    if (*time >= least)
        return false;
    *time = least;
    return true;
}

static struct steps_lane *steps_lane_of(const struct steps_builder *builder,
                                        const struct cs_replay_end *end)
{
    return &builder->lanes[end->party * builder->program->lanes + end->lane];
}

/* A message takes one step, and its receive is done no sooner than its round
 * starts; a round ends when all of its moves are done. */
static bool push_move(const struct steps_builder *builder, struct move *move)
{
    struct steps_lane *from = steps_lane_of(builder, &move->from);
    struct steps_lane *to = steps_lane_of(builder, &move->to);
    bool changed;

    changed = steps_raise(&move->sent_at, from->start[move->from.round]);
    changed |= steps_raise(&move->taken_at, move->sent_at + !move->local);
    changed |= steps_raise(&move->taken_at, to->start[move->to.round]);
    changed |= steps_raise(&from->start[move->from.round + 1],
                           move->sent_at + !move->local);
    changed |= steps_raise(&to->start[move->to.round + 1], move->taken_at);
    return changed;
}

/* Rounds follow each other; one that sends starts no sooner than its number
 * says, and one that waits ends when the other lane's round does. */
static bool push_lane(const struct steps_builder *builder, uint32_t index)
{
    uint32_t first = index - index % builder->program->lanes;
    struct steps_lane *lane = &builder->lanes[index];
    bool changed = false;
    uint64_t k;

    for (k = 0; k < lane->rounds; k++) {
        const struct cs_op *wait = &lane->waits[k];

        if (lane->sends[k])
            changed |= steps_raise(&lane->start[k], k);
        changed |= steps_raise(&lane->start[k + 1], lane->start[k]);
        if (wait->kind == CS_OP_WAIT)
            changed |= steps_raise(
                &lane->start[k + 1],
                builder->lanes[first + wait->peer].start[wait->source + 1]);
    }
    return changed;
}

/* Times only rise, and causes come before effects in the moves, so a few
 * passes do. */
static void steps_lockstep(struct steps_builder *builder)
{
    bool changed = true;
    uint32_t i;

    while (changed) {
        changed = false;
        for (i = 0; i < lane_count(builder); i++)
            changed |= push_lane(builder, i);
        for (i = 0; i < builder->move_count; i++)
            changed |= push_move(builder, &builder->moves[i]);
    }
}

/* ---- steps ---- */

static void number_steps(struct steps_builder *builder)
{
    struct cs_steps *steps = builder->steps;
    uint64_t last = 0;
    uint64_t time = 0;
    uint32_t i;

    builder->step_time = cs_arena_alloc(builder->arena, builder->messages + 1,
                                        sizeof(*builder->step_time));
    while (last != UINT64_MAX) {
        last = UINT64_MAX;
        for (i = 0; i < builder->move_count; i++)
            if (!builder->moves[i].local && builder->moves[i].sent_at >= time &&
                builder->moves[i].sent_at < last)
                last = builder->moves[i].sent_at;
        if (last == UINT64_MAX)
            break;
        builder->step_time[steps->count++] = last;
        time = last + 1;
    }
}

static struct cs_step_message message_of(const struct move *move,
                                         const struct cs_cut *cut)
{
    return (struct cs_step_message){
        .src = move->from.party,
        .dst = move->to.party,
        .lane = move->from.lane,
        .round = move->from.round,
        .from = move->from.blocks,
        .to = move->to.blocks,
        .adds = move->adds,
        .bytes = move->from.blocks.count ? cs_cut_bytes(cut, move->from.blocks)
                                         : move->amount,
        .arrived_ps = UINT64_MAX,
    };
}

/* The messages of a step, by sender. */
static void fill_step(struct steps_builder *builder, const struct cs_cut *cut,
                      uint32_t number)
{
    struct cs_steps *steps = builder->steps;
    struct cs_step *step = &steps->steps[number];
    uint32_t party;
    uint32_t i;

    step->first = steps->message_count;
    step->bytes = number ? steps->steps[number - 1].bytes : 0;
    for (party = 0; party < steps->parties; party++) {
        for (i = 0; i < builder->move_count; i++) {
            const struct move *move = &builder->moves[i];

            if (move->local || move->from.party != party ||
                move->sent_at != builder->step_time[number])
                continue;
            steps->messages[steps->message_count] = message_of(move, cut);
            step->bytes += steps->messages[steps->message_count++].bytes;
        }
    }
    step->count = steps->message_count - step->first;
}

static void fill_steps(struct steps_builder *builder)
{
    struct cs_steps *steps = builder->steps;
    struct cs_cut cut = cs_cut_of(builder->program);
    uint32_t i;

    number_steps(builder);
    steps->messages = cs_arena_alloc(builder->arena, builder->messages,
                                     sizeof(*steps->messages));
    steps->steps =
        cs_arena_alloc(builder->arena, steps->count, sizeof(*steps->steps));
    for (i = 0; i < steps->count; i++)
        fill_step(builder, &cut, i);
}

/* ---- states ---- */

static void put_move(const struct steps_builder *builder,
                     const struct move *move, uint64_t *held)
{
    uint32_t blocks = builder->steps->blocks;
    uint32_t i;

    if (move->to.buffer != CS_OUTPUT)
        return;
    for (i = 0; i < move->to.blocks.count; i++) {
        uint32_t block = (move->to.blocks.first + i) % blocks;
        uint64_t *slot = &held[(size_t)move->to.party * blocks + block];
        uint64_t value = builder->values[move->values + i];

        *slot = move->adds ? steps_join(*slot, value) : value;
    }
}

/* Puts in what is taken from `since` up to before `until`, in order. */
static void put_moves(const struct steps_builder *builder, uint64_t since,
                      uint64_t until, uint64_t *held)
{
    uint64_t now = since;
    uint64_t next;
    uint32_t i;

    while (now < until) {
        next = until;
        for (i = 0; i < builder->move_count; i++) {
            const struct move *move = &builder->moves[i];

            if (move->taken_at == now)
                put_move(builder, move, held);
            else if (move->taken_at > now && move->taken_at < next)
                next = move->taken_at;
        }
        now = next;
    }
}

static void keep_state(const struct steps_builder *builder, uint32_t after,
                       const uint64_t *held)
{
    struct cs_steps *steps = builder->steps;
    uint32_t party;
    uint32_t block;

    for (party = 0; party < steps->parties; party++) {
        for (block = 0; block < steps->blocks; block++) {
            size_t at = (size_t)party * steps->blocks + block;
            struct cs_holding *holding =
                &steps->states[(size_t)after * steps->parties * steps->blocks +
                               at];

            holding->ranks = (uint16_t)steps_ranks_of(held[at]);
            if (!held[at])
                continue;
            holding->origin = (uint16_t)(held[at] >> ORIGIN_SHIFT);
            if (holding->origin != CS_STEPS_MIXED)
                holding->origin--;
            holding->complete =
                party < steps->ranks && steps->owed[at] &&
                held[at] == steps_goal(builder->program, party, block);
        }
    }
}

static void open_states(struct steps_builder *builder, uint64_t *held)
{
    struct cs_steps *steps = builder->steps;
    uint32_t rank;
    uint32_t block;

    steps->states = cs_arena_alloc(builder->arena,
                                   ((size_t)steps->count + 1) * steps->parties *
                                       steps->blocks,
                                   sizeof(*steps->states));
    steps->owed =
        cs_arena_alloc(builder->arena, (size_t)steps->ranks * steps->blocks,
                       sizeof(*steps->owed));
    for (rank = 0; rank < steps->ranks; rank++) {
        for (block = 0; block < steps->blocks; block++) {
            size_t at = (size_t)rank * steps->blocks + block;

            steps->owed[at] = cs_owes(builder->program, rank, block);
            if (!builder->program->output_empty)
                held[at] = steps_initial(builder->program, rank, block);
        }
    }
}

/* The state after a step holds all that happens before the next one's
 * messages arrive. */
static void fill_states(struct steps_builder *builder)
{
    struct cs_steps *steps = builder->steps;
    uint64_t *held = cs_arena_alloc(
        builder->arena, (size_t)steps->parties * steps->blocks, sizeof(*held));
    uint64_t since = 0;
    uint32_t i;

    open_states(builder, held);
    for (i = 0; i <= steps->count; i++) {
        uint64_t until =
            i < steps->count ? builder->step_time[i] + 1 : UINT64_MAX;

        put_moves(builder, since, until, held);
        keep_state(builder, i, held);
        since = until;
    }
}

/* ---- limits ---- */

static int too_many(const char *what, uint64_t count, uint64_t most,
                    struct cs_err *err)
{
    return cs_err_set(err, CS_EINPUT,
                      "steps are drawn for up to %" PRIu64 " %s, not %" PRIu64,
                      most, what, count);
}

static int steps_check(const struct cs_program *program, struct cs_err *err)
{
    uint32_t parties = cs_program_parties(program);

    if (program->ranks > CS_STEPS_RANKS_MAX)
        return too_many("ranks", program->ranks, CS_STEPS_RANKS_MAX, err);
    if (parties > CS_STEPS_PARTIES_MAX)
        return too_many("ranks and servers", parties, CS_STEPS_PARTIES_MAX,
                        err);
    if (program->blocks > CS_STEPS_BLOCKS_MAX)
        return too_many("chunks", program->blocks, CS_STEPS_BLOCKS_MAX, err);
    return 0;
}

/* How many rounds there are comes before anything of their number. */
static int steps_count_rounds(struct steps_builder *builder, struct cs_err *err)
{
    const struct cs_program *program = builder->program;
    uint64_t rounds = 0;
    uint32_t i;

    builder->lanes = cs_arena_alloc(builder->arena, lane_count(builder),
                                    sizeof(*builder->lanes));
    for (i = 0; i < lane_count(builder); i++) {
        builder->lanes[i].rounds = program->rounds(
            program->ctx, i / program->lanes, i % program->lanes);
        rounds += builder->lanes[i].rounds;
        if (rounds > CS_STEPS_ROUNDS_MAX)
            return too_many("rounds", rounds, CS_STEPS_ROUNDS_MAX, err);
    }
    return 0;
}

static int steps_build(struct steps_builder *builder, struct cs_err *err)
{
    uint64_t cells;
    int code = steps_count_rounds(builder, err);

    if (!code)
        code = steps_replay(builder, err);
    if (!code && builder->messages > CS_STEPS_MESSAGES_MAX)
        code =
            too_many("messages", builder->messages, CS_STEPS_MESSAGES_MAX, err);
    if (code)
        return code;
    open_lanes(builder);
    steps_lockstep(builder);
    fill_steps(builder);
    cells = ((uint64_t)builder->steps->count + 1) * builder->steps->parties *
            builder->steps->blocks;
    if (cells > CS_STEPS_CELLS_MAX)
        return too_many("chunks of all ranks and steps", cells,
                        CS_STEPS_CELLS_MAX, err);
    fill_states(builder);
    return 0;
}

int cs_steps_of(const struct cs_program *program, struct cs_arena *arena,
                struct cs_steps *steps, struct cs_err *err)
{
    struct steps_builder builder = {
        .program = program, .arena = arena, .steps = steps};
    int code = steps_check(program, err);

    if (code)
        return code;
    *steps = (struct cs_steps){
        .ranks = program->ranks,
        .parties = cs_program_parties(program),
        .lanes = program->lanes,
        .blocks = program->blocks,
        .cut = cs_cut_of(program),
        .root = program->root,
        .sums = program->blocks && cs_goal_of(program, 0, 0).is_sum,
        .moves = program->moves_blocks,
        .arena = arena,
    };
    code = steps_build(&builder, err);
    free(builder.moves);
    free(builder.values);
    return code;
}

/* ---- times ---- */

void cs_steps_delivered(void *ctx, const struct cs_message *message,
                        uint64_t at_ps)
{
    struct cs_steps *steps = ctx;
    uint32_t i;

    for (i = 0; i < steps->message_count; i++) {
        struct cs_step_message *mine = &steps->messages[i];

        if (mine->arrived_ps != UINT64_MAX || mine->src != message->src ||
            mine->dst != message->dst || mine->lane != message->lane ||
            mine->round != message->round ||
            mine->from.first != message->blocks.first ||
            mine->from.count != message->blocks.count)
            continue;
        mine->sent_ps = message->sent_ps;
        mine->wait_ps = message->wait_ps;
        mine->arrived_ps = at_ps;
        return;
    }
}

void cs_steps_worked(void *ctx, uint32_t party, uint64_t from_ps,
                     uint64_t to_ps)
{
    struct cs_steps *steps = ctx;
    struct cs_step_work *before = steps->works;

    if (steps->work_count == steps->work_capacity) {
        steps->work_capacity =
            steps->work_capacity ? 2 * steps->work_capacity : 64;
        steps->works = cs_arena_alloc(steps->arena, steps->work_capacity,
                                      sizeof(*steps->works));
        if (before)
            memcpy(steps->works, before, steps->work_count * sizeof(*before));
    }
    steps->works[steps->work_count++] =
        (struct cs_step_work){party, from_ps, to_ps};
}

void cs_steps_finish(struct cs_steps *steps, uint64_t time_ps)
{
    uint64_t latest_ps = 0;
    uint32_t i;
    uint32_t m;

    for (i = 0; i < steps->count; i++) {
        struct cs_step *step = &steps->steps[i];

        for (m = step->first; m < step->first + step->count; m++)
            if (steps->messages[m].arrived_ps > latest_ps)
                latest_ps = steps->messages[m].arrived_ps;
        step->time_ps = i + 1 < steps->count ? latest_ps : time_ps;
    }
}

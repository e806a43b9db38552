#include "sim/proof/steps.h"

#include "sim/base/collections/vector.h"
#include "sim/base/order.h"
#include "sim/proof/proof.h"
#include "sim/proof/steps_state.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
    NO_STEP = UINT32_MAX
};

/* ---- steps ---- */

/* By the time that it is sent at, then by sender, then in order. */
static int compare_sent(const void *left, const void *right)
{
    const struct move *a = *(const struct move *const *)left;
    const struct move *b = *(const struct move *const *)right;

    return CS_ORDER({a->sent_at, b->sent_at}, {a->from.at.party, b->from.at.party},
                    {(uintptr_t)a, (uintptr_t)b});
}

static int compare_taken(const void *left, const void *right)
{
    const struct move *a = *(const struct move *const *)left;
    const struct move *b = *(const struct move *const *)right;

    return CS_ORDER({a->taken_at, b->taken_at}, {(uintptr_t)a, (uintptr_t)b});
}

static struct cs_step_message message_of(const struct move *move, const struct cs_cut *cut)
{
    return (struct cs_step_message){
        .src = move->from.at.party,
        .dst = move->to.at.party,
        .lane = move->from.at.lane,
        .round = move->from.at.round,
        .from = move->from.blocks,
        .to = move->to.blocks,
        .adds = move->adds,
        .bytes = move->from.blocks.count ? cs_cut_bytes(cut, move->from.blocks) : move->amount,
        .arrived_ps = UINT64_MAX,
    };
}

/* Of each sender, its messages in order: for cs_steps_delivered. */
static void await_all(struct cs_steps *steps)
{
    steps->awaited = cs_arena_alloc(steps->arena, steps->parties, sizeof(*steps->awaited));
    for (uint32_t party = 0; party < steps->parties; party++)
        steps->awaited[party] = NO_STEP;
    for (uint32_t i = steps->message_count; i-- > 0;) {
        steps->messages[i].next = steps->awaited[steps->messages[i].src];
        steps->awaited[steps->messages[i].src] = i;
    }
}

/* A step is the messages of one time. */
static void fill_steps(struct steps_builder *builder)
{
    struct cs_steps *steps = builder->steps;
    struct cs_cut cut = cs_cut_of(builder->program);
    const struct move **sent =
        cs_arena_alloc(builder->arena, builder->messages, sizeof(const struct move *));
    uint32_t count = 0;

    for (uint32_t i = 0; i < builder->move_count; i++)
        if (!builder->moves[i].local)
            sent[count++] = &builder->moves[i];
    qsort(sent, count, sizeof(const struct move *), compare_sent);
    for (uint32_t i = 0; i < count; i++)
        steps->count += i == 0 || sent[i]->sent_at != sent[i - 1]->sent_at;
    builder->step_time = cs_arena_alloc(builder->arena, steps->count, sizeof(*builder->step_time));
    steps->messages = cs_arena_alloc(builder->arena, count, sizeof(*steps->messages));
    steps->steps = cs_arena_alloc(builder->arena, steps->count, sizeof(*steps->steps));
    for (uint32_t number = 0; number < steps->count; number++) {
        struct cs_step *step = &steps->steps[number];

        step->first = steps->message_count;
        step->bytes = number ? steps->steps[number - 1].bytes : 0;
        builder->step_time[number] = sent[step->first]->sent_at;
        while (steps->message_count < count &&
               sent[steps->message_count]->sent_at == builder->step_time[number]) {
            struct cs_step_message message = message_of(sent[steps->message_count], &cut);

            step->bytes += message.bytes;
            step->count++;
            steps->messages[steps->message_count++] = message;
        }
    }
    await_all(steps);
}

/* ---- states ---- */

static void put_move(const struct steps_builder *builder, const struct move *move, uint64_t *held)
{
    uint32_t blocks = builder->steps->blocks;

    if (move->to.buffer != CS_OUTPUT)
        return;
    for (uint32_t i = 0; i < move->to.blocks.count; i++) {
        uint32_t block = (move->to.blocks.first + i) % blocks;
        uint64_t *slot = &held[(size_t)move->to.at.party * blocks + block];
        uint64_t value = builder->values[move->values + i];

        *slot = move->adds ? cs_steps_join(builder->steps->ranks, *slot, value) : value;
    }
}

/* All moves in the order in which they are taken. */
static const struct move **moves_taken(const struct steps_builder *builder)
{
    const struct move **taken =
        cs_arena_alloc(builder->arena, builder->move_count, sizeof(const struct move *));

    for (uint32_t i = 0; i < builder->move_count; i++)
        taken[i] = &builder->moves[i];
    qsort(taken, builder->move_count, sizeof(const struct move *), compare_taken);
    return taken;
}

/* `goals`: what the blocks of the ranks are at the end. */
static void keep_state(const struct steps_builder *builder, uint32_t after, const uint64_t *held,
                       const uint64_t *goals)
{
    struct cs_steps *steps = builder->steps;

    for (uint32_t party = 0; party < steps->parties; party++) {
        for (uint32_t block = 0; block < steps->blocks; block++) {
            size_t at = (size_t)party * steps->blocks + block;
            struct cs_holding *holding =
                &steps->states[(size_t)after * steps->parties * steps->blocks + at];

            holding->ranks = cs_steps_ranks_of(steps->ranks, held[at]);
            if (!held[at])
                continue;
            holding->origin = cs_steps_origin_of(steps->ranks, held[at]);
            holding->complete = party < steps->ranks && steps->owed[at] && held[at] == goals[at];
        }
    }
}

static void open_states(struct steps_builder *builder, uint64_t *held, uint64_t *goals)
{
    struct cs_steps *steps = builder->steps;

    steps->states =
        cs_arena_alloc(builder->arena, ((size_t)steps->count + 1) * steps->parties * steps->blocks,
                       sizeof(*steps->states));
    steps->owed =
        cs_arena_alloc(builder->arena, (size_t)steps->ranks * steps->blocks, sizeof(*steps->owed));
    for (uint32_t rank = 0; rank < steps->ranks; rank++) {
        for (uint32_t block = 0; block < steps->blocks; block++) {
            size_t at = (size_t)rank * steps->blocks + block;

            steps->owed[at] = cs_owes(builder->program, rank, block);
            goals[at] = cs_steps_goal(builder->program, rank, block);
            if (!builder->program->output_empty)
                held[at] = cs_steps_initial(builder->program, rank, block);
        }
    }
}

/* The state after a step includes every move before the arrivals of the next
 * step. */
static void fill_states(struct steps_builder *builder)
{
    struct cs_steps *steps = builder->steps;
    size_t cells = (size_t)steps->parties * steps->blocks;
    uint64_t *held = cs_arena_alloc(builder->arena, cells, sizeof(*held));
    uint64_t *goals = cs_arena_alloc(builder->arena, cells, sizeof(*goals));
    const struct move **taken = moves_taken(builder);
    uint32_t next = 0;

    open_states(builder, held, goals);
    for (uint32_t i = 0; i <= steps->count; i++) {
        uint64_t until = i < steps->count ? builder->step_time[i] + 1 : UINT64_MAX;

        for (; next < builder->move_count && taken[next]->taken_at < until; next++)
            put_move(builder, taken[next], held);
        keep_state(builder, i, held, goals);
    }
}

/* ---- limits ---- */

static int too_many(const char *what, uint64_t count, uint64_t most, struct cs_err *err)
{
    return cs_err_set(err, CS_EINPUT, "steps are drawn for up to %" PRIu64 " %s, not %" PRIu64,
                      most, what, count);
}

static int steps_check(const struct cs_program *program, struct cs_err *err)
{
    uint32_t parties = cs_program_parties(program);

    if (program->ranks > CS_STEPS_RANKS_MAX)
        return too_many("ranks", program->ranks, CS_STEPS_RANKS_MAX, err);
    if (program->moves_blocks && program->ranks > CS_STEPS_ORIGIN_RANKS_MAX)
        return too_many("ranks of an algorithm that moves blocks", program->ranks,
                        CS_STEPS_ORIGIN_RANKS_MAX, err);
    if (parties > CS_STEPS_PARTIES_MAX)
        return too_many("ranks and servers", parties, CS_STEPS_PARTIES_MAX, err);
    if (program->blocks > CS_STEPS_BLOCKS_MAX)
        return too_many("chunks", program->blocks, CS_STEPS_BLOCKS_MAX, err);
    return 0;
}

/* The limit on rounds is checked first, as arrays are allocated by their
 * number. */
static int steps_count_rounds(struct steps_builder *builder, struct cs_err *err)
{
    const struct cs_program *program = builder->program;
    uint64_t rounds = 0;

    builder->lanes =
        cs_arena_alloc(builder->arena, cs_lane_count(builder->program), sizeof(*builder->lanes));
    for (uint32_t i = 0; i < cs_lane_count(builder->program); i++) {
        builder->lanes[i].rounds =
            cs_program_rounds(program, i / program->lanes, i % program->lanes);
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
        code = cs_steps_replay(builder, err);
    if (!code && builder->messages > CS_STEPS_MESSAGES_MAX)
        code = too_many("messages", builder->messages, CS_STEPS_MESSAGES_MAX, err);
    if (code)
        return code;
    cs_steps_open_lanes(builder);
    cs_steps_lockstep(builder);
    fill_steps(builder);
    cells =
        ((uint64_t)builder->steps->count + 1) * builder->steps->parties * builder->steps->blocks;
    if (cells > CS_STEPS_CELLS_MAX)
        return too_many("chunks of all ranks and steps", cells, CS_STEPS_CELLS_MAX, err);
    fill_states(builder);
    return 0;
}

int cs_steps_of(const struct cs_program *program, struct cs_arena *arena, struct cs_steps *steps,
                struct cs_err *err)
{
    struct steps_builder builder = {.program = program, .arena = arena, .steps = steps};
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

void cs_steps_delivered(void *ctx, const struct cs_message *message, uint64_t at_ps)
{
    struct cs_steps *steps = ctx;
    uint32_t *at = &steps->awaited[message->src];

    for (; *at != NO_STEP; at = &steps->messages[*at].next) {
        struct cs_step_message *mine = &steps->messages[*at];

        if (mine->dst != message->dst || mine->lane != message->lane ||
            mine->round != message->round || mine->from.first != message->blocks.first ||
            mine->from.count != message->blocks.count)
            continue;
        mine->sent_ps = message->sent_ps;
        mine->wait_ps = message->wait_ps;
        mine->arrived_ps = at_ps;
        *at = mine->next;
        return;
    }
}

void cs_steps_worked(void *ctx, uint32_t party, uint64_t from_ps, uint64_t to_ps)
{
    struct cs_steps *steps = ctx;

    *CS_VECTOR_NEXT_IN(steps->arena, steps->works, steps->work_count, steps->work_capacity) =
        (struct cs_step_work){party, from_ps, to_ps};
}

void cs_steps_carried(void *ctx, const struct cs_message *message, const uint32_t *route,
                      const struct cs_service *services, uint64_t at_ps)
{
    struct cs_steps *steps = ctx;

    for (uint32_t hop = 0; hop < message->hops && steps->use_count < CS_STEPS_USES_MAX; hop++) {
        const struct cs_service *service = services ? &services[hop] : NULL;

        if (service && !service->in_line)
            continue;
        *CS_VECTOR_NEXT_IN(steps->arena, steps->uses, steps->use_count, steps->use_capacity) =
            (struct cs_steps_use){route[hop],
                                  service ? service->start_ps : message->sent_ps + message->wait_ps,
                                  service ? service->end_ps : at_ps};
    }
}

static int compare_uses(const void *left, const void *right)
{
    const struct cs_steps_use *a = left;
    const struct cs_steps_use *b = right;

    return CS_ORDER({a->link, b->link}, {a->from_ps, b->from_ps}, {a->to_ps, b->to_ps});
}

/* Uses of a link that follow one another are one. */
static void steps_join_uses(struct cs_steps *steps)
{
    struct cs_steps_use *last = steps->uses;
    uint32_t count = steps->use_count < CS_STEPS_USES_MAX ? steps->use_count : 0;

    steps->use_count = count > 0;
    if (count == 0)
        return;
    qsort(steps->uses, count, sizeof(*steps->uses), compare_uses);
    for (uint32_t i = 1; i < count; i++) {
        const struct cs_steps_use use = steps->uses[i];

        if (use.link != last->link || use.from_ps > last->to_ps)
            *(last = &steps->uses[steps->use_count++]) = use;
        else if (use.to_ps > last->to_ps)
            last->to_ps = use.to_ps;
    }
}

void cs_steps_finish(struct cs_steps *steps, uint64_t time_ps)
{
    uint64_t latest_ps = 0;

    steps_join_uses(steps);
    for (uint32_t i = 0; i < steps->count; i++) {
        struct cs_step *step = &steps->steps[i];

        for (uint32_t m = step->first; m < step->first + step->count; m++)
            if (steps->messages[m].arrived_ps > latest_ps)
                latest_ps = steps->messages[m].arrived_ps;
        step->time_ps = i + 1 < steps->count ? latest_ps : time_ps;
    }
}

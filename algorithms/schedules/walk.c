#include "algorithms/schedules/walk.h"

#include <string.h>

/* A growing list of numbers. */
struct walk_list {
    uint32_t *item;
    uint32_t count, capacity;
};

struct walk_lane {
    uint64_t round, rounds;
    struct walk_list after; /* what comes next comes after these */
    struct walk_list ends;  /* of all rounds so far, one after the other */
    struct walk_list first; /* by round: where its ends begin */
};

struct walk {
    const struct cs_program *program;
    uint32_t party;
    cs_walk_fn *visit;
    void *ctx;
    struct walk_lane *lanes;
    struct cs_ops ops;
};

static void walk_push(struct walk_list *list, uint32_t item)
{
    if (list->count == list->capacity) {
        list->capacity = list->capacity ? 2 * list->capacity : 16;
        list->item = cs_grow(list->item, list->capacity, sizeof(item));
    }
    list->item[list->count++] = item;
}

/* What has to be done when that round is over. */
static void end_round(struct walk_lane *lane)
{
    uint32_t i;

    walk_push(&lane->first, lane->ends.count);
    for (i = 0; i < lane->after.count; i++)
        walk_push(&lane->ends, lane->after.item[i]);
    lane->round++;
}

/* False while the round that is waited for has not been visited. */
static bool pass_wait(struct walk *walk, struct walk_lane *lane,
                      const struct cs_op *wait)
{
    const struct walk_lane *other = &walk->lanes[wait->peer];
    uint32_t end;
    uint32_t i;

    if (other->round <= wait->source)
        return false;
    end = wait->source + 1 < other->first.count
              ? other->first.item[wait->source + 1]
              : other->ends.count;
    for (i = other->first.item[wait->source]; i < end; i++)
        walk_push(&lane->after, other->ends.item[i]);
    end_round(lane);
    return true;
}

static void visit_round(struct walk *walk, struct walk_lane *lane)
{
    struct walk_list ends = {0};
    struct cs_walk_step step = {.lane = (uint32_t)(lane - walk->lanes),
                                .round = lane->round,
                                .round_ops = walk->ops.count,
                                .after = lane->after.item,
                                .after_count = lane->after.count};

    for (step.place = 0; step.place < walk->ops.count; step.place++) {
        step.op = &walk->ops.op[step.place];
        walk_push(&ends, walk->visit(walk->ctx, &step));
    }
    if (ends.count) {
        free(lane->after.item);
        lane->after = ends;
    }
    end_round(lane);
}

/* Rounds of the lane until it is over or has to wait; whether there were. */
static bool walk_advance(struct walk *walk, struct walk_lane *lane)
{
    const struct cs_program *program = walk->program;
    bool moved = false;

    while (lane->round < lane->rounds) {
        walk->ops.count = 0;
        program->round(program->ctx, walk->party,
                       (uint32_t)(lane - walk->lanes), lane->round, &walk->ops);
        if (walk->ops.count == 0 || walk->ops.op[0].kind != CS_OP_WAIT)
            visit_round(walk, lane);
        else if (!pass_wait(walk, lane, &walk->ops.op[0]))
            break;
        moved = true;
    }
    return moved;
}

static void close_walk(struct walk *walk)
{
    uint32_t i;

    for (i = 0; i < walk->program->lanes; i++) {
        free(walk->lanes[i].after.item);
        free(walk->lanes[i].ends.item);
        free(walk->lanes[i].first.item);
    }
    free(walk->lanes);
    cs_ops_free(&walk->ops);
}

int cs_walk(const struct cs_program *program, uint32_t party, cs_walk_fn *visit,
            void *ctx, struct cs_err *err)
{
    struct walk walk = {
        .program = program, .party = party, .visit = visit, .ctx = ctx};
    bool moved = true;
    bool over = false;
    uint32_t i;

    walk.lanes = cs_grow(NULL, program->lanes, sizeof(*walk.lanes));
    memset(walk.lanes, 0, program->lanes * sizeof(*walk.lanes));
    for (i = 0; i < program->lanes; i++)
        walk.lanes[i].rounds = program->rounds(program->ctx, party, i);
    while (moved) {
        moved = false;
        over = true;
        for (i = 0; i < program->lanes; i++) {
            moved |= walk_advance(&walk, &walk.lanes[i]);
            over &= walk.lanes[i].round == walk.lanes[i].rounds;
        }
    }
    close_walk(&walk);
    if (over)
        return 0;
    return cs_err_set(err, CS_EANSWER,
                      "lanes of party %u wait for each other for ever", party);
}

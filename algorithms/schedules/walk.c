#include "algorithms/schedules/walk.h"

#include "algorithms/schedules/number_list.h"

#include <inttypes.h>
#include <string.h>

struct walk_lane {
    uint64_t round, rounds;
    struct cs_number_list after; /* predecessors of the next round */
    /* Last ops of the visited rounds, concatenated. */
    struct cs_number_list ends;
    struct cs_number_list first; /* by round: index in `ends` */
};

struct walk {
    const struct cs_program *program;
    uint32_t party;
    cs_walk_fn *visit;
    void *ctx;
    struct walk_lane *lanes;
    struct cs_ops ops;
};

/* Records the ops that end the round, for waits of other lanes. */
static void walk_end_round(struct walk_lane *lane)
{
    cs_number_list_add(&lane->first, lane->ends.count);
    for (uint32_t i = 0; i < lane->after.count; i++)
        cs_number_list_add(&lane->ends, lane->after.item[i]);
    lane->round++;
}

/* Adds the ends of a round to the predecessors; false: the round is not yet
 * visited. */
static bool walk_pass_wait(struct walk *walk, struct walk_lane *lane, const struct cs_op *wait)
{
    const struct walk_lane *other = &walk->lanes[wait->peer];
    uint32_t end;

    if (other->round <= wait->source)
        return false;
    end = wait->source + 1 < other->first.count ? other->first.item[wait->source + 1]
                                                : other->ends.count;
    for (uint32_t i = other->first.item[wait->source]; i < end; i++)
        cs_number_list_add(&lane->after, other->ends.item[i]);
    walk_end_round(lane);
    return true;
}

static struct cs_at walk_at(const struct walk *walk, const struct walk_lane *lane)
{
    return (struct cs_at){walk->party, (uint32_t)(lane - walk->lanes), lane->round};
}

/* A round without ops keeps the predecessors of the round before. */
static void walk_visit_round(struct walk *walk, struct walk_lane *lane)
{
    struct cs_number_list ends = {0};
    struct cs_walk_step step = {.at = walk_at(walk, lane),
                                .round_ops = walk->ops.count,
                                .after = lane->after.item,
                                .after_count = lane->after.count};

    for (step.place = 0; step.place < walk->ops.count; step.place++) {
        step.op = &walk->ops.op[step.place];
        cs_number_list_add(&ends, walk->visit(walk->ctx, &step));
    }
    if (ends.count) {
        cs_number_list_free(&lane->after);
        lane->after = ends;
    }
    walk_end_round(lane);
}

/* Visits rounds until the lane ends or must wait; returns whether any round was
 * visited. */
static bool walk_advance(struct walk *walk, struct walk_lane *lane)
{
    const struct cs_program *program = walk->program;
    bool moved = false;

    while (lane->round < lane->rounds) {
        cs_program_read(program, walk_at(walk, lane), &walk->ops);
        if (walk->ops.count == 0 || walk->ops.op[0].kind != CS_OP_WAIT)
            walk_visit_round(walk, lane);
        else if (!walk_pass_wait(walk, lane, &walk->ops.op[0]))
            break;
        moved = true;
    }
    return moved;
}

static void walk_close(struct walk *walk)
{
    for (uint32_t i = 0; i < walk->program->lanes; i++) {
        cs_number_list_free(&walk->lanes[i].after);
        cs_number_list_free(&walk->lanes[i].ends);
        cs_number_list_free(&walk->lanes[i].first);
    }
    free(walk->lanes);
    cs_ops_free(&walk->ops);
}

/* Rounds over the lanes until no lane moves: then all have ended or the rest
 * deadlocks. */
int cs_walk(const struct cs_program *program, uint32_t party, cs_walk_fn *visit, void *ctx,
            struct cs_err *err)
{
    struct walk walk = {.program = program, .party = party, .visit = visit, .ctx = ctx};
    bool moved = true;
    bool over = false;

    walk.lanes = cs_grow(NULL, program->lanes, sizeof(*walk.lanes));
    memset(walk.lanes, 0, program->lanes * sizeof(*walk.lanes));
    for (uint32_t i = 0; i < program->lanes; i++)
        walk.lanes[i].rounds = cs_program_rounds(program, party, i);
    while (moved) {
        moved = false;
        over = true;
        for (uint32_t i = 0; i < program->lanes; i++) {
            moved |= walk_advance(&walk, &walk.lanes[i]);
            over &= walk.lanes[i].round == walk.lanes[i].rounds;
        }
    }
    walk_close(&walk);
    if (over)
        return 0;
    return cs_err_set(err, CS_EANSWER, "deadlock between the lanes of party %u", party);
}

struct input_note {
    bool reads;
    uint64_t ops;
};

static uint32_t note_input(void *ctx, const struct cs_walk_step *step)
{
    const struct cs_op *op = step->op;
    struct input_note *note = ctx;

    note->ops++;
    note->reads |= op->buffer == CS_INPUT || (cs_op_is_local(op) && op->source_buffer == CS_INPUT);
    return 0;
}

int cs_walk_reads_input(const struct cs_program *program, uint64_t ops_max, bool *reads,
                        struct cs_err *err)
{
    struct input_note note = {0};
    int code = 0;

    for (uint32_t rank = 0; rank < program->ranks && !note.reads && !code; rank++) {
        code = cs_walk(program, rank, note_input, &note, err);
        if (!code && note.ops > ops_max)
            code = cs_err_set(
                err, CS_EINPUT,
                "the schedule has more than %" PRIu64 " ops; take fewer ranks or chunks", ops_max);
    }
    *reads = note.reads;
    return code;
}

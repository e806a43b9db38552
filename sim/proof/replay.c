#include "sim/proof/replay.h"

#include "sim/proof/parcel.h"
#include "sim/proof/refusal.h"
#include "sim/proof/rounds.h"
#include "sim/proof/sharing.h"

#include <string.h>

enum {
    WRITTEN_MAX = 1 << 20 /* values for which rounds are kept: 4 MiB */
};

/* Continues the lanes whose WAIT ends with the finished rounds of the lane. */
static void replay_wake_lanes(struct cs_replay *replay, uint32_t lane)
{
    uint32_t waiter = 0;

    if (replay->lanes.each == 1)
        return;
    for (;; waiter++) {
        waiter = cs_lanes_take_waiter(&replay->lanes, lane, waiter);
        if (waiter == CS_NO_LANE)
            return;
        cs_sharing_order_wait(replay, waiter, lane, replay->lanes.lane[waiter].waits_round);
        replay_op_done(replay, waiter);
    }
}

/* Calls the watcher when all lanes of a rank are through the reduce-scatter. */
static void watch_phase(struct cs_replay *replay, uint32_t lane)
{
    const struct cs_program *program = replay->program;
    uint32_t rank = lane / program->lanes;

    if (!replay->scattering || rank >= program->ranks ||
        replay->lanes.lane[lane].round != program->reduce_scatter_rounds(program->ctx, rank))
        return;
    if (--replay->scattering[rank] == 0)
        replay->algebra->scattered(replay->algebra->watcher, replay, rank);
}

static int replay_start_op(struct cs_replay *replay, uint32_t lane, const struct cs_op *op)
{
    uint32_t other = lane - lane % replay->lanes.each + op->peer;

    switch (op->kind) {
    case CS_OP_WAIT:
        if (!cs_lanes_wait(&replay->lanes, lane, op))
            return 0;
        cs_sharing_order_wait(replay, lane, other, op->source);
        replay_op_done(replay, lane);
        return 0;
    case CS_OP_WORK:
        replay_op_done(replay, lane);
        return 0;
    default:
        return cs_parcel_start(replay, lane, op);
    }
}

/* Starts all ops of the round; sends read before any op writes, as program.h
 * defines. */
static int start_ops(struct cs_replay *replay, uint32_t lane)
{
    int code = 0;

    for (int pass = 0; pass < 2; pass++)
        for (uint32_t i = 0; i < replay->ops.count && !code; i++)
            if ((replay->ops.op[i].kind != CS_OP_SEND) == pass)
                code = replay_start_op(replay, lane, &replay->ops.op[i]);
    return code;
}

/* Starts the lane's round; empty rounds are over at once. */
static int replay_start_round(struct cs_replay *replay, uint32_t number)
{
    const struct cs_program *program = replay->program;
    struct cs_lane *lane = &replay->lanes.lane[number];
    int code;

    for (;; lane->round++) {
        watch_phase(replay, number);
        if (lane->round == lane->rounds) {
            replay_wake_lanes(replay, number);
            replay->unfinished--;
            return 0;
        }
        replay->ops.count = 0;
        replay->progress.rounds_begun++;
        if (replay->uses.races)
            cs_races_begin(replay->uses.races, number);
        program->round(
            program->ctx,
            (struct cs_at){number / replay->lanes.each, number % replay->lanes.each, lane->round},
            &replay->ops);
        if (replay->ops.count)
            break;
    }
    replay_wake_lanes(replay, number);
    lane->pending = replay->ops.count;
    code = cs_replay_check_round(replay, number);
    return code ? code : start_ops(replay, number);
}

static void fill_values(struct cs_replay *replay)
{
    const struct cs_algebra *algebra = replay->algebra;
    struct cs_replay_window window = replay->window;
    size_t count = (size_t)cs_program_parties(replay->program) * replay->width;
    uint32_t parts;

    replay->values = cs_grow(NULL, count, sizeof(*replay->values));
    memset(replay->values, 0, count * sizeof(*replay->values));
    for (uint32_t rank = 0; rank < replay->program->ranks; rank++)
        for (uint32_t i = 0; i < window.count && !replay->program->output_empty; i++)
            replay->values[(size_t)rank * replay->width + i] =
                algebra->initial(algebra->ctx, rank, window.first + i);
    parts = cs_races_parts(replay->program);
    if (parts == 1 || algebra->order_part)
        replay->uses.races = cs_races_open(replay->program, count,
                                           algebra->order_part ? algebra->order_part - 1 : 0);
    if (replay->lanes.each > 1 && !replay->uses.races) {
        replay->uses.owner = cs_grow(NULL, count, sizeof(*replay->uses.owner));
        memset(replay->uses.owner, 0, count * sizeof(*replay->uses.owner));
    }
    if (parts == 0) {
        replay->uses.active = cs_grow(NULL, count, sizeof(*replay->uses.active));
        memset(replay->uses.active, 0, count * sizeof(*replay->uses.active));
    }
    if (count > WRITTEN_MAX)
        return;
    replay->uses.written = cs_grow(NULL, count, sizeof(*replay->uses.written));
    memset(replay->uses.written, 0xff, count * sizeof(*replay->uses.written));
}

static uint64_t *new_stamps(const struct cs_replay *replay)
{
    size_t blocks = (size_t)replay->program->blocks + replay->program->scratch_blocks;
    uint64_t *stamps = cs_grow(NULL, blocks, sizeof(*stamps));

    memset(stamps, 0, blocks * sizeof(*stamps));
    return stamps;
}

static struct cs_replay *open_replay(const struct cs_program *program,
                                     const struct cs_algebra *algebra,
                                     struct cs_replay_window window, struct cs_err *err)
{
    struct cs_replay *replay = cs_grow(NULL, 1, sizeof(*replay));
    uint32_t count = cs_lane_count(program);

    *replay = (struct cs_replay){.program = program,
                                 .algebra = algebra,
                                 .window = window,
                                 .err = err,
                                 .width = window.count + program->scratch_blocks,
                                 .unfinished = count};
    cs_mailbox_init(&replay->box);
    replay->lanes = cs_lanes_open(program, cs_grow(NULL, count, sizeof(struct cs_lane)),
                                  &replay->progress.rounds);
    fill_values(replay);
    for (uint32_t i = 0; i < CS_USES; i++)
        replay->uses.used[i] = new_stamps(replay);
    replay->start.queue = cs_grow(NULL, count, sizeof(*replay->start.queue));
    replay->start.count = count;
    for (uint32_t i = 0; i < count; i++)
        replay->start.queue[i] = i;
    if (!algebra->scattered || !program->reduce_scatter_rounds)
        return replay;
    replay->scattering = cs_grow(NULL, program->ranks, sizeof(*replay->scattering));
    for (uint32_t i = 0; i < program->ranks; i++)
        replay->scattering[i] = program->lanes;
    return replay;
}

static int replay_update_monitor(struct cs_replay *replay)
{
    const struct cs_monitor *monitor = replay->algebra->monitor;

    replay->next_update = replay->progress.rounds_begun + CS_PROOF_STEPS;
    if (!monitor || monitor->update(monitor->ctx, &replay->progress))
        return 0;
    return cs_err_set(replay->err, CS_ESTOPPED, "stopped in the proof of the data flow");
}

static int run_queue(struct cs_replay *replay)
{
    int code = 0;

    while (!code && replay->start.count) {
        uint32_t lane = replay->start.queue[replay->start.first];

        replay->start.first =
            replay->start.first + 1 == replay->lanes.count ? 0 : replay->start.first + 1;
        replay->start.count--;
        if (replay->progress.rounds_begun >= replay->next_update)
            code = replay_update_monitor(replay);
        if (!code)
            code = replay_start_round(replay, lane);
    }
    return code;
}

int cs_replay_run(const struct cs_program *program, const struct cs_algebra *algebra,
                  struct cs_replay_window window, struct cs_replay **result, struct cs_err *err)
{
    struct cs_replay *replay = open_replay(program, algebra, window, err);
    int code = 0;

    *result = replay;
    while (!code && replay->start.count) {
        code = run_queue(replay);
        if (!code && replay->unfinished)
            cs_parcel_let_senders_go(replay);
    }
    if (code)
        return code;
    return replay->unfinished ? cs_refuse_deadlock(replay) : cs_refuse_mail(replay);
}

void cs_replay_free(struct cs_replay *replay)
{
    for (uint32_t i = 0; i < replay->parcel_pool.count; i++)
        free(replay->parcels[i].values);
    free(replay->parcels);
    free(replay->values);
    free(replay->uses.written);
    free(replay->uses.active);
    free(replay->uses.owner);
    cs_races_free(replay->uses.races);
    for (uint32_t i = 0; i < CS_USES; i++)
        free(replay->uses.used[i]);
    free(replay->lanes.lane);
    free(replay->start.queue);
    free(replay->scattering);
    cs_ops_free(&replay->ops);
    cs_mailbox_free(&replay->box);
    free(replay);
}

uint64_t cs_replay_value(const struct cs_replay *replay, uint32_t party, uint32_t block)
{
    return replay->values[replay_slot(replay, party, CS_OUTPUT, block)];
}

uint32_t cs_replay_written(const struct cs_replay *replay, uint32_t party, uint32_t block)
{
    return replay->uses.written ? replay->uses.written[replay_slot(replay, party, CS_OUTPUT, block)]
                                : CS_NEVER_WRITTEN;
}

bool cs_replay_shares(const struct cs_replay *replay)
{
    return replay->uses.shares;
}

uint64_t cs_replay_messages(const struct cs_replay *replay)
{
    return replay->messages;
}

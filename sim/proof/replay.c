#include "sim/proof/replay.h"

#include "sim/proof/state.h"

#include <string.h>

/*
 * Checks of a round before its start: single ops, pairs of ops of the round, and
 * conflicts with further lanes (sharing.h).
 *
 *     ops of a round   O(n^2) for up to 8, else O(blocks)
 */

enum {
    PAIRS_MAX = 8, /* ops of a round compared in pairs */
};

static bool replay_outside(const struct cs_replay *replay, enum cs_buffer buffer, uint32_t first,
                           uint32_t count)
{
    uint32_t size = cs_program_extent(replay->program, buffer);

    return first >= size || count > size;
}

static int check_wait(const struct cs_replay *replay, uint32_t lane, const struct cs_op *op)
{
    if (replay->ops.count != 1)
        return cs_refuse_op(replay, lane, op->blocks, "waits and does something else in one round");
    if (op->peer >= replay->lanes.each || op->peer == lane % replay->lanes.each)
        return cs_refuse_op(replay, lane, op->blocks, "waits for a lane that does not exist");
    return 0;
}

static int check_op(const struct cs_replay *replay, uint32_t lane, const struct cs_op *op)
{
    bool local = cs_op_is_local(op);

    if (op->kind == CS_OP_WORK)
        return 0;
    if (op->kind == CS_OP_WAIT)
        return check_wait(replay, lane, op);
    if (!local && op->peer >= cs_program_parties(replay->program))
        return cs_refuse_op(replay, lane, op->blocks, "has a peer that does not exist");
    if (!local && op->peer == lane / replay->lanes.each)
        return cs_refuse_op(replay, lane, op->blocks, "is its own peer");
    if (replay_outside(replay, op->buffer, op->blocks.first, op->blocks.count) ||
        (local && replay_outside(replay, op->source_buffer, op->source, op->blocks.count)))
        return cs_refuse_op(replay, lane, op->blocks, "names chunks that do not exist");
    if (op->kind != CS_OP_SEND && op->buffer == CS_INPUT)
        return cs_refuse_op(replay, lane, op->blocks, "writes into its input");
    return 0;
}

/* Whether two uses of a block in one round conflict. Reads do not conflict with
 * reads, nor sums with sums, and sends read before sums write. */
static bool replay_clash(enum cs_use one, enum cs_use other)
{
    if (one == CS_USE_REPLACES || other == CS_USE_REPLACES)
        return true;
    return (one == CS_USE_READS && other == CS_USE_ADDS) ||
           (one == CS_USE_ADDS && other == CS_USE_READS);
}

/* Marks the use of a block; true on conflict with an earlier op of the round.
 * The input is never written, so reads of the input never conflict. */
static bool replay_marks(struct cs_replay *replay, enum cs_use use, enum cs_buffer buffer,
                         uint32_t block)
{
    size_t at = buffer == CS_SCRATCH ? replay->program->blocks + block : block;
    bool found = false;

    if (buffer == CS_INPUT)
        return false;
    for (int other = 0; other < CS_USES; other++)
        found |= replay->uses.used[other][at] == replay->uses.stamp &&
                 replay_clash(use, (enum cs_use)other);
    replay->uses.used[use][at] = replay->uses.stamp;
    return found;
}

/* The runs of blocks of an op: destination, and source of a copy or sum. */
struct claims {
    uint32_t count;
    enum cs_use use[2];
    struct replay_run run[2];
};

static inline struct claims claims_of(const struct cs_op *op)
{
    struct claims claims = {.count = 1, .use = {cs_replay_use_of(op->kind), CS_USE_READS}};

    if (op->kind == CS_OP_WAIT || op->kind == CS_OP_WORK || op->blocks.count == 0)
        return (struct claims){0};
    claims.run[0] = (struct replay_run){op->buffer, op->blocks};
    if (!cs_op_is_local(op))
        return claims;
    claims.run[1] = (struct replay_run){op->source_buffer, {op->source, op->blocks.count}};
    claims.count = 2;
    return claims;
}

static bool runs_meet(const struct cs_replay *replay, const struct replay_run *a,
                      const struct replay_run *b)
{
    return a->buffer == b->buffer && a->buffer != CS_INPUT &&
           cs_blocks_meet(a->blocks, b->blocks, cs_program_extent(replay->program, a->buffer));
}

/* Whether claim `i` of an op conflicts with a claim of an earlier op, from `k`
 * on. */
static bool claim_clashes(const struct cs_replay *replay, const struct claims *a, uint32_t i,
                          const struct claims *b, uint32_t k)
{
    for (; k < b->count; k++)
        if (replay_clash(a->use[i], b->use[k]) && runs_meet(replay, &a->run[i], &b->run[k]))
            return true;
    return false;
}

/* Whether the last op conflicts with itself or with an earlier op. */
static bool claims_clash(const struct cs_replay *replay, const struct claims *claims, uint32_t last)
{
    for (uint32_t i = 0; i < claims[last].count; i++) {
        for (uint32_t n = 0; n < last; n++)
            if (claim_clashes(replay, &claims[last], i, &claims[n], 0))
                return true;
        if (claim_clashes(replay, &claims[last], i, &claims[last], i + 1))
            return true;
    }
    return false;
}

/* The same for rounds of many ops: block by block. */
static bool marks_clash(struct cs_replay *replay, const struct claims *claims)
{
    bool found = false;

    for (uint32_t k = 0; k < claims->count; k++) {
        enum cs_buffer buffer = claims->run[k].buffer;
        struct cs_blocks run = claims->run[k].blocks;

        for (uint32_t i = next_in_window(replay, buffer, run, 0); i < run.count;
             i = next_in_window(replay, buffer, run, i + 1))
            found |= replay_marks(replay, claims->use[k], buffer,
                                  nth_block(replay, buffer, run.first, i));
    }
    return found;
}

static int check_lanes(struct cs_replay *replay, uint32_t lane, const struct cs_op *op)
{
    if (replay->uses.active && cs_sharing_collides(replay, lane, op))
        return cs_refuse_op(replay, lane, op->blocks,
                            "uses a chunk that another lane writes at that time");
    return cs_sharing_is_watched(replay) ? cs_sharing_check_op(replay, lane, op) : 0;
}

/* Checks replay->ops, the ops of the lane's current round. */
static int replay_check_round(struct cs_replay *replay, uint32_t lane)
{
    bool is_large = replay->ops.count > PAIRS_MAX;
    struct claims claims[PAIRS_MAX];
    int code = 0;

    replay->uses.stamp++;
    replay->sends = 0;
    for (uint32_t i = 0; i < replay->ops.count && !code; i++) {
        const struct cs_op *op = &replay->ops.op[i];
        uint32_t last = is_large ? 0 : i;

        replay->sends += op->kind == CS_OP_SEND;
        code = check_op(replay, lane, op);
        if (code)
            return code;
        claims[last] = claims_of(op);
        if (is_large ? marks_clash(replay, claims) : claims_clash(replay, claims, last))
            return cs_refuse_op(replay, lane, op->blocks,
                                "uses a chunk that another op of the round writes");
        code = check_lanes(replay, lane, op);
    }
    return code;
}

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
    const struct cs_lane *at = &replay->lanes.lane[lane];

    if (!replay->scattering || rank >= program->ranks ||
        at->round != at->rounds / program->scatters)
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
    code = replay_check_round(replay, number);
    return code ? code : start_ops(replay, number);
}

static void fill_values(struct cs_replay *replay)
{
    const struct cs_algebra *algebra = replay->algebra;
    struct cs_replay_window window = replay->window;
    size_t count = (size_t)cs_program_parties(replay->program) * replay->width;

    replay->values = cs_grow(NULL, count, sizeof(*replay->values));
    memset(replay->values, 0, count * sizeof(*replay->values));
    for (uint32_t rank = 0; rank < replay->program->ranks; rank++)
        for (uint32_t i = 0; i < window.count && !replay->program->output_empty; i++)
            replay->values[(size_t)rank * replay->width + i] =
                algebra->initial(algebra->ctx, rank, window.first + i);
    if (algebra->order_part)
        replay->uses.races =
            cs_races_open(replay->program, algebra->groups, count, algebra->order_part - 1);
    if (replay->lanes.each > 1 && !replay->uses.races) {
        replay->uses.owner = cs_grow(NULL, count, sizeof(*replay->uses.owner));
        memset(replay->uses.owner, 0, count * sizeof(*replay->uses.owner));
    }
    if (cs_races_parts(replay->program, NULL) == 0) {
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
    if (!algebra->scattered || !program->scatters)
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

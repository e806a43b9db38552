#include "sim/replay.h"

#include "sim/mailbox.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct lane {
    uint64_t round;
    uint64_t rounds;
    uint32_t pending;
};

/* A message or a posted receive; never both at once for the same pair. */
struct parcel {
    struct cs_blocks blocks;
    uint64_t round;
    uint32_t lane; /* index of the lane that sent it, or that waits */
    uint32_t next; /* list of unused parcels */
    bool reduces;
    uint64_t *values; /* of the blocks in the window, kept for reuse */
    uint32_t capacity;
};

struct cs_replay {
    const struct cs_program *program;
    const struct cs_algebra *algebra;
    struct cs_replay_window window;
    struct cs_err *err;
    struct cs_mailbox box;
    struct cs_ops ops;
    struct lane *lanes;
    struct parcel *parcels;
    uint32_t parcel_count, parcel_capacity, unused;
    uint64_t *values;  /* party x window */
    uint32_t *written; /* the same; NULL for large ones */
    uint32_t *queue;   /* lanes that can start a round: a ring */
    uint32_t queue_first, queue_count;
    /* Stamps of the ops of a round: who reads, adds to, replaces a block. */
    uint64_t *read, *added, *replaced;
    uint64_t stamp;
    uint32_t *scattering; /* rank: lanes still before the end of the phase */
    uint64_t messages;
    uint64_t unfinished;
};

enum {
    WRITTEN_MAX = 1 << 20
}; /* values for which rounds are kept */

static size_t parties_of(const struct cs_replay *replay)
{
    return cs_program_parties(replay->program);
}

static uint64_t *slot(const struct cs_replay *replay, uint32_t party,
                      uint32_t block)
{
    return &replay->values[(size_t)party * replay->window.count + block -
                           replay->window.first];
}

static bool in_window(const struct cs_replay *replay, uint32_t block)
{
    return block - replay->window.first < replay->window.count;
}

static uint32_t nth_block(const struct cs_replay *replay,
                          struct cs_blocks blocks, uint32_t i)
{
    uint64_t block = (uint64_t)blocks.first + i;

    return (uint32_t)(block >= replay->program->blocks
                          ? block - replay->program->blocks
                          : block);
}

/* ---- messages ---- */

static uint32_t new_parcel(struct cs_replay *replay)
{
    uint32_t i = replay->unused;
    uint32_t old = replay->parcel_capacity;

    if (i != CS_NOBODY) {
        replay->unused = replay->parcels[i].next;
        return i;
    }
    if (replay->parcel_count == old) {
        replay->parcel_capacity = old ? 2 * old : 64;
        replay->parcels = cs_grow(replay->parcels, replay->parcel_capacity,
                                  sizeof(*replay->parcels));
        memset(replay->parcels + old, 0,
               (replay->parcel_capacity - old) * sizeof(*replay->parcels));
    }
    return replay->parcel_count++;
}

static void drop_parcel(struct cs_replay *replay, uint32_t number)
{
    replay->parcels[number].next = replay->unused;
    replay->unused = number;
}

/* A parcel with room for the values of `blocks`. */
static uint32_t pack(struct cs_replay *replay, uint32_t lane,
                     const struct cs_op *op)
{
    uint32_t number = new_parcel(replay);
    struct parcel *parcel = &replay->parcels[number];
    uint32_t most = op->blocks.count < replay->window.count
                        ? op->blocks.count
                        : replay->window.count;

    if (parcel->capacity < most && op->kind == CS_OP_SEND) {
        parcel->values = cs_grow(parcel->values, most, sizeof(*parcel->values));
        parcel->capacity = most;
    }
    parcel->blocks = op->blocks;
    parcel->lane = lane;
    parcel->round = replay->lanes[lane].round;
    parcel->reduces = op->kind == CS_OP_RECV_REDUCE;
    return number;
}

static void read_values(struct cs_replay *replay, struct parcel *parcel,
                        const struct cs_op *op, uint32_t party)
{
    const struct cs_algebra *algebra = replay->algebra;
    uint32_t kept = 0;
    uint32_t i;

    for (i = 0; i < op->blocks.count; i++) {
        uint32_t block = nth_block(replay, op->blocks, i);

        if (!in_window(replay, block))
            continue;
        if (op->buffer == CS_OUTPUT)
            parcel->values[kept++] = *slot(replay, party, block);
        else if (party < replay->program->ranks)
            parcel->values[kept++] =
                algebra->initial(algebra->ctx, party, block);
        else
            parcel->values[kept++] = 0;
    }
}

/* ---- what can go wrong ---- */

static int refuse_blocks(const struct cs_replay *replay, uint32_t party,
                         const struct parcel *receive,
                         const struct parcel *message)
{
    char who[CS_PARTY_NAME];
    char whom[CS_PARTY_NAME];
    char want[CS_PARTY_NAME];
    char got[CS_PARTY_NAME];

    return cs_err_set(
        replay->err, CS_EANSWER,
        "%s, round %" PRIu64 ": expects %s from %s, which sent %s in its round "
        "%" PRIu64,
        cs_party_name(replay->program, party, who), receive->round,
        cs_blocks_name(receive->blocks, want),
        cs_party_name(replay->program, message->lane / replay->program->lanes,
                      whom),
        cs_blocks_name(message->blocks, got), message->round);
}

static int refuse_sum(const struct cs_replay *replay, uint32_t party,
                      const struct parcel *receive, uint32_t block,
                      const struct parcel *message)
{
    char who[CS_PARTY_NAME];
    char whom[CS_PARTY_NAME];

    return cs_err_set(
        replay->err, CS_EANSWER,
        "%s, round %" PRIu64 ": adds to chunk %u what it holds already, "
        "received from %s",
        cs_party_name(replay->program, party, who), receive->round, block,
        cs_party_name(replay->program, message->lane / replay->program->lanes,
                      whom));
}

static int stuck(const struct cs_replay *replay)
{
    const struct cs_program *program = replay->program;
    const struct cs_mail *mail = NULL;
    const struct parcel *receive;
    char who[CS_PARTY_NAME];
    char whom[CS_PARTY_NAME];
    char what[CS_PARTY_NAME];
    uint32_t i;

    for (i = 0; !mail; i++)
        mail = cs_mailbox_receive(&replay->box, i);
    receive = &replay->parcels[mail->number];
    return cs_err_set(replay->err, CS_EANSWER,
                      "%s, round %" PRIu64
                      ": waits for %s from %s, which never sends it",
                      cs_party_name(program, i - 1, who), receive->round,
                      cs_blocks_name(receive->blocks, what),
                      cs_party_name(program, mail->src, whom));
}

static int check_mail(const struct cs_replay *replay)
{
    const struct parcel *message;
    const struct cs_mail *mail;
    char who[CS_PARTY_NAME];
    char whom[CS_PARTY_NAME];
    char what[CS_PARTY_NAME];
    uint32_t i;

    for (i = 0; i < parties_of(replay); i++) {
        mail = cs_mailbox_message(&replay->box, i);
        if (!mail)
            continue;
        message = &replay->parcels[mail->number];
        return cs_err_set(replay->err, CS_EANSWER,
                          "%s, round %" PRIu64
                          ": sends %s to %s, which never receives it",
                          cs_party_name(replay->program, mail->src, whom),
                          message->round, cs_blocks_name(message->blocks, what),
                          cs_party_name(replay->program, i, who));
    }
    return 0;
}

static int refuse_op(const struct cs_replay *replay, uint32_t index,
                     struct cs_blocks blocks, const char *why)
{
    char who[CS_PARTY_NAME];
    char what[CS_PARTY_NAME];

    return cs_err_set(
        replay->err, CS_EANSWER, "%s, round %" PRIu64 ": %s (%s)",
        cs_party_name(replay->program, index / replay->program->lanes, who),
        replay->lanes[index].round, why, cs_blocks_name(blocks, what));
}

/* ---- ops ---- */

static void op_done(struct cs_replay *replay, uint32_t index)
{
    struct lane *lane = &replay->lanes[index];
    uint32_t size = (uint32_t)parties_of(replay) * replay->program->lanes;

    if (--lane->pending > 0)
        return;
    lane->round++;
    replay->queue[(replay->queue_first + replay->queue_count++) % size] = index;
}

/* Puts one received value where it belongs. */
static int put_value(struct cs_replay *replay, const struct parcel *receive,
                     const struct parcel *message, uint32_t block,
                     uint64_t value)
{
    const struct cs_algebra *algebra = replay->algebra;
    uint32_t party = receive->lane / replay->program->lanes;
    uint64_t *held = slot(replay, party, block);

    if (replay->written)
        replay->written[held - replay->values] = (uint32_t)receive->round;
    if (!receive->reduces)
        *held = value;
    else if (!algebra->add(algebra->ctx, *held, value, held))
        return refuse_sum(replay, party, receive, block, message);
    return 0;
}

/* A message and its receive have met. */
static int hand_over(struct cs_replay *replay, uint32_t receive_number,
                     uint32_t message_number)
{
    struct parcel *receive = &replay->parcels[receive_number];
    struct parcel *message = &replay->parcels[message_number];
    uint32_t party = receive->lane / replay->program->lanes;
    uint32_t taken = 0;
    uint32_t i;
    int code = 0;

    if (receive->blocks.first != message->blocks.first ||
        receive->blocks.count != message->blocks.count)
        return refuse_blocks(replay, party, receive, message);
    for (i = 0; i < receive->blocks.count && !code; i++) {
        uint32_t block = nth_block(replay, receive->blocks, i);

        if (in_window(replay, block))
            code = put_value(replay, receive, message, block,
                             message->values[taken++]);
    }
    op_done(replay, receive->lane);
    op_done(replay, message->lane);
    drop_parcel(replay, receive_number);
    drop_parcel(replay, message_number);
    return code;
}

static int start_op(struct cs_replay *replay, uint32_t index,
                    const struct cs_op *op)
{
    uint32_t lanes = replay->program->lanes;
    uint32_t party = index / lanes;
    uint32_t number = pack(replay, index, op);
    struct cs_mail_key key = {party, op->peer, index % lanes};
    uint32_t other;

    if (op->kind == CS_OP_SEND) {
        key = (struct cs_mail_key){op->peer, party, index % lanes};
        read_values(replay, &replay->parcels[number], op, party);
        replay->messages++;
        other = cs_mailbox_arrive(&replay->box, key, number);
        return other == CS_NOBODY ? 0 : hand_over(replay, other, number);
    }
    other = cs_mailbox_post(&replay->box, key, number);
    return other == CS_NOBODY ? 0 : hand_over(replay, number, other);
}

/* ---- rounds ---- */

static int check_op(const struct cs_replay *replay, uint32_t index,
                    const struct cs_op *op)
{
    const struct cs_program *program = replay->program;

    if (op->peer >= parties_of(replay))
        return refuse_op(replay, index, op->blocks, "names nobody as its peer");
    if (op->peer == index / program->lanes)
        return refuse_op(replay, index, op->blocks, "is its own peer");
    if (op->blocks.first >= program->blocks ||
        op->blocks.count > program->blocks)
        return refuse_op(replay, index, op->blocks,
                         "names chunks there are not");
    if (op->kind != CS_OP_SEND && op->buffer == CS_INPUT)
        return refuse_op(replay, index, op->blocks, "writes into its input");
    return 0;
}

/* Marks what the op does to a block; true when another op of the round is in
 * its way.  Reading the input is in nobody's way. */
static bool disturbs(struct cs_replay *replay, const struct cs_op *op,
                     uint32_t block)
{
    uint64_t stamp = replay->stamp;
    bool read = replay->read[block] == stamp;
    bool added = replay->added[block] == stamp;
    bool replaced = replay->replaced[block] == stamp;

    switch (op->kind) {
    case CS_OP_SEND:
        if (op->buffer == CS_INPUT)
            return false;
        replay->read[block] = stamp;
        return added || replaced;
    case CS_OP_RECV_REDUCE:
        replay->added[block] = stamp;
        return read || replaced;
    default:
        replay->replaced[block] = stamp;
        return read || added || replaced;
    }
}

static int check_round(struct cs_replay *replay, uint32_t index)
{
    uint32_t i;
    uint32_t n;
    int code;

    replay->stamp++;
    for (i = 0; i < replay->ops.count; i++) {
        const struct cs_op *op = &replay->ops.op[i];

        code = check_op(replay, index, op);
        if (code)
            return code;
        for (n = 0; n < op->blocks.count; n++)
            if (disturbs(replay, op, nth_block(replay, op->blocks, n)))
                return refuse_op(replay, index, op->blocks,
                                 "uses a chunk that another op of the round "
                                 "writes");
    }
    return 0;
}

static void watch_phase(struct cs_replay *replay, uint32_t index)
{
    const struct cs_program *program = replay->program;
    uint32_t rank = index / program->lanes;

    if (!replay->scattering || rank >= program->ranks ||
        replay->lanes[index].round !=
            program->reduce_scatter_rounds(program->ctx, rank))
        return;
    if (--replay->scattering[rank] == 0)
        replay->algebra->scattered(replay->algebra->watcher, replay, rank);
}

/* Starts the lane's round; empty ones are over at once. */
static int start_round(struct cs_replay *replay, uint32_t index)
{
    const struct cs_program *program = replay->program;
    struct lane *lane = &replay->lanes[index];
    uint32_t i;
    int code;

    for (;; lane->round++) {
        watch_phase(replay, index);
        if (lane->round == lane->rounds) {
            replay->unfinished--;
            return 0;
        }
        replay->ops.count = 0;
        program->round(program->ctx, index / program->lanes,
                       index % program->lanes, lane->round, &replay->ops);
        if (replay->ops.count)
            break;
    }
    lane->pending = replay->ops.count;
    code = check_round(replay, index);
    for (i = 0; i < replay->ops.count && !code; i++)
        code = start_op(replay, index, &replay->ops.op[i]);
    return code;
}

/* ---- the replay ---- */

static void fill_values(struct cs_replay *replay)
{
    const struct cs_algebra *algebra = replay->algebra;
    struct cs_replay_window window = replay->window;
    size_t count = parties_of(replay) * window.count;
    uint32_t rank;
    uint32_t i;

    replay->values = cs_grow(NULL, count, sizeof(*replay->values));
    memset(replay->values, 0, count * sizeof(*replay->values));
    for (rank = 0; rank < replay->program->ranks; rank++)
        for (i = 0; i < window.count; i++)
            replay->values[(size_t)rank * window.count + i] =
                algebra->initial(algebra->ctx, rank, window.first + i);
    if (count > WRITTEN_MAX)
        return;
    replay->written = cs_grow(NULL, count, sizeof(*replay->written));
    memset(replay->written, 0xff, count * sizeof(*replay->written));
}

static uint64_t *new_stamps(const struct cs_replay *replay)
{
    uint32_t blocks = replay->program->blocks;
    uint64_t *stamps = cs_grow(NULL, blocks, sizeof(*stamps));

    memset(stamps, 0, blocks * sizeof(*stamps));
    return stamps;
}

static struct cs_replay *open_replay(const struct cs_program *program,
                                     const struct cs_algebra *algebra,
                                     struct cs_replay_window window,
                                     struct cs_err *err)
{
    struct cs_replay *replay = cs_grow(NULL, 1, sizeof(*replay));
    uint32_t count = cs_program_parties(program) * program->lanes;
    uint32_t i;

    *replay = (struct cs_replay){.program = program,
                                 .algebra = algebra,
                                 .window = window,
                                 .err = err,
                                 .unused = CS_NOBODY,
                                 .unfinished = count};
    cs_mailbox_init(&replay->box, cs_program_parties(program));
    fill_values(replay);
    replay->read = new_stamps(replay);
    replay->added = new_stamps(replay);
    replay->replaced = new_stamps(replay);
    replay->lanes = cs_grow(NULL, count, sizeof(*replay->lanes));
    replay->queue = cs_grow(NULL, count, sizeof(*replay->queue));
    replay->queue_count = count;
    for (i = 0; i < count; i++) {
        replay->lanes[i] = (struct lane){
            .rounds = program->rounds(program->ctx, i / program->lanes,
                                      i % program->lanes)};
        replay->queue[i] = i;
    }
    if (!algebra->scattered || !program->reduce_scatter_rounds)
        return replay;
    replay->scattering =
        cs_grow(NULL, program->ranks, sizeof(*replay->scattering));
    for (i = 0; i < program->ranks; i++)
        replay->scattering[i] = program->lanes;
    return replay;
}

int cs_replay_run(const struct cs_program *program,
                  const struct cs_algebra *algebra,
                  struct cs_replay_window window, struct cs_replay **result,
                  struct cs_err *err)
{
    struct cs_replay *replay = open_replay(program, algebra, window, err);
    uint32_t size = cs_program_parties(program) * program->lanes;
    int code = 0;

    *result = replay;
    while (!code && replay->queue_count) {
        uint32_t index = replay->queue[replay->queue_first];

        replay->queue_first =
            replay->queue_first + 1 == size ? 0 : replay->queue_first + 1;
        replay->queue_count--;
        code = start_round(replay, index);
    }
    if (code)
        return code;
    return replay->unfinished ? stuck(replay) : check_mail(replay);
}

void cs_replay_free(struct cs_replay *replay)
{
    uint32_t i;

    for (i = 0; i < replay->parcel_count; i++)
        free(replay->parcels[i].values);
    free(replay->parcels);
    free(replay->values);
    free(replay->written);
    free(replay->read);
    free(replay->added);
    free(replay->replaced);
    free(replay->lanes);
    free(replay->queue);
    free(replay->scattering);
    cs_ops_free(&replay->ops);
    cs_mailbox_free(&replay->box);
    free(replay);
}

uint64_t cs_replay_value(const struct cs_replay *replay, uint32_t party,
                         uint32_t block)
{
    return *slot(replay, party, block);
}

uint32_t cs_replay_written(const struct cs_replay *replay, uint32_t party,
                           uint32_t block)
{
    return replay->written
               ? replay->written[slot(replay, party, block) - replay->values]
               : CS_NEVER_WRITTEN;
}

uint64_t cs_replay_messages(const struct cs_replay *replay)
{
    return replay->messages;
}

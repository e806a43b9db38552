#include "sim/proof/replay.h"

#include "sim/program/matching.h"
#include "sim/proof/races.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

struct replay_lane {
    uint64_t round;
    uint64_t rounds;
    uint32_t pending;
    uint32_t waits_for; /* lane of the same party, or CS_NOBODY */
    uint32_t waits_round;
};

/* A message or a posted receive; never both at once for the same pair. */
struct replay_parcel {
    struct cs_blocks blocks;
    uint64_t amount; /* bytes, where there are no blocks */
    uint64_t round;
    uint32_t lane;    /* index of the lane that sent it, or that waits */
    uint32_t place;   /* of the op in its round */
    uint32_t next;    /* list of unused parcels */
    uint8_t kind;     /* enum cs_op_kind */
    uint8_t buffer;   /* enum cs_buffer */
    bool handshake;   /* its sender waits for the receive */
    bool alone;       /* the only message that its round sends */
    bool away;        /* it has arrived and its sender has gone on; unused */
    uint64_t *values; /* of the blocks in the window, kept for reuse */
    uint32_t capacity;
};

/* Blocks of a buffer. */
struct replay_run {
    enum cs_buffer buffer;
    struct cs_blocks blocks;
};

/* What ops that are under way do to a block. */
struct activity {
    uint16_t reads;
    uint16_t adds;
    uint16_t replaces;
};

struct cs_replay {
    const struct cs_program *program;
    const struct cs_algebra *algebra;
    struct cs_replay_window window;
    struct cs_err *err;
    struct cs_mailbox box;
    struct cs_ops ops;
    uint32_t sends; /* among them */
    struct replay_lane *lanes;
    struct replay_parcel *parcels;
    uint32_t parcel_count, parcel_capacity, unused;
    uint64_t *values; /* party x (window, then scratch) */
    uint32_t width;   /* blocks of window and scratch */
    struct activity
        *active;            /* the same shape; NULL unless races are too many */
    struct cs_races *races; /* NULL with one lane, or too much to keep */
    /* The same shape: 1 + the lane that uses it; NULL with one lane or races. */
    uint32_t *owner;
    bool shares;       /* a block or a named channel may be used by two lanes */
    uint32_t *written; /* the same; NULL for large ones */
    uint32_t *queue;   /* lanes that can start a round: a ring */
    uint32_t queue_first, queue_count;
    /* Which round last made which use of a block of output, then scratch. */
    uint64_t *used[CS_USES];
    uint64_t stamp;
    uint32_t *scattering; /* rank: lanes still before the end of the phase */
    uint64_t messages;
    uint64_t unfinished;
    struct cs_progress progress;
    uint64_t next_update; /* rounds begun until then */
};

enum {
    WRITTEN_MAX = 1 << 20, /* values for which rounds are kept */
    PAIRS_MAX = 8, /* ops of a round that are compared with each other */
};

static size_t parties_of(const struct cs_replay *replay)
{
    return cs_program_parties(replay->program);
}

/* Where a block of output or scratch is kept. */
static size_t replay_slot(const struct cs_replay *replay, uint32_t party,
                          enum cs_buffer buffer, uint32_t block)
{
    size_t row = (size_t)party * replay->width;

    if (buffer == CS_SCRATCH)
        return row + replay->window.count + block;
    return row + block - replay->window.first;
}

static bool in_window(const struct cs_replay *replay, enum cs_buffer buffer,
                      uint32_t block)
{
    return buffer == CS_SCRATCH ||
           block - replay->window.first < replay->window.count;
}

/* How many blocks a buffer has. */
static uint32_t replay_extent(const struct cs_replay *replay,
                              enum cs_buffer buffer)
{
    return buffer == CS_SCRATCH ? replay->program->scratch_blocks
                                : replay->program->blocks;
}

static uint32_t nth_block(const struct cs_replay *replay, enum cs_buffer buffer,
                          uint32_t first, uint32_t i)
{
    uint64_t block = (uint64_t)first + i;
    uint32_t size = replay_extent(replay, buffer);

    return (uint32_t)(block >= size ? block - size : block);
}

/* The first place from `i` on of a run whose block is in the window, or its
 * count: places are visited in order, and those outside cost nothing. */
static uint32_t next_in_window(const struct cs_replay *replay,
                               enum cs_buffer buffer, struct cs_blocks run,
                               uint32_t i)
{
    struct cs_replay_window window = replay->window;
    uint32_t blocks = replay->program->blocks;
    uint64_t block;
    uint64_t ahead;

    if (i >= run.count || buffer == CS_SCRATCH || window.count == blocks)
        return i;
    block = (uint64_t)run.first + i;
    if (block >= blocks)
        block -= blocks;
    if (block - window.first < window.count)
        return i;
    ahead = window.first + (block < window.first ? 0 : blocks) - block;
    return i + ahead < run.count ? (uint32_t)(i + ahead) : run.count;
}

/* ---- messages ---- */

static uint32_t replay_new_parcel(struct cs_replay *replay)
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

static void replay_drop_parcel(struct cs_replay *replay, uint32_t number)
{
    replay->parcels[number].away = true;
    replay->parcels[number].next = replay->unused;
    replay->unused = number;
}

/* A parcel with room for the values of `blocks`. */
static uint32_t replay_pack(struct cs_replay *replay, uint32_t lane,
                            const struct cs_op *op)
{
    uint32_t number = replay_new_parcel(replay);
    struct replay_parcel *parcel = &replay->parcels[number];
    uint32_t most =
        op->blocks.count < replay->width ? op->blocks.count : replay->width;

    if (parcel->capacity < most && op->kind == CS_OP_SEND) {
        parcel->values = cs_grow(parcel->values, most, sizeof(*parcel->values));
        parcel->capacity = most;
    }
    parcel->blocks = op->blocks;
    parcel->amount = op->amount;
    parcel->handshake =
        replay->program->handshake || op->leaves == CS_LEAVES_MET;
    parcel->alone = replay->sends == 1;
    parcel->away = false;
    parcel->lane = lane;
    parcel->round = replay->lanes[lane].round;
    parcel->place = (uint32_t)(op - replay->ops.op);
    parcel->kind = op->kind;
    parcel->buffer = op->buffer;
    return number;
}

static uint64_t replay_read_value(const struct cs_replay *replay,
                                  uint32_t party, enum cs_buffer buffer,
                                  uint32_t block)
{
    const struct cs_algebra *algebra = replay->algebra;

    if (buffer != CS_INPUT)
        return replay->values[replay_slot(replay, party, buffer, block)];
    if (party >= replay->program->ranks)
        return 0;
    return algebra->initial(algebra->ctx, party, block);
}

static void read_values(struct cs_replay *replay, struct replay_parcel *parcel,
                        uint32_t party)
{
    uint32_t kept = 0;
    uint32_t i;

    for (i = next_in_window(replay, parcel->buffer, parcel->blocks, 0);
         i < parcel->blocks.count;
         i = next_in_window(replay, parcel->buffer, parcel->blocks, i + 1))
        parcel->values[kept++] = replay_read_value(
            replay, party, parcel->buffer,
            nth_block(replay, parcel->buffer, parcel->blocks.first, i));
}

/* ---- what can go wrong ---- */

enum {
    PLACE = 300
};

/* "rank 3, round 5", or "file.xml:12: rank 3". */
static const char *replay_place(const struct cs_replay *replay, uint32_t index,
                                uint64_t round, char text[PLACE])
{
    const struct cs_program *program = replay->program;
    uint32_t party = index / program->lanes;
    char who[CS_PARTY_NAME];
    struct cs_place at;

    cs_party_name(program, party, who);
    if (!program->where) {
        snprintf(text, PLACE, "%s, round %" PRIu64, who, round);
        return text;
    }
    at = program->where(program->ctx, party, index % program->lanes, round);
    snprintf(text, PLACE, "%.250s:%u: %s", at.file, at.line, who);
    return text;
}

/* "chunk 3", or "4 bytes" that are nobody's data. */
static const char *parcel_name(const struct replay_parcel *parcel,
                               char text[CS_PARTY_NAME])
{
    return cs_cargo_name(parcel->blocks, parcel->amount, text);
}

static int refuse_blocks(const struct cs_replay *replay,
                         const struct replay_parcel *receive,
                         const struct replay_parcel *message)
{
    char where[PLACE];
    char whom[CS_PARTY_NAME];
    char want[CS_PARTY_NAME];
    char got[CS_PARTY_NAME];

    return cs_err_set(
        replay->err, CS_EANSWER,
        "%s: expects %s from %s, which sent %s in its round %" PRIu64,
        replay_place(replay, receive->lane, receive->round, where),
        parcel_name(receive, want),
        cs_party_name(replay->program, message->lane / replay->program->lanes,
                      whom),
        parcel_name(message, got), message->round);
}

/* 0 is the value of nothing. */
static int refuse_sum(const struct cs_replay *replay,
                      const struct replay_parcel *parcel, uint32_t block,
                      uint64_t value)
{
    uint32_t party = parcel->lane / replay->program->lanes;
    uint64_t held =
        replay->values[replay_slot(replay, party, parcel->buffer, block)];
    const char *why = "what it holds already";
    char where[PLACE];

    if (held == 0)
        why = "which holds nothing to add to";
    else if (value == 0)
        why = "from a chunk that holds nothing";
    return cs_err_set(replay->err, CS_EANSWER, "%s: adds to %schunk %u%s %s",
                      replay_place(replay, parcel->lane, parcel->round, where),
                      parcel->buffer == CS_SCRATCH ? "scratch " : "", block,
                      held == 0 ? "," : "", why);
}

/* Only waits are left: lanes of one party wait for each other. */
static int replay_stuck_waiting(const struct cs_replay *replay)
{
    char where[PLACE];
    uint32_t lanes = replay->program->lanes;
    uint32_t i = 0;

    while (replay->lanes[i].waits_for == CS_NOBODY)
        i++;
    return cs_err_set(replay->err, CS_EANSWER,
                      "%s: lane %u waits for round %u of lane %u, which never "
                      "ends",
                      replay_place(replay, i, replay->lanes[i].round, where),
                      i % lanes, replay->lanes[i].waits_round,
                      replay->lanes[i].waits_for);
}

static int check_mail(const struct cs_replay *replay)
{
    const struct cs_mail *mail =
        cs_mailbox_first(&replay->box, CS_MAIL_MESSAGES);
    const struct replay_parcel *message;
    char where[PLACE];
    char who[CS_PARTY_NAME];
    char what[CS_PARTY_NAME];

    if (!mail)
        return 0;
    message = &replay->parcels[mail->number];
    return cs_err_set(
        replay->err, CS_EANSWER, "%s: sends %s to %s, which never receives it",
        replay_place(replay, message->lane, message->round, where),
        parcel_name(message, what),
        cs_party_name(replay->program, mail->key.dst, who));
}

/* Somebody waits for ever: to receive, to be received, for another lane. */
static int replay_stuck(const struct cs_replay *replay)
{
    const struct cs_program *program = replay->program;
    const struct cs_mail *mail =
        cs_mailbox_first(&replay->box, CS_MAIL_RECEIVES);
    const struct replay_parcel *receive;
    char where[PLACE];
    char whom[CS_PARTY_NAME];
    char what[CS_PARTY_NAME];
    int code;

    if (!mail) {
        code = check_mail(replay);
        return code ? code : replay_stuck_waiting(replay);
    }
    receive = &replay->parcels[mail->number];
    return cs_err_set(
        replay->err, CS_EANSWER,
        "%s: waits for %s from %s, which never sends it",
        replay_place(replay, receive->lane, receive->round, where),
        parcel_name(receive, what),
        cs_party_name(program, mail->key.src, whom));
}

static int refuse_op(const struct cs_replay *replay, uint32_t index,
                     struct cs_blocks blocks, const char *why)
{
    char where[PLACE];
    char what[CS_PARTY_NAME];

    return cs_err_set(
        replay->err, CS_EANSWER, "%s: %s (%s)",
        replay_place(replay, index, replay->lanes[index].round, where), why,
        cs_blocks_name(blocks, what));
}

/* ---- lanes ---- */

static void replay_op_done(struct cs_replay *replay, uint32_t index)
{
    struct replay_lane *lane = &replay->lanes[index];
    uint32_t size = (uint32_t)parties_of(replay) * replay->program->lanes;

    if (--lane->pending > 0)
        return;
    lane->round++;
    replay->queue[(replay->queue_first + replay->queue_count++) % size] = index;
}

/* The lane's round ends after `round` of another lane is over. */
static void comes_after(struct cs_replay *replay, uint32_t index,
                        uint32_t other, uint64_t round)
{
    if (replay->races)
        cs_races_after(replay->races, index,
                       (struct cs_race_round){other, round + 1},
                       CS_RACE_BEFORE);
}

/* Rounds of lane `index` are over: who waits for them goes on. */
static void replay_wake_waiters(struct cs_replay *replay, uint32_t index)
{
    uint32_t lanes = replay->program->lanes;
    uint32_t first = index - index % lanes;
    uint32_t i;

    if (lanes == 1)
        return;
    for (i = first; i < first + lanes; i++) {
        struct replay_lane *waiter = &replay->lanes[i];

        if (waiter->waits_for != index % lanes ||
            replay->lanes[index].round <= waiter->waits_round)
            continue;
        waiter->waits_for = CS_NOBODY;
        comes_after(replay, i, index, waiter->waits_round);
        replay_op_done(replay, i);
    }
}

static void replay_start_wait(struct cs_replay *replay, uint32_t index,
                              const struct cs_op *op)
{
    uint32_t lanes = replay->program->lanes;
    struct replay_lane *lane = &replay->lanes[index];
    uint32_t other = index - index % lanes + op->peer;

    if (replay->lanes[other].round > op->source) {
        comes_after(replay, index, other, op->source);
        replay_op_done(replay, index);
        return;
    }
    lane->waits_for = op->peer;
    lane->waits_round = op->source;
}

/* ---- ops of several lanes that are under way at once ---- */

static uint16_t *replay_count_of(struct activity *active, enum cs_op_kind kind)
{
    switch (kind) {
    case CS_OP_SEND:
        return &active->reads;
    case CS_OP_RECV_REDUCE:
    case CS_OP_REDUCE:
        return &active->adds;
    default:
        return &active->replaces;
    }
}

static bool in_the_route(const struct activity *active, enum cs_op_kind kind)
{
    switch (kind) {
    case CS_OP_SEND:
        return active->adds || active->replaces;
    case CS_OP_RECV_REDUCE:
    case CS_OP_REDUCE:
        return active->reads || active->replaces;
    default:
        return active->reads || active->adds || active->replaces;
    }
}

/* The op begins (step 1) or ends (step -1) to use its blocks. */
static void use_blocks(struct cs_replay *replay,
                       const struct replay_parcel *parcel, int step)
{
    uint32_t party = parcel->lane / replay->program->lanes;
    uint32_t i;

    if (!replay->active || parcel->buffer == CS_INPUT)
        return;
    for (i = 0; i < parcel->blocks.count; i++) {
        uint32_t block =
            nth_block(replay, parcel->buffer, parcel->blocks.first, i);

        if (in_window(replay, parcel->buffer, block))
            *replay_count_of(&replay->active[replay_slot(
                                 replay, party, parcel->buffer, block)],
                             parcel->kind) += (uint16_t)step;
    }
}

static bool blocks_in_use(const struct cs_replay *replay, uint32_t party,
                          const struct replay_parcel *parcel)
{
    uint32_t i;

    if (parcel->buffer == CS_INPUT)
        return false;
    for (i = 0; i < parcel->blocks.count; i++) {
        uint32_t block =
            nth_block(replay, parcel->buffer, parcel->blocks.first, i);

        if (in_window(replay, parcel->buffer, block) &&
            in_the_route(&replay->active[replay_slot(replay, party,
                                                     parcel->buffer, block)],
                         parcel->kind))
            return true;
    }
    return false;
}

/* Is another lane's op in the way of this one?  Asked before any op of the
 * round begins, when the lane itself has none under way. */
static bool lanes_collide(const struct cs_replay *replay, uint32_t index,
                          const struct cs_op *op)
{
    uint32_t party = index / replay->program->lanes;
    struct replay_parcel target = {
        .blocks = op->blocks, .kind = op->kind, .buffer = op->buffer};
    struct replay_parcel source = {.blocks = {op->source, op->blocks.count},
                                   .kind = CS_OP_SEND,
                                   .buffer = op->source_buffer};

    if (!replay->active || op->kind == CS_OP_WAIT || op->kind == CS_OP_WORK)
        return false;
    if (blocks_in_use(replay, party, &target))
        return true;
    return (op->kind == CS_OP_COPY || op->kind == CS_OP_REDUCE) &&
           blocks_in_use(replay, party, &source);
}

/* ---- what lanes use in no order ---- */

static enum cs_use replay_use_of(enum cs_op_kind kind)
{
    switch (kind) {
    case CS_OP_SEND:
        return CS_USE_SENDS;
    case CS_OP_RECV_REDUCE:
    case CS_OP_REDUCE:
        return CS_USE_ADDS;
    default:
        return CS_USE_REPLACES;
    }
}

static int refuse_race(const struct cs_replay *replay, uint32_t index,
                       uint32_t block, struct cs_race_round other)
{
    char here[PLACE];
    char there[PLACE];
    char what[CS_PARTY_NAME];

    return cs_err_set(
        replay->err, CS_EANSWER,
        "%s: races for a chunk with lane %u (%s): nothing says which is first "
        "(%s)",
        replay_place(replay, index, replay->lanes[index].round, here),
        other.lane % replay->program->lanes,
        replay_place(replay, other.lane, other.round, there),
        cs_blocks_name((struct cs_blocks){block, 1}, what));
}

static void note_owner(struct cs_replay *replay, size_t at, uint32_t lane)
{
    replay->shares |= replay->owner[at] && replay->owner[at] != lane + 1;
    replay->owner[at] = lane + 1;
}

static int check_race(struct cs_replay *replay, struct cs_race_use use,
                      const struct replay_run *run)
{
    uint32_t party = use.lane / replay->program->lanes;
    struct cs_race_round other;
    uint32_t i;

    if ((!replay->races && !replay->owner) || run->buffer == CS_INPUT)
        return 0;
    for (i = next_in_window(replay, run->buffer, run->blocks, 0);
         i < run->blocks.count;
         i = next_in_window(replay, run->buffer, run->blocks, i + 1)) {
        uint32_t block = nth_block(replay, run->buffer, run->blocks.first, i);

        use.slot = replay_slot(replay, party, run->buffer, block);
        if (replay->owner)
            note_owner(replay, use.slot, use.lane);
        else if (cs_races_use(replay->races, use, &other))
            return refuse_race(replay, use.lane, block, other);
    }
    return 0;
}

/* What the op uses when its round starts: receives write when their message
 * arrives. */
static int check_races(struct cs_replay *replay, uint32_t index,
                       const struct cs_op *op)
{
    bool local = op->kind == CS_OP_COPY || op->kind == CS_OP_REDUCE;
    struct cs_race_use use = {.lane = index, .kind = replay_use_of(op->kind)};
    int code;

    if (!local && op->kind != CS_OP_SEND)
        return 0;
    code =
        check_race(replay, use, &(struct replay_run){op->buffer, op->blocks});
    if (code || !local)
        return code;
    use.kind = CS_USE_READS;
    return check_race(replay, use,
                      &(struct replay_run){op->source_buffer,
                                           {op->source, op->blocks.count}});
}

static int check_arrival(struct cs_replay *replay,
                         const struct replay_parcel *receive,
                         const struct replay_parcel *message)
{
    struct cs_race_round cause = {message->lane, message->round};
    struct cs_race_use use = {.lane = receive->lane,
                              .kind = replay_use_of(receive->kind),
                              .cause = &cause};

    return check_race(replay, use,
                      &(struct replay_run){receive->buffer, receive->blocks});
}

static int refuse_sharing(const struct cs_replay *replay,
                          const struct replay_parcel *parcel, uint32_t peer,
                          struct cs_race_round other)
{
    bool sends = parcel->kind == CS_OP_SEND;
    char here[PLACE];
    char there[PLACE];
    char what[CS_PARTY_NAME];
    char whom[CS_PARTY_NAME];

    return cs_err_set(
        replay->err, CS_EANSWER,
        "%s: %s %s %s %s by the channel of lane %u (%s): nothing says which is "
        "first",
        replay_place(replay, parcel->lane, parcel->round, here),
        sends ? "sends" : "receives", parcel_name(parcel, what),
        sends ? "to" : "from", cs_party_name(replay->program, peer, whom),
        other.lane % replay->program->lanes,
        replay_place(replay, other.lane, other.round, there));
}

/* Channels that are named can be those of several lanes. */
static int check_connection(struct cs_replay *replay,
                            const struct replay_parcel *parcel,
                            const struct cs_op *op)
{
    struct cs_race_end end = {parcel->lane / replay->program->lanes, op->peer,
                              op->channel, op->kind == CS_OP_SEND};
    struct cs_race_round other;

    replay->shares |= op->channel != 0 && replay->program->lanes > 1;
    if (!replay->races || op->channel == 0 ||
        !cs_races_connect(replay->races, parcel->lane, end, &other))
        return 0;
    return refuse_sharing(replay, parcel, op->peer, other);
}

/* ---- ops ---- */

/* Puts one value into a block. */
static int put_value(struct cs_replay *replay,
                     const struct replay_parcel *parcel, uint32_t block,
                     uint64_t value)
{
    const struct cs_algebra *algebra = replay->algebra;
    uint32_t party = parcel->lane / replay->program->lanes;
    size_t at = replay_slot(replay, party, parcel->buffer, block);
    uint64_t sum;
    bool adds =
        parcel->kind == CS_OP_RECV_REDUCE || parcel->kind == CS_OP_REDUCE;
    bool clears = party >= replay->program->ranks && replay->values[at] == 0;

    if (replay->written)
        replay->written[at] = (uint32_t)parcel->round;
    if (!adds || (clears && value))
        sum = value;
    else if (!algebra->add(algebra->ctx, replay->values[at], value, &sum))
        return refuse_sum(replay, parcel, block, value);
    replay->values[at] = sum;
    return 0;
}

static bool replay_fits(const struct cs_replay *replay,
                        const struct replay_parcel *receive,
                        const struct replay_parcel *message)
{
    return receive->blocks.count == message->blocks.count &&
           (receive->blocks.count || receive->amount == message->amount) &&
           (replay->program->moves_blocks ||
            receive->blocks.first == message->blocks.first);
}

static struct cs_replay_end replay_end_of(const struct cs_replay *replay,
                                          const struct replay_parcel *parcel)
{
    return (struct cs_replay_end){
        .party = parcel->lane / replay->program->lanes,
        .lane = parcel->lane % replay->program->lanes,
        .round = parcel->round,
        .place = parcel->place,
        .buffer = (enum cs_buffer)parcel->buffer,
        .blocks = parcel->blocks,
    };
}

static void report_message(const struct cs_replay *replay,
                           const struct replay_parcel *receive,
                           const struct replay_parcel *message)
{
    struct cs_replay_move move = {
        .from = replay_end_of(replay, message),
        .to = replay_end_of(replay, receive),
        .adds = receive->kind == CS_OP_RECV_REDUCE,
        .amount = message->amount,
        .values = message->values,
    };

    if (replay->algebra->moved)
        replay->algebra->moved(replay->algebra->watcher, &move);
}

/* Block `i` of a copy or sum within a party. */
static void report_local(const struct cs_replay *replay,
                         const struct replay_parcel *parcel,
                         const struct cs_op *op, uint32_t i, uint64_t value)
{
    struct cs_replay_move move = {
        .from = replay_end_of(replay, parcel),
        .to = replay_end_of(replay, parcel),
        .adds = parcel->kind == CS_OP_REDUCE,
        .values = &value,
    };

    move.from.buffer = (enum cs_buffer)op->source_buffer;
    move.from.blocks = (struct cs_blocks){
        nth_block(replay, op->source_buffer, op->source, i), 1};
    move.to.blocks = (struct cs_blocks){
        nth_block(replay, op->buffer, op->blocks.first, i), 1};
    if (replay->algebra->moved)
        replay->algebra->moved(replay->algebra->watcher, &move);
}

/* What the receiver knows of the sender's rounds, and with a handshake the
 * other way round. */
static void order_lanes(struct cs_replay *replay,
                        const struct replay_parcel *receive,
                        const struct replay_parcel *message)
{
    struct cs_race_round sent = {message->lane, message->round};
    struct cs_race_round requested = {receive->lane, receive->round};

    if (!replay->races)
        return;
    cs_races_after(replay->races, receive->lane, sent,
                   message->alone ? CS_RACE_SENT : CS_RACE_BEGUN);
    if (message->handshake)
        cs_races_after(replay->races, message->lane, requested, CS_RACE_BEGUN);
}

/* A message and its receive have met. */
static int replay_hand_over(struct cs_replay *replay, uint32_t receive_number,
                            uint32_t message_number)
{
    struct replay_parcel *receive = &replay->parcels[receive_number];
    struct replay_parcel *message = &replay->parcels[message_number];
    uint32_t taken = 0;
    uint32_t i;
    int code = 0;

    if (!replay_fits(replay, receive, message))
        return refuse_blocks(replay, receive, message);
    code = check_arrival(replay, receive, message);
    for (i = next_in_window(replay, receive->buffer, receive->blocks, 0);
         i < receive->blocks.count && !code;
         i = next_in_window(replay, receive->buffer, receive->blocks, i + 1))
        code = put_value(
            replay, receive,
            nth_block(replay, receive->buffer, receive->blocks.first, i),
            message->values[taken++]);
    use_blocks(replay, receive, -1);
    if (!code)
        report_message(replay, receive, message);
    order_lanes(replay, receive, message);
    replay_op_done(replay, receive->lane);
    if (!message->away) {
        use_blocks(replay, message, -1);
        replay_op_done(replay, message->lane);
    }
    replay_drop_parcel(replay, receive_number);
    replay_drop_parcel(replay, message_number);
    return code;
}

/*
 * Nobody can go on: messages that nobody has asked for yet have arrived by
 * now, and their senders, which held on to their blocks for as long as
 * possible, go on.
 */
static void let_senders_go(struct cs_replay *replay)
{
    uint32_t i;

    for (i = 0; i < replay->parcel_count; i++) {
        struct replay_parcel *message = &replay->parcels[i];

        if (message->kind != CS_OP_SEND || message->handshake || message->away)
            continue;
        message->away = true;
        use_blocks(replay, message, -1);
        replay_op_done(replay, message->lane);
    }
}

/* A copy or sum within a party. */
static int do_local(struct cs_replay *replay, uint32_t index,
                    const struct cs_op *op)
{
    struct replay_parcel parcel = {.blocks = op->blocks,
                                   .round = replay->lanes[index].round,
                                   .lane = index,
                                   .place = (uint32_t)(op - replay->ops.op),
                                   .kind = op->kind,
                                   .buffer = op->buffer};
    uint32_t party = index / replay->program->lanes;
    uint32_t i;
    int code = 0;

    for (i = 0; i < op->blocks.count && !code; i++) {
        uint32_t from = nth_block(replay, op->source_buffer, op->source, i);
        uint32_t to = nth_block(replay, op->buffer, op->blocks.first, i);

        uint64_t value;

        if (!in_window(replay, op->buffer, to))
            continue;
        value = replay_read_value(replay, party, op->source_buffer, from);
        code = put_value(replay, &parcel, to, value);
        if (!code)
            report_local(replay, &parcel, op, i, value);
    }
    replay_op_done(replay, index);
    return code;
}

static int start_message(struct cs_replay *replay, uint32_t index,
                         const struct cs_op *op)
{
    uint32_t lanes = replay->program->lanes;
    uint32_t party = index / lanes;
    uint32_t number = replay_pack(replay, index, op);
    uint32_t channel = cs_op_channel(replay->program, index % lanes, op);
    struct cs_mail_key key = {party, op->peer, channel};
    uint32_t other;
    int code = check_connection(replay, &replay->parcels[number], op);

    if (code)
        return code;
    use_blocks(replay, &replay->parcels[number], 1);
    if (op->kind == CS_OP_SEND) {
        key = (struct cs_mail_key){op->peer, party, channel};
        read_values(replay, &replay->parcels[number], party);
        replay->messages++;
        other = cs_mailbox_arrive(&replay->box, &key, number);
        return other == CS_NOBODY ? 0 : replay_hand_over(replay, other, number);
    }
    other = cs_mailbox_post(&replay->box, &key, number);
    return other == CS_NOBODY ? 0 : replay_hand_over(replay, number, other);
}

static int replay_start_op(struct cs_replay *replay, uint32_t index,
                           const struct cs_op *op)
{
    switch (op->kind) {
    case CS_OP_WAIT:
        replay_start_wait(replay, index, op);
        return 0;
    case CS_OP_WORK:
        replay_op_done(replay, index);
        return 0;
    case CS_OP_COPY:
    case CS_OP_REDUCE:
        return do_local(replay, index, op);
    default:
        return start_message(replay, index, op);
    }
}

/* ---- rounds ---- */

static bool replay_outside(const struct cs_replay *replay,
                           enum cs_buffer buffer, uint32_t first,
                           uint32_t count)
{
    uint32_t size = replay_extent(replay, buffer);

    return first >= size || count > size;
}

static int check_wait(const struct cs_replay *replay, uint32_t index,
                      const struct cs_op *op)
{
    if (replay->ops.count != 1)
        return refuse_op(replay, index, op->blocks,
                         "waits and does something else in one round");
    if (op->peer >= replay->program->lanes ||
        op->peer == index % replay->program->lanes)
        return refuse_op(replay, index, op->blocks,
                         "waits for a lane there is not");
    return 0;
}

static int check_op(const struct cs_replay *replay, uint32_t index,
                    const struct cs_op *op)
{
    bool local = op->kind == CS_OP_COPY || op->kind == CS_OP_REDUCE;

    if (op->kind == CS_OP_WORK)
        return 0;
    if (op->kind == CS_OP_WAIT)
        return check_wait(replay, index, op);
    if (!local && op->peer >= parties_of(replay))
        return refuse_op(replay, index, op->blocks, "names nobody as its peer");
    if (!local && op->peer == index / replay->program->lanes)
        return refuse_op(replay, index, op->blocks, "is its own peer");
    if (replay_outside(replay, op->buffer, op->blocks.first,
                       op->blocks.count) ||
        (local && replay_outside(replay, op->source_buffer, op->source,
                                 op->blocks.count)))
        return refuse_op(replay, index, op->blocks,
                         "names chunks there are not");
    if (op->kind != CS_OP_SEND && op->buffer == CS_INPUT)
        return refuse_op(replay, index, op->blocks, "writes into its input");
    return 0;
}

/* Is that use in the way of another one in the same round?  Those who only
 * read or only add are in nobody's way, and sends read before anything is
 * added. */
static bool replay_clash(enum cs_use one, enum cs_use other)
{
    if (one == CS_USE_REPLACES || other == CS_USE_REPLACES)
        return true;
    return (one == CS_USE_READS && other == CS_USE_ADDS) ||
           (one == CS_USE_ADDS && other == CS_USE_READS);
}

/* Marks the use of a block; true when another op of the round is in its way.
 * The input is never written, so that reading it is in nobody's way. */
static bool replay_marks(struct cs_replay *replay, enum cs_use use,
                         enum cs_buffer buffer, uint32_t block)
{
    size_t at = buffer == CS_SCRATCH ? replay->program->blocks + block : block;
    bool found = false;
    int other;

    if (buffer == CS_INPUT)
        return false;
    for (other = 0; other < CS_USES; other++)
        found |= replay->used[other][at] == replay->stamp &&
                 replay_clash(use, (enum cs_use)other);
    replay->used[use][at] = replay->stamp;
    return found;
}

/* The runs that an op uses: its own, and that it reads within the party. */
struct claims {
    uint32_t count;
    enum cs_use use[2];
    struct replay_run run[2];
};

static struct claims claims_of(const struct cs_op *op)
{
    struct claims claims = {.count = 1,
                            .use = {replay_use_of(op->kind), CS_USE_READS}};

    if (op->kind == CS_OP_WAIT || op->kind == CS_OP_WORK)
        return (struct claims){0};
    claims.run[0] = (struct replay_run){op->buffer, op->blocks};
    if (op->kind != CS_OP_COPY && op->kind != CS_OP_REDUCE)
        return claims;
    claims.run[1] =
        (struct replay_run){op->source_buffer, {op->source, op->blocks.count}};
    claims.count = 2;
    return claims;
}

static bool runs_meet(const struct cs_replay *replay,
                      const struct replay_run *a, const struct replay_run *b)
{
    uint64_t size = replay_extent(replay, a->buffer);
    uint64_t ahead = b->blocks.first + size - a->blocks.first;
    uint64_t behind = a->blocks.first + size - b->blocks.first;

    if (a->buffer != b->buffer || a->buffer == CS_INPUT)
        return false;
    return (ahead >= size ? ahead - size : ahead) < a->blocks.count ||
           (behind >= size ? behind - size : behind) < b->blocks.count;
}

/* Does the op disturb that one, or itself? */
static bool ops_clash(const struct cs_replay *replay, const struct cs_op *op,
                      const struct cs_op *other)
{
    struct claims a = claims_of(op);
    struct claims b = claims_of(other);
    uint32_t i;
    uint32_t k;

    for (i = 0; i < a.count; i++)
        for (k = op == other ? i + 1 : 0; k < b.count; k++)
            if (replay_clash(a.use[i], b.use[k]) &&
                runs_meet(replay, &a.run[i], &b.run[k]))
                return true;
    return false;
}

/* The same for many ops: block by block. */
static bool marks_clash(struct cs_replay *replay, const struct cs_op *op)
{
    struct claims claims = claims_of(op);
    bool found = false;
    uint32_t i;
    uint32_t k;

    for (k = 0; k < claims.count; k++) {
        enum cs_buffer buffer = claims.run[k].buffer;
        struct cs_blocks run = claims.run[k].blocks;

        for (i = next_in_window(replay, buffer, run, 0); i < run.count;
             i = next_in_window(replay, buffer, run, i + 1))
            found |= replay_marks(replay, claims.use[k], buffer,
                                  nth_block(replay, buffer, run.first, i));
    }
    return found;
}

static bool replay_disturbs(struct cs_replay *replay, const struct cs_op *op)
{
    const struct cs_op *other = replay->ops.op;

    if (replay->ops.count > PAIRS_MAX)
        return marks_clash(replay, op);
    for (; other <= op; other++)
        if (ops_clash(replay, op, other))
            return true;
    return false;
}

static int check_round(struct cs_replay *replay, uint32_t index)
{
    uint32_t i;
    int code;

    replay->stamp++;
    replay->sends = 0;
    for (i = 0; i < replay->ops.count; i++) {
        const struct cs_op *op = &replay->ops.op[i];

        replay->sends += op->kind == CS_OP_SEND;
        code = check_op(replay, index, op);
        if (code)
            return code;
        if (replay_disturbs(replay, op))
            return refuse_op(replay, index, op->blocks,
                             "uses a chunk that another op of the round "
                             "writes");
        if (lanes_collide(replay, index, op))
            return refuse_op(replay, index, op->blocks,
                             "uses a chunk that another lane writes at that "
                             "time");
        code = check_races(replay, index, op);
        if (code)
            return code;
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

/* Starts all ops of the round; sends read before anything is written. */
static int start_ops(struct cs_replay *replay, uint32_t index)
{
    int code = 0;
    int pass;
    uint32_t i;

    for (pass = 0; pass < 2; pass++)
        for (i = 0; i < replay->ops.count && !code; i++)
            if ((replay->ops.op[i].kind != CS_OP_SEND) == pass)
                code = replay_start_op(replay, index, &replay->ops.op[i]);
    return code;
}

/* Starts the lane's round; empty ones are over at once. */
static int replay_start_round(struct cs_replay *replay, uint32_t index)
{
    const struct cs_program *program = replay->program;
    struct replay_lane *lane = &replay->lanes[index];
    int code;

    for (;; lane->round++) {
        watch_phase(replay, index);
        if (lane->round == lane->rounds) {
            replay_wake_waiters(replay, index);
            replay->unfinished--;
            return 0;
        }
        replay->ops.count = 0;
        replay->progress.rounds_begun++;
        if (replay->races)
            cs_races_begin(replay->races, index);
        program->round(program->ctx, index / program->lanes,
                       index % program->lanes, lane->round, &replay->ops);
        if (replay->ops.count)
            break;
    }
    replay_wake_waiters(replay, index);
    lane->pending = replay->ops.count;
    code = check_round(replay, index);
    return code ? code : start_ops(replay, index);
}

/* ---- the replay ---- */

static void fill_values(struct cs_replay *replay)
{
    const struct cs_algebra *algebra = replay->algebra;
    struct cs_replay_window window = replay->window;
    size_t count = parties_of(replay) * replay->width;
    uint32_t parts;
    uint32_t rank;
    uint32_t i;

    replay->values = cs_grow(NULL, count, sizeof(*replay->values));
    memset(replay->values, 0, count * sizeof(*replay->values));
    for (rank = 0; rank < replay->program->ranks; rank++)
        for (i = 0; i < window.count && !replay->program->output_empty; i++)
            replay->values[(size_t)rank * replay->width + i] =
                algebra->initial(algebra->ctx, rank, window.first + i);
    parts = cs_races_parts(replay->program);
    if (parts == 1 || algebra->order_part)
        replay->races =
            cs_races_open(replay->program, count,
                          algebra->order_part ? algebra->order_part - 1 : 0);
    if (replay->program->lanes > 1 && !replay->races) {
        replay->owner = cs_grow(NULL, count, sizeof(*replay->owner));
        memset(replay->owner, 0, count * sizeof(*replay->owner));
    }
    if (parts == 0) {
        replay->active = cs_grow(NULL, count, sizeof(*replay->active));
        memset(replay->active, 0, count * sizeof(*replay->active));
    }
    if (count > WRITTEN_MAX)
        return;
    replay->written = cs_grow(NULL, count, sizeof(*replay->written));
    memset(replay->written, 0xff, count * sizeof(*replay->written));
}

static uint64_t *new_stamps(const struct cs_replay *replay)
{
    size_t blocks =
        (size_t)replay->program->blocks + replay->program->scratch_blocks;
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

    *replay =
        (struct cs_replay){.program = program,
                           .algebra = algebra,
                           .window = window,
                           .err = err,
                           .unused = CS_NOBODY,
                           .width = window.count + program->scratch_blocks,
                           .unfinished = count};
    cs_mailbox_init(&replay->box);
    fill_values(replay);
    for (i = 0; i < CS_USES; i++)
        replay->used[i] = new_stamps(replay);
    replay->lanes = cs_grow(NULL, count, sizeof(*replay->lanes));
    replay->queue = cs_grow(NULL, count, sizeof(*replay->queue));
    replay->queue_count = count;
    for (i = 0; i < count; i++) {
        replay->lanes[i] = (struct replay_lane){
            .rounds = program->rounds(program->ctx, i / program->lanes,
                                      i % program->lanes),
            .waits_for = CS_NOBODY};
        replay->progress.rounds += replay->lanes[i].rounds;
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

static int replay_beat(struct cs_replay *replay)
{
    const struct cs_monitor *monitor = replay->algebra->monitor;

    replay->next_update = replay->progress.rounds_begun + CS_MONITOR_STEPS;
    if (!monitor || monitor->update(monitor->ctx, &replay->progress))
        return 0;
    return cs_err_set(replay->err, CS_ESTOPPED,
                      "stopped in the proof of the data flow");
}

static int run_queue(struct cs_replay *replay)
{
    uint32_t size =
        cs_program_parties(replay->program) * replay->program->lanes;
    int code = 0;

    while (!code && replay->queue_count) {
        uint32_t index = replay->queue[replay->queue_first];

        replay->queue_first =
            replay->queue_first + 1 == size ? 0 : replay->queue_first + 1;
        replay->queue_count--;
        if (replay->progress.rounds_begun >= replay->next_update)
            code = replay_beat(replay);
        if (!code)
            code = replay_start_round(replay, index);
    }
    return code;
}

int cs_replay_run(const struct cs_program *program,
                  const struct cs_algebra *algebra,
                  struct cs_replay_window window, struct cs_replay **result,
                  struct cs_err *err)
{
    struct cs_replay *replay = open_replay(program, algebra, window, err);
    int code = 0;

    *result = replay;
    while (!code && replay->queue_count) {
        code = run_queue(replay);
        if (!code && replay->unfinished)
            let_senders_go(replay);
    }
    if (code)
        return code;
    return replay->unfinished ? replay_stuck(replay) : check_mail(replay);
}

void cs_replay_free(struct cs_replay *replay)
{
    uint32_t i;

    for (i = 0; i < replay->parcel_count; i++)
        free(replay->parcels[i].values);
    free(replay->parcels);
    free(replay->values);
    free(replay->written);
    free(replay->active);
    free(replay->owner);
    cs_races_free(replay->races);
    for (i = 0; i < CS_USES; i++)
        free(replay->used[i]);
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
    return replay->values[replay_slot(replay, party, CS_OUTPUT, block)];
}

uint32_t cs_replay_written(const struct cs_replay *replay, uint32_t party,
                           uint32_t block)
{
    return replay->written
               ? replay->written[replay_slot(replay, party, CS_OUTPUT, block)]
               : CS_NEVER_WRITTEN;
}

bool cs_replay_shares(const struct cs_replay *replay)
{
    return replay->shares;
}

uint64_t cs_replay_messages(const struct cs_replay *replay)
{
    return replay->messages;
}

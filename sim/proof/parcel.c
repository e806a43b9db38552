#include "sim/proof/state.h"

#include <string.h>

static uint32_t new_parcel(struct cs_replay *replay)
{
    uint32_t old = replay->parcel_pool.capacity;
    uint32_t capacity;

    if (cs_pool_is_full(&replay->parcel_pool)) {
        capacity = cs_pool_enlarge(&replay->parcel_pool);
        replay->parcels = cs_grow(replay->parcels, capacity, sizeof(*replay->parcels));
        memset(replay->parcels + old, 0, (capacity - old) * sizeof(*replay->parcels));
    }
    return cs_pool_take(&replay->parcel_pool, &replay->parcels->next, sizeof(*replay->parcels));
}

static void drop_parcel(struct cs_replay *replay, uint32_t number)
{
    replay->parcels[number].away = true;
    cs_pool_give(&replay->parcel_pool, number, &replay->parcels[number].next);
}

/* A parcel with room for the values of `blocks`. */
static uint32_t pack_parcel(struct cs_replay *replay, uint32_t lane, const struct cs_op *op)
{
    uint32_t number = new_parcel(replay);
    struct replay_parcel *parcel = &replay->parcels[number];
    uint32_t most = op->blocks.count < replay->width ? op->blocks.count : replay->width;

    if (parcel->capacity < most && op->kind == CS_OP_SEND) {
        parcel->values = cs_grow(parcel->values, most, sizeof(*parcel->values));
        parcel->capacity = most;
    }
    parcel->blocks = op->blocks;
    parcel->amount = op->amount;
    parcel->handshake = replay->program->handshake || op->leaves == CS_LEAVES_MET;
    parcel->alone = replay->sends == 1;
    parcel->away = false;
    parcel->lane = lane;
    parcel->round = replay->lanes.lane[lane].round;
    parcel->place = (uint32_t)(op - replay->ops.op);
    parcel->kind = op->kind;
    parcel->buffer = op->buffer;
    return number;
}

static uint64_t replay_read_value(const struct cs_replay *replay, uint32_t party,
                                  enum cs_buffer buffer, uint32_t block)
{
    const struct cs_algebra *algebra = replay->algebra;

    if (buffer != CS_INPUT)
        return replay->values[replay_slot(replay, party, buffer, block)];
    if (party >= replay->program->ranks)
        return 0;
    return algebra->initial(algebra->ctx, party, block);
}

static void read_values(struct cs_replay *replay, struct replay_parcel *parcel, uint32_t party)
{
    uint32_t kept = 0;
    uint32_t i;

    for (i = next_in_window(replay, parcel->buffer, parcel->blocks, 0); i < parcel->blocks.count;
         i = next_in_window(replay, parcel->buffer, parcel->blocks, i + 1))
        parcel->values[kept++] =
            replay_read_value(replay, party, parcel->buffer,
                              nth_block(replay, parcel->buffer, parcel->blocks.first, i));
}

/* Writes or adds one value to a block.  The blocks of an agent are clear at the
 * start, so that its first sum is a copy. */
static int put_value(struct cs_replay *replay, const struct replay_parcel *parcel, uint32_t block,
                     uint64_t value)
{
    const struct cs_algebra *algebra = replay->algebra;
    uint32_t party = parcel->lane / replay->lanes.each;
    size_t at = replay_slot(replay, party, parcel->buffer, block);
    uint64_t sum;
    bool adds = parcel->kind == CS_OP_RECV_REDUCE || parcel->kind == CS_OP_REDUCE;
    bool clears = party >= replay->program->ranks && replay->values[at] == 0;

    if (replay->uses.written)
        replay->uses.written[at] = (uint32_t)parcel->round;
    if (!adds || (clears && value))
        sum = value;
    else if (!algebra->add(algebra->ctx, replay->values[at], value, &sum))
        return cs_refuse_sum(replay, parcel, block, value);
    replay->values[at] = sum;
    return 0;
}

static bool replay_fits(const struct cs_replay *replay, const struct replay_parcel *receive,
                        const struct replay_parcel *message)
{
    return receive->blocks.count == message->blocks.count &&
           (receive->blocks.count || receive->amount == message->amount) &&
           (replay->program->moves_blocks || receive->blocks.first == message->blocks.first);
}

static struct cs_replay_end replay_end_of(const struct cs_replay *replay,
                                          const struct replay_parcel *parcel)
{
    return (struct cs_replay_end){
        .at = {parcel->lane / replay->lanes.each, parcel->lane % replay->lanes.each, parcel->round},
        .place = parcel->place,
        .buffer = (enum cs_buffer)parcel->buffer,
        .blocks = parcel->blocks,
    };
}

static void report_message(const struct cs_replay *replay, const struct replay_parcel *receive,
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

/* Reports block `i` of a copy or sum within a party. */
static void report_local(const struct cs_replay *replay, const struct replay_parcel *parcel,
                         const struct cs_op *op, uint32_t i, uint64_t value)
{
    struct cs_replay_move move = {
        .from = replay_end_of(replay, parcel),
        .to = replay_end_of(replay, parcel),
        .adds = parcel->kind == CS_OP_REDUCE,
        .values = &value,
    };

    move.from.buffer = (enum cs_buffer)op->source_buffer;
    move.from.blocks = (struct cs_blocks){nth_block(replay, op->source_buffer, op->source, i), 1};
    move.to.blocks = (struct cs_blocks){nth_block(replay, op->buffer, op->blocks.first, i), 1};
    if (replay->algebra->moved)
        replay->algebra->moved(replay->algebra->watcher, &move);
}

/* Completes a matched message: values move, and both lanes continue. */
static int hand_over(struct cs_replay *replay, uint32_t receive_number, uint32_t message_number)
{
    struct replay_parcel *receive = &replay->parcels[receive_number];
    struct replay_parcel *message = &replay->parcels[message_number];
    uint32_t taken = 0;
    int code = 0;

    if (!replay_fits(replay, receive, message))
        return cs_refuse_blocks(replay, receive, message);
    if (cs_sharing_is_watched(replay))
        code = cs_sharing_check_arrival(replay, receive, message);
    for (uint32_t i = next_in_window(replay, receive->buffer, receive->blocks, 0);
         i < receive->blocks.count && !code;
         i = next_in_window(replay, receive->buffer, receive->blocks, i + 1))
        code =
            put_value(replay, receive, nth_block(replay, receive->buffer, receive->blocks.first, i),
                      message->values[taken++]);
    cs_sharing_use(replay, receive, -1);
    if (!code)
        report_message(replay, receive, message);
    cs_sharing_order_message(replay, receive, message);
    replay_op_done(replay, receive->lane);
    if (!message->away) {
        cs_sharing_use(replay, message, -1);
        replay_op_done(replay, message->lane);
    }
    drop_parcel(replay, receive_number);
    drop_parcel(replay, message_number);
    return code;
}

void cs_parcel_let_senders_go(struct cs_replay *replay)
{
    for (uint32_t i = 0; i < replay->parcel_pool.count; i++) {
        struct replay_parcel *message = &replay->parcels[i];

        if (message->kind != CS_OP_SEND || message->handshake || message->away)
            continue;
        message->away = true;
        cs_sharing_use(replay, message, -1);
        replay_op_done(replay, message->lane);
    }
}

/* A copy or sum within a party. */
static int do_local(struct cs_replay *replay, uint32_t lane, const struct cs_op *op)
{
    struct replay_parcel parcel = {.blocks = op->blocks,
                                   .round = replay->lanes.lane[lane].round,
                                   .lane = lane,
                                   .place = (uint32_t)(op - replay->ops.op),
                                   .kind = op->kind,
                                   .buffer = op->buffer};
    uint32_t party = lane / replay->lanes.each;
    int code = 0;

    for (uint32_t i = 0; i < op->blocks.count && !code; i++) {
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
    replay_op_done(replay, lane);
    return code;
}

static int start_message(struct cs_replay *replay, uint32_t lane, const struct cs_op *op)
{
    uint32_t lanes = replay->lanes.each;
    uint32_t party = lane / lanes;
    uint32_t number = pack_parcel(replay, lane, op);
    uint32_t channel = cs_op_channel(replay->program, lane % lanes, op);
    struct cs_mail_key key = {party, op->peer, channel};
    uint32_t other;
    int code = 0;

    if (op->channel)
        code = cs_sharing_check_channel(replay, &replay->parcels[number], op);
    if (code)
        return code;
    cs_sharing_use(replay, &replay->parcels[number], 1);
    if (op->kind == CS_OP_SEND) {
        key = (struct cs_mail_key){op->peer, party, channel};
        read_values(replay, &replay->parcels[number], party);
        replay->messages++;
        other = cs_mailbox_arrive(&replay->box, &key, number);
        return other == CS_NONE ? 0 : hand_over(replay, other, number);
    }
    other = cs_mailbox_post(&replay->box, &key, number);
    return other == CS_NONE ? 0 : hand_over(replay, number, other);
}

int cs_parcel_start(struct cs_replay *replay, uint32_t lane, const struct cs_op *op)
{
    if (cs_op_is_local(op))
        return do_local(replay, lane, op);
    return start_message(replay, lane, op);
}

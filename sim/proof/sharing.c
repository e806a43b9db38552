
#include "sim/proof/state.h"

/* ---- ops that are in progress at once ---- */

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

static bool is_in_conflict(const struct activity *active, enum cs_op_kind kind)
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

void cs_sharing_count(struct cs_replay *replay, const struct replay_parcel *parcel, int step)
{
    uint32_t party = parcel->lane / replay->lanes.each;

    if (parcel->buffer == CS_INPUT)
        return;
    for (uint32_t i = 0; i < parcel->blocks.count; i++) {
        uint32_t block = nth_block(replay, parcel->buffer, parcel->blocks.first, i);

        if (in_window(replay, parcel->buffer, block))
            *replay_count_of(
                &replay->uses.active[replay_slot(replay, party, parcel->buffer, block)],
                parcel->kind) += (uint16_t)step;
    }
}

static bool blocks_in_use(const struct cs_replay *replay, uint32_t party,
                          const struct replay_parcel *parcel)
{
    if (parcel->buffer == CS_INPUT)
        return false;
    for (uint32_t i = 0; i < parcel->blocks.count; i++) {
        uint32_t block = nth_block(replay, parcel->buffer, parcel->blocks.first, i);

        if (in_window(replay, parcel->buffer, block) &&
            is_in_conflict(&replay->uses.active[replay_slot(replay, party, parcel->buffer, block)],
                           parcel->kind))
            return true;
    }
    return false;
}

bool cs_sharing_collides(const struct cs_replay *replay, uint32_t lane, const struct cs_op *op)
{
    uint32_t party = lane / replay->lanes.each;
    struct replay_parcel target = {.blocks = op->blocks, .kind = op->kind, .buffer = op->buffer};
    struct replay_parcel source = {
        .blocks = {op->source, op->blocks.count}, .kind = CS_OP_SEND, .buffer = op->source_buffer};

    if (op->kind == CS_OP_WAIT || op->kind == CS_OP_WORK)
        return false;
    if (blocks_in_use(replay, party, &target))
        return true;
    return cs_op_is_local(op) && blocks_in_use(replay, party, &source);
}

/* ---- uses without an order ---- */

enum cs_use cs_replay_use_of(enum cs_op_kind kind)
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

/* Where orders are not looked at: what the lanes do has an order that may matter. */
static void sharing_join(const struct cs_replay *replay, uint32_t one, uint32_t other)
{
    if (!replay->uses.races && replay->algebra->groups)
        cs_races_join(replay->algebra->groups, one, other);
}

static void note_owner(struct cs_replay *replay, size_t at, uint32_t lane)
{
    uint32_t owner = replay->uses.owner[at];

    replay->uses.owner[at] = lane + 1;
    if (!owner || owner == lane + 1)
        return;
    replay->uses.shares = true;
    sharing_join(replay, lane, owner - 1);
}

static int check_run(struct cs_replay *replay, struct cs_race_use use, const struct replay_run *run)
{
    uint32_t party = use.lane / replay->lanes.each;
    struct cs_race_round other;

    if (run->buffer == CS_INPUT)
        return 0;
    for (uint32_t i = next_in_window(replay, run->buffer, run->blocks, 0); i < run->blocks.count;
         i = next_in_window(replay, run->buffer, run->blocks, i + 1)) {
        uint32_t block = nth_block(replay, run->buffer, run->blocks.first, i);

        use.slot = replay_slot(replay, party, run->buffer, block);
        if (replay->uses.owner)
            note_owner(replay, use.slot, use.lane);
        else if (cs_races_use(replay->uses.races, use, &other))
            return cs_refuse_race(replay, use.lane, block, other);
    }
    return 0;
}

/* Receives write when their message arrives, so the check here covers sends and
 * ops within the party only. */
int cs_sharing_check_op(struct cs_replay *replay, uint32_t lane, const struct cs_op *op)
{
    bool local = cs_op_is_local(op);
    struct cs_race_use use = {.lane = lane, .kind = cs_replay_use_of(op->kind)};
    int code;

    if (!local && op->kind != CS_OP_SEND)
        return 0;
    code = check_run(replay, use, &(struct replay_run){op->buffer, op->blocks});
    if (code || !local)
        return code;
    use.kind = CS_USE_READS;
    return check_run(replay, use,
                     &(struct replay_run){op->source_buffer, {op->source, op->blocks.count}});
}

int cs_sharing_check_arrival(struct cs_replay *replay, const struct replay_parcel *receive,
                             const struct replay_parcel *message)
{
    struct cs_race_round cause = {message->lane, message->round};
    struct cs_race_use use = {
        .lane = receive->lane, .kind = cs_replay_use_of(receive->kind), .cause = &cause};

    return check_run(replay, use, &(struct replay_run){receive->buffer, receive->blocks});
}

int cs_sharing_check_channel(struct cs_replay *replay, const struct replay_parcel *parcel,
                             const struct cs_op *op)
{
    struct cs_race_end end = {parcel->lane / replay->lanes.each, op->peer, op->channel,
                              op->kind == CS_OP_SEND};
    struct cs_race_round other;

    replay->uses.shares |= replay->lanes.each > 1;
    sharing_join(replay, parcel->lane, parcel->lane - parcel->lane % replay->lanes.each);
    if (!replay->uses.races || !cs_races_connect(replay->uses.races, parcel->lane, end, &other))
        return 0;
    return cs_refuse_sharing(replay, parcel, op->peer, other);
}

void cs_sharing_order_wait(struct cs_replay *replay, uint32_t lane, uint32_t other, uint64_t round)
{
    sharing_join(replay, lane, other);
    if (replay->uses.races)
        cs_races_after(replay->uses.races, lane, (struct cs_race_round){other, round + 1},
                       CS_RACE_BEFORE);
}

void cs_sharing_order_message(struct cs_replay *replay, const struct replay_parcel *receive,
                              const struct replay_parcel *message)
{
    struct cs_race_round sent = {message->lane, message->round};
    struct cs_race_round requested = {receive->lane, receive->round};

    sharing_join(replay, receive->lane, message->lane);
    if (!replay->uses.races)
        return;
    cs_races_after(replay->uses.races, receive->lane, sent,
                   message->alone ? CS_RACE_SENT : CS_RACE_BEGUN);
    if (message->handshake)
        cs_races_after(replay->uses.races, message->lane, requested, CS_RACE_BEGUN);
}

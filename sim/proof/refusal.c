#include "sim/proof/state.h"

#include "sim/base/text.h"

#include <inttypes.h>
#include <stdio.h>

enum {
    PLACE = 300
};

/* "rank 3, round 5", or "file.xml:12: rank 3". */
static const char *replay_place(const struct cs_replay *replay, uint32_t lane, uint64_t round,
                                char text[PLACE])
{
    const struct cs_program *program = replay->program;
    uint32_t party = lane / program->lanes;
    char who[CS_PARTY_NAME];
    struct cs_place at;

    cs_party_name(program, party, who);
    if (!program->where) {
        snprintf(text, PLACE, "%s, round %" PRIu64, who, round);
        return text;
    }
    at = program->where(program->ctx, (struct cs_at){party, lane % program->lanes, round});
    if (at.is_op)
        snprintf(text, PLACE, "%.240s: %s, op %u", at.file, who, at.number);
    else
        snprintf(text, PLACE, "%.250s:%u: %s", at.file, at.number, who);
    return text;
}

/* "chunk 3", or "4 bytes" where there are no blocks. */
static const char *parcel_name(const struct replay_parcel *parcel, char text[CS_PARTY_NAME])
{
    return cs_cargo_name(parcel->blocks, parcel->amount, text);
}

int cs_refuse_blocks(const struct cs_replay *replay, const struct replay_parcel *receive,
                     const struct replay_parcel *message)
{
    char where[PLACE];
    char whom[CS_PARTY_NAME];
    char want[CS_PARTY_NAME];
    char got[CS_PARTY_NAME];

    return cs_err_set(
        replay->err, CS_EANSWER, "%s: expects %s from %s, which sent %s in its round %" PRIu64,
        replay_place(replay, receive->lane, receive->round, where), parcel_name(receive, want),
        cs_party_name(replay->program, message->lane / replay->lanes.each, whom),
        parcel_name(message, got), message->round);
}

int cs_refuse_sum(const struct cs_replay *replay, const struct replay_parcel *parcel,
                  uint32_t block, uint64_t value)
{
    uint32_t party = parcel->lane / replay->lanes.each;
    uint64_t held = replay->values[replay_slot(replay, party, parcel->buffer, block)];
    const char *why = "what it holds already";
    char where[PLACE];

    if (held == 0)
        why = "which holds nothing to add to";
    else if (value == 0)
        why = "from a chunk that holds nothing";
    return cs_err_set(replay->err, CS_EANSWER, "%s: adds to %schunk %u%s %s",
                      replay_place(replay, parcel->lane, parcel->round, where),
                      parcel->buffer == CS_SCRATCH ? "scratch " : "", block, held == 0 ? "," : "",
                      why);
}

int cs_refuse_op(const struct cs_replay *replay, uint32_t lane, struct cs_blocks blocks,
                 const char *why)
{
    char where[PLACE];
    char what[CS_PARTY_NAME];

    return cs_err_set(replay->err, CS_EANSWER, "%s: %s (%s)",
                      replay_place(replay, lane, replay->lanes.lane[lane].round, where), why,
                      cs_blocks_name(blocks, what));
}

int cs_refuse_race(const struct cs_replay *replay, uint32_t lane, uint32_t block,
                   struct cs_race_round other)
{
    char here[PLACE];
    char there[PLACE];
    char what[CS_PARTY_NAME];

    return cs_err_set(replay->err, CS_EANSWER,
                      "%s: races for a chunk with lane %u (%s): nothing says which is first (%s)",
                      replay_place(replay, lane, replay->lanes.lane[lane].round, here),
                      other.lane % replay->lanes.each,
                      replay_place(replay, other.lane, other.round, there),
                      cs_blocks_name((struct cs_blocks){block, 1}, what));
}

int cs_refuse_sharing(const struct cs_replay *replay, const struct replay_parcel *parcel,
                      uint32_t peer, struct cs_race_round other)
{
    bool sends = parcel->kind == CS_OP_SEND;
    char here[PLACE];
    char there[PLACE];
    char what[CS_PARTY_NAME];
    char whom[CS_PARTY_NAME];

    return cs_err_set(replay->err, CS_EANSWER,
                      "%s: %s %s %s %s by the channel of lane %u (%s): nothing says which is first",
                      replay_place(replay, parcel->lane, parcel->round, here),
                      sends ? "sends" : "receives", parcel_name(parcel, what),
                      sends ? "to" : "from", cs_party_name(replay->program, peer, whom),
                      other.lane % replay->lanes.each,
                      replay_place(replay, other.lane, other.round, there));
}

int cs_refuse_mail(const struct cs_replay *replay)
{
    const struct cs_mail *mail = cs_mailbox_first(&replay->box, CS_MAIL_MESSAGES);
    const struct replay_parcel *message;
    char where[PLACE];
    char who[CS_PARTY_NAME];
    char what[CS_PARTY_NAME];

    if (!mail)
        return 0;
    message = &replay->parcels[mail->number];
    return cs_err_set(replay->err, CS_EANSWER, "%s: sends %s to %s, which never receives it",
                      replay_place(replay, message->lane, message->round, where),
                      parcel_name(message, what),
                      cs_party_name(replay->program, mail->key.dst, who));
}

/* No receive and no message is pending: lanes of one party wait for each other. */
static int refuse_waiting_lane(const struct cs_replay *replay)
{
    uint32_t i = cs_lanes_waiting(&replay->lanes);
    const struct cs_lane *lane = &replay->lanes.lane[i];
    char where[PLACE];

    return cs_err_set(replay->err, CS_EANSWER,
                      "%s: lane %u waits for round %u of lane %u, which never ends",
                      replay_place(replay, i, lane->round, where), i % replay->lanes.each,
                      lane->waits_round, lane->waits_for);
}

/* "rank 0: waits for 8 bytes from rank 1" */
static void add_wait(const struct cs_replay *replay, const struct cs_mail *mail,
                     struct cs_text *out)
{
    const struct replay_parcel *receive = &replay->parcels[mail->number];
    char where[PLACE];
    char whom[CS_PARTY_NAME];
    char what[CS_PARTY_NAME];

    cs_text_printf(out, "%s: waits for %s from %s",
                   replay_place(replay, receive->lane, receive->round, where),
                   parcel_name(receive, what), cs_party_name(replay->program, mail->key.src, whom));
}

static void add_waits(const struct cs_replay *replay, const struct cs_mail *first,
                      struct cs_text *out)
{
    const struct cs_mail *waits[CS_WAITS];
    const char *end;
    uint32_t count = cs_mailbox_waits(&replay->box, first, waits, &end);

    for (uint32_t i = 0; i < count; i++) {
        cs_text_add(out, "; ");
        add_wait(replay, waits[i], out);
    }
    cs_text_add(out, end);
}

int cs_refuse_deadlock(const struct cs_replay *replay)
{
    const struct cs_mail *mail = cs_mailbox_first(&replay->box, CS_MAIL_RECEIVES);
    CS_AT_END(cs_text_free) struct cs_text text = {0};
    int code;

    if (!mail) {
        code = cs_refuse_mail(replay);
        return code ? code : refuse_waiting_lane(replay);
    }
    add_wait(replay, mail, &text);
    cs_text_add(&text, ", which never sends it");
    add_waits(replay, mail, &text);
    return cs_err_set(replay->err, CS_EANSWER, "%s", cs_text_str(&text));
}

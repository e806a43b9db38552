#include "algorithms/schedules/connections.h"

#include "sim/base/hash.h"

#include <string.h>

enum {
    FIRST_SLOTS = 64
};

/* The last message of a direction, peer and channel. */
struct channel_end {
    uint32_t party; /* from 1; 0: a free slot */
    uint32_t peer, channel, lane;
    bool sends;
    uint64_t round;
};

/* A hash table; entries of earlier parties count as free. */
struct channel_survey {
    const struct cs_program *program;
    struct channel_end *slots;
    uint32_t slot_count; /* a power of two */
    uint32_t used;       /* by the party */
    bool is_named;
};

static bool channel_is_end(const struct channel_end *slot, const struct channel_end *end)
{
    return slot->peer == end->peer && slot->channel == end->channel && slot->sends == end->sends;
}

static struct channel_end *channel_slot(const struct channel_survey *survey,
                                        const struct channel_end *end)
{
    uint64_t hash = cs_hash_mix(CS_HASH_START, (uint64_t)end->peer << 32 | end->channel);
    uint32_t slot = cs_hash_slot(cs_hash_mix(hash, end->sends));

    for (;; slot++) {
        struct channel_end *found = &survey->slots[slot & (survey->slot_count - 1)];

        if (found->party != end->party || channel_is_end(found, end))
            return found;
    }
}

/* At most half full. */
static void channel_grow(struct channel_survey *survey, uint32_t party)
{
    struct channel_survey grown = *survey;

    grown.slot_count = survey->slot_count ? 2 * survey->slot_count : FIRST_SLOTS;
    grown.slots = cs_grow(NULL, grown.slot_count, sizeof(*grown.slots));
    memset(grown.slots, 0, grown.slot_count * sizeof(*grown.slots));
    for (uint32_t i = 0; i < survey->slot_count; i++)
        if (survey->slots[i].party == party)
            *channel_slot(&grown, &survey->slots[i]) = survey->slots[i];
    free(survey->slots);
    *survey = grown;
}

/* Whether the message is in sequence with the last of its connection. */
static bool channel_add(struct channel_survey *survey, const struct channel_end *end)
{
    struct channel_end *slot;
    bool is_plain = true;

    if (2 * survey->used >= survey->slot_count)
        channel_grow(survey, end->party);
    slot = channel_slot(survey, end);
    if (slot->party == end->party)
        is_plain = slot->lane == end->lane && slot->round < end->round;
    else
        survey->used++;
    *slot = *end;
    return is_plain;
}

static bool channel_add_round(struct channel_survey *survey, struct channel_end end,
                              const struct cs_ops *ops)
{
    for (uint32_t i = 0; i < ops->count; i++) {
        const struct cs_op *op = &ops->op[i];

        if (!cs_op_is_message(op))
            continue;
        end.sends = op->kind == CS_OP_SEND;
        end.peer = op->peer;
        end.channel = cs_op_channel(survey->program, end.lane, op);
        survey->is_named &= op->channel > 0;
        if (!channel_add(survey, &end))
            return false;
    }
    return true;
}

enum cs_channel_use cs_channel_use_of(const struct cs_program *program)
{
    struct channel_survey survey = {.program = program, .is_named = true};
    struct cs_ops ops = {0};
    uint32_t lanes = cs_program_parties(program) * program->lanes;
    bool is_plain = true;

    for (uint32_t i = 0; i < lanes && is_plain; i++) {
        struct channel_end end = {.party = i / program->lanes + 1, .lane = i % program->lanes};
        uint64_t rounds = cs_program_rounds(program, end.party - 1, end.lane);

        if (end.lane == 0)
            survey.used = 0;
        for (end.round = 0; end.round < rounds && is_plain; end.round++) {
            cs_program_read(program, (struct cs_at){end.party - 1, end.lane, end.round}, &ops);
            is_plain = channel_add_round(&survey, end, &ops);
        }
    }
    free(survey.slots);
    cs_ops_free(&ops);
    if (!is_plain)
        return CS_CHANNELS_SHARED;
    return survey.is_named ? CS_CHANNELS_NAMED : CS_CHANNELS_PLAIN;
}

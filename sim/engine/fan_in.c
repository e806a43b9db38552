#include "sim/engine/fan_in.h"

/* All sends leave at once, on the channel of their lane, and are many. */
static bool sends_are_many(const struct exec *exec)
{
    uint32_t sends = 0;

    for (uint32_t i = 0; i < exec->ops.count; i++) {
        const struct cs_op *op = &exec->ops.op[i];

        if (op->kind != CS_OP_SEND)
            continue;
        if (op->leaves != CS_LEAVES_AT_ONCE || op->channel)
            return false;
        sends++;
    }
    return sends >= CS_EXEC_FAN_IN;
}

static bool is_receive(const struct cs_op *op)
{
    return (op->kind == CS_OP_RECV || op->kind == CS_OP_RECV_REDUCE) && !op->channel;
}

/* Receives of so many sources that bits take less room than the mailbox. */
static bool sources_are_many(const struct exec *exec)
{
    uint32_t last = CS_NONE;
    uint32_t sources = 0;

    for (uint32_t i = 0; i < exec->ops.count; i++) {
        if (!is_receive(&exec->ops.op[i]))
            continue;
        sources += exec->ops.op[i].peer != last;
        last = exec->ops.op[i].peer;
    }
    return sources >= CS_EXEC_FAN_IN && sources >= exec->net->party_count / 64;
}

void cs_fan_in_begin(struct exec *exec)
{
    exec->sends_pack = sends_are_many(exec);
    exec->packed.launched = CS_NONE;
    exec->receives_fan_in = sources_are_many(exec);
    exec->packed.is_used |= exec->sends_pack || exec->receives_fan_in;
    if (exec->receives_fan_in && !exec->fan_ins)
        exec->fan_ins =
            cs_arena_alloc(exec->packed.arena, exec->lanes.count, sizeof(*exec->fan_ins));
}

/* That of the key's lane; NULL: the channel is no lane's. */
static struct cs_fan_in *fan_in_of(const struct exec *exec, const struct cs_mail_key *key)
{
    if (key->channel >= exec->lanes.each)
        return NULL;
    return &exec->fan_ins[(size_t)key->dst * exec->lanes.each + key->channel];
}

static uint64_t bit_of(uint32_t party)
{
    return UINT64_C(1) << party % 64;
}

uint32_t cs_fan_in_post(struct exec *exec, const struct cs_mail_key *key, uint32_t number)
{
    struct cs_fan_in *fan_in = fan_in_of(exec, key);
    uint32_t waiting = cs_mailbox_take(&exec->box, key);

    if (waiting != CS_NONE)
        return waiting;
    if (!fan_in)
        return cs_mailbox_post(&exec->box, key, number);
    if (!fan_in->sources)
        fan_in->sources = cs_arena_alloc(exec->packed.arena, exec->net->party_count / 64 + 1,
                                         sizeof(*fan_in->sources));
    if (fan_in->left == 0)
        fan_in->receive = number;
    if (fan_in->receive != number || fan_in->sources[key->src / 64] & bit_of(key->src))
        return cs_mailbox_post(&exec->box, key, number);
    fan_in->sources[key->src / 64] |= bit_of(key->src);
    fan_in->left++;
    return CS_NONE;
}

uint32_t cs_fan_in_take(struct exec *exec, const struct cs_mail_key *key)
{
    struct cs_fan_in *fan_in = fan_in_of(exec, key);

    if (!fan_in || fan_in->left == 0 || !(fan_in->sources[key->src / 64] & bit_of(key->src)))
        return CS_NONE;
    fan_in->sources[key->src / 64] &= ~bit_of(key->src);
    fan_in->left--;
    return fan_in->receive;
}

void cs_fan_in_end(struct exec *exec)
{
    for (uint32_t lane = 0; exec->fan_ins && lane < exec->lanes.count; lane++)
        for (uint32_t src = 0; exec->fan_ins[lane].left && src < exec->net->party_count; src++) {
            struct cs_mail_key key = {lane / exec->lanes.each, src, lane % exec->lanes.each};
            uint32_t receive = cs_fan_in_take(exec, &key);

            if (receive != CS_NONE)
                (void)cs_mailbox_post(&exec->box, &key, receive);
        }
}

#include "sim/engine/state.h"

#include "sim/base/text.h"

#include <inttypes.h>
#include <stdlib.h>

enum {
    NAMED_LINKS = 6
};

/* No message and no receive is pending: lanes of one party wait for each other. */
static int report_waiting_lane(const struct exec *exec)
{
    uint32_t i = cs_lanes_waiting(&exec->lanes);
    const struct cs_lane *lane = &exec->lanes.lane[i];
    char who[CS_PARTY_NAME];

    return cs_err_set(exec->err, CS_EANSWER,
                      "deadlock: %s, lane %u waits in round %" PRIu64
                      " for round %u of lane %u, which never ends",
                      cs_party_name(exec->program, i / exec->lanes.each, who), i % exec->lanes.each,
                      lane->round, lane->waits_round, lane->waits_for);
}

/* Packed messages have lost their blocks, which the round knows. */
static struct cs_blocks blocks_of(const struct exec *exec, const struct cs_message *message)
{
    const struct cs_program *program = exec->program;
    struct cs_blocks blocks = message->blocks;
    CS_AT_END(cs_ops_free) struct cs_ops ops = {0};

    if (!message->packs)
        return blocks;
    program->round(program->ctx, (struct cs_at){message->src, message->lane, message->round}, &ops);
    return ops.op[message->op].blocks;
}

int cs_exec_check_mail(const struct exec *exec)
{
    const struct cs_mail *mail = cs_mailbox_first(&exec->box, CS_MAIL_MESSAGES);
    const struct cs_message *message;
    char who[CS_PARTY_NAME];
    char whom[CS_PARTY_NAME];
    char what[CS_PARTY_NAME];

    if (!mail)
        return 0;
    message = &exec->traffic.messages[mail->number];
    return cs_err_set(exec->err, CS_EANSWER, "%s never receives %s that %s sent in round %" PRIu64,
                      cs_party_name(exec->program, mail->key.dst, who),
                      cs_cargo_name(blocks_of(exec, message), message->bytes, what),
                      cs_party_name(exec->program, mail->key.src, whom), message->round);
}

static void name_link(const struct exec *exec, uint32_t link, struct cs_text *text)
{
    const struct cs_net_names *names = &exec->net->names;

    if (names->link)
        cs_text_add(text, names->link(names->ctx, link));
    else
        cs_text_printf(text, "link %u", link);
}

/* Links in a circle of waits; at most NAMED_LINKS, which fit a line. */
static void name_cycle(const struct exec *exec, struct cs_text *text)
{
    uint32_t *links = cs_grow(NULL, exec->net->link_count, sizeof(*links));
    uint32_t count = 0;

    if (exec->model->circle)
        count = exec->model->circle(&exec->traffic, links);
    for (uint32_t i = 0; i < count && i < NAMED_LINKS; i++) {
        cs_text_add(text, i ? ", which waits for " : ": ");
        name_link(exec, links[i], text);
    }
    if (count > NAMED_LINKS)
        cs_text_printf(text, ", and so on over %u links back to the first", count);
    else if (count)
        cs_text_add(text, ", which waits for the first");
    free(links);
}

/* Messages have left and never arrive: links wait for each other's buffers. */
static int report_blocked_links(const struct exec *exec)
{
    uint64_t left = exec->result->messages - exec->delivered;
    CS_AT_END(cs_text_free) struct cs_text circle = {0};

    name_cycle(exec, &circle);
    return cs_err_set(
        exec->err, CS_EANSWER,
        "deadlock: %" PRIu64
        " message%s stay%s in the network, whose links wait for room in each other's buffers%s; "
        "larger buffers (--buffer) may prevent it, unlimited ones (no --buffer) do",
        left, left == 1 ? "" : "s", left == 1 ? "s" : "", cs_text_str(&circle));
}

/* Whether the op receives messages of the key. */
static bool receives_mail(const struct exec *exec, uint32_t lane, const struct cs_op *op,
                          const struct cs_mail_key *key)
{
    return (op->kind == CS_OP_RECV || op->kind == CS_OP_RECV_REDUCE) && op->peer == key->src &&
           cs_op_channel(exec->program, lane % exec->lanes.each, op) == key->channel;
}

/* The receives of the lane that wait in the queue. */
static uint32_t count_waiting(const struct exec *exec, const struct cs_mail *mail, uint32_t lane)
{
    uint32_t count = exec->receives[mail->number].lane == lane;

    for (uint32_t at = mail->first; at != CS_NONE; at = exec->box.behind[at].next)
        if (exec->receives[exec->box.behind[at].number].lane == lane)
            count += exec->box.behind[at].count;
    return count;
}

/* The blocks for which the first of the queue waits.  Of the round's receives of one
 * key the last ones wait. */
static struct cs_blocks awaited_blocks(const struct exec *exec, const struct cs_mail *mail)
{
    const struct cs_program *program = exec->program;
    uint32_t lane = exec->receives[mail->number].lane;
    uint32_t waiting = count_waiting(exec, mail, lane);
    struct cs_blocks blocks = {0};
    CS_AT_END(cs_ops_free) struct cs_ops ops = {0};

    program->round(program->ctx,
                   (struct cs_at){lane / exec->lanes.each, lane % exec->lanes.each,
                                  exec->lanes.lane[lane].round},
                   &ops);
    for (uint32_t i = ops.count; i > 0 && waiting > 0; i--) {
        if (!receives_mail(exec, lane, &ops.op[i - 1], &mail->key))
            continue;
        blocks = ops.op[i - 1].blocks;
        waiting--;
    }
    return blocks;
}

/* "rank 0 waits in round 0 for 8 bytes from rank 1" */
static void add_wait(const struct exec *exec, const struct cs_mail *mail, struct cs_text *out)
{
    const struct receive *receive = &exec->receives[mail->number];
    char who[CS_PARTY_NAME];
    char whom[CS_PARTY_NAME];
    char what[CS_PARTY_NAME];

    cs_text_printf(out, "%s waits in round %" PRIu64 " for %s from %s",
                   cs_party_name(exec->program, mail->key.dst, who),
                   exec->lanes.lane[receive->lane].round,
                   cs_cargo_name(awaited_blocks(exec, mail), receive->bytes, what),
                   cs_party_name(exec->program, mail->key.src, whom));
}

static void add_waits(const struct exec *exec, const struct cs_mail *first, struct cs_text *out)
{
    const struct cs_mail *waits[CS_WAITS];
    const char *end;
    uint32_t count = cs_mailbox_waits(&exec->box, first, waits, &end);

    for (uint32_t i = 0; i < count; i++) {
        cs_text_add(out, "; ");
        add_wait(exec, waits[i], out);
    }
    cs_text_add(out, end);
}

int cs_exec_report_deadlock(const struct exec *exec)
{
    const struct cs_mail *mail;
    CS_AT_END(cs_text_free) struct cs_text text = {0};

    if (exec->delivered < exec->result->messages)
        return report_blocked_links(exec);
    if (cs_exec_check_mail(exec))
        return exec->err ? exec->err->code : CS_EANSWER;
    mail = cs_mailbox_first(&exec->box, CS_MAIL_RECEIVES);
    if (!mail)
        return report_waiting_lane(exec);
    add_wait(exec, mail, &text);
    cs_text_printf(&text, ", which is never sent (%" PRIu64 " of %u lanes are not done)",
                   exec->unfinished, exec->lanes.count);
    add_waits(exec, mail, &text);
    return cs_err_set(exec->err, CS_EANSWER, "deadlock: %s", cs_text_str(&text));
}

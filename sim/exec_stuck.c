#include "sim/exec_state.h"

#include <inttypes.h>

/* Only waits are left: lanes of one party wait for each other. */
static int stuck_waiting(const struct exec *exec)
{
    char who[CS_PARTY_NAME];
    uint32_t lanes = exec->program->lanes;
    uint32_t i = 0;

    while (exec->lanes[i].waits_for == CS_NOBODY)
        i++;
    return cs_err_set(exec->err, CS_EANSWER,
                      "deadlock: %s, lane %u waits in round %" PRIu64
                      " for round %u of lane %u, which never ends",
                      cs_party_name(exec->program, i / lanes, who), i % lanes,
                      exec->lanes[i].round, exec->lanes[i].waits_round,
                      exec->lanes[i].waits_for);
}

/* A message that nobody receives, or a send that nobody answers. */
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
    return cs_err_set(exec->err, CS_EANSWER,
                      "%s never receives %s that %s sent in round %" PRIu64,
                      cs_party_name(exec->program, mail->key.dst, who),
                      cs_cargo_name(message->blocks, message->bytes, what),
                      cs_party_name(exec->program, mail->key.src, whom),
                      message->round);
}

/* Messages have left that never arrive. */
static int stuck_on_the_way(const struct exec *exec)
{
    uint64_t left = exec->result->messages - exec->delivered;

    return cs_err_set(exec->err, CS_EANSWER,
                      "deadlock: %" PRIu64 " message%s stay%s in the network, "
                      "whose links wait for room in each other's buffers; "
                      "routes lead around in a circle: --buffer with more room "
                      "may do",
                      left, left == 1 ? "" : "s", left == 1 ? "s" : "");
}

/* Nothing happens any more and somebody is not done: who waits for whom. */
int cs_exec_stuck(const struct exec *exec)
{
    const struct cs_program *program = exec->program;
    const struct receive *receive;
    const struct cs_mail *mail;
    char who[CS_PARTY_NAME];
    char whom[CS_PARTY_NAME];
    char what[CS_PARTY_NAME];

    if (exec->delivered < exec->result->messages)
        return stuck_on_the_way(exec);
    if (cs_exec_check_mail(exec))
        return exec->err ? exec->err->code : CS_EANSWER;
    mail = cs_mailbox_first(&exec->box, CS_MAIL_RECEIVES);
    if (!mail)
        return stuck_waiting(exec);
    receive = &exec->receives[mail->number];
    return cs_err_set(exec->err, CS_EANSWER,
                      "deadlock: %s waits in round %" PRIu64
                      " for %s from %s, which never comes (%" PRIu64
                      " of %u lanes are not "
                      "done)",
                      cs_party_name(program, mail->key.dst, who),
                      exec->lanes[receive->lane].round,
                      cs_cargo_name(receive->blocks, receive->bytes, what),
                      cs_party_name(program, mail->key.src, whom),
                      exec->unfinished, lane_count(exec));
}

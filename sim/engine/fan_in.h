/*
 * Fan-in: rounds of many sends, whose messages are packed (packed.h), and of
 * many receives, for which a bit stands.
 *
 * A round of receives from many sources has one struct (state.h), but a place in the
 * mailbox for each source.  A bit for each party serves instead, for the first struct
 * of the round; what else is received waits in the mailbox, behind the bit where it is
 * of the same source.
 *
 *     begin           O(ops)
 *     post, arrive    O(1) expected
 *
 * Memory: parties / 8 bytes for each lane with such a round, kept.
 */
#pragma once

#include "sim/engine/state.h"

/* The round of exec->ops begins, of CS_EXEC_FAN_IN ops or more: what of it has fan-in. */
void cs_fan_in_begin(struct exec *exec);

/* As cs_mailbox_post(), of a round of many receives. */
uint32_t cs_fan_in_post(struct exec *exec, const struct cs_mail_key *key, uint32_t number);

/* The receive that waits by a bit for a message of the key, or CS_NONE. */
uint32_t cs_fan_in_take(struct exec *exec, const struct cs_mail_key *key);

/* As cs_mailbox_arrive(). */
static inline uint32_t cs_fan_in_arrive(struct exec *exec, const struct cs_mail_key *key,
                                        uint32_t number)
{
    uint32_t receive = exec->fan_ins ? cs_fan_in_take(exec, key) : CS_NONE;

    return receive != CS_NONE ? receive : cs_mailbox_arrive(&exec->box, key, number);
}

/* The run is over: receives that wait by a bit wait in the mailbox, for error
 * messages. */
void cs_fan_in_end(struct exec *exec);

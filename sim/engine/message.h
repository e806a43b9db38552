/*
 * Sending: a message from its SEND to the network.
 *
 *     SEND -> matched with a receive, at once or by handshake -> launched
 *          -> on a route, or stalled without a route -> delayed by noise
 *          -> entered: the model has it until it is delivered (receive.h)
 *
 * The executor owns the messages (model.h); a number is reused when executor and
 * model no longer need its message.
 */
#ifndef CS_SIM_ENGINE_MESSAGE_H
#define CS_SIM_ENGINE_MESSAGE_H

#include "sim/engine/held.h"
#include "sim/engine/packed.h"
#include "sim/engine/state.h"

/* A SEND of a lane of party `src` starts.  The message is launched at once, or with a
 * handshake when cs_exec_match() says so. */
int cs_exec_send(struct exec *exec, uint32_t src, uint32_t lane, const struct cs_op *op);

/* The receive of a message with a handshake is posted: it leaves, `path` after
 * the start. */
int cs_exec_match(struct exec *exec, uint32_t number, uint32_t receive, const struct cs_path *path);

/* Fails where a receive expects another size. */
int cs_exec_refuse_size(struct exec *exec, uint32_t dst, const struct receive *receive,
                        const struct cs_message *message);

static inline int cs_exec_check_sizes(struct exec *exec, uint32_t dst,
                                      const struct receive *receive,
                                      const struct cs_message *message)
{
    return receive->bytes == message->bytes ? 0 : cs_exec_refuse_size(exec, dst, receive, message);
}

/* Assigns a route to the message, whose path ends now, or stalls the message
 * until a route exists; an error without a future change of the net. */
int cs_exec_inject(struct exec *exec, uint32_t number);
void cs_exec_stall(struct exec *exec, uint32_t number);

/* Events of a message: end of the delay by noise; last byte at the sender's
 * port; release by the model. */
void cs_exec_enter(struct exec *exec, uint32_t number);
void cs_exec_left(struct exec *exec, uint32_t number);
void cs_exec_forget(struct exec *exec, uint32_t number);

/* A part of a message has arrived.  True: it is the last, and the message has its
 * times; the number becomes that of the message. */
bool cs_exec_last_part_arrives(struct exec *exec, uint32_t *number);

/* The lane that sent the message goes on. */
static inline void cs_exec_finish_send(struct exec *exec, struct cs_message *message,
                                       const struct cs_path *path)
{
    message->left = true;
    cs_exec_op_done(exec, message->src * exec->lanes.each + message->lane, path);
}

/* The path to `at_ps`, over the message.  A wait behind messages of its own
 * sender is bandwidth, not contention. */
static inline struct cs_path cs_exec_path_over(const struct cs_message *message, uint64_t at_ps)
{
    struct cs_path path = message->path;

    path.latency_ps += message->latency_ps;
    path.wait_ps += message->wait_ps - message->own_ps;
    path.bandwidth_ps +=
        at_ps - message->sent_ps - message->latency_ps - message->wait_ps + message->own_ps;
    return path;
}

/* The message waits for its event: packed, where it can be. */
static inline void cs_exec_await(struct exec *exec, uint32_t number, enum cs_event_kind kind,
                                 uint64_t at_ps)
{
    if (exec->traffic.messages[number].packs && cs_packed_add(exec, number, kind, at_ps))
        return;
    cs_events_add(&exec->traffic.events, at_ps, kind, number);
}

/* After a step of the model. */
static inline void cs_exec_follow(struct exec *exec, uint32_t number, struct cs_delivery delivery)
{
    struct cs_message *message = &exec->traffic.messages[number];
    struct cs_path path;

    if (delivery.kind == CS_ARRIVES && exec->watches_memory)
        cs_exec_fill_from(exec, number, delivery.at_ps);
    if (delivery.kind == CS_ARRIVES || delivery.kind == CS_MOVES)
        cs_exec_await(exec, number, cs_delivery_event(delivery.kind), delivery.at_ps);
    if (delivery.kind != CS_LEFT)
        return;
    path = cs_exec_path_over(message, delivery.at_ps);
    cs_exec_finish_send(exec, message, &path);
}

/* The executor needs the message no more. */
static inline void cs_exec_drop_message(struct exec *exec, uint32_t number)
{
    struct cs_message *message = &exec->traffic.messages[number];

    message->is_over = true;
    if (!message->lingers)
        cs_pool_give(&exec->message_pool, number, &message->next);
}

#endif

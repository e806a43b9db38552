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
#pragma once

#include "sim/engine/state.h"

#include <assert.h>

/*
 * Memory that parties hold in addition to their vectors.
 *
 * Results count a message from its last byte until it is received or reduced.  A
 * watch on memory counts from the first byte on; without a watch this event does
 * not exist and costs nothing.
 */

/* Reports the memory of the party to exec->watch, which has `held`. */
void cs_exec_report_held(const struct exec *exec, uint32_t party);

/* A message that needs a buffer fills the buffer from its first byte on: with a
 * known end, and with an unknown end. Only with a watch on memory. */
void cs_exec_fill_from(struct exec *exec, uint32_t number, uint64_t at_ps);
void cs_exec_fill_at_soonest(struct exec *exec, uint32_t number);

/* Event of a message: arrival of its first byte. */
void cs_exec_fill(struct exec *exec, uint32_t number);

/* The buffer is full, or lost with the message: counted by cs_exec_hold(). */
void cs_exec_filled(struct exec *exec, uint32_t number);

static inline void cs_exec_hold(struct exec *exec, uint32_t number, uint64_t bytes)
{
    struct party *party = &exec->parties[number];
    uint64_t *most = number < exec->program->ranks ? &exec->result->extra_bytes_max
                                                   : &exec->result->agent_bytes_max;

    party->extra_bytes += bytes;
    if (party->extra_bytes > *most)
        *most = party->extra_bytes;
    if (exec->watches_memory)
        cs_exec_report_held(exec, number);
}

static inline void cs_exec_release(struct exec *exec, uint32_t number, uint64_t bytes)
{
    assert(exec->parties[number].extra_bytes >= bytes);
    exec->parties[number].extra_bytes -= bytes;
    if (exec->watches_memory)
        cs_exec_report_held(exec, number);
}

/*
 * Packed messages: those of rounds with fan-in, between the links of their routes.
 *
 * A round with many sends puts as many messages into flight, each with a record of
 * three cache lines and an event.  But between two events a message is determined by
 * its launch (what all messages of the lane's round have in common), its destination
 * and a few times; and the messages that a link has served come to its end in the
 * order of service.  So each link has a queue of packed messages, a dozen bytes each
 * (differences to the message before), and only the first of a queue has an event.
 * When the event fires the message gets a record, and is packed again at the next
 * link.
 *
 * The order of simultaneous events is that of unpacked messages: a packed message
 * keeps the number that its event would have had.  A message that would come before
 * the last one of its link (after a slower link) has an event of its own.
 *
 * Not matched when sent but on arrival: messages of one key are of one round and
 * arrive in the order of sending, as they take one route.
 *
 * Messages are packed in models that queue whole messages (packs_messages), where
 * nothing else reads them meanwhile: no watch, noise, faults, choice of routes,
 * eager sends, folded ranks or servers.
 *
 *     add, take   O(1)
 *
 * Memory O(messages in flight), of about 15 bytes each; kept.
 */

/* Finds out whether the run packs messages; not where it may jump over rounds. */
void cs_packed_open(struct exec *exec, bool jumps, struct cs_arena *arena);
void cs_packed_close(struct exec *exec);

/* The launch of a message of the lane, which leaves now, of the round with fan-in that
 * begins. */
uint32_t cs_packed_launch(struct exec *exec, uint32_t lane, uint64_t bytes);

/* The message, packable, has been served by a link and waits until `at_ps`, for its
 * next link or its arrival.  False: it could not be packed, and needs an event. */
bool cs_packed_add(struct exec *exec, uint32_t number, enum cs_event_kind kind, uint64_t at_ps);

/* The event of the first message behind the link fires: the message gets a record.
 * Its own event, with the number of the record. */
struct cs_event cs_packed_take(struct exec *exec, uint32_t link);

/* A packable message has arrived. */
void cs_packed_landed(struct exec *exec, uint32_t number);

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

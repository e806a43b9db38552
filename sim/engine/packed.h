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
#ifndef CS_SIM_ENGINE_PACKED_H
#define CS_SIM_ENGINE_PACKED_H

#include "sim/engine/state.h"

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

#endif

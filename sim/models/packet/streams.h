/*
 * Streams: messages as packets from source to destination.
 *
 * A message has at most one packet in the line of its first link.  Messages of
 * one (source, destination, channel) follow each other, and so do messages that
 * must arrive in order (program.h), unless packets may be lost.  With drop each
 * message has a window (window.h) and every packet returns as an
 * acknowledgement.
 *
 * Each call is O(1), and what the window costs.
 */
#ifndef CS_SIM_MODELS_PACKET_STREAMS_H
#define CS_SIM_MODELS_PACKET_STREAMS_H

#include "sim/models/packet/state.h"

/* Message `number` begins: the first packet joins its line, unless the message
 * follows another one.  True: a packet has joined. */
bool cs_streams_begin(struct cs_traffic *traffic, uint32_t number);

/* The next packet of the message joins the line of the first link. */
void cs_streams_feed(struct cs_traffic *traffic, uint32_t number);

/* All packets of the message have left the source; with drop: and are
 * acknowledged. */
bool cs_streams_has_left(const struct packet_model *model, const struct stream *stream);

/* A packet of message `number` has left the source, all of it at at_ps. */
void cs_streams_left(struct cs_traffic *traffic, uint32_t number, uint64_t at_ps);

/* The packet is at its destination at at_ps. */
void cs_streams_arrive(struct cs_traffic *traffic, uint32_t number, uint64_t at_ps);

/* With drop: the packet was lost at a full buffer; the sender knows that the
 * packet has arrived; the timeout of the message fires.  The latter two return
 * the resource that may have work to do. */
void cs_streams_lose(struct cs_traffic *traffic, uint32_t packet);
uint32_t cs_streams_acknowledge(struct cs_traffic *traffic, uint32_t number);
uint32_t cs_streams_time_out(struct cs_traffic *traffic, uint32_t number);

/* The packet is unused from now on. */
void cs_streams_drop_packet(struct packet_model *model, uint32_t number);

#endif

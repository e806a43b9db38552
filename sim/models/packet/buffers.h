/*
 * Buffers of a size, shared by the messages on a link; packet.c explains
 * credits, PFC and drop.
 *
 * With credits and PFC a packet without space is deferred at the link, and so
 * are later packets of the link, in order. With drop a packet without space is
 * lost.  Where messages have private places (places.h) packets are
 * never deferred.
 */
#ifndef CS_SIM_MODELS_PACKET_BUFFERS_H
#define CS_SIM_MODELS_PACKET_BUFFERS_H

#include "sim/models/packet/state.h"

/* Sets the size of the buffer of `link` and the levels for pause frames. */
void cs_buffers_open(struct packet_model *model, const struct cs_net *net, uint32_t link);

/* Is space free for the packet beyond the link, as far as the near end knows?
 * A destination always has space. */
bool cs_buffers_fit(struct cs_traffic *traffic, uint32_t link, const struct packet *packet);

/* The packet, first in the resource's line, lacks space. */
void cs_buffers_defer(struct cs_traffic *traffic, uint32_t number, uint32_t packet);

/* Does the link have deferred packets? */
static inline bool cs_buffers_defers(const struct link *link)
{
    return link->passing.first != NONE || link->entering.first != NONE;
}

/* The next link of the resource's line `fit`, which must not be empty, and the
 * deferred line of the link with space for the first packet; NULL: no line,
 * as the link was paused meanwhile. */
uint32_t cs_buffers_next_fit(struct packet_model *model, struct resource *resource);
struct line *cs_buffers_line(struct cs_traffic *traffic, uint32_t number);

/* Deferred packets of the link may have space: the link joins the line `fit`
 * of the resource, or the next credits are awaited. */
void cs_buffers_review(struct cs_traffic *traffic, uint32_t number);

/* The packet leaves the buffer of `link` at left_ps: with credits and PFC the
 * buffer of the previous link, with drop the buffer of the crossed
 * link. */
void cs_buffers_give(struct cs_traffic *traffic, uint32_t number, const struct packet *packet,
                     uint64_t left_ps);

/* Only with PFC and drop: the packet reaches a buffer; false: no space, the
 * packet is lost. */
bool cs_buffers_enter(struct cs_traffic *traffic, const struct packet *packet);

/* WAKE_LINK and WAKE_PAUSE: the resource with possible work, or NONE. */
uint32_t cs_buffers_wake(struct cs_traffic *traffic, uint32_t number);
uint32_t cs_buffers_pause(struct cs_traffic *traffic, uint32_t number);

#endif

/*
 * Buffers of a size, shared by all messages that cross a link; packet.c says
 * how credits, PFC and drop use them.
 *
 * With credits and PFC a packet that lacks space is deferred at its link, and
 * so are all later packets of that link, in order.  With drop a packet that
 * lacks space is lost.  Where messages have private places (places.h) nothing is
 * deferred here.
 */
#ifndef CS_SIM_MODELS_PACKET_BUFFERS_H
#define CS_SIM_MODELS_PACKET_BUFFERS_H

#include "sim/models/packet/packet_state.h"

/* Sets the size of the buffer of `link` and the levels for pause frames. */
void cs_buffers_open(struct packet_model *model, const struct cs_net *net,
                     uint32_t link);

/* Is there space for the packet beyond its link, as far as the near end knows?
 * A destination always has space. */
bool cs_buffers_fit(struct cs_traffic *traffic, uint32_t link,
                    const struct packet *packet);

/* The packet, first in its resource's line, lacks space. */
void cs_buffers_defer(struct cs_traffic *traffic, uint32_t number,
                      uint32_t packet);

/* Does the link have deferred packets? */
static inline bool cs_buffers_defers(const struct link *link)
{
    return link->passing.first != NONE || link->entering.first != NONE;
}

/* The next link of the resource's line `fit`, which must not be empty, and the
 * deferred line of that link whose first packet has space; NULL: none has, as
 * the link was paused meanwhile. */
uint32_t cs_buffers_next_fit(struct packet_model *model,
                             struct resource *resource);
struct line *cs_buffers_line(struct cs_traffic *traffic, uint32_t number);

/* Deferred packets of the link may have space: the link joins the line `fit`
 * of its resource, or the next credits are awaited. */
void cs_buffers_review(struct cs_traffic *traffic, uint32_t number);

/* The packet leaves the buffer of `link` at left_ps: with credits and PFC the
 * buffer of the link that it came over, with drop of the link that it
 * crosses. */
void cs_buffers_give(struct cs_traffic *traffic, uint32_t number,
                     const struct packet *packet, uint64_t left_ps);

/* Only with PFC and drop: the packet reaches a buffer; false: no space, the
 * packet is lost. */
bool cs_buffers_enter(struct cs_traffic *traffic, const struct packet *packet);

/* WAKE_LINK and WAKE_PAUSE: the resource that may have work to do, or NONE. */
uint32_t cs_buffers_wake(struct cs_traffic *traffic, uint32_t number);
uint32_t cs_buffers_pause(struct cs_traffic *traffic, uint32_t number);

#endif

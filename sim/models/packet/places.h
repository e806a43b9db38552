/*
 * Private places: a message has private buffer space at each link.
 *
 * A stage is a message at a link.  At most one packet of a stage is in the
 * line of the link's resource, and the next packet joins the end of the line
 * once a private place beyond the link is free, so that no message waits for
 * buffer space of further messages. Messages of a (source, destination,
 * channel) over an equal route share the stages.
 *
 * Without private places (struct packet_model) packets join the line at once.
 *
 *     join, give   O(1), and the cost of credits
 */
#ifndef CS_SIM_MODELS_PACKET_PLACES_H
#define CS_SIM_MODELS_PACKET_PLACES_H

#include "sim/models/packet/state.h"

/* Packets sent by the link in twice the latency, rounded up. */
uint64_t cs_places_flying(const struct cs_net *net, const struct packet_model *model,
                          uint32_t link);

/* The private bytes of each message in the buffer at the far end of a link: 2
 * packets and the bytes sent by the link in twice the latency. */
uint64_t cs_places_bytes(const struct cs_net *net, const struct packet_model *model, uint32_t link);

/* Stages for message `number`: the stages of message `before`, if the routes
 * are equal, else new stages.  `before` may be CS_ORDER_NONE. */
void cs_places_open(struct cs_traffic *traffic, uint32_t number, uint32_t before);

/* The packet reaches the link and joins the line, or waits in the stage. */
void cs_places_join(struct cs_traffic *traffic, uint32_t number);

/* No packet of the stage is in the resource's line: the first waiting packet
 * joins the line if a place is free, else a WAKE_PLACE is planned. */
void cs_places_next(struct cs_traffic *traffic, uint32_t number);

/* A packet leaves the buffer beyond the link of the stage; the near end knows
 * at back_ps. */
void cs_places_give(struct cs_traffic *traffic, uint32_t number, uint32_t bytes, uint64_t back_ps);

/* WAKE_PLACE: the resource with possible work, or NONE. */
uint32_t cs_places_wake(struct cs_traffic *traffic, uint32_t number);

/* The packet of the stage has left the line. */
static inline void cs_places_left(struct cs_traffic *traffic, uint32_t number)
{
    const struct packet_model *model = traffic->model;
    struct stage *stage = &model->stages[number];

    stage->in_line = false;
    if (stage->waiting.first != NONE)
        cs_places_next(traffic, number);
}

#endif

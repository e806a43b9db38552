/*
 * Private places: each message has buffer space of its own at each link.
 *
 * A stage is a message at one link.  At most one packet of a stage is in the
 * line of the link's resource, and the next packet joins the end of the line
 * once a private place beyond the link is free, so that no message waits for
 * buffer space of another message.  Messages of one (source, destination,
 * channel) over the same route share the stages.
 *
 * Without private places (struct packet_model) packets join the line at once.
 *
 *     join, give   O(1), and what credits cost
 */
#ifndef CS_SIM_MODELS_PACKET_PLACES_H
#define CS_SIM_MODELS_PACKET_PLACES_H

#include "sim/models/packet/packet_state.h"

/* What the link sends in twice its latency, in packets, rounded up. */
uint64_t cs_places_flying(const struct cs_net *net,
                          const struct packet_model *model, uint32_t link);

/* The private bytes of each message in the buffer at the far end of a link: 2
 * packets and what the link sends in twice its latency. */
uint64_t cs_places_bytes(const struct cs_net *net,
                         const struct packet_model *model, uint32_t link);

/* Stages for message `number`: those of message `before`, if the routes are the
 * same, else new stages.  `before` may be CS_ORDER_NONE. */
void cs_places_open(struct cs_traffic *traffic, uint32_t number,
                    uint32_t before);

/* The packet reaches its link and joins the line, or waits in its stage. */
void cs_places_join(struct cs_traffic *traffic, uint32_t number);

/* None of the stage is in the resource's line: the first waiting packet joins
 * the line if a place is free, else a WAKE_PLACE is planned. */
void cs_places_next(struct cs_traffic *traffic, uint32_t number);

/* A packet leaves the buffer beyond the link of that stage; the near end knows
 * at back_ps. */
void cs_places_give(struct cs_traffic *traffic, uint32_t number, uint32_t bytes,
                    uint64_t back_ps);

/* WAKE_PLACE: the resource that may have work to do, or NONE. */
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

/*
 * Service: resources serve packets in the order of arrival, ties in the order
 * of events; packet.c says what a packet does to a link.
 */
#ifndef CS_SIM_MODELS_PACKET_SERVICE_H
#define CS_SIM_MODELS_PACKET_SERVICE_H

#include "sim/models/packet/state.h"

/* The resource serves what it can: one packet, unless packets take no time. */
void cs_service_run(struct cs_traffic *traffic, uint32_t number);

/* The packet takes so long on the link; all packets of a message together take
 * as long as the bytes of the message, rounded once. */
static inline uint64_t cs_service_take_ps(const struct packet *packet,
                                          const struct cs_net_link *link)
{
    double from = (double)packet->offset;
    double to = (double)(packet->offset + packet->bytes);

    return cs_time_up(to * link->ps_per_byte) - cs_time_up(from * link->ps_per_byte);
}

#endif

/*
 * Links that go down or change their rate while packets are in flight; only
 * where every message has private places, so that lost packets leave no space
 * that others wait for.
 */
#ifndef CS_SIM_MODELS_PACKET_FAULTS_H
#define CS_SIM_MODELS_PACKET_FAULTS_H

#include "sim/models/packet/state.h"

/* `lose` and `change` of struct cs_link_model.  O(packets x hops) a message. */
bool cs_packet_lose(struct cs_traffic *traffic, uint32_t number, const struct cs_net *next);
void cs_packet_change(struct cs_traffic *traffic, uint32_t messages);

#endif

/*
 * What becomes of messages in the queueing models (fifo, postal) when links go
 * down: link_serve.h serves them ahead of time, this takes it back.
 */
#ifndef CS_SIM_LINK_LOST_H
#define CS_SIM_LINK_LOST_H

#include "sim/traffic.h"

/*
 * Whether message `number` is lost: some link on its way is down in `next` and
 * has not passed on its last byte, or that stands in the way of a slower link
 * after it.  A lost message is forgotten, but who is served behind it is served
 * when that was to be: links before the loss send it for nothing.  O(hops).
 */
bool cs_link_lose(struct cs_traffic *traffic, uint32_t number,
                  const struct cs_net *next);

/* Servers are free when the last message that was not lost is off them.
 * O(servers + messages x hops). */
void cs_link_change(struct cs_traffic *traffic, uint32_t messages);

#endif

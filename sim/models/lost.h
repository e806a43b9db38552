/*
 * What becomes of messages in the queueing models (fifo, postal) when the net
 * changes: serve.h serves them ahead of time, this takes it back.
 */
#ifndef CS_SIM_MODELS_LOST_H
#define CS_SIM_MODELS_LOST_H

#include "sim/engine/model.h"

/*
 * Whether message `number` is lost: some link on its way is down in `next` and
 * has not passed on its last byte, or that stands in the way of a slower link
 * after it.  A lost message is forgotten, and leaves its place in line.
 * O(hops).
 */
bool cs_link_lose(struct cs_traffic *traffic, uint32_t number,
                  const struct cs_net *next);

/* The model's `send`: it goes on from the message's hop. */
typedef struct cs_delivery cs_link_send_fn(struct cs_traffic *traffic,
                                           uint32_t number);

/*
 * A service that has begun by now is not changed.  All others are taken back
 * and given anew, in the same order, at the rates of traffic->net.
 * O(servers + messages x hops + again log again), `again` of them taken back.
 */
void cs_link_change(struct cs_traffic *traffic, uint32_t messages,
                    cs_link_send_fn *send);

#endif

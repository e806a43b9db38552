/*
 * Messages in the queueing models (fifo, postal) when the net changes: serve.h
 * serves messages ahead of time, and this module revokes services that have not
 * begun.
 */
#pragma once

#include "sim/engine/model.h"

/*
 * Is message `number` lost?  That is so if a link on the route is down in `next`
 * before the link has passed on the last byte, or before a slower link after it
 * has drawn the last byte.  A lost message leaves its queues.  O(hops).
 */
bool cs_link_lose(struct cs_traffic *traffic, uint32_t number, const struct cs_net *next);

/* The model's `send`, which continues from the message's hop. */
typedef struct cs_delivery cs_link_send_fn(struct cs_traffic *traffic, uint32_t number);

/*
 * A service that has begun by now is not changed.  Later services are revoked and
 * scheduled anew, in the same order, at the rates of traffic->net.
 * O(resources + messages x hops + again log again), for `again` revoked messages.
 */
void cs_link_change(struct cs_traffic *traffic, uint32_t messages, cs_link_send_fn *send);

/*
 * Model `postal`: alpha + bytes / beta, with ports.
 *
 * alpha is the sum of the latencies on the route and beta its slowest link.
 * A message queues for the sender's port (the first link of its route) and the
 * receiver's port (the last link); between the ports contention is ignored.  The
 * receiver's port is reserved in the order of sending.  Uses: comparison with
 * closed forms, and the share of network contention in a time.
 *
 * Cost: O(hops) a message, one event.
 */
#include "sim/models/lost.h"
#include "sim/models/serve.h"

static struct cs_delivery postal_send(struct cs_traffic *traffic, uint32_t number)
{
    struct cs_message *message = &traffic->messages[number];

    while (message->hop < message->hops) {
        bool port = message->hop == 0 || message->hop == message->hops - 1;

        cs_link_serve(traffic, message, number, message->route[message->hop],
                      port ? CS_SERVE_AS_SENT : CS_SERVE_AT_ONCE);
    }
    return (struct cs_delivery){CS_ARRIVES, message->tail_ps};
}

static void postal_change(struct cs_traffic *traffic, uint32_t messages)
{
    cs_link_change(traffic, messages, postal_send);
}

const struct cs_link_model cs_link_model_postal = {
    .name = "postal",
    .ports_only = true,
    .about = "alpha + bytes/beta; only the ports of sender and receiver queue",
    .takes_eager = true,
    .queues_messages = true,
    .repeats = true,
    .folds_queues = true,
    .send = postal_send,
    .move = postal_send,
    .lose = cs_link_lose,
    .change = postal_change,
};

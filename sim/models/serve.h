/*
 * What one link does to one message: the step that the queueing models share.
 */
#pragma once

#include "sim/engine/model.h"

/* Is the message queued at the link's resource, in the order of heads or of sending,
 * or passed on at will? */
enum cs_serve {
    CS_SERVE_IN_ORDER,
    CS_SERVE_AS_SENT,
    CS_SERVE_AT_ONCE,
};

/* The part of a wait from `from_ps` to `to_ps` that the streak took.  Where the
 * net has changed, the streak may begin later than `to_ps`. */
static inline uint64_t own_wait(const struct cs_resource *resource, uint64_t from_ps,
                                uint64_t to_ps)
{
    uint64_t since_ps = resource->since_ps > from_ps ? resource->since_ps : from_ps;

    return to_ps > since_ps ? to_ps - since_ps : 0;
}

/*
 * Queues the message of `src`, whose head is at the resource, for `take_ps` and returns
 * when its service begins.  A wait behind messages of its own sender counts as
 * own_ps: on a path that is bandwidth, not contention.
 */
static inline uint64_t cs_resource_serve(struct cs_resource *resource, struct cs_message *message,
                                         uint32_t src, uint64_t take_ps)
{
    uint64_t head_ps = message->head_ps;
    uint64_t start_ps = head_ps;

    if (resource->free_ps < head_ps) {
        resource->since_ps = head_ps;
        resource->src = src;
    } else {
        start_ps = resource->free_ps;
        message->wait_ps += start_ps - head_ps;
        if (resource->src != src) {
            resource->since_ps = start_ps;
            resource->src = src;
        } else {
            message->own_ps += own_wait(resource, head_ps, start_ps);
        }
    }
    resource->free_ps = cs_time_after(start_ps, take_ps);
    return start_ps;
}

/* The begin and the end of a service. */
struct cs_served {
    uint64_t start_ps, end_ps;
};

/*
 * The same at a token bucket of rate r and depth B, as a bucket at rate r that
 * began up to B / r before the head arrived: with tokens in store the message
 * passes at the peak rate, and the end of the service at rate r is the debt of the
 * next message (virtual scheduling, ITU-T I.371).
 */
static inline struct cs_served cs_resource_serve_burst(struct cs_resource *resource,
                                                       struct cs_message *message,
                                                       const struct cs_net_link *link,
                                                       uint64_t take_ps)
{
    uint64_t head_ps = message->head_ps;
    uint64_t from_ps = head_ps > link->burst_ps ? head_ps - link->burst_ps : 0;
    uint64_t virtual_ps = resource->free_ps > from_ps ? resource->free_ps : from_ps;
    uint64_t start_ps = virtual_ps > head_ps ? virtual_ps : head_ps;
    uint64_t end_ps =
        cs_time_after(start_ps, cs_time_up((double)message->bytes * link->peak_ps_per_byte));

    message->wait_ps += start_ps - head_ps;
    resource->free_ps = cs_time_after(virtual_ps, take_ps);
    return (struct cs_served){start_ps, resource->free_ps > end_ps ? resource->free_ps : end_ps};
}

/*
 * Moves the message over the link `id` of its hop with cut-through: the head goes on as soon
 * as it is served and the link's latency has passed, the tail follows when the
 * link and every link before it have passed the last byte on.  The resource is
 * taken for bytes / rate; a slower link before it does not hold it longer.
 */
static inline void cs_link_serve(struct cs_traffic *traffic, struct cs_message *message,
                                 uint32_t number, uint32_t id, enum cs_serve how)
{
    const struct cs_net_link *link = &traffic->net->links[id];
    struct cs_link_use *use = &traffic->use[id];
    uint64_t take_ps = cs_time_up((double)message->bytes * link->ps_per_byte);
    uint64_t start_ps = message->head_ps;
    bool in_line = how != CS_SERVE_AT_ONCE;
    uint64_t end_ps;

    if (in_line && traffic->ties)
        cs_traffic_meet(traffic, &traffic->ties[link->resource], number, message->hop,
                        how == CS_SERVE_AS_SENT ? message->sent_ps : message->head_ps);
    if (in_line && link->burst_ps > 0) {
        struct cs_served served =
            cs_resource_serve_burst(&traffic->resources[link->resource], message, link, take_ps);

        start_ps = served.start_ps;
        end_ps = served.end_ps;
    } else {
        if (in_line)
            start_ps = cs_resource_serve(&traffic->resources[link->resource], message,
                                         cs_traffic_sender(traffic, number, message->hop), take_ps);
        end_ps = cs_time_after(start_ps, take_ps);
    }
    if (traffic->services)
        cs_traffic_services(traffic, number)[message->hop] =
            (struct cs_service){start_ps, end_ps, traffic->service_count++, in_line};
    if (message->tail_ps > end_ps)
        end_ps = message->tail_ps;
    if (message->hop == 0)
        message->left_ps = end_ps;
    message->latency_ps += link->latency_ps;
    message->head_ps = cs_time_after(start_ps, link->latency_ps);
    message->tail_ps = cs_time_after(end_ps, link->latency_ps);
    message->hop++;
    use->busy_ps += take_ps;
    use->bytes += message->bytes;
    use->messages++;
}

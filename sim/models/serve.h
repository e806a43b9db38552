/*
 * What one link does to one message: the step that the queueing models share.
 */
#ifndef CS_SIM_MODELS_SERVE_H
#define CS_SIM_MODELS_SERVE_H

#include "sim/engine/model.h"

/* Does the message stand in line for the link's server, or pass at will? */
enum cs_serve {
    CS_SERVE_IN_ORDER,
    CS_SERVE_AT_ONCE,
};

/* Of the wait from `from_ps` to `to_ps` what the streak was served in. */
static inline uint64_t own_wait(const struct cs_streak *streak,
                                uint64_t from_ps, uint64_t to_ps)
{
    uint64_t since_ps = streak->since_ps > from_ps ? streak->since_ps : from_ps;

    return to_ps > since_ps ? to_ps - since_ps : 0;
}

/*
 * Moves the message over links[hop] with cut-through: the head goes on as soon
 * as it is served and the link's latency has passed, the tail follows when the
 * link and every link before it have passed the last byte on.  The server is
 * taken for bytes / rate; a slower link before it does not hold it longer.
 */
static inline void cs_link_serve(struct cs_traffic *traffic,
                                 struct cs_message *message, uint32_t number,
                                 enum cs_serve how)
{
    const struct cs_net *net = traffic->net;
    uint32_t id = cs_traffic_route(traffic, number)[message->hop];
    const struct cs_net_link *link = &net->links[id];
    struct cs_link_use *use = &traffic->use[id];
    uint64_t take_ps = cs_time_up((double)message->bytes * link->ps_per_byte);
    uint64_t start_ps = message->head_ps;
    uint64_t end_ps;

    if (how == CS_SERVE_IN_ORDER) {
        struct cs_streak *streak = &traffic->streaks[link->resource];

        if (traffic->free_ps[link->resource] < start_ps ||
            streak->src != message->src)
            *streak =
                (struct cs_streak){traffic->free_ps[link->resource] > start_ps
                                       ? traffic->free_ps[link->resource]
                                       : start_ps,
                                   message->src};
        if (traffic->free_ps[link->resource] > start_ps)
            start_ps = traffic->free_ps[link->resource];
        traffic->free_ps[link->resource] = cs_time_after(start_ps, take_ps);
    }
    end_ps = cs_time_after(start_ps, take_ps);
    if (traffic->services)
        cs_traffic_services(traffic, number)[message->hop] =
            (struct cs_service){start_ps, end_ps, traffic->service_count++,
                                how == CS_SERVE_IN_ORDER};
    if (message->tail_ps > end_ps)
        end_ps = message->tail_ps;
    if (message->hop == 0)
        message->left_ps = end_ps;
    message->wait_ps += start_ps - message->head_ps;
    if (start_ps > message->head_ps && how == CS_SERVE_IN_ORDER)
        message->own_ps += own_wait(&traffic->streaks[link->resource],
                                    message->head_ps, start_ps);
    message->latency_ps += link->latency_ps;
    message->head_ps = cs_time_after(start_ps, link->latency_ps);
    message->tail_ps = cs_time_after(end_ps, link->latency_ps);
    message->hop++;
    use->busy_ps += take_ps;
    use->bytes += message->bytes;
    use->messages++;
}

#endif

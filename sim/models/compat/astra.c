/*
 * Models `astra` and `astra-unaware`: the two analytical networks of ASTRA-sim.
 *
 * astra: congestion-aware.  A link serves whole messages in the order in which
 * they come to it, and a switch stores a message before it sends it on.  From
 * time t on a link of latency l takes
 *
 *     link       busy until t + [m / rate]
 *     message    there at   t + [l + m / rate]
 *
 * astra-unaware: a message takes [sum of l + m / rate of the slowest link];
 * nothing waits for anything.
 *
 * [ ] cuts to whole nanoseconds.  A GB is 2^30 bytes there: what is 50 GB/s in
 * its files is 50 GiB/s here.
 *
 * Cost: an event a hop; one a message.
 *
 * W. Won et al., ASTRA-sim2.0, ISPASS 2023; astra-network-analytical, commit
 * 599a0473.
 */
#include "sim/engine/model.h"

enum {
    PS_PER_NS = 1000
};

static uint64_t whole_ns(double time_ps)
{
    uint64_t cut_ps = (uint64_t)time_ps;

    return time_ps > (double)CS_TIME_MAX_PS ? CS_TIME_MAX_PS + 1 : cut_ps - cut_ps % PS_PER_NS;
}

/* Latency is not to be more than what was cut. */
static uint64_t astra_at_most(uint64_t latency_ps, uint64_t cut_ps)
{
    return latency_ps < cut_ps ? latency_ps : cut_ps;
}

static void count_use(struct cs_traffic *traffic, uint32_t link, const struct cs_message *message,
                      uint64_t busy_ps)
{
    struct cs_link_use *use = &traffic->use[link];

    use->busy_ps += busy_ps;
    use->bytes += message->bytes;
    use->messages++;
}

/* Over links[hop], which the message has just reached. */
static struct cs_delivery aware_move(struct cs_traffic *traffic, uint32_t number)
{
    struct cs_message *message = &traffic->messages[number];
    uint32_t id = cs_traffic_route(traffic, number)[message->hop++];
    const struct cs_net_link *link = &traffic->net->links[id];
    uint64_t *free_ps = &traffic->resources[link->resource].free_ps;
    uint64_t start_ps = traffic->events.now_ps;
    double take_ps = (double)message->bytes * link->ps_per_byte;
    uint64_t cross_ps;

    if (*free_ps > start_ps)
        start_ps = *free_ps;
    *free_ps = cs_time_after(start_ps, whole_ns(take_ps));
    message->wait_ps += start_ps - traffic->events.now_ps;
    cross_ps = whole_ns((double)link->latency_ps + take_ps);
    message->latency_ps += astra_at_most(link->latency_ps, cross_ps);
    message->tail_ps = cs_time_after(start_ps, cross_ps);
    count_use(traffic, id, message, whole_ns(take_ps));
    if (message->hop == message->hops)
        return (struct cs_delivery){CS_ARRIVES, message->tail_ps};
    cs_events_add(&traffic->events, message->tail_ps, CS_EVENT_MOVE, number);
    return (struct cs_delivery){0};
}

static struct cs_delivery unaware_send(struct cs_traffic *traffic, uint32_t number)
{
    struct cs_message *message = &traffic->messages[number];
    const uint32_t *route = cs_traffic_route(traffic, number);
    double slowest_ps = 0;
    uint64_t cross_ps;

    for (uint32_t i = 0; i < message->hops; i++) {
        const struct cs_net_link *link = &traffic->net->links[route[i]];
        double take_ps = (double)message->bytes * link->ps_per_byte;

        message->latency_ps += link->latency_ps;
        if (take_ps > slowest_ps)
            slowest_ps = take_ps;
        count_use(traffic, route[i], message, whole_ns(take_ps));
    }
    cross_ps = whole_ns((double)message->latency_ps + slowest_ps);
    message->latency_ps = astra_at_most(message->latency_ps, cross_ps);
    return (struct cs_delivery){CS_ARRIVES, cs_time_after(message->sent_ps, cross_ps)};
}

const struct cs_link_model cs_link_model_astra = {
    .name = "astra",
    .about = "ASTRA-sim's: links serve in order, switches store and forward",
    .is_compat = true,
    .queues_messages = true,
    .unbounded = "none: times are cut to whole nanoseconds",
    .send = aware_move,
    .move = aware_move,
};

const struct cs_link_model cs_link_model_astra_unaware = {
    .name = "astra-unaware",
    .about = "ASTRA-sim's without congestion: nothing waits for anything",
    .is_compat = true,
    .unbounded = "none: messages do not share links",
    .send = unaware_send,
    .move = unaware_send,
};

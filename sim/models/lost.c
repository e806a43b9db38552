#include "sim/models/lost.h"

#include "sim/base/order.h"

#include <stdlib.h>

/* ---- revoking services ---- */

/* Links from hop `from` on have not carried the message. */
static void lost_uncount(struct cs_traffic *traffic, uint32_t number, uint32_t from)
{
    const struct cs_message *message = &traffic->messages[number];
    const uint32_t *route = cs_traffic_route(traffic, number);
    const struct cs_service *services = cs_traffic_services(traffic, number);

    for (uint32_t i = from; i < message->hop; i++) {
        struct cs_link_use *use = &traffic->use[route[i]];

        use->busy_ps -= services[i].end_ps - services[i].start_ps;
        use->bytes -= message->bytes;
        use->messages--;
    }
    if (message->hop < message->hops) { /* its next move does not come */
        uint32_t resource = traffic->net->links[route[message->hop]].resource;

        cs_resource_see(&traffic->resources[resource], traffic->events.now_ps);
        traffic->resources[resource].due--;
    }
}

/* Restores the message to the state after its first `hops` links. */
static void rewind_to(struct cs_traffic *traffic, uint32_t number, uint32_t hops)
{
    struct cs_message *message = &traffic->messages[number];
    const uint32_t *route = cs_traffic_route(traffic, number);
    const struct cs_service *services = cs_traffic_services(traffic, number);

    lost_uncount(traffic, number, hops);
    message->head_ps = message->tail_ps = message->sent_ps;
    message->wait_ps = message->own_ps = message->latency_ps = 0;
    for (uint32_t i = 0; i < hops; i++) {
        uint64_t latency_ps = traffic->net->links[route[i]].latency_ps;

        if (services[i].end_ps > message->tail_ps)
            message->tail_ps = services[i].end_ps;
        message->wait_ps += services[i].start_ps - message->head_ps;
        message->latency_ps += latency_ps;
        message->tail_ps = cs_time_after(message->tail_ps, latency_ps);
        message->head_ps =
            traffic->stores ? message->tail_ps : cs_time_after(services[i].start_ps, latency_ps);
    }
    message->hop = hops;
}

/* ---- loss ---- */

bool cs_link_lose(struct cs_traffic *traffic, uint32_t number, const struct cs_net *next)
{
    const struct cs_message *message = &traffic->messages[number];
    const struct cs_net_link *links = next->links;
    const uint32_t *route = cs_traffic_route(traffic, number);
    uint64_t now_ps = traffic->events.now_ps;
    uint64_t passed_ps = message->tail_ps; /* by the last byte, link i */
    bool lost = false;

    for (uint32_t i = message->hops; i-- > 0 && !lost;) {
        const struct cs_net_link *link = &links[route[i]];

        lost = link->down && (i >= message->hop || passed_ps > now_ps);
        if (i < message->hop)
            passed_ps -= link->latency_ps;
    }
    if (lost)
        lost_uncount(traffic, number, 0);
    return lost;
}

/* ---- change ---- */

/* A message with revoked services, and the turn of the first of these. */
struct again {
    uint64_t turn;
    uint32_t number;
};

/* The first service of the message that has not begun. */
static uint32_t first_to_come(const struct cs_traffic *traffic, uint32_t number)
{
    const struct cs_service *services = cs_traffic_services(traffic, number);
    uint32_t hop = traffic->messages[number].hop;
    uint32_t i;

    for (i = 0; i < hop && services[i].start_ps < traffic->events.now_ps; i++) {
    }
    return i;
}

/* Resources that the message has reached are free when the message has passed. */
static void hold_resources(struct cs_traffic *traffic, uint32_t number, uint32_t hops)
{
    const uint32_t *route = cs_traffic_route(traffic, number);
    const struct cs_service *services = cs_traffic_services(traffic, number);

    for (uint32_t i = 0; i < hops; i++) {
        uint64_t *free_ps = &traffic->resources[traffic->net->links[route[i]].resource].free_ps;

        if (services[i].in_line && services[i].end_ps > *free_ps)
            *free_ps = services[i].end_ps;
    }
}

/* Revokes services that have not begun; returns the number of messages. */
static uint32_t take_back(struct cs_traffic *traffic, uint32_t messages, struct again *again)
{
    uint32_t count = 0;

    for (uint32_t i = 0; i < traffic->net->resource_count; i++)
        traffic->resources[i].free_ps = traffic->events.now_ps;
    for (uint32_t number = 0; number < messages; number++) {
        uint32_t hop;

        if (!traffic->messages[number].in_flight)
            continue;
        hop = first_to_come(traffic, number);
        hold_resources(traffic, number, hop);
        if (hop == traffic->messages[number].hop)
            continue;
        again[count++] = (struct again){cs_traffic_services(traffic, number)[hop].turn, number};
        rewind_to(traffic, number, hop);
    }
    return count;
}

/* Events of revoked services do not happen: the messages do not arrive at their
 * destinations or next links. */
static bool is_planned(const void *ctx, const struct cs_event *event)
{
    const struct cs_message *messages = ((const struct cs_traffic *)ctx)->messages;

    switch (event->kind) {
    case CS_EVENT_MOVE:
    case CS_EVENT_DELIVER:
        return !messages[event->number].again;
    case CS_EVENT_LEFT:
        return !messages[event->number].again || messages[event->number].hop > 0;
    default:
        return true;
    }
}

static int compare_queue(const void *a, const void *b)
{
    return cs_order(((const struct again *)a)->turn, ((const struct again *)b)->turn);
}

static void send_again(struct cs_traffic *traffic, uint32_t number, cs_link_send_fn *send)
{
    struct cs_message *message = &traffic->messages[number];
    bool leaves = message->hop == 0 && traffic->eager && !message->left;
    struct cs_delivery delivery = send(traffic, number);

    message->again = false;
    if (leaves) /* before its delivery, should they be at the same time */
        cs_events_add(&traffic->events, message->left_ps, CS_EVENT_LEFT, number);
    if (delivery.kind != CS_IN_FLIGHT)
        cs_events_add(&traffic->events, delivery.at_ps, cs_delivery_event(delivery.kind), number);
}

void cs_link_change(struct cs_traffic *traffic, uint32_t messages, cs_link_send_fn *send)
{
    struct again *again = cs_grow(NULL, (size_t)messages + 1, sizeof(*again));
    uint32_t count = take_back(traffic, messages, again);

    for (uint32_t i = 0; i < count; i++)
        traffic->messages[again[i].number].again = true;
    cs_events_sift(&traffic->events, is_planned, traffic);
    qsort(again, count, sizeof(*again), compare_queue);
    for (uint32_t i = 0; i < count; i++)
        send_again(traffic, again[i].number, send);
    free(again);
}

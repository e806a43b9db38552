/*
 * Model `packet` when the net changes while messages are under way.
 *
 * A message is lost if a link is down that one of its packets is on or has yet
 * to cross.  All of its packets vanish at once, and what they have carried is not
 * counted; the executor sends it again.  Packets that are on a link keep their
 * rate, which is that of the moment when they began to cross it.
 *
 * Only where every message has places of its own: packets that are gone leave
 * no room behind that others wait for.
 */
#include "sim/models/packet/packet_state.h"

#include <assert.h>

enum {
    DEAD = NONE - 1, /* a packet's message: lost, an event may be to come */
};

/* ---- what is lost ---- */

/* The first link of the way that a packet may be on or has yet to cross. */
static uint32_t first_needed(const struct fabric *fabric, uint32_t number,
                             uint32_t hops)
{
    uint32_t least = hops; /* of those that have crossed all, too */
    uint32_t i;

    if (!cs_packet_has_left(fabric, &fabric->feeds[number]))
        return 0;
    for (i = 0; i < fabric->packet_count; i++)
        if (fabric->packets[i].message == number &&
            fabric->packets[i].hop < least)
            least = fabric->packets[i].hop;
    return least ? least - 1 : 0;
}

static bool is_lost(const struct cs_traffic *traffic, uint32_t number,
                    const struct cs_net *next)
{
    const struct fabric *fabric = traffic->model;
    const uint32_t *route = cs_traffic_route(traffic, number);
    uint32_t hops = traffic->messages[number].hops;
    uint32_t i = hops;

    while (i > 0 && !next->links[route[i - 1]].down)
        i--;
    return i > 0 && i > first_needed(fabric, number, hops);
}

/* What packets of the message have carried over link `hop` of its way. */
static uint64_t carried_bytes(const struct cs_traffic *traffic, uint32_t number,
                              uint32_t hop)
{
    const struct fabric *fabric = traffic->model;
    uint64_t sent_bytes =
        fabric->feeds[number].window.sent * fabric->payload_bytes;
    uint32_t i;

    if (sent_bytes > traffic->messages[number].bytes)
        sent_bytes = traffic->messages[number].bytes;
    for (i = 0; i < fabric->packet_count; i++)
        if (fabric->packets[i].message == number &&
            fabric->packets[i].hop <= hop)
            sent_bytes -= fabric->packets[i].bytes - fabric->header_bytes;
    return sent_bytes;
}

static void packet_fault_uncount(struct cs_traffic *traffic, uint32_t number)
{
    const struct fabric *fabric = traffic->model;
    const struct feed *feed = &fabric->feeds[number];
    const uint32_t *route = cs_traffic_route(traffic, number);
    bool has_come = feed->come == feed->packets;
    uint32_t i;

    for (i = 0; i < traffic->messages[number].hops; i++) {
        traffic->use[route[i]].bytes -= carried_bytes(traffic, number, i);
        traffic->use[route[i]].messages -= has_come;
    }
}

/* Takes the message's packets out of a line; whether there were any. */
static bool packet_fault_thin(struct fabric *fabric, struct line *line,
                              uint32_t number)
{
    struct line left = {NONE, NONE};
    bool any = false;
    uint32_t at;
    uint32_t next;

    for (at = line->first; at != NONE; at = next) {
        next = fabric->packets[at].next;
        fabric->packets[at].next = NONE;
        if (fabric->packets[at].message == number)
            any = true;
        else if (left.first == NONE)
            left = (struct line){at, at};
        else
            left.last = fabric->packets[left.last].next = at;
    }
    *line = left;
    return any;
}

/* Its packets leave lines and buffers.  Those before it may go on through its
 * stages, so that it leaves these to them. */
static void packet_fault_vanish(struct cs_traffic *traffic, uint32_t number)
{
    struct fabric *fabric = traffic->model;
    const uint32_t *route = cs_traffic_route(traffic, number);
    struct feed *feed = &fabric->feeds[number];
    uint32_t i;

    for (i = 0; i < traffic->messages[number].hops; i++) {
        uint32_t resource = traffic->net->links[route[i]].resource;
        struct stage *stage = &fabric->stages[feed->stages + i];

        if (packet_fault_thin(fabric, &fabric->resources[resource].line,
                              number))
            stage->in_line = false;
        (void)packet_fault_thin(fabric, &stage->waiting, number);
    }
    for (i = 0; i < fabric->packet_count; i++) {
        struct packet *packet = &fabric->packets[i];

        if (packet->message != number)
            continue;
        packet->message = DEAD;
        if (packet->hop > 0)
            cs_credits_give(&fabric->credits, feed->stages + packet->hop - 1,
                            packet->bytes, traffic->events.now_ps);
    }
    feed->kept_count = 0;
}

/* The message's turn at its source has come, if it waited for that. */
static void packet_fault_let_in(struct cs_traffic *traffic, uint32_t number)
{
    const struct fabric *fabric = traffic->model;
    uint32_t link;

    if (number == CS_ORDER_NONE || fabric->feeds[number].window.sent > 0)
        return;
    link = cs_traffic_route(traffic, number)[0];
    cs_packet_feed(traffic, number);
    cs_packet_serve(traffic, traffic->net->links[link].resource);
}

bool cs_packet_lose(struct cs_traffic *traffic, uint32_t number,
                    const struct cs_net *next)
{
    struct fabric *fabric = traffic->model;
    const struct feed *feed = &fabric->feeds[number];

    assert(fabric->own);
    if (!is_lost(traffic, number, next))
        return false;
    packet_fault_uncount(traffic, number);
    packet_fault_vanish(traffic, number);
    if (feed->come < feed->packets)
        packet_fault_let_in(traffic, cs_order_leave(&fabric->order, number));
    return true;
}

/* ---- what goes on ---- */

static bool is_alive(const void *ctx, const struct cs_event *event)
{
    const struct fabric *fabric = ctx;
    uint32_t number = event->number & (((uint32_t)1 << NUMBER_BITS) - 1);

    return event->kind != CS_EVENT_MODEL ||
           event->number >> NUMBER_BITS != WAKE_PACKET ||
           fabric->packets[number].message != DEAD;
}

static void packet_fault_bury(struct cs_traffic *traffic)
{
    struct fabric *fabric = traffic->model;
    uint32_t i;

    cs_events_sift(&traffic->events, is_alive, fabric);
    for (i = 0; i < fabric->packet_count; i++)
        if (fabric->packets[i].message == DEAD)
            cs_packet_drop(fabric, i);
}

/* Places for the fastest that the links have been. */
static void packet_fault_widen(struct cs_traffic *traffic)
{
    const struct fabric *fabric = traffic->model;
    uint32_t i;

    for (i = 0; i < traffic->net->link_count; i++) {
        uint64_t own_bytes = cs_packet_own_bytes(traffic->net, fabric, i);

        if (!traffic->net->links[i].down &&
            own_bytes > fabric->links[i].own_bytes)
            fabric->links[i].own_bytes = own_bytes;
    }
}

void cs_packet_change(struct cs_traffic *traffic, uint32_t messages)
{
    const struct fabric *fabric = traffic->model;
    uint32_t i;

    packet_fault_bury(traffic);
    packet_fault_widen(traffic);
    if (messages > fabric->feed_room) /* the others were never sent */
        messages = fabric->feed_room;
    for (i = 0; i < messages; i++) {
        const struct feed *feed = &fabric->feeds[i];

        if (traffic->messages[i].in_flight && feed->come < feed->packets &&
            cs_packet_has_left(fabric, feed))
            packet_fault_let_in(traffic, cs_order_after(&fabric->order, i));
    }
}

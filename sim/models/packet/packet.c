/*
 * Model `packet`: messages are cut into packets, which stand in line for each
 * link, and leave only when the buffer at its far end has room for them; unless
 * the net is one that loses packets.
 *
 *     source      switch                    switch       destination
 *     msgs -> [ link 0 ]--->[buffer] -> [ link 1 ]--->[buffer] -> [ link 2 ]-->
 *                 ^             |           ^             |
 *                 +-- credits --+           +-- credits --+
 *
 * Packets.  A message of n bytes is max(1, ceil(n / payload)) packets, each with
 * a header (net.h).  A packet occupies a link for its bytes / rate; times are
 * rounded so that those of a whole message add up to its own, rounded once.  A
 * message is delivered with its last packet.
 *
 * Sources.  A message has one packet at a time in the line of its first link,
 * and the next one joins the end of the line when that one leaves: messages
 * that start at one link take turns.  Those of one (source, destination,
 * channel) follow each other, so that they arrive in order; and so do those that
 * are in turn (program.h), unless packets may be lost.
 *
 * Links.  Servers serve in the order of arrival, ties in the order of events.
 * Cut-through: a packet may go on as soon as its head has crossed the link; onto
 * a faster link as soon as it will not run dry, so that no link is held longer
 * than bytes / rate.
 *
 * Credits.  Loss does not happen: a packet leaves when the buffer at the far end
 * of its link has room, as in InfiniBand or NVLink.  It frees its place when its
 * tail has left, and the link's near end knows a latency later.  The last link
 * needs no room: a destination takes whatever comes.
 *
 * Places of one's own (the usual, while buffers have no size).  In each buffer
 * every message has places of its own: 2 packets and what the link sends in
 * twice its latency.  It stands in the line of a link with one packet at a time,
 * and joins the end with the next one while it has a place beyond the link.
 * Messages of one (source, destination, channel) under way share theirs.  So
 * nobody is held up by what others wait for, and links are shared max-min
 * fairly, the more so the smaller packets are: round robin with a window for
 * each link (E. Hahne, "Round-Robin Scheduling for Max-Min Fairness in Data
 * Networks", IEEE JSAC 9, 1991).  No messages can wait for each other in a
 * circle, as no place is asked for by two of them.
 *
 * Buffers of a size are shared by all.  Packets that lack room keep their order
 * and hold up all that follow on their link, but no other link of the server.
 * What starts at a party leaves half of the buffer of its first link, 8 packets
 * at most, to what passes through (bubble flow control: Puente et al., "The
 * Adaptive Bubble Router", JPDC 61, 2001).
 *
 * PFC (IEEE 802.1Qbb, Ethernet for RoCE).  Nothing is lost either.  A buffer
 * that has not room for one packet more (XOFF) has its link paused, and lets it
 * go on when it holds two packets less (XON); both take the link's latency to
 * act, and a packet that has begun is ended.  What comes until then goes into
 * headroom beside the buffer, 2 x latency x rate + 2 packets, which by this
 * always suffices: an assertion says so.  There is one class, pauses take no
 * bandwidth, and what starts at a party leaves no reserve.  While no buffer
 * fills up all is as with credits, to the picosecond; a full link passes
 * packets on in bursts, and none is lost to it as long as a buffer holds what
 * its link sends in twice the latency, beside two packets.
 *
 * Drop (Ethernet).  Buffers belong to outputs: each link has one at its near end,
 * for the packets that stand before it, but for those that start there, which
 * are in the memory of their host.  A packet that finds no room is lost, and
 * takes no time of links beyond (drop tail).  The last place of a buffer of 8
 * packets or more is given by the toss of a coin, drawn from flow and time: else
 * of two flows at full rates, exactly periodic, the one a picosecond ahead would
 * get every place that becomes free, and the other lose whole windows (S. Floyd,
 * V. Jacobson, "On Traffic Phase Effects in Packet-Switched Gateways",
 * Internetworking 3, 1992).  Each message is a flow with a window (sim/models/packet/window.h:
 * TCP NewReno), which starts anew with every message.
 * Acknowledgements, one a packet, take the latencies of the way there and no
 * bandwidth, and are never lost.  The next message of one (source, destination,
 * channel) starts when all of the one before is acknowledged.  The line before
 * its first link holds a message back and loses nothing.  A link counts the
 * bytes of all packets that crossed it, those of lost and repeated ones too.
 * One message alone whose window covers bandwidth x round trip before any
 * buffer is full takes what it takes with credits and at most
 *         ceil(log2(w / 10)) round trips,  w = round trip / slowest packet's time
 * more.
 *
 * What follows from this, with credits.  Of places of one's own:
 *
 *   - One message alone, of k packets alike that take t_i each on link i:
 *         latencies + t_0 + sum of max(0, t_i - t_(i-1)) + (k - 1) max t
 *     That is latencies + bytes / slowest rate, and for every dip of t along
 *     the way (slow, fast, slow) what the packet's times differ by.
 *   - All-to-all (pairwise) over a fat tree 3:1 takes what it does by `fluid` to
 *     3 %, with 64 MiB over 16 to 32 ranks, whole leaves or not, and to 0.1 %
 *     as latencies and packets become small.  Where rounds are as short as ten
 *     times the latency, ranks drift apart and which flows meet depends on
 *     little: a latency 2 % shorter makes 3 % of `fluid` itself, and the two
 *     models differ by up to 14 % (16 MB over 32 ranks; packets of 512 B by 8 %,
 *     to either side).
 *
 * And of buffers that are shared:
 *
 *   - A link whose far buffer fills up stands still meanwhile, though rates
 *     would have been left: eight rings over two DGX A100 (ib-2xdgx) take 8 %
 *     longer than by model `fluid` with buffers of 16 packets, 2 % with 64,
 *     0.02 % with 1024.
 *   - Who came first stays ahead by what is in the buffers, so that messages
 *     that share a link do not end together as in `fluid`.  Where rounds
 *     depend on each other that adds up: 30 of them (algorithm direct on
 *     ib-2xdgx) take 12 % less than by `fluid`, and 26 % less by `fifo`, where
 *     messages do not mix at all.
 *   - A busy link fills the buffers before it, and then the links that lead to
 *     them stand still, also for packets that go elsewhere.
 *   - At a busy link with full buffers before it, each input gets a share as
 *     large as its buffer; what starts at a party gets one packet for each
 *     round of the line, less than what passes through it.
 *   - On a ring, packets that pass can always move, as long as a buffer has
 *     two packets: there is never less free than the reserve of the link that
 *     was last entered, whole packets unless they differ in size.
 *   - Where routes turn from one circle into another, or buffers are smaller,
 *     packets can fill all buffers of a circle and wait for each other for
 *     ever, as they do in a real network without virtual channels.  Then
 *     nothing happens any more, and the executor says so, with the circle.
 *     Routes that go up and then down never do that.
 *
 * Faults at a time need places of one's own: packet_fault.c.
 *
 * Not here: virtual channels and priorities, a way for each packet (a message
 * keeps its own, which ECMP may draw), marks of congestion (ECN, DCQCN).
 *
 * wait_ps of a message is what is left of its time without the latencies and
 * all its bytes, with headers, on the slowest link.
 *
 * Cost: an event for each packet and link after the first, and one each time a
 * server has packets in line or a link gets credits that it stood still for;
 * two for each pause, one for each acknowledgement and some for timeouts.
 * Memory O(messages and packets under way), kept.
 */
#include "sim/models/packet/packet_state.h"
#include "sim/models/params.h"

#include "sim/base/random.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
    FIRST_ROOM = 64,
    TYPICAL_BUFFER = 64, /* packets; net.h says why */
    OWN_PLACES = 2,      /* packets, beside what is on the link */
    RESERVE_MAX = 8,     /* packets */
    HEADROOM = 2,  /* packets, beside what is on the link: IEEE 802.1Qbb */
    XON_BELOW = 2, /* packets below XOFF */
    DRAW_FROM = 8, /* packets: smaller buffers give their last place away */
};

/* net.h says why. */
static const uint64_t typical_timeout_ps = 1000000000;

static const double most_packets = 0x1p31;

/* ---- state ---- */

static uint64_t packet_bytes(const struct fabric *fabric)
{
    return (uint64_t)fabric->payload_bytes + fabric->header_bytes;
}

/* What a link sends in twice its latency, in packets, rounded up. */
static uint64_t flying_packets(const struct cs_net *net,
                               const struct fabric *fabric, uint32_t link)
{
    double flying = 2 * (double)net->links[link].latency_ps /
                    net->links[link].ps_per_byte / (double)packet_bytes(fabric);

    if (!(flying < most_packets)) /* no time for a byte; 0 / 0 too */
        return (uint64_t)most_packets;
    return 1 + (uint64_t)flying;
}

/* Whole packets, so that no buffer has a rest that is of no use. */
static uint64_t buffer_packets(const struct cs_net *net,
                               const struct fabric *fabric, uint32_t link)
{
    uint64_t given = fabric->params->buffer_bytes / packet_bytes(fabric);

    if (fabric->params->buffer_bytes)
        return given ? given : 1;
    if (fabric->loss == CS_PACKET_PFC)
        return TYPICAL_BUFFER;
    return TYPICAL_BUFFER + flying_packets(net, fabric, link);
}

/* With PFC a buffer stops its link while there is no room for one packet more,
 * and its headroom takes what comes until then. */
static void open_pause(struct fabric *fabric, const struct cs_net *net,
                       uint32_t number)
{
    struct link *link = &fabric->links[number];
    const struct cs_credit_link *buffer = &fabric->credits.links[number];
    uint64_t one = packet_bytes(fabric);

    link->xoff_bytes = buffer->size_bytes - one;
    if (link->xoff_bytes > XON_BELOW * one)
        link->xon_bytes = link->xoff_bytes - XON_BELOW * one;
    cs_credits_resize(&fabric->credits, number,
                      buffer->size_bytes +
                          (HEADROOM + flying_packets(net, fabric, number)) *
                              one);
}

uint64_t cs_packet_own_bytes(const struct cs_net *net,
                             const struct fabric *fabric, uint32_t link)
{
    return (OWN_PLACES + flying_packets(net, fabric, link)) *
           packet_bytes(fabric);
}

static void open_link(struct fabric *fabric, const struct cs_net *net,
                      uint32_t link)
{
    uint64_t packets = buffer_packets(net, fabric, link);
    uint64_t reserve = packets / 2 < RESERVE_MAX ? packets / 2 : RESERVE_MAX;

    fabric->links[link] = (struct link){
        .passing = {NONE, NONE},
        .entering = {NONE, NONE},
        .wake_ps = UINT64_MAX,
        .own_bytes = cs_packet_own_bytes(net, fabric, link),
        .reserve_bytes = (uint32_t)(reserve * packet_bytes(fabric)),
    };
    if (fabric->own)
        return;
    cs_credits_resize(&fabric->credits, link, packets * packet_bytes(fabric));
    if (fabric->loss == CS_PACKET_PFC)
        open_pause(fabric, net, link);
}

static bool packet_shares_buffers(const struct cs_model_params *params)
{
    return params->packet.buffer_bytes || params->packet.loss;
}

static void packet_open(struct cs_traffic *traffic, struct cs_arena *arena)
{
    const struct cs_net *net = traffic->net;
    struct fabric *fabric = cs_arena_alloc(arena, 1, sizeof(*fabric));
    uint32_t i;

    assert(net->resource_count >> NUMBER_BITS == 0 &&
           net->link_count >> NUMBER_BITS == 0);
    fabric->params = &cs_model_params_of(traffic)->packet;
    fabric->payload_bytes = fabric->params->payload_bytes
                                ? fabric->params->payload_bytes
                                : CS_PACKET_PAYLOAD_BYTES;
    fabric->header_bytes = fabric->params->header_bytes;
    fabric->loss = fabric->params->loss;
    fabric->own = !packet_shares_buffers(cs_model_params_of(traffic));
    assert(packet_bytes(fabric) <= UINT32_MAX / (RESERVE_MAX + 1));
    fabric->unused = NONE;
    fabric->resources =
        cs_arena_alloc(arena, net->resource_count, sizeof(*fabric->resources));
    fabric->links =
        cs_arena_alloc(arena, net->link_count, sizeof(*fabric->links));
    for (i = 0; i < net->resource_count; i++)
        fabric->resources[i] =
            (struct resource){{NONE, NONE}, {NONE, NONE}, NONE, false};
    cs_credits_open(&fabric->credits);
    if (!fabric->own)
        (void)cs_credits_add(&fabric->credits, net->link_count);
    for (i = 0; i < net->link_count; i++)
        open_link(fabric, net, i);
    traffic->model = fabric;
}

/* All may be over while packets that were sent again in vain cross links: these
 * were not busy longer than until now. */
static void end_service(struct cs_traffic *traffic)
{
    const struct fabric *fabric = traffic->model;
    uint64_t now_ps = traffic->events.now_ps;
    uint32_t i;

    for (i = 0; i < traffic->net->resource_count; i++)
        if (traffic->resources[i].free_ps > now_ps)
            traffic->use[fabric->resources[i].link].busy_ps -=
                traffic->resources[i].free_ps - now_ps;
}

static void packet_close(struct cs_traffic *traffic)
{
    struct fabric *fabric = traffic->model;
    uint32_t i;

    end_service(traffic);
    cs_credits_close(&fabric->credits);
    cs_order_free(&fabric->order);
    for (i = 0; i < fabric->feed_room; i++)
        cs_window_close(&fabric->feeds[i].window);
    free(fabric->feeds);
    free(fabric->stages);
    free(fabric->packets);
}

static uint32_t new_packet(struct fabric *fabric)
{
    uint32_t number = fabric->unused;

    if (number != NONE) {
        fabric->unused = fabric->packets[number].next;
        return number;
    }
    if (fabric->packet_count == fabric->packet_room) {
        fabric->packet_room =
            fabric->packet_room ? 2 * fabric->packet_room : FIRST_ROOM;
        fabric->packets = cs_grow(fabric->packets, fabric->packet_room,
                                  sizeof(*fabric->packets));
    }
    assert(fabric->packet_count >> NUMBER_BITS == 0);
    return fabric->packet_count++;
}

void cs_packet_drop(struct fabric *fabric, uint32_t number)
{
    fabric->packets[number].message = NONE;
    fabric->packets[number].next = fabric->unused;
    fabric->unused = number;
}

static struct feed *feed_of(struct fabric *fabric, uint32_t message)
{
    uint32_t room = fabric->feed_room;

    if (message >= fabric->feed_room) {
        while (message >= fabric->feed_room)
            fabric->feed_room =
                fabric->feed_room ? 2 * fabric->feed_room : FIRST_ROOM;
        fabric->feeds =
            cs_grow(fabric->feeds, fabric->feed_room, sizeof(*fabric->feeds));
        for (; room < fabric->feed_room; room++)
            fabric->feeds[room] = (struct feed){.kept_count = 0};
    }
    return &fabric->feeds[message];
}

/* As many stages as the message has links, of those that the one before it with
 * the same number has left. */
static void open_stages(struct fabric *fabric, const uint32_t *route,
                        uint32_t hops, struct feed *feed)
{
    uint32_t i;

    if (feed->kept_count < hops) {
        feed->kept = cs_credits_add(&fabric->credits, hops);
        feed->kept_count = hops;
        assert(fabric->credits.link_count >> NUMBER_BITS == 0);
    }
    if (fabric->stage_room != fabric->credits.link_capacity) {
        fabric->stage_room = fabric->credits.link_capacity;
        fabric->stages = cs_grow(fabric->stages, fabric->stage_room,
                                 sizeof(*fabric->stages));
    }
    feed->stages = feed->kept;
    for (i = 0; i < hops; i++) {
        fabric->stages[feed->stages + i] =
            (struct stage){.waiting = {NONE, NONE}};
        cs_credits_resize(&fabric->credits, feed->stages + i,
                          fabric->links[route[i]].own_bytes);
    }
}

/* The message goes through the stages of the one before it, which is still
 * under way, and keeps them after it. */
static void share_stages(struct feed *feed, struct feed *before)
{
    uint32_t kept = feed->kept;
    uint32_t count = feed->kept_count;

    feed->stages = before->stages;
    feed->kept = before->kept;
    feed->kept_count = before->kept_count;
    before->kept = kept;
    before->kept_count = count;
}

static void wake_at(struct cs_traffic *traffic, uint64_t at_ps, uint32_t what,
                    uint32_t number)
{
    cs_events_add(&traffic->events, at_ps, CS_EVENT_MODEL,
                  what << NUMBER_BITS | number);
}

/* ---- lines ---- */

static void packet_join(struct fabric *fabric, struct line *line,
                        uint32_t number)
{
    fabric->packets[number].next = NONE;
    if (line->first == NONE)
        line->first = number;
    else
        fabric->packets[line->last].next = number;
    line->last = number;
}

static uint32_t packet_leave(const struct fabric *fabric, struct line *line)
{
    uint32_t number = line->first;

    line->first = fabric->packets[number].next;
    return number;
}

static void join_fit(struct fabric *fabric, struct resource *resource,
                     uint32_t link)
{
    fabric->links[link].next = NONE;
    fabric->links[link].is_fit = true;
    if (resource->fit.first == NONE)
        resource->fit.first = link;
    else
        fabric->links[resource->fit.last].next = link;
    resource->fit.last = link;
}

static uint32_t leave_fit(const struct fabric *fabric,
                          struct resource *resource)
{
    uint32_t link = resource->fit.first;

    resource->fit.first = fabric->links[link].next;
    fabric->links[link].is_fit = false;
    return link;
}

/* ---- packets ---- */

static uint32_t packet_link_of(const struct cs_traffic *traffic,
                               const struct packet *packet)
{
    return cs_traffic_route(traffic, packet->message)[packet->hop];
}

/* All packets of a message together take as long as its bytes do. */
static uint64_t packet_take_ps(const struct packet *packet,
                               const struct cs_net_link *link)
{
    double from = (double)packet->offset;
    double to = (double)(packet->offset + packet->bytes);

    return cs_time_up(to * link->ps_per_byte) -
           cs_time_up(from * link->ps_per_byte);
}

static uint32_t packet_resource_of(const struct cs_traffic *traffic,
                                   const struct packet *packet)
{
    return traffic->net->links[packet_link_of(traffic, packet)].resource;
}

static uint32_t first_resource(const struct cs_traffic *traffic,
                               uint32_t number)
{
    return traffic->net->links[cs_traffic_route(traffic, number)[0]].resource;
}

/* ---- places of their own ---- */

static uint32_t stage_of(const struct fabric *fabric,
                         const struct packet *packet)
{
    return fabric->feeds[packet->message].stages + packet->hop;
}

/* A WAKE_PLACE for when there is one for the first packet that waits. */
static void plan_place(struct cs_traffic *traffic, uint32_t number)
{
    const struct fabric *fabric = traffic->model;
    struct stage *stage = &fabric->stages[number];
    uint64_t next_ps = cs_credits_next_ps(&fabric->credits, number);

    if (stage->wakes || next_ps == UINT64_MAX)
        return;
    stage->wakes = true;
    wake_at(traffic, next_ps, WAKE_PLACE, number);
}

/* Is there a place for it beyond the link?  The last link asks for none. */
static bool packet_has_place(struct cs_traffic *traffic, uint32_t number,
                             const struct packet *packet)
{
    struct fabric *fabric = traffic->model;

    return packet->hop + 1 == traffic->messages[packet->message].hops ||
           cs_credits_fit(&fabric->credits, number, packet->bytes,
                          traffic->events.now_ps);
}

/* None of the stage is in the server's line: the first packet that waits joins
 * it if there is a place for it. */
static void next_of_stage(struct cs_traffic *traffic, uint32_t number)
{
    struct fabric *fabric = traffic->model;
    struct stage *stage = &fabric->stages[number];
    uint32_t first = stage->waiting.first;
    const struct packet *packet = &fabric->packets[first];

    if (!packet_has_place(traffic, number, packet)) {
        plan_place(traffic, number);
        return;
    }
    stage->in_line = true;
    (void)packet_leave(fabric, &stage->waiting);
    packet_join(fabric,
                &fabric->resources[packet_resource_of(traffic, packet)].line,
                first);
}

/* A packet comes to its link. */
static void join_resource(struct cs_traffic *traffic, uint32_t number)
{
    struct fabric *fabric = traffic->model;
    const struct packet *packet = &fabric->packets[number];
    struct line *line =
        &fabric->resources[packet_resource_of(traffic, packet)].line;
    struct stage *stage;

    if (!fabric->own) {
        packet_join(fabric, line, number);
        return;
    }
    stage = &fabric->stages[stage_of(fabric, packet)];
    if (!stage->in_line && stage->waiting.first == NONE &&
        packet_has_place(traffic, stage_of(fabric, packet), packet)) {
        stage->in_line = true;
        packet_join(fabric, line, number);
        return;
    }
    packet_join(fabric, &stage->waiting, number);
    if (!stage->in_line)
        plan_place(traffic, stage_of(fabric, packet));
}

/* A packet leaves the buffer beyond the link of that stage. */
static void give_place(struct cs_traffic *traffic, uint32_t number,
                       uint32_t bytes, uint64_t back_ps)
{
    struct fabric *fabric = traffic->model;
    const struct stage *stage = &fabric->stages[number];

    cs_credits_give(&fabric->credits, number, bytes, back_ps);
    if (stage->waiting.first != NONE && !stage->in_line)
        plan_place(traffic, number);
}

void cs_packet_feed(struct cs_traffic *traffic, uint32_t number)
{
    struct fabric *fabric = traffic->model;
    struct feed *feed = &fabric->feeds[number];
    bool again = feed->window.lost > 0;
    uint64_t at = cs_window_send(&feed->window);
    uint64_t left_bytes =
        traffic->messages[number].bytes - at * fabric->payload_bytes;
    uint32_t payload_bytes = left_bytes < fabric->payload_bytes
                                 ? (uint32_t)left_bytes
                                 : fabric->payload_bytes;
    uint32_t i = new_packet(fabric);

    fabric->packets[i] =
        (struct packet){.offset = at * packet_bytes(fabric),
                        .bytes = payload_bytes + fabric->header_bytes,
                        .message = number};
    traffic->packets_resent += again;
    feed->flying++;
    feed->in_line = true;
    join_resource(traffic, i);
}

bool cs_packet_has_left(const struct fabric *fabric, const struct feed *feed)
{
    return fabric->loss == CS_PACKET_DROP
               ? feed->window.acked == feed->packets
               : feed->window.sent == feed->packets && !feed->in_line;
}

/* The message's next packet, if it may be sent now. */
static void feed_on(struct cs_traffic *traffic, uint32_t number)
{
    struct fabric *fabric = traffic->model;
    const struct feed *feed = &fabric->feeds[number];

    if (!feed->in_line && cs_window_has_next(&feed->window, feed->packets) &&
        !cs_window_is_full(&feed->window))
        cs_packet_feed(traffic, number);
}

/* The last packet of a message crosses its last link. */
static void packet_finish(struct cs_traffic *traffic, uint32_t number,
                          uint64_t at_ps)
{
    const struct fabric *fabric = traffic->model;
    const struct feed *feed = &fabric->feeds[number];
    const uint32_t *route = cs_traffic_route(traffic, number);
    struct cs_message *message = &traffic->messages[number];
    double wire_bytes =
        (double)(message->bytes + feed->packets * fabric->header_bytes);
    uint64_t slowest_ps = 0;
    uint64_t alone_ps;
    uint32_t i;

    for (i = 0; i < message->hops; i++) {
        const struct cs_net_link *link = &traffic->net->links[route[i]];
        uint64_t link_ps = cs_time_up(wire_bytes * link->ps_per_byte);

        traffic->use[route[i]].messages++;
        if (link_ps > slowest_ps)
            slowest_ps = link_ps;
    }
    message->latency_ps = feed->latency_ps;
    alone_ps = cs_time_after(message->latency_ps, slowest_ps);
    if (at_ps - message->sent_ps > alone_ps)
        message->wait_ps = at_ps - message->sent_ps - alone_ps;
    cs_events_add(&traffic->events, at_ps, CS_EVENT_DELIVER, number);
}

/* ---- loss ---- */

/* A packet is no more, where they can be lost.  Its message may be one that was
 * delivered and whose sender knows: nothing of that is under way any more with
 * its last packet. */
static void end_packet(struct cs_traffic *traffic, uint32_t number)
{
    struct fabric *fabric = traffic->model;
    uint32_t message = fabric->packets[number].message;
    struct feed *feed = &fabric->feeds[message];

    cs_packet_drop(fabric, number);
    feed->flying--;
    if (feed->flying == 0 && feed->window.acked == feed->packets)
        cs_events_add(&traffic->events, traffic->events.now_ps, CS_EVENT_FORGET,
                      message);
}

static void plan_timeout(struct cs_traffic *traffic, uint32_t number)
{
    const struct fabric *fabric = traffic->model;
    struct feed *feed = &fabric->feeds[number];

    if (feed->window.due_ps >= feed->wake_ps)
        return;
    feed->wake_ps = feed->window.due_ps;
    wake_at(traffic, feed->wake_ps, WAKE_TIMEOUT, number);
}

/* Which of its message's packets it is. */
static uint64_t packet_number_of(const struct fabric *fabric,
                                 const struct packet *packet)
{
    return packet->offset / packet_bytes(fabric);
}

/* A packet has left its source. */
static void packet_left(struct cs_traffic *traffic, uint32_t number,
                        uint64_t at_ps)
{
    struct fabric *fabric = traffic->model;
    struct feed *feed = &fabric->feeds[number];

    feed->in_line = false;
    feed_on(traffic, number);
    if (fabric->loss == CS_PACKET_DROP) {
        cs_window_left(&feed->window, at_ps);
        plan_timeout(traffic, number);
    } else if (cs_packet_has_left(fabric, feed)) {
        number = cs_order_after(&fabric->order, number);
        if (number != CS_ORDER_NONE)
            cs_packet_feed(traffic, number);
    }
}

/* A packet crosses its last link, and goes back as its own acknowledgement where
 * packets can be lost. */
static void packet_arrive(struct cs_traffic *traffic, uint32_t number,
                          uint64_t at_ps)
{
    struct fabric *fabric = traffic->model;
    struct packet *packet = &fabric->packets[number];
    struct feed *feed = &fabric->feeds[packet->message];

    if (fabric->loss != CS_PACKET_DROP) {
        if (++feed->come == feed->packets) {
            packet_finish(traffic, packet->message, at_ps);
            (void)cs_order_end(&fabric->order, packet->message);
        }
        cs_packet_drop(fabric, number);
        return;
    }
    cs_window_receive(&feed->window, packet_number_of(fabric, packet));
    if (feed->come < feed->packets && feed->window.come == feed->packets)
        packet_finish(traffic, packet->message, at_ps);
    feed->come = feed->window.come;
    wake_at(traffic, cs_time_after(at_ps, feed->latency_ps), WAKE_ACKNOWLEDGE,
            number);
}

/* An acknowledgement is back; the server that may have something to do. */
static uint32_t packet_acknowledge(struct cs_traffic *traffic, uint32_t number)
{
    struct fabric *fabric = traffic->model;
    const struct packet *packet = &fabric->packets[number];
    uint32_t message = packet->message;
    struct feed *feed = &fabric->feeds[message];
    uint64_t now_ps = traffic->events.now_ps;
    bool was_done = cs_packet_has_left(fabric, feed);
    uint32_t next;

    cs_window_acknowledge(&feed->window, packet_number_of(fabric, packet),
                          now_ps - packet->sent_ps, now_ps);
    if (!was_done && cs_packet_has_left(fabric, feed)) {
        next = cs_order_end(&fabric->order, message);
        if (next != CS_ORDER_NONE)
            cs_packet_feed(traffic, next);
    } else {
        feed_on(traffic, message);
    }
    plan_timeout(traffic, message);
    end_packet(traffic, number);
    return first_resource(traffic, message);
}

static void time_out(struct cs_traffic *traffic, uint32_t number)
{
    const struct fabric *fabric = traffic->model;
    struct feed *feed = &fabric->feeds[number];

    if (feed->wake_ps == traffic->events.now_ps)
        feed->wake_ps = UINT64_MAX;
    if (feed->window.due_ps <= traffic->events.now_ps) {
        cs_window_time_out(&feed->window, traffic->events.now_ps);
        feed_on(traffic, number);
    }
    plan_timeout(traffic, number);
}

/* ---- credits ---- */

/* A WAKE_LINK for when there is more room in the buffer at its far end. */
static void plan_room(struct cs_traffic *traffic, uint32_t number)
{
    const struct fabric *fabric = traffic->model;
    struct link *link = &fabric->links[number];
    uint64_t next_ps = cs_credits_next_ps(&fabric->credits, number);

    if (next_ps >= link->wake_ps)
        return;
    link->wake_ps = next_ps;
    wake_at(traffic, next_ps, WAKE_LINK, number);
}

/* The link stands still for want of room; one that is paused hears of it. */
static void await_credits(struct cs_traffic *traffic, uint32_t number)
{
    const struct fabric *fabric = traffic->model;

    if (fabric->loss == CS_PACKET_CREDITS)
        plan_room(traffic, number);
}

/* Is there room for the packet beyond its link, as far as that knows?  A
 * destination always has. */
static bool has_room(struct cs_traffic *traffic, uint32_t link,
                     const struct packet *packet)
{
    struct fabric *fabric = traffic->model;
    uint32_t bytes = packet->bytes;

    if (fabric->own ||
        packet->hop + 1 == traffic->messages[packet->message].hops)
        return true;
    if (fabric->loss != CS_PACKET_CREDITS)
        return !fabric->links[link].is_paused;
    if (packet->hop == 0)
        bytes += fabric->links[link].reserve_bytes;
    return cs_credits_fit(&fabric->credits, link, bytes,
                          traffic->events.now_ps);
}

static bool is_stuck(const struct link *link)
{
    return link->passing.first != NONE || link->entering.first != NONE;
}

/* The line of packets put aside whose first has got room, or NULL. */
static struct line *line_with_room(struct cs_traffic *traffic, uint32_t number)
{
    struct fabric *fabric = traffic->model;
    struct link *link = &fabric->links[number];

    if (link->passing.first != NONE &&
        has_room(traffic, number, &fabric->packets[link->passing.first]))
        return &link->passing;
    if (link->entering.first != NONE &&
        has_room(traffic, number, &fabric->packets[link->entering.first]))
        return &link->entering;
    return NULL;
}

/* The link's packets that had no room may have got it. */
static void look_at_stuck(struct cs_traffic *traffic, uint32_t number)
{
    struct fabric *fabric = traffic->model;
    struct link *link = &fabric->links[number];
    uint32_t resource = traffic->net->links[number].resource;

    if (!is_stuck(link) || link->is_fit)
        return;
    if (line_with_room(traffic, number))
        join_fit(fabric, &fabric->resources[resource], number);
    else
        await_credits(traffic, number);
}

/* The packet leaves the buffer of link `number`: that from which it has come, or
 * with drop that which it crosses. */
static void give_back(struct cs_traffic *traffic, uint32_t number,
                      const struct packet *packet, uint64_t left_ps)
{
    struct fabric *fabric = traffic->model;
    const struct link *link = &fabric->links[number];
    uint32_t bytes = packet->bytes;

    if (bytes == 0)
        return;
    if (fabric->loss == CS_PACKET_CREDITS)
        left_ps =
            cs_time_after(left_ps, traffic->net->links[number].latency_ps);
    if (fabric->own) {
        give_place(traffic, stage_of(fabric, packet) - 1, bytes, left_ps);
        return;
    }
    cs_credits_give(&fabric->credits, number, bytes, left_ps);
    /* One that is fit looks at the rest when its turn comes. */
    if (is_stuck(link) && !link->is_fit)
        await_credits(traffic, number);
    if (link->pauses)
        plan_room(traffic, number);
}

/* ---- buffers without credits ---- */

/* The far end of a link tells the near end to stop, or to go on. */
static void look_at_buffer(struct cs_traffic *traffic, uint32_t number)
{
    struct fabric *fabric = traffic->model;
    struct link *link = &fabric->links[number];
    const struct cs_credit_link *buffer = &fabric->credits.links[number];
    uint64_t held_bytes = buffer->size_bytes - buffer->room_bytes;

    if (link->pauses ? held_bytes <= link->xon_bytes
                     : held_bytes > link->xoff_bytes) {
        link->pauses = !link->pauses;
        wake_at(traffic,
                cs_time_after(traffic->events.now_ps,
                              traffic->net->links[number].latency_ps),
                WAKE_PAUSE, number);
    }
    if (link->pauses)
        plan_room(traffic, number);
}

/* Whether the packet finds room in a buffer that loses what it has no room for.
 * The last place is given by a draw; packet.c says why. */
static bool gets_place(struct cs_traffic *traffic, uint32_t link,
                       const struct packet *packet)
{
    struct fabric *fabric = traffic->model;
    const struct cs_message *message = &traffic->messages[packet->message];
    uint64_t one = packet_bytes(fabric);
    uint64_t now_ps = traffic->events.now_ps;
    uint64_t flow = (uint64_t)message->src << 32 | message->dst;

    if (!cs_credits_fit(&fabric->credits, link, packet->bytes, now_ps))
        return false;
    if (fabric->credits.links[link].size_bytes < DRAW_FROM * one ||
        fabric->credits.links[link].room_bytes >= one + packet->bytes)
        return true;
    return cs_mix64(cs_mix64(flow) + now_ps) & 1;
}

/* The packet comes to a buffer: with PFC that at the far end of the link before,
 * with drop that of the link before which it stands.  False: it is lost. */
static bool enter_buffer(struct cs_traffic *traffic, uint32_t number)
{
    struct fabric *fabric = traffic->model;
    const struct packet *packet = &fabric->packets[number];
    const uint32_t *links =
        cs_traffic_route(traffic, packet->message) + packet->hop;
    uint32_t link = fabric->loss == CS_PACKET_DROP ? links[0] : links[-1];

    if (fabric->loss == CS_PACKET_DROP && !gets_place(traffic, link, packet)) {
        traffic->packets_dropped++;
        end_packet(traffic, number);
        return false;
    }
    if (fabric->loss == CS_PACKET_PFC)
        (void)cs_credits_fit(&fabric->credits, link, 0, traffic->events.now_ps);
    cs_credits_take(&fabric->credits, link, packet->bytes);
    if (fabric->loss == CS_PACKET_PFC)
        look_at_buffer(traffic, link);
    return true;
}

/* ---- service ---- */

/* The packet crosses links[0] until served_ps, and joins the line of links[1]
 * later. */
static void packet_go_on(struct cs_traffic *traffic, uint32_t number,
                         const uint32_t *links, uint64_t served_ps)
{
    struct fabric *fabric = traffic->model;
    struct packet *packet = &fabric->packets[number];
    uint64_t ready_ps = traffic->events.now_ps;
    uint64_t next_ps = packet_take_ps(packet, &traffic->net->links[links[1]]);

    if (fabric->loss == CS_PACKET_CREDITS)
        cs_credits_take(&fabric->credits,
                        fabric->own ? stage_of(fabric, packet) : links[0],
                        packet->bytes);
    packet->hop++;
    if (served_ps - ready_ps > next_ps)
        ready_ps = served_ps - next_ps;
    wake_at(traffic,
            cs_time_after(ready_ps, traffic->net->links[links[0]].latency_ps),
            WAKE_PACKET, number);
}

/* The packet of the stage is out of the line. */
static inline void end_stage(struct cs_traffic *traffic, uint32_t number)
{
    const struct fabric *fabric = traffic->model;
    struct stage *stage = &fabric->stages[number];

    stage->in_line = false;
    if (stage->waiting.first != NONE)
        next_of_stage(traffic, number);
}

/* The packet starts to cross the link at which it is. */
static void packet_serve(struct cs_traffic *traffic, uint32_t number)
{
    struct fabric *fabric = traffic->model;
    struct packet *packet = &fabric->packets[number];
    uint32_t from = packet->message;
    uint32_t hop = packet->hop;
    const uint32_t *links = cs_traffic_route(traffic, from) + hop;
    const struct cs_net_link *link = &traffic->net->links[*links];
    struct cs_link_use *use = &traffic->use[*links];
    uint64_t link_ps = packet_take_ps(packet, link);
    uint64_t served_ps = cs_time_after(traffic->events.now_ps, link_ps);
    uint32_t stage = fabric->own ? stage_of(fabric, packet) : NONE;

    traffic->resources[link->resource].free_ps = served_ps;
    fabric->resources[link->resource].link = *links;
    use->busy_ps += link_ps;
    use->bytes += packet->bytes - fabric->header_bytes;
    if (hop > 0)
        give_back(traffic,
                  fabric->loss == CS_PACKET_DROP ? links[0] : links[-1], packet,
                  served_ps);
    else
        packet->sent_ps = traffic->events.now_ps;
    if (hop + 1 < traffic->messages[from].hops)
        packet_go_on(traffic, number, links, served_ps);
    if (fabric->own)
        end_stage(traffic, stage);
    if (hop == 0)
        packet_left(traffic, from, served_ps);
    if (hop + 1 == traffic->messages[from].hops)
        packet_arrive(traffic, number,
                      cs_time_after(served_ps, link->latency_ps));
}

/* The next packet in the server's line, if there is room for it where it goes;
 * else it is put aside. */
static uint32_t next_in_line(struct cs_traffic *traffic,
                             struct resource *resource)
{
    struct fabric *fabric = traffic->model;
    uint32_t number = packet_leave(fabric, &resource->line);
    const struct packet *packet = &fabric->packets[number];
    uint32_t id = packet_link_of(traffic, packet);
    struct link *link = &fabric->links[id];
    struct line *aside = packet->hop ? &link->passing : &link->entering;

    if (aside->first == NONE && has_room(traffic, id, packet))
        return number;
    packet_join(fabric, aside, number);
    if (aside->first == number && !link->is_fit)
        await_credits(traffic, id);
    return NONE;
}

void cs_packet_serve(struct cs_traffic *traffic, uint32_t number)
{
    struct fabric *fabric = traffic->model;
    struct resource *resource = &fabric->resources[number];

    while (resource->line.first != NONE || resource->fit.first != NONE) {
        uint32_t packet;

        if (traffic->resources[number].free_ps > traffic->events.now_ps) {
            if (!resource->wakes)
                wake_at(traffic, traffic->resources[number].free_ps,
                        WAKE_RESOURCE, number);
            resource->wakes = true;
            return;
        }
        if (resource->fit.first != NONE) {
            uint32_t link = leave_fit(fabric, resource);
            struct line *line = line_with_room(traffic, link);

            if (line) /* it may have been paused since */
                packet_serve(traffic, packet_leave(fabric, line));
            look_at_stuck(traffic, link);
            continue;
        }
        packet = next_in_line(traffic, resource);
        if (packet != NONE)
            packet_serve(traffic, packet);
    }
}

/* ---- the model ---- */

/* Nothing of the message is sent; its window is as wide as the net needs. */
static void open_feed(const struct cs_traffic *traffic, uint32_t number)
{
    struct fabric *fabric = traffic->model;
    const struct cs_net *net = traffic->net;
    const struct cs_message *message = &traffic->messages[number];
    const uint32_t *route = cs_traffic_route(traffic, number);
    struct feed *feed = feed_of(fabric, number);
    uint64_t whole = message->bytes / fabric->payload_bytes;
    double packet_ps = 0;
    uint32_t i;

    *feed = (struct feed){.wake_ps = UINT64_MAX,
                          .window = feed->window,
                          .packets = whole,
                          .kept = feed->kept,
                          .kept_count = feed->kept_count};
    if (whole == 0 || message->bytes % fabric->payload_bytes)
        feed->packets++;
    for (i = 0; i < message->hops; i++) {
        const struct cs_net_link *link = &net->links[route[i]];

        feed->latency_ps = cs_time_after(feed->latency_ps, link->latency_ps);
        packet_ps += (double)packet_bytes(fabric) * link->ps_per_byte;
    }
    cs_window_open_wide(&feed->window);
    if (fabric->loss == CS_PACKET_DROP)
        cs_window_open(
            &feed->window,
            cs_time_after(cs_time_after(feed->latency_ps, feed->latency_ps),
                          cs_time_up(packet_ps)),
            fabric->params->timeout_ps ? fabric->params->timeout_ps
                                       : typical_timeout_ps);
}

/* Stages of its own, unless it goes the same way as the one before it. */
static void find_stages(struct cs_traffic *traffic, uint32_t number,
                        uint32_t before)
{
    struct fabric *fabric = traffic->model;
    const uint32_t *route = cs_traffic_route(traffic, number);
    uint32_t hops = traffic->messages[number].hops;

    if (before != CS_ORDER_NONE && hops == traffic->messages[before].hops &&
        memcmp(route, cs_traffic_route(traffic, before),
               hops * sizeof(*route)) == 0)
        share_stages(&fabric->feeds[number], &fabric->feeds[before]);
    else
        open_stages(fabric, route, hops, &fabric->feeds[number]);
}

/* Messages in turn are one stream, unless each is to have a window. */
static struct cs_order_key packet_key_of(const struct fabric *fabric,
                                         const struct cs_message *message)
{
    if (message->in_order && fabric->loss != CS_PACKET_DROP)
        return (struct cs_order_key){message->src, message->to, NONE};
    return (struct cs_order_key){message->src, message->dst, message->channel};
}

static struct cs_delivery packet_send(struct cs_traffic *traffic,
                                      uint32_t number)
{
    struct fabric *fabric = traffic->model;
    struct cs_message *message = &traffic->messages[number];
    uint32_t before;

    assert(number >> NUMBER_BITS == 0);
    open_feed(traffic, number);
    message->lingers = fabric->loss == CS_PACKET_DROP;
    before =
        cs_order_begin(&fabric->order, packet_key_of(fabric, message), number);
    if (fabric->own)
        find_stages(traffic, number, before);
    if (before == CS_ORDER_NONE ||
        cs_packet_has_left(fabric, &fabric->feeds[before])) {
        cs_packet_feed(traffic, number);
        cs_packet_serve(traffic, first_resource(traffic, number));
    }
    return (struct cs_delivery){0};
}

static uint32_t wake_link(struct cs_traffic *traffic, uint32_t number)
{
    struct fabric *fabric = traffic->model;
    struct link *link = &fabric->links[number];

    if (link->wake_ps == traffic->events.now_ps)
        link->wake_ps = UINT64_MAX;
    if (fabric->loss == CS_PACKET_CREDITS) {
        look_at_stuck(traffic, number);
        return traffic->net->links[number].resource;
    }
    (void)cs_credits_fit(&fabric->credits, number, 0, traffic->events.now_ps);
    look_at_buffer(traffic, number);
    return NONE;
}

static uint32_t wake_pause(struct cs_traffic *traffic, uint32_t number)
{
    const struct fabric *fabric = traffic->model;

    fabric->links[number].is_paused = !fabric->links[number].is_paused;
    look_at_stuck(traffic, number);
    return traffic->net->links[number].resource;
}

static uint32_t wake_place(struct cs_traffic *traffic, uint32_t number)
{
    const struct fabric *fabric = traffic->model;
    struct stage *stage = &fabric->stages[number];
    uint32_t first = stage->waiting.first;

    stage->wakes = false;
    if (first == NONE || stage->in_line)
        return NONE;
    next_of_stage(traffic, number);
    return packet_resource_of(traffic, &fabric->packets[first]);
}

/* What is rare; the server that may have something to do, or NONE. */
static uint32_t wake_other(struct cs_traffic *traffic, uint32_t what,
                           uint32_t number)
{
    switch (what) {
    case WAKE_LINK:
        return wake_link(traffic, number);
    case WAKE_PAUSE:
        return wake_pause(traffic, number);
    case WAKE_ACKNOWLEDGE:
        return packet_acknowledge(traffic, number);
    case WAKE_PLACE:
        return wake_place(traffic, number);
    default:
        time_out(traffic, number);
        return first_resource(traffic, number);
    }
}

static void packet_wake(struct cs_traffic *traffic, uint32_t number)
{
    struct fabric *fabric = traffic->model;
    uint32_t what = number >> NUMBER_BITS;
    uint32_t resource;

    number &= ((uint32_t)1 << NUMBER_BITS) - 1;
    if (what == WAKE_PACKET) {
        if (fabric->loss != CS_PACKET_CREDITS && !enter_buffer(traffic, number))
            return;
        resource = packet_resource_of(traffic, &fabric->packets[number]);
        join_resource(traffic, number);
    } else if (what == WAKE_RESOURCE) {
        resource = number;
        fabric->resources[resource].wakes = false;
    } else {
        resource = wake_other(traffic, what, number);
        if (resource == NONE)
            return;
    }
    cs_packet_serve(traffic, resource);
}

/* Beyond which link do packets wait that are in the buffer of link `before`?
 * One of those links for each, or NONE. */
static void find_next_links(const struct cs_traffic *traffic, uint32_t *next)
{
    const struct fabric *fabric = traffic->model;
    uint32_t count = traffic->net->link_count;
    uint32_t link;
    uint32_t i;

    for (link = 0; link < count; link++)
        next[link] = NONE;
    for (link = 0; link < count; link++)
        for (i = fabric->links[link].passing.first; i != NONE;
             i = fabric->packets[i].next) {
            const struct packet *packet = &fabric->packets[i];
            uint32_t before =
                cs_traffic_route(traffic, packet->message)[packet->hop - 1];

            if (next[before] == NONE)
                next[before] = link;
        }
}

/* Where nothing happens any more a link that stands still has a full buffer
 * beyond it, and what is in there waits for links that stand still. */
static uint32_t packet_circle(const struct cs_traffic *traffic, uint32_t *links)
{
    const struct fabric *fabric = traffic->model;
    uint32_t count = traffic->net->link_count;
    uint32_t *next = cs_grow(NULL, count, sizeof(*next));
    uint32_t at = 0;
    uint32_t found = 0;
    uint32_t i;

    while (at < count && !is_stuck(&fabric->links[at]))
        at++;
    find_next_links(traffic, next);
    for (i = 0; i < count && at < count; i++) /* to be in the circle */
        at = next[at];
    for (; at < count && next[at] != NONE; found++) {
        links[found] = at;
        at = next[at];
        next[links[found]] = NONE;
    }
    free(next);
    return found;
}

/* Messages have no events of their own. */
static struct cs_delivery packet_move(struct cs_traffic *traffic,
                                      uint32_t number)
{
    (void)traffic;
    (void)number;
    return (struct cs_delivery){0};
}

static const char *const packet_parameters[] = {
    "mtu", "header", "buffer", "loss", "rto", NULL,
};

const struct cs_link_model cs_link_model_packet = {
    .name = "packet",
    .about = "packets in finite buffers, cut-through; lossless, or see --loss",
    .op_cost = 10,
    .parameters = packet_parameters,
    .shares_buffers = packet_shares_buffers,
    .send = packet_send,
    .move = packet_move,
    .open = packet_open,
    .close = packet_close,
    .wake = packet_wake,
    .circle = packet_circle,
    .lose = cs_packet_lose,
    .change = cs_packet_change,
};

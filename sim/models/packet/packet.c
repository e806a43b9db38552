/*
 * Model `packet`: messages are cut into packets.  Packets queue for each link
 * and cross a link only when the buffer at the far end has space, unless the
 * network drops packets.
 *
 *     source      switch                    switch       destination
 *     msgs -> [ link 0 ]--->[buffer] -> [ link 1 ]--->[buffer] -> [ link 2 ]-->
 *                 ^             |           ^             |
 *                 +-- credits --+           +-- credits --+
 *
 * Packets.  A message of n bytes is max(1, ceil(n / payload)) packets, each
 * with a header (params/packet.h).  A packet occupies a link for bytes / rate;
 * times are rounded so that the packets of a message add up to the time of the
 * message, rounded once.  A message is delivered with its last packet.
 *
 * Sources.  A message has a single packet in the queue of its first link, and
 * the next packet joins the end of the queue when the packet leaves: messages
 * with a common first link alternate.  Messages of a (source, destination,
 * channel) follow one after another and so arrive in order, as do messages
 * marked to leave in order (program.h), unless packets may be lost.
 *
 * Links.  Resources serve packets in the order of arrival, ties in the order of
 * events.  Cut-through: a packet may continue as soon as its head has crossed
 * the link; onto a faster link as soon as the faster link will not run dry, so
 * no link is occupied longer than bytes / rate.
 *
 * Credits.  No packet is lost: a packet leaves when the buffer at the far end
 * of the link has space, as in InfiniBand or NVLink.  A packet frees a place
 * when the tail has left, and the near end of the link learns of the free place
 * a latency later.  The last link needs no space: a destination accepts every
 * packet.
 *
 * Private places (the default, while buffers have no size).  In each buffer
 * every message has private places: 2 packets and the bytes sent by the link in
 * twice the latency. A message has a single packet in the queue of a link, and
 * the next packet joins the end of the queue while a place beyond the link is
 * free.  Messages of a (source, destination, channel) in flight share places.
 * So no message is blocked by buffer space of other messages, and links are
 * shared max-min fairly, the more exactly the smaller packets are: round robin
 * with a window per link (E. Hahne, "Round-Robin Scheduling for Max-Min
 * Fairness in Data Networks", IEEE JSAC 9, 1991).  Circles of messages cannot
 * deadlock, as messages do not compete for places.
 *
 * Buffers of a size are shared by all messages. Packets without space keep the
 * order and block later packets of the link, but not the remaining links of the
 * resource.  Packets from a party leave half of the buffer of the first link, 8
 * packets at most, to passing packets (bubble flow control: Puente et al., "The
 * Adaptive Bubble Router", JPDC 61, 2001).
 *
 * PFC (IEEE 802.1Qbb, Ethernet for RoCE).  Packets are never lost.  A buffer
 * without space for one more packet (XOFF) pauses the link, and resumes the
 * link when holding two packets less (XON); both frames take the link's latency
 * to act, and a packet in service is completed. Packets arriving until then use
 * headroom in addition to the buffer, 2 x latency x rate + 2 packets: always
 * sufficient, as an assertion checks.  A single class exists, pause frames take
 * no bandwidth, and packets from a party leave no reserve.  While no buffer
 * fills up, times equal the times with credits, to the picosecond; a full link
 * forwards packets in bursts, and loses no throughput as long as a buffer holds
 * the bytes sent by the link in twice the latency, and two packets.
 *
 * Drop (Ethernet).  Buffers belong to outputs: a link has a buffer at the near
 * end for packets waiting for the link, except for packets from the party
 * there, which wait in host memory. A packet without space is lost, and takes
 * no time of later links (drop tail).  The last place of a buffer of 8 packets
 * or more is given by the toss of a coin, drawn from flow and time: else of two
 * flows at full rates, exactly periodic, the flow a picosecond ahead would get
 * every place, and the second flow would lose whole windows (S. Floyd, V.
 * Jacobson, "On Traffic Phase Effects in Packet-Switched Gateways",
 * Internetworking 3, 1992).  A message is a flow with a window (window.h: TCP
 * NewReno), new with every message.  Acknowledgements, a packet each, take the
 * latencies of the forward route and no bandwidth, and are never lost.  The
 * next message of a (source, destination, channel) starts when the previous
 * message is acknowledged.  The queue for the first link delays a message and
 * drops nothing.  A link counts the bytes of crossing packets, including lost
 * and repeated packets.  A message alone, whose window covers bandwidth x round
 * trip before any buffer is full, takes the time with credits and at most
 *         ceil(log2(w / 10)) round trips,
 *         w = round trip / time of the slowest packet
 * more.
 *
 * Consequences, with credits and private places:
 *
 *   - A message alone, of k equal packets with time t_i on link i:
 *         latencies + t_0 + sum of max(0, t_i - t_(i-1)) + (k - 1) max t
 *     In words: latencies + bytes / slowest rate, and for every dip of t along
 *     the route (slow, fast, slow) the difference of the packet's times.
 *   - All-to-all (pairwise) over a fat tree 3:1 is within 3 % of model `fluid`,
 *     with 64 MiB over 16 to 32 ranks, whole leaves or not, and within 0.1 % as
 *     latencies and packets become small.  Where rounds are as short as ten
 *     times the latency, ranks drift apart and small causes decide on the flows
 *     in contention: a latency 2 % shorter changes `fluid` itself by 3 %, and
 *     the two models differ by up to 14 % (16 MB over 32 ranks; packets of 512
 *     B by 8 %, in either direction).
 *
 * Consequences, with credits and shared buffers:
 *
 *   - A link whose far buffer is full idles, although rates would allow more:
 *     eight rings over two DGX A100 (ib-2xdgx) take 8 % longer than by model
 *     `fluid` with buffers of 16 packets, 2 % with 64, 0.02 % with 1024.
 *   - The first message stays ahead by the contents of the buffers, so messages
 *     on a shared link do not end together as in `fluid`.  Where rounds depend
 *     on earlier rounds the effect accumulates: 30 rounds (algorithm direct on
 *     ib-2xdgx) take 12 % less than by `fluid`, and 26 % less by `fifo`, where
 *     messages never mix.
 *   - A busy link fills the preceding buffers, and then the links towards full
 *     buffers idle, also for packets with a different destination.
 *   - At a busy link with full preceding buffers, an input gets a share in
 *     proportion to the buffer; a source gets a packet per round of the queue,
 *     less than passing packets.
 *   - On a ring, passing packets can always move, as long as a buffer has two
 *     packets: the free space is never below the reserve of the link entered
 *     last, whole packets unless packets differ in size.
 *   - Where routes turn from a circle into a second circle, or buffers are
 *     smaller, packets can fill the buffers of a circle and wait in a circle
 *     for ever, as in a real network without virtual channels.  The executor
 *     reports the deadlock, with the circle. Routes up and then down never
 *     deadlock.
 *
 * Faults at a time need private places: faults.c.
 *
 * Not modelled: virtual channels and priorities, a route per packet (a message
 * keeps the route, drawn by ECMP or not), congestion marks (ECN, DCQCN).
 *
 * wait_ps of a message is the time without the latencies and without the bytes,
 * with headers, on the slowest link.  The part behind messages of the same
 * sender is not known (own_ps is 0): packets of a message wait at several links
 * at once, and for credits held by other senders.
 *
 * Cost: an event per packet and link after the first, an event whenever a
 * resource has queued packets or a link gets awaited credits; two per pause, an
 * event per acknowledgement and a few for timeouts.  Memory O(messages and
 * packets in flight), kept.
 */
#include "sim/models/packet/state.h"
#include "sim/models/params/params.h"

#include <assert.h>
#include <stdlib.h>

/* ---- state ---- */

/* Private places need buffers without a size, and credits. */
static bool packet_shares_buffers(const struct cs_model_params *params)
{
    return params->packet.buffer_bytes || params->packet.loss;
}

static void packet_open(struct cs_traffic *traffic, struct cs_arena *arena)
{
    const struct cs_net *net = traffic->net;
    struct packet_model *model = cs_arena_alloc(arena, 1, sizeof(*model));

    assert(net->resource_count >> NUMBER_BITS == 0 && net->link_count >> NUMBER_BITS == 0);
    model->params = &cs_model_params_of(traffic)->packet;
    model->payload_bytes =
        model->params->payload_bytes ? model->params->payload_bytes : CS_PACKET_PAYLOAD_BYTES;
    model->header_bytes = model->params->header_bytes;
    model->loss = model->params->loss;
    model->private_places = !packet_shares_buffers(cs_model_params_of(traffic));
    model->unused = NONE;
    model->resources = cs_arena_alloc(arena, net->resource_count, sizeof(*model->resources));
    model->links = cs_arena_alloc(arena, net->link_count, sizeof(*model->links));
    for (uint32_t i = 0; i < net->resource_count; i++)
        model->resources[i] = (struct resource){{NONE, NONE}, {NONE, NONE}, NONE, false};
    cs_credits_open(&model->credits);
    if (!model->private_places)
        (void)cs_credits_add(&model->credits, net->link_count);
    for (uint32_t i = 0; i < net->link_count; i++)
        cs_buffers_open(model, net, i);
    traffic->model = model;
}

/* A run may end while packets resent in vain cross links: such links were busy
 * until now, not longer. */
static void packet_end_service(struct cs_traffic *traffic)
{
    const struct packet_model *model = traffic->model;
    uint64_t now_ps = traffic->events.now_ps;

    for (uint32_t i = 0; i < traffic->net->resource_count; i++)
        if (traffic->resources[i].free_ps > now_ps)
            traffic->use[model->resources[i].link].busy_ps -=
                traffic->resources[i].free_ps - now_ps;
}

static void packet_close(struct cs_traffic *traffic)
{
    struct packet_model *model = traffic->model;

    packet_end_service(traffic);
    cs_credits_close(&model->credits);
    cs_order_free(&model->order);
    for (uint32_t i = 0; i < model->stream_room; i++)
        cs_window_close(&model->streams[i].window);
    free(model->streams);
    free(model->stages);
    free(model->packets);
}

/* ---- events ---- */

static struct cs_delivery packet_send(struct cs_traffic *traffic, uint32_t number)
{
    uint32_t first = cs_traffic_route(traffic, number)[0];

    assert(number >> NUMBER_BITS == 0);
    if (cs_streams_begin(traffic, number))
        cs_service_run(traffic, traffic->net->links[first].resource);
    return (struct cs_delivery){0};
}

/* The rare events: the resource that may have work to do, or NONE. */
static uint32_t packet_wake_other(struct cs_traffic *traffic, uint32_t what, uint32_t number)
{
    switch (what) {
    case WAKE_LINK:
        return cs_buffers_wake(traffic, number);
    case WAKE_PAUSE:
        return cs_buffers_pause(traffic, number);
    case WAKE_ACKNOWLEDGE:
        return cs_streams_acknowledge(traffic, number);
    case WAKE_PLACE:
        return cs_places_wake(traffic, number);
    default:
        return cs_streams_time_out(traffic, number);
    }
}

static void packet_wake(struct cs_traffic *traffic, uint32_t number)
{
    struct packet_model *model = traffic->model;
    uint32_t what = number >> NUMBER_BITS;
    uint32_t resource;

    number &= ((uint32_t)1 << NUMBER_BITS) - 1;
    if (what == WAKE_PACKET) {
        if (model->loss != CS_PACKET_CREDITS &&
            !cs_buffers_enter(traffic, &model->packets[number])) {
            cs_streams_lose(traffic, number);
            return;
        }
        resource = packet_resource_of(traffic, &model->packets[number]);
        cs_places_join(traffic, number);
    } else if (what == WAKE_RESOURCE) {
        resource = number;
        model->resources[resource].wakes = false;
    } else {
        resource = packet_wake_other(traffic, what, number);
        if (resource == NONE)
            return;
    }
    cs_service_run(traffic, resource);
}

/* Messages have no events of their own. */
static struct cs_delivery packet_move(struct cs_traffic *traffic, uint32_t number)
{
    (void)traffic;
    (void)number;
    return (struct cs_delivery){0};
}

/* ---- deadlock ---- */

/* The links beyond which packets in the far buffer of link `before` wait: one
 * link for each `before`, or NONE. */
static void circle_next_links(const struct cs_traffic *traffic, uint32_t *next)
{
    const struct packet_model *model = traffic->model;
    uint32_t count = traffic->net->link_count;

    for (uint32_t link = 0; link < count; link++)
        next[link] = NONE;
    for (uint32_t link = 0; link < count; link++)
        for (uint32_t i = model->links[link].passing.first; i != NONE; i = model->packets[i].next) {
            const struct packet *packet = &model->packets[i];
            uint32_t before = cs_traffic_route(traffic, packet->message)[packet->hop - 1];

            if (next[before] == NONE)
                next[before] = link;
        }
}

/* In a deadlock the far buffer of a stuck link is full, and its packets wait
 * for links that are stuck. */
static uint32_t packet_circle(const struct cs_traffic *traffic, uint32_t *links)
{
    const struct packet_model *model = traffic->model;
    uint32_t count = traffic->net->link_count;
    uint32_t *next = cs_grow(NULL, count, sizeof(*next));
    uint32_t at = 0;
    uint32_t found = 0;

    while (at < count && !cs_buffers_defers(&model->links[at]))
        at++;
    circle_next_links(traffic, next);
    for (uint32_t i = 0; i < count && at < count; i++) /* to be in the circle */
        at = next[at];
    for (; at < count && next[at] != NONE; found++) {
        links[found] = at;
        at = next[at];
        next[links[found]] = NONE;
    }
    free(next);
    return found;
}

static const char *const packet_parameters[] = {
    "mtu", "header", "buffer", "loss", "rto", NULL,
};

const struct cs_link_model cs_link_model_packet = {
    .name = "packet",
    .about = "packets in finite buffers, cut-through; lossless, or see --loss",
    .has_packets = true,
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

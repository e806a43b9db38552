#include "sim/models/packet/state.h"

#include "sim/base/mem.h"

#include <assert.h>

/* The default of struct cs_packet_params, with its source there. */
static const uint64_t typical_timeout_ps = 1000000000;

/* ---- packets ---- */

static uint32_t stream_new_packet(struct packet_model *model)
{
    uint32_t number = model->unused;

    if (number != NONE) {
        model->unused = model->packets[number].next;
        return number;
    }
    if (model->packet_count == model->packet_room) {
        model->packet_room = model->packet_room ? 2 * model->packet_room : FIRST_ROOM;
        model->packets = cs_grow(model->packets, model->packet_room, sizeof(*model->packets));
    }
    assert(model->packet_count >> NUMBER_BITS == 0);
    return model->packet_count++;
}

void cs_streams_drop_packet(struct packet_model *model, uint32_t number)
{
    model->packets[number].message = NONE;
    model->packets[number].next = model->unused;
    model->unused = number;
}

/* The packet's number within its message. */
static uint64_t stream_packet_number(const struct packet_model *model, const struct packet *packet)
{
    return packet->offset / packet_bytes(model);
}

static uint32_t stream_first_resource(const struct cs_traffic *traffic, uint32_t number)
{
    return traffic->net->links[cs_traffic_route(traffic, number)[0]].resource;
}

/* ---- beginning ---- */

/* The stream with the number of the message; its stages and window are used
 * again. */
static struct stream *stream_of(struct packet_model *model, uint32_t message)
{
    uint32_t room = model->stream_room;

    if (message >= model->stream_room) {
        while (message >= model->stream_room)
            model->stream_room = model->stream_room ? 2 * model->stream_room : FIRST_ROOM;
        model->streams = cs_grow(model->streams, model->stream_room, sizeof(*model->streams));
        for (; room < model->stream_room; room++)
            model->streams[room] = (struct stream){.kept_count = 0};
    }
    return &model->streams[message];
}

/* Nothing of the message is sent; the window is as wide as the loss policy asks. */
static void stream_open(const struct cs_traffic *traffic, uint32_t number)
{
    struct packet_model *model = traffic->model;
    const struct cs_net *net = traffic->net;
    const struct cs_message *message = &traffic->messages[number];
    const uint32_t *route = cs_traffic_route(traffic, number);
    struct stream *stream = stream_of(model, number);
    uint64_t whole = message->bytes / model->payload_bytes;
    double packet_ps = 0;

    *stream = (struct stream){.wake_ps = UINT64_MAX,
                              .window = stream->window,
                              .packets = whole,
                              .kept = stream->kept,
                              .kept_count = stream->kept_count};
    if (whole == 0 || message->bytes % model->payload_bytes)
        stream->packets++;
    for (uint32_t i = 0; i < message->hops; i++) {
        const struct cs_net_link *link = &net->links[route[i]];

        stream->latency_ps = cs_time_after(stream->latency_ps, link->latency_ps);
        packet_ps += (double)packet_bytes(model) * link->ps_per_byte;
    }
    cs_window_open_wide(&stream->window);
    if (model->loss == CS_PACKET_DROP)
        cs_window_open(&stream->window,
                       cs_time_after(cs_time_after(stream->latency_ps, stream->latency_ps),
                                     cs_time_up(packet_ps)),
                       model->params->timeout_ps ? model->params->timeout_ps : typical_timeout_ps);
}

/* Messages that must arrive in order are one stream, except where each message has
 * a window.  Where messages of a pair take different routes, each is a stream of its
 * own. */
static struct cs_order_key stream_key_of(const struct cs_traffic *traffic, uint32_t number)
{
    const struct packet_model *model = traffic->model;
    const struct cs_message *message = &traffic->messages[number];

    if (traffic->draws_routes)
        return (struct cs_order_key){message->src, message->dst, number};
    if (message->in_order && model->loss != CS_PACKET_DROP)
        return (struct cs_order_key){message->src, message->to, NONE};
    return (struct cs_order_key){message->src, message->dst, message->channel};
}

bool cs_streams_begin(struct cs_traffic *traffic, uint32_t number)
{
    struct packet_model *model = traffic->model;
    struct cs_message *message = &traffic->messages[number];
    uint32_t before;

    stream_open(traffic, number);
    message->lingers = model->loss == CS_PACKET_DROP;
    before = cs_order_begin(&model->order, stream_key_of(traffic, number), number);
    if (model->private_places)
        cs_places_open(traffic, number, before);
    if (before != CS_ORDER_NONE && !cs_streams_has_left(model, &model->streams[before]))
        return false;
    cs_streams_feed(traffic, number);
    return true;
}

/* ---- sending ---- */

void cs_streams_feed(struct cs_traffic *traffic, uint32_t number)
{
    struct packet_model *model = traffic->model;
    struct stream *stream = &model->streams[number];
    bool again = stream->window.lost > 0;
    uint64_t at = cs_window_send(&stream->window);
    uint64_t left_bytes = traffic->messages[number].bytes - at * model->payload_bytes;
    uint32_t payload_bytes =
        left_bytes < model->payload_bytes ? (uint32_t)left_bytes : model->payload_bytes;
    uint32_t i = stream_new_packet(model);

    model->packets[i] = (struct packet){.offset = at * packet_bytes(model),
                                        .bytes = payload_bytes + model->header_bytes,
                                        .message = number};
    traffic->packets_resent += again;
    stream->flying++;
    stream->in_line = true;
    cs_places_join(traffic, i);
}

bool cs_streams_has_left(const struct packet_model *model, const struct stream *stream)
{
    return model->loss == CS_PACKET_DROP
               ? stream->window.acked == stream->packets
               : stream->window.sent == stream->packets && !stream->in_line;
}

/* The message's next packet, if the window has space. */
static void stream_advance(struct cs_traffic *traffic, uint32_t number)
{
    struct packet_model *model = traffic->model;
    const struct stream *stream = &model->streams[number];

    if (!stream->in_line && cs_window_has_next(&stream->window, stream->packets) &&
        !cs_window_is_full(&stream->window))
        cs_streams_feed(traffic, number);
}

static void stream_plan_timeout(struct cs_traffic *traffic, uint32_t number)
{
    const struct packet_model *model = traffic->model;
    struct stream *stream = &model->streams[number];

    if (stream->window.due_ps >= stream->wake_ps)
        return;
    stream->wake_ps = stream->window.due_ps;
    packet_wake_at(traffic, stream->wake_ps, WAKE_TIMEOUT, number);
}

void cs_streams_left(struct cs_traffic *traffic, uint32_t number, uint64_t at_ps)
{
    struct packet_model *model = traffic->model;
    struct stream *stream = &model->streams[number];

    stream->in_line = false;
    stream_advance(traffic, number);
    if (model->loss == CS_PACKET_DROP) {
        cs_window_left(&stream->window, at_ps);
        stream_plan_timeout(traffic, number);
    } else if (cs_streams_has_left(model, stream)) {
        number = cs_order_after(&model->order, number);
        if (number != CS_ORDER_NONE)
            cs_streams_feed(traffic, number);
    }
}

/* ---- arrival ---- */

/* The last packet of a message crosses its last link. */
static void stream_finish(struct cs_traffic *traffic, uint32_t number, uint64_t at_ps)
{
    const struct packet_model *model = traffic->model;
    const struct stream *stream = &model->streams[number];
    const uint32_t *route = cs_traffic_route(traffic, number);
    struct cs_message *message = &traffic->messages[number];
    double wire_bytes = (double)(message->bytes + stream->packets * model->header_bytes);
    uint64_t slowest_ps = 0;
    uint64_t alone_ps;

    for (uint32_t i = 0; i < message->hops; i++) {
        const struct cs_net_link *link = &traffic->net->links[route[i]];
        uint64_t link_ps = cs_time_up(wire_bytes * link->ps_per_byte);

        traffic->use[route[i]].messages++;
        if (link_ps > slowest_ps)
            slowest_ps = link_ps;
    }
    message->latency_ps = stream->latency_ps;
    alone_ps = cs_time_after(message->latency_ps, slowest_ps);
    if (at_ps - message->sent_ps > alone_ps)
        message->wait_ps = at_ps - message->sent_ps - alone_ps;
    cs_events_add(&traffic->events, at_ps, CS_EVENT_DELIVER, number);
}

void cs_streams_arrive(struct cs_traffic *traffic, uint32_t number, uint64_t at_ps)
{
    struct packet_model *model = traffic->model;
    struct packet *packet = &model->packets[number];
    struct stream *stream = &model->streams[packet->message];

    if (model->loss != CS_PACKET_DROP) {
        if (++stream->arrived == stream->packets) {
            stream_finish(traffic, packet->message, at_ps);
            (void)cs_order_end(&model->order, packet->message);
        }
        cs_streams_drop_packet(model, number);
        return;
    }
    cs_window_receive(&stream->window, stream_packet_number(model, packet));
    if (stream->arrived < stream->packets && stream->window.come == stream->packets)
        stream_finish(traffic, packet->message, at_ps);
    stream->arrived = stream->window.come;
    packet_wake_at(traffic, cs_time_after(at_ps, stream->latency_ps), WAKE_ACKNOWLEDGE, number);
}

/* ---- loss ---- */

/* A packet ends, where packets can be lost.  If the sender of a delivered message
 * knows of the delivery, no packet of the message is in flight after the last one,
 * and the number of the message is free. */
static void stream_end_packet(struct cs_traffic *traffic, uint32_t number)
{
    struct packet_model *model = traffic->model;
    uint32_t message = model->packets[number].message;
    struct stream *stream = &model->streams[message];

    cs_streams_drop_packet(model, number);
    stream->flying--;
    if (stream->flying == 0 && stream->window.acked == stream->packets)
        cs_events_add(&traffic->events, traffic->events.now_ps, CS_EVENT_FORGET, message);
}

void cs_streams_lose(struct cs_traffic *traffic, uint32_t packet)
{
    traffic->packets_dropped++;
    stream_end_packet(traffic, packet);
}

uint32_t cs_streams_acknowledge(struct cs_traffic *traffic, uint32_t number)
{
    struct packet_model *model = traffic->model;
    const struct packet *packet = &model->packets[number];
    uint32_t message = packet->message;
    struct stream *stream = &model->streams[message];
    uint64_t now_ps = traffic->events.now_ps;
    bool was_done = cs_streams_has_left(model, stream);
    uint32_t next;

    cs_window_acknowledge(&stream->window, stream_packet_number(model, packet),
                          now_ps - packet->sent_ps, now_ps);
    if (!was_done && cs_streams_has_left(model, stream)) {
        next = cs_order_end(&model->order, message);
        if (next != CS_ORDER_NONE)
            cs_streams_feed(traffic, next);
    } else {
        stream_advance(traffic, message);
    }
    stream_plan_timeout(traffic, message);
    stream_end_packet(traffic, number);
    return stream_first_resource(traffic, message);
}

uint32_t cs_streams_time_out(struct cs_traffic *traffic, uint32_t number)
{
    const struct packet_model *model = traffic->model;
    struct stream *stream = &model->streams[number];

    if (stream->wake_ps == traffic->events.now_ps)
        stream->wake_ps = UINT64_MAX;
    if (stream->window.due_ps <= traffic->events.now_ps) {
        cs_window_time_out(&stream->window, traffic->events.now_ps);
        stream_advance(traffic, number);
    }
    stream_plan_timeout(traffic, number);
    return stream_first_resource(traffic, number);
}

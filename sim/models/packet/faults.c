/*
 * A message is lost if a link is down that a packet of the message is on or has
 * yet to cross.  All packets of the message vanish at once, and their bytes are
 * not counted; the executor sends the message again.  A packet on a link keeps
 * the rate of the moment when the packet began to cross the link.
 */
#include "sim/models/packet/state.h"

#include <assert.h>

enum {
    DEAD = NONE - 1, /* the message of a lost packet with a pending event */
};

/* ---- loss ---- */

/* The first link of the route that a packet may be on or has yet to cross. */
static uint32_t first_needed(const struct packet_model *model, uint32_t number, uint32_t hops)
{
    uint32_t least = hops; /* if all packets have crossed all links */

    if (!cs_streams_has_left(model, &model->streams[number]))
        return 0;
    for (uint32_t i = 0; i < model->packet_count; i++)
        if (model->packets[i].message == number && model->packets[i].hop < least)
            least = model->packets[i].hop;
    return least ? least - 1 : 0;
}

static bool is_lost(const struct cs_traffic *traffic, uint32_t number, const struct cs_net *next)
{
    const struct packet_model *model = traffic->model;
    const uint32_t *route = cs_traffic_route(traffic, number);
    uint32_t hops = traffic->messages[number].hops;
    uint32_t i = hops;

    while (i > 0 && !next->links[route[i - 1]].down)
        i--;
    return i > 0 && i > first_needed(model, number, hops);
}

/* The bytes that packets of the message have carried over link `hop`. */
static uint64_t carried_bytes(const struct cs_traffic *traffic, uint32_t number, uint32_t hop)
{
    const struct packet_model *model = traffic->model;
    uint64_t sent_bytes = model->streams[number].window.sent * model->payload_bytes;

    if (sent_bytes > traffic->messages[number].bytes)
        sent_bytes = traffic->messages[number].bytes;
    for (uint32_t i = 0; i < model->packet_count; i++)
        if (model->packets[i].message == number && model->packets[i].hop <= hop)
            sent_bytes -= model->packets[i].bytes - model->header_bytes;
    return sent_bytes;
}

static void faults_uncount(struct cs_traffic *traffic, uint32_t number)
{
    const struct packet_model *model = traffic->model;
    const struct stream *stream = &model->streams[number];
    const uint32_t *route = cs_traffic_route(traffic, number);
    bool has_come = stream->arrived == stream->packets;

    for (uint32_t i = 0; i < traffic->messages[number].hops; i++) {
        traffic->use[route[i]].bytes -= carried_bytes(traffic, number, i);
        traffic->use[route[i]].messages -= has_come;
    }
}

/* Removes the message's packets from a line; false: the line has none. */
static bool faults_thin(struct packet_model *model, struct line *line, uint32_t number)
{
    struct line left = {NONE, NONE};
    bool any = false;
    uint32_t next;

    for (uint32_t at = line->first; at != NONE; at = next) {
        next = model->packets[at].next;
        model->packets[at].next = NONE;
        if (model->packets[at].message == number)
            any = true;
        else if (left.first == NONE)
            left = (struct line){at, at};
        else
            left.last = model->packets[left.last].next = at;
    }
    *line = left;
    return any;
}

/* The packets leave lines and buffers.  Packets of the message before this message
 * may still use the stages, so the message does not keep the stages. */
static void faults_vanish(struct cs_traffic *traffic, uint32_t number)
{
    struct packet_model *model = traffic->model;
    const uint32_t *route = cs_traffic_route(traffic, number);
    struct stream *stream = &model->streams[number];

    for (uint32_t i = 0; i < traffic->messages[number].hops; i++) {
        uint32_t resource = traffic->net->links[route[i]].resource;
        struct stage *stage = &model->stages[stream->stages + i];

        if (faults_thin(model, &model->resources[resource].line, number))
            stage->in_line = false;
        (void)faults_thin(model, &stage->waiting, number);
    }
    for (uint32_t i = 0; i < model->packet_count; i++) {
        struct packet *packet = &model->packets[i];

        if (packet->message != number)
            continue;
        packet->message = DEAD;
        if (packet->hop > 0)
            cs_credits_give(&model->credits, stream->stages + packet->hop - 1, packet->bytes,
                            traffic->events.now_ps);
    }
    stream->kept_count = 0;
}

/* The message starts, if it waited for the message before it. */
static void faults_let_in(struct cs_traffic *traffic, uint32_t number)
{
    const struct packet_model *model = traffic->model;
    uint32_t link;

    if (number == CS_ORDER_NONE || model->streams[number].window.sent > 0)
        return;
    link = cs_traffic_route(traffic, number)[0];
    cs_streams_feed(traffic, number);
    cs_service_run(traffic, traffic->net->links[link].resource);
}

bool cs_packet_lose(struct cs_traffic *traffic, uint32_t number, const struct cs_net *next)
{
    struct packet_model *model = traffic->model;
    const struct stream *stream = &model->streams[number];

    assert(model->private_places);
    if (!is_lost(traffic, number, next))
        return false;
    faults_uncount(traffic, number);
    faults_vanish(traffic, number);
    if (stream->arrived < stream->packets)
        faults_let_in(traffic, cs_order_leave(&model->order, number));
    return true;
}

/* ---- what continues ---- */

static bool is_alive(const void *ctx, const struct cs_event *event)
{
    const struct packet_model *model = ctx;
    uint32_t number = event->number & (((uint32_t)1 << NUMBER_BITS) - 1);

    return event->kind != CS_EVENT_MODEL || event->number >> NUMBER_BITS != WAKE_PACKET ||
           model->packets[number].message != DEAD;
}

static void faults_bury(struct cs_traffic *traffic)
{
    struct packet_model *model = traffic->model;

    cs_events_sift(&traffic->events, is_alive, model);
    for (uint32_t i = 0; i < model->packet_count; i++)
        if (model->packets[i].message == DEAD)
            cs_streams_drop_packet(model, i);
}

/* Places for the highest rate that the links have had. */
static void faults_widen(struct cs_traffic *traffic)
{
    const struct packet_model *model = traffic->model;

    for (uint32_t i = 0; i < traffic->net->link_count; i++) {
        uint64_t private_bytes = cs_places_bytes(traffic->net, model, i);

        if (!traffic->net->links[i].down && private_bytes > model->links[i].private_bytes)
            model->links[i].private_bytes = private_bytes;
    }
}

void cs_packet_change(struct cs_traffic *traffic, uint32_t messages)
{
    const struct packet_model *model = traffic->model;

    faults_bury(traffic);
    faults_widen(traffic);
    if (messages > model->stream_room) /* later messages were never sent */
        messages = model->stream_room;
    for (uint32_t i = 0; i < messages; i++) {
        const struct stream *stream = &model->streams[i];

        if (traffic->messages[i].in_flight && stream->arrived < stream->packets &&
            cs_streams_has_left(model, stream))
            faults_let_in(traffic, cs_order_after(&model->order, i));
    }
}

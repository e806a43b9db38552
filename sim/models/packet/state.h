/*
 * The state of model packet, shared by the files of the folder only.
 *
 *     packet.c    the model: opens, sends, dispatches events
 *     service.c   resources serve packets, link by link
 *     streams.c   messages as streams of packets: windows, order, loss
 *     places.c    private buffer places of messages
 *     buffers.c   buffers shared by messages: credits, pause frames, drops
 *     faults.c    failures of links while packets are in flight
 *
 * A file includes only headers of later files in the order of use:
 * packet, faults, service, streams, places and buffers.
 */
#pragma once

#include "sim/engine/model.h"
#include "sim/engine/order.h"
#include "sim/models/packet/credits.h"
#include "sim/models/packet/window.h"
#include "sim/models/params/packet.h"

enum {
    NONE = UINT32_MAX,
    FIRST_ROOM = 64, /* of arrays that grow */
};

/* Events of the model: the number of a packet, resource, link, message or
 * stage, with the kind of the event in the highest bits. */
enum {
    NUMBER_BITS = 29,
    WAKE_PACKET = 0,      /* the packet reaches the next link */
    WAKE_RESOURCE = 1,    /* the resource is free */
    WAKE_LINK = 2,        /* credits return, or with PFC buffer space */
    WAKE_PAUSE = 3,       /* a frame of PFC, pause or resume, reaches the link */
    WAKE_TIMEOUT = 4,     /* of a message */
    WAKE_ACKNOWLEDGE = 5, /* the sender learns that the packet has arrived */
    WAKE_PLACE = 6,       /* a private place of the stage is free */
};

struct packet {
    uint64_t offset;  /* in the message on the wire */
    uint64_t sent_ps; /* the packet left the source; where packets are lost */
    uint32_t bytes;   /* on the wire */
    uint32_t message; /* NONE: the packet is unused */
    uint32_t hop;
    uint32_t next; /* in a line, or in the list of unused packets */
};

/* A queue of packets, or of links: first come, first served. */
struct line {
    uint32_t first, last;
};

struct resource {
    struct line line;
    struct line fit; /* links whose deferred packets have space again */
    uint32_t link;   /* served last */
    bool wakes;      /* a WAKE_RESOURCE is pending */
};

/* Packets without buffer space are deferred: packets from earlier links and
 * packets from the party at the link in separate lines, as only the latter
 * leave a reserve. */
struct link {
    struct line passing, entering;
    uint64_t wake_ps;       /* the soonest pending WAKE_LINK, or UINT64_MAX */
    uint64_t xoff_bytes;    /* above the level the far buffer pauses the link */
    uint64_t xon_bytes;     /* and up to the level resumes the link */
    uint64_t private_bytes; /* of the far buffer, for each message */
    uint32_t reserve_bytes; /* of the far buffer, for passing packets */
    uint32_t next;          /* in the resource's line `fit` */
    bool is_fit;            /* the link is in `fit` */
    bool pauses;            /* the far end has sent a pause frame */
    bool is_paused;         /* the near end has received the frame */
};

/* A message at a link, where messages have private places. */
struct stage {
    struct line waiting; /* packets except the packet in the resource's line */
    bool in_line;        /* a packet of the stage is in the resource's line */
    bool wakes;          /* a WAKE_PLACE is pending */
};

/* The progress of a message, numbered as the message. */
struct stream {
    struct cs_window window;
    uint64_t packets;    /* of the message */
    uint64_t arrived;    /* of the packets, in order */
    uint64_t latency_ps; /* of the route */
    uint64_t wake_ps;    /* the soonest pending WAKE_TIMEOUT, or UINT64_MAX */
    uint32_t stages;     /* the first stage; a stage per hop */
    uint32_t kept;       /* the first of the stages for the next message with
                            this number */
    uint32_t kept_count;
    uint32_t flying; /* packets in existence; without loss: packets so far */
    bool in_line;    /* a packet waits for the first link */
};

struct packet_model {
    const struct cs_packet_params *params;
    struct cs_credits credits; /* of links, or of stages */
    struct cs_order order;     /* of messages at their sources */
    struct resource *resources;
    struct link *links;
    struct stream *streams;
    uint32_t stream_room;
    struct stage *stages; /* numbered as their credits */
    uint32_t stage_room;
    struct packet *packets;
    uint32_t packet_count, packet_room, unused;
    uint32_t payload_bytes, header_bytes;
    enum cs_packet_loss loss;
    bool private_places; /* messages have private places in every buffer */
};

/* The largest packet on the wire. */
static inline uint64_t packet_bytes(const struct packet_model *model)
{
    return (uint64_t)model->payload_bytes + model->header_bytes;
}

static inline void packet_wake_at(struct cs_traffic *traffic, uint64_t at_ps, uint32_t kind,
                                  uint32_t number)
{
    cs_events_add(&traffic->events, at_ps, CS_EVENT_MODEL, kind << NUMBER_BITS | number);
}

/* ---- lines of packets ---- */

static inline void packet_join(struct packet_model *model, struct line *line, uint32_t number)
{
    model->packets[number].next = NONE;
    if (line->first == NONE)
        line->first = number;
    else
        model->packets[line->last].next = number;
    line->last = number;
}

static inline uint32_t packet_leave(const struct packet_model *model, struct line *line)
{
    uint32_t number = line->first;

    line->first = model->packets[number].next;
    return number;
}

/* ---- where a packet is ---- */

static inline uint32_t packet_link_of(const struct cs_traffic *traffic, const struct packet *packet)
{
    return cs_traffic_route(traffic, packet->message)[packet->hop];
}

static inline uint32_t packet_resource_of(const struct cs_traffic *traffic,
                                          const struct packet *packet)
{
    return traffic->net->links[packet_link_of(traffic, packet)].resource;
}

static inline uint32_t packet_stage_of(const struct packet_model *model,
                                       const struct packet *packet)
{
    return model->streams[packet->message].stages + packet->hop;
}

/*
 * Links that go down or change their rate while packets are in flight; only
 * where every message has private places, so that lost packets leave no space
 * that others wait for.
 */

/* `lose` and `change` of struct cs_link_model.  O(packets x hops) a message. */
bool cs_packet_lose(struct cs_traffic *traffic, uint32_t number, const struct cs_net *next);
void cs_packet_change(struct cs_traffic *traffic, uint32_t messages);

/*
 * Service: resources serve packets in the order of arrival, ties in the order
 * of events; packet.c says what a packet does to a link.
 */

/* The resource serves what it can: one packet, unless packets take no time. */
void cs_service_run(struct cs_traffic *traffic, uint32_t number);

/* The packet takes so long on the link; all packets of a message together take
 * as long as the bytes of the message, rounded once. */
static inline uint64_t cs_service_take_ps(const struct packet *packet,
                                          const struct cs_net_link *link)
{
    double from = (double)packet->offset;
    double to = (double)(packet->offset + packet->bytes);

    return cs_time_up(to * link->ps_per_byte) - cs_time_up(from * link->ps_per_byte);
}

/*
 * Streams: messages as packets from source to destination.
 *
 * A message has at most one packet in the line of its first link.  Messages of
 * one (source, destination, channel) follow each other, and so do messages that
 * must arrive in order (program.h), unless packets may be lost.  With drop each
 * message has a window (window.h) and every packet returns as an
 * acknowledgement.
 *
 * Each call is O(1), and what the window costs.
 */

/* Message `number` begins: the first packet joins its line, unless the message
 * follows another one.  True: a packet has joined. */
bool cs_streams_begin(struct cs_traffic *traffic, uint32_t number);

/* The next packet of the message joins the line of the first link. */
void cs_streams_feed(struct cs_traffic *traffic, uint32_t number);

/* All packets of the message have left the source; with drop: and are
 * acknowledged. */
bool cs_streams_has_left(const struct packet_model *model, const struct stream *stream);

/* A packet of message `number` has left the source, all of it at at_ps. */
void cs_streams_left(struct cs_traffic *traffic, uint32_t number, uint64_t at_ps);

/* The packet is at its destination at at_ps. */
void cs_streams_arrive(struct cs_traffic *traffic, uint32_t number, uint64_t at_ps);

/* With drop: the packet was lost at a full buffer; the sender knows that the
 * packet has arrived; the timeout of the message fires.  The latter two return
 * the resource that may have work to do. */
void cs_streams_lose(struct cs_traffic *traffic, uint32_t packet);
uint32_t cs_streams_acknowledge(struct cs_traffic *traffic, uint32_t number);
uint32_t cs_streams_time_out(struct cs_traffic *traffic, uint32_t number);

/* The packet is unused from now on. */
void cs_streams_drop_packet(struct packet_model *model, uint32_t number);

/*
 * Private places: a message has private buffer space at each link.
 *
 * A stage is a message at a link.  At most one packet of a stage is in the
 * line of the link's resource, and the next packet joins the end of the line
 * once a private place beyond the link is free, so that no message waits for
 * buffer space of further messages. Messages of a (source, destination,
 * channel) over an equal route share the stages.
 *
 * Without private places (struct packet_model) packets join the line at once.
 *
 *     join, give   O(1), and the cost of credits
 */

/* Packets sent by the link in twice the latency, rounded up. */
uint64_t cs_places_flying(const struct cs_net *net, const struct packet_model *model,
                          uint32_t link);

/* The private bytes of each message in the buffer at the far end of a link: 2
 * packets and the bytes sent by the link in twice the latency. */
uint64_t cs_places_bytes(const struct cs_net *net, const struct packet_model *model, uint32_t link);

/* Stages for message `number`: the stages of message `before`, if the routes
 * are equal, else new stages.  `before` may be CS_ORDER_NONE. */
void cs_places_open(struct cs_traffic *traffic, uint32_t number, uint32_t before);

/* The packet reaches the link and joins the line, or waits in the stage. */
void cs_places_join(struct cs_traffic *traffic, uint32_t number);

/* No packet of the stage is in the resource's line: the first waiting packet
 * joins the line if a place is free, else a WAKE_PLACE is planned. */
void cs_places_next(struct cs_traffic *traffic, uint32_t number);

/* A packet leaves the buffer beyond the link of the stage; the near end knows
 * at back_ps. */
void cs_places_give(struct cs_traffic *traffic, uint32_t number, uint32_t bytes, uint64_t back_ps);

/* WAKE_PLACE: the resource with possible work, or NONE. */
uint32_t cs_places_wake(struct cs_traffic *traffic, uint32_t number);

/* The packet of the stage has left the line. */
static inline void cs_places_left(struct cs_traffic *traffic, uint32_t number)
{
    const struct packet_model *model = traffic->model;
    struct stage *stage = &model->stages[number];

    stage->in_line = false;
    if (stage->waiting.first != NONE)
        cs_places_next(traffic, number);
}

/*
 * Buffers of a size, shared by the messages on a link; packet.c explains
 * credits, PFC and drop.
 *
 * With credits and PFC a packet without space is deferred at the link, and so
 * are later packets of the link, in order. With drop a packet without space is
 * lost.  Where messages have private places (places.h) packets are
 * never deferred.
 */

/* Sets the size of the buffer of `link` and the levels for pause frames. */
void cs_buffers_open(struct packet_model *model, const struct cs_net *net, uint32_t link);

/* Is space free for the packet beyond the link, as far as the near end knows?
 * A destination always has space. */
bool cs_buffers_fit(struct cs_traffic *traffic, uint32_t link, const struct packet *packet);

/* The packet, first in the resource's line, lacks space. */
void cs_buffers_defer(struct cs_traffic *traffic, uint32_t number, uint32_t packet);

/* Does the link have deferred packets? */
static inline bool cs_buffers_defers(const struct link *link)
{
    return link->passing.first != NONE || link->entering.first != NONE;
}

/* The next link of the resource's line `fit`, which must not be empty, and the
 * deferred line of the link with space for the first packet; NULL: no line,
 * as the link was paused meanwhile. */
uint32_t cs_buffers_next_fit(struct packet_model *model, struct resource *resource);
struct line *cs_buffers_line(struct cs_traffic *traffic, uint32_t number);

/* Deferred packets of the link may have space: the link joins the line `fit`
 * of the resource, or the next credits are awaited. */
void cs_buffers_review(struct cs_traffic *traffic, uint32_t number);

/* The packet leaves the buffer of `link` at left_ps: with credits and PFC the
 * buffer of the previous link, with drop the buffer of the crossed
 * link. */
void cs_buffers_give(struct cs_traffic *traffic, uint32_t number, const struct packet *packet,
                     uint64_t left_ps);

/* Only with PFC and drop: the packet reaches a buffer; false: no space, the
 * packet is lost. */
bool cs_buffers_enter(struct cs_traffic *traffic, const struct packet *packet);

/* WAKE_LINK and WAKE_PAUSE: the resource with possible work, or NONE. */
uint32_t cs_buffers_wake(struct cs_traffic *traffic, uint32_t number);
uint32_t cs_buffers_pause(struct cs_traffic *traffic, uint32_t number);

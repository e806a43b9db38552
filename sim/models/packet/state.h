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
#ifndef CS_SIM_MODELS_PACKET_STATE_H
#define CS_SIM_MODELS_PACKET_STATE_H

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

#endif

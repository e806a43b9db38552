/*
 * What model packet keeps: for its own files only (packet.c says what it
 * does, packet_fault.c what becomes of it when links go down).
 */
#ifndef CS_SIM_MODELS_PACKET_PACKET_STATE_H
#define CS_SIM_MODELS_PACKET_PACKET_STATE_H

#include "sim/engine/model.h"
#include "sim/engine/order.h"
#include "sim/models/packet/credits.h"
#include "sim/models/packet/packet.h"
#include "sim/models/packet/window.h"

enum {
    NONE = UINT32_MAX,
};

/* Events of the model's own: the number of a packet, server, link or message,
 * and in its highest bits which of them. */
enum {
    NUMBER_BITS = 29,
    WAKE_PACKET = 0,   /* it reaches its next link */
    WAKE_RESOURCE = 1, /* it is free again */
    WAKE_LINK = 2,     /* credits are back, or with PFC room in the buffer */
    WAKE_PAUSE = 3,    /* a pause frame, or one that ends it, reaches a link */
    WAKE_TIMEOUT = 4,  /* of a message */
    WAKE_ACKNOWLEDGE = 5, /* a packet: its sender knows of it */
    WAKE_PLACE = 6, /* a packet: there is room for it among its message's own */
};

struct packet {
    uint64_t offset;  /* in its message on the wire */
    uint64_t sent_ps; /* it left its source; where packets are lost */
    uint32_t bytes;   /* on the wire */
    uint32_t message; /* NONE: it is not used */
    uint32_t hop;
    uint32_t next; /* in a line, or of those unused */
};

/* Packets, first come, first served. */
struct line {
    uint32_t first, last;
};

struct resource {
    struct line line;
    struct line fit; /* links whose packets have got room again */
    uint32_t link;   /* that it served last */
    bool wakes;      /* a WAKE_SERVER is to come */
};

/* Packets that had no room are put aside, those that come from another link
 * and those that start here apart. */
struct link {
    struct line passing, entering;
    uint64_t wake_ps;       /* the soonest WAKE_LINK to come, or UINT64_MAX */
    uint64_t xoff_bytes;    /* above, its far buffer has its packets stopped */
    uint64_t xon_bytes;     /* and up to here, sent again */
    uint64_t own_bytes;     /* of its far buffer, of each message */
    uint32_t reserve_bytes; /* of its far buffer, for those that pass */
    uint32_t next;          /* in the server's line `fit` */
    bool is_fit;            /* it is in there */
    bool pauses;            /* the far end has said so */
    bool is_paused;         /* the near end knows */
};

/* A message at one of its links, where it has places of its own. */
struct stage {
    struct line waiting; /* its packets, but for the one in the server's line */
    bool in_line;        /* there is one */
    bool wakes;          /* a WAKE_PLACE is to come */
};

/* How far a message is, numbered as the message. */
struct feed {
    struct cs_window window;
    uint64_t packets;    /* of the message */
    uint64_t come;       /* of them, in order */
    uint64_t latency_ps; /* of its way */
    uint64_t wake_ps;    /* the soonest WAKE_TIMEOUT to come, or UINT64_MAX */
    uint32_t stages;     /* the first of them, one for each hop */
    uint32_t kept;       /* the first of those that it leaves to who has its
                            number next */
    uint32_t kept_count;
    uint32_t flying; /* packets of it that there are, or have been where
                            none is lost */
    bool in_line;    /* one of them stands before its first link */
};

struct fabric {
    const struct cs_packet_params *params;
    struct cs_credits credits; /* of links, or of stages */
    struct cs_order order;     /* of messages at their sources */
    struct resource *resources;
    struct link *links;
    struct feed *feeds;
    uint32_t feed_room;
    struct stage *stages; /* numbered as their credits */
    uint32_t stage_room;
    struct packet *packets;
    uint32_t packet_count, packet_room, unused;
    uint32_t payload_bytes, header_bytes;
    enum cs_packet_loss loss;
    bool own; /* every message has places of its own in each buffer */
};

/* What every message gets of the buffer at the far end of a link. */
uint64_t cs_packet_own_bytes(const struct cs_net *net,
                             const struct fabric *fabric, uint32_t link);

/* Puts the next packet of a message in the line of its first link. */
void cs_packet_feed(struct cs_traffic *traffic, uint32_t number);

/* All of the message has left its source; where packets are lost, it has come
 * too. */
bool cs_packet_has_left(const struct fabric *fabric, const struct feed *feed);

/* Server `number` serves what it can, one packet unless they take no time. */
void cs_packet_serve(struct cs_traffic *traffic, uint32_t number);

/* Room for other packets. */
void cs_packet_drop(struct fabric *fabric, uint32_t number);

/* `lose` and `change`, where every message has places of its own. */
bool cs_packet_lose(struct cs_traffic *traffic, uint32_t number,
                    const struct cs_net *next);
void cs_packet_change(struct cs_traffic *traffic, uint32_t messages);

#endif

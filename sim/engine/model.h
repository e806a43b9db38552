/*
 * Messages in flight, and the interface of a network model.
 *
 * The executor owns the messages and requests the delivery time of each from a
 * model.  A model answers at once where possible, or requests an event of kind
 * CS_EVENT_MOVE with the message's number and answers when the event fires.  A
 * model with dependent messages keeps a state, schedules CS_EVENT_MODEL on its
 * own behalf, and CS_EVENT_DELIVER when a message has arrived.
 *
 * Time of a message = wait + latency + bandwidth: `wait_ps` is the time of the
 * head before busy links, `latency_ps` the links' latencies, and the rest is
 * the transfer.  In models fifo, fluid and postal, `own_ps` is the part of the
 * wait behind earlier messages of the sender: on a critical path such waiting
 * is bandwidth.
 */
#pragma once

#include "sim/engine/events.h"
#include "sim/engine/queue.h"
#include "sim/net/net.h"
#include "sim/program/path.h"
#include "sim/program/program.h"

#include <stddef.h>

/* The duration on the party, with the slowdown by noise. */
static inline uint64_t cs_slowed_ps(const struct cs_net_party *party, uint64_t take_ps)
{
    if (party->slow == 0)
        return take_ps;
    return cs_time_rounded((double)take_ps * (1 + party->slow));
}

/* Three cache lines: what the network changes, what else delivery reads, and what is
 * read where something else happens. */
struct cs_message {
    uint64_t bytes;
    uint64_t head_ps; /* the first byte reaches links[hop] */
    uint64_t tail_ps; /* earliest arrival of the last byte there */
    uint64_t latency_ps;
    uint64_t wait_ps;
    uint64_t own_ps; /* part of wait_ps behind messages of the sender */
    uint32_t hop, hops;
    const uint32_t *route; /* the links */

    uint64_t sent_ps;
    struct cs_path path; /* of the sender up to sent_ps */
    uint32_t src, dst, lane;
    uint32_t receive; /* the matching receive, once posted */
    union {
        uint32_t flags; /* all of them, to be cleared */
        struct {
            bool is_split : 1;  /* into parts; itself outside the network */
            bool handshake : 1; /* leaves when the receive is posted */
            bool met : 1;       /* launched by the receiver */
            /* Also behind earlier in-order messages to dst. */
            bool in_order : 1;
            bool arrived : 1;
            bool left : 1;      /* the sender has continued */
            bool in_flight : 1; /* in the network */
            /* The net has changed: the scheduled event is void. */
            bool again : 1;
            bool fills : 1;      /* a buffer, while memory is watched */
            bool lingers : 1;    /* needed by the model until CS_EVENT_FORGET */
            bool is_over : 1;    /* done, except for the model */
            bool owns_route : 1; /* else the route is kept for its lane */
            bool packs : 1;      /* of a round with fan-in (packed.h) */
        };
    };
    uint32_t starter; /* the lane, of sender or receiver, that launched it */

    uint64_t left_ps; /* the first link has all bytes; in models with eager */
    uint64_t round;   /* of the sender, for error messages */
    struct cs_blocks blocks;
    const struct cs_origin *origins; /* cs_traffic_origin() */
    uint32_t channel;
    uint32_t op; /* index among the ops of the round */
    uint32_t to; /* destination of the route: dst, unless ranks are folded */
    union {
        uint32_t next;   /* list of unused or stalled messages */
        uint32_t launch; /* of a message that packs */
    };
    /* Of a part of a message (routing.h): the message, and the number of the part;
     * else CS_NONE and 0. */
    uint32_t whole, part;
    uint32_t parts_here;  /* of a message: parts that have to arrive */
    uint32_t parts_there; /* and to leave the sender */
};

_Static_assert(sizeof(struct cs_message) == 192, "three cache lines");

/* The service of a message by a link: kept where the net can change, for
 * revocation or shortening by a change. */
struct cs_service {
    uint64_t start_ps;
    uint64_t end_ps; /* all bytes have passed, unless the tail arrives later */
    uint64_t turn;   /* number of earlier services of any message */
    bool in_line;    /* the resource serves a single message meanwhile */
};

/* The state of a resource of the net, in a struct as a service reads every
 * member. A streak is a sequence of messages of a sender, served by the
 * resource without a pause. */
struct cs_resource {
    uint64_t free_ps;  /* end of the last accepted service */
    uint64_t since_ps; /* begin of the current streak */
    uint32_t src;      /* sender of the streak */
    uint32_t due;      /* messages with a pending CS_EVENT_MOVE to the resource */
    uint64_t seen_ps;  /* the last instant in which `due` was read or changed */
    uint32_t was_due;  /* `due` as that instant began: the same in every order of its events */
};

/* Begins the instant `now_ps`; every use of `due` follows. */
static inline void cs_resource_see(struct cs_resource *resource, uint64_t now_ps)
{
    if (resource->seen_ps == now_ps)
        return;
    resource->seen_ps = now_ps;
    resource->was_due = resource->due;
}

/*
 * The last message at a resource or a party of a folded run.
 *
 * Simultaneous messages are served in the order of their histories, in the end of
 * the lanes that launched them (round.h).  Of messages launched at one time by
 * lanes of one number, the number of the rank decides, which differs from copy to
 * copy unless both ranks are of one block of representatives.  Where the blocks of a
 * row of `origin_columns` (struct cs_net) divide nodes, ranks of different places in
 * the blocks of a row are of different nodes, whose order no copy changes.
 */
struct cs_tie {
    uint64_t at_ps, sent_ps;
    uint32_t lane, rank;
};

/* Totals of a link. */
struct cs_link_use {
    uint64_t busy_ps;
    uint64_t bytes;
    uint64_t messages;
};

/* use + times x growth. */
static inline void cs_link_use_grow(struct cs_link_use *use, const struct cs_link_use *growth,
                                    uint64_t times)
{
    use->busy_ps += times * growth->busy_ps;
    use->bytes += times * growth->bytes;
    use->messages += times * growth->messages;
}

static inline struct cs_link_use cs_link_use_since(const struct cs_link_use *use,
                                                   const struct cs_link_use *before)
{
    return (struct cs_link_use){use->busy_ps - before->busy_ps, use->bytes - before->bytes,
                                use->messages - before->messages};
}

enum cs_event_kind {
    CS_EVENT_MOVE,    /* a message: the model advances it */
    CS_EVENT_DELIVER, /* a message: the last byte has arrived */
    CS_EVENT_REDUCED, /* a receive: the reduction is done */
    CS_EVENT_POST,    /* a receive: the party is free to post */
    CS_EVENT_WORK,    /* a receive: requests the processor for the reduction */
    CS_EVENT_LEFT,    /* a message: the sender is done */
    CS_EVENT_LEAVE,   /* a message: the delay by noise is over */
    CS_EVENT_COME,    /* a lane: the rank enters the collective */
    CS_EVENT_FORGET,  /* a lingering message: the model is done */
    CS_EVENT_FILL,    /* a message: first byte at the receiver */
    CS_EVENT_CHANGE,  /* a change of the net happens or becomes known */
    CS_EVENT_MODEL,   /* an event of the model */
    CS_EVENT_PACKED,  /* a link: the event of the first packed message behind it */
    CS_EVENT_KINDS,
};

/* The parameters of all models (sim/models/params/params.h). */
struct cs_model_params;

struct cs_monitor; /* sim/engine/progress.h */

struct cs_traffic {
    const struct cs_net *net;
    const struct cs_model_params *params; /* NULL: every model's defaults */
    struct cs_events events;
    struct cs_message *messages;
    /* The routes of messages that own them, `stride` apart. */
    uint32_t *links;
    uint32_t stride;
    struct cs_resource *resources; /* by resource */
    struct cs_link_use *use;       /* by link */
    /* The services of messages in the order of links, `stride` apart,
     * in models that queue; NULL: the net does not change, and no watch asks. */
    struct cs_service *services;
    uint64_t service_count;
    bool eager;        /* sends are done when the last byte has left */
    bool draws_routes; /* messages of a pair take several routes (routing.h) */
    bool stores;       /* set by the model: nodes forward whole messages only */
    /* By party: end of the accepted work of the processor; NULL in models with
     * parties that send and receive concurrently with work. */
    uint64_t *processor_ps;
    struct cs_queue *queue;   /* at processors: cs_traffic_line */
    void *model;              /* state of the model, or NULL */
    uint64_t packets_dropped; /* by models with packets and loss */
    uint64_t packets_resent;
    /* Of folded runs, else NULL: the last message of each resource; the origins of
     * messages that own their routes, `stride` + 1 apart (the executor's alone). */
    struct cs_tie *ties;
    struct cs_origin *origins;
    uint32_t block_ranks;             /* ranks of a block of representatives */
    bool is_ambiguous;                /* the order of simultaneous messages differs by copy */
    bool is_cause_open;               /* the order of links decides the cause of a wait */
    const struct cs_monitor *monitor; /* asked by a model in the middle of an event */
    bool stopped;                     /* by the monitor: the state is void */
};

/* The queues at a party with a processor, by the awaited resources. */
enum cs_line_kind {
    CS_LINE_SEND, /* the processor and the sending port */
    CS_LINE_TAKE, /* the processor and the receiving port */
    CS_LINE_WORK, /* the processor */
    CS_LINE_KINDS,
};

static inline struct cs_line *cs_traffic_line(const struct cs_traffic *traffic, uint32_t party,
                                              enum cs_line_kind kind)
{
    return &traffic->queue->lines[(size_t)CS_LINE_KINDS * party + kind];
}

/* The links on the route of a message. */
static inline const uint32_t *cs_traffic_route(const struct cs_traffic *traffic, uint32_t number)
{
    return traffic->messages[number].route;
}

/* Of a folded run: sender and receiver of a message as seen by the resource of
 * each hop and, behind these, by the receiver. */
static inline struct cs_origin cs_traffic_origin(const struct cs_traffic *traffic, uint32_t number,
                                                 uint32_t hop)
{
    return traffic->messages[number].origins[hop];
}

/* The sender, in a folded run as seen by the resource of hop `hop`. */
static inline uint32_t cs_traffic_sender(const struct cs_traffic *traffic, uint32_t number,
                                         uint32_t hop)
{
    return traffic->ties ? cs_traffic_origin(traffic, number, hop).sender
                         : traffic->messages[number].src;
}

/* Of a folded run: whether the ranks have one order in all copies. */
static inline bool cs_traffic_orders(const struct cs_traffic *traffic, uint32_t a, uint32_t b)
{
    uint32_t each = traffic->block_ranks;
    uint32_t columns = traffic->net->origin_columns;

    if (a / each == b / each)
        return true;
    return columns > 1 && a % each != b % each && a / each / columns == b / each / columns;
}

/* Of a folded run: the message is at the tie's resource at `at_ps`. */
static inline void cs_traffic_meet(struct cs_traffic *traffic, struct cs_tie *tie, uint32_t number,
                                   uint32_t hop, uint64_t at_ps)
{
    const struct cs_message *message = &traffic->messages[number];
    struct cs_origin origin = cs_traffic_origin(traffic, number, hop);
    uint32_t rank = message->met ? origin.receiver : origin.sender;

    if (tie->at_ps == at_ps && tie->sent_ps == message->sent_ps && tie->lane == message->starter &&
        !cs_traffic_orders(traffic, tie->rank, rank))
        traffic->is_ambiguous = true;
    *tie = (struct cs_tie){at_ps, message->sent_ps, message->starter, rank};
}

/* The services of the message by the links of the route. */
static inline struct cs_service *cs_traffic_services(const struct cs_traffic *traffic,
                                                     uint32_t number)
{
    return &traffic->services[(size_t)number * traffic->stride];
}

/* Of a folded run of `ranks` representatives: no message was at any resource yet. */
void cs_traffic_open_ties(struct cs_traffic *traffic, uint32_t ranks, struct cs_arena *arena);

/* Moves what the resource remembers ahead. */
void cs_traffic_shift_resource(struct cs_traffic *traffic, uint32_t number, uint64_t ahead_ps);

/* Subtracts the message from the totals of the first `hops` links of the
 * route. */
void cs_traffic_uncount(struct cs_traffic *traffic, uint32_t number, uint32_t hops);

/* Progress of a message. Where parties have processors, the order of work is
 * settled when a processor begins a piece of work: the piece ends at `at_ps`,
 * and dependent work may request the processor from then on. */
enum cs_delivery_kind {
    CS_IN_FLIGHT, /* an event will follow */
    CS_ARRIVES,   /* the last byte arrives at at_ps */
    CS_LEFT,      /* in flight; the sender is done at at_ps */
    CS_TAKEN,     /* arrived; the receiver is done at at_ps */
    CS_MOVES,     /* CS_EVENT_MOVE at at_ps */
};

struct cs_delivery {
    enum cs_delivery_kind kind;
    uint64_t at_ps;
};

/* The event of a message that arrives or moves. */
static inline enum cs_event_kind cs_delivery_event(enum cs_delivery_kind kind)
{
    return kind == CS_MOVES ? CS_EVENT_MOVE : CS_EVENT_DELIVER;
}

/* A message without contention takes fixed + bytes x per_byte; the fixed part
 * may be negative. */
struct cs_model_line {
    double fixed_ps;
    double ps_per_byte;
};

struct cs_link_model {
    const char *name;
    const char *about;
    bool takes_eager;   /* left_ps is known when a message was sent */
    bool ports_only;    /* contention at ports only, not inside the network */
    bool ignores_links; /* the model ignores the links of the net */
    /* Between the links of its route a message waits for its head or tail, and its
     * record has no more state; messages on one route arrive in the order of sending. */
    bool packs_messages;
    bool queues_messages; /* a link serves whole messages, in sequence: the
                             rate is fixed when the service begins */
    /* Messages are served in the order of arrival, or share fairly: in a folded
     * run as in the whole run (struct cs_tie). */
    bool folds_queues;
    /* The state is that of messages and resources alone, for comparison and
     * jumps in time (repeat.h). */
    bool repeats;
    bool is_compat;        /* reproduces a foreign simulator, with peculiarities */
    bool shares_back;      /* answers take a part of a message's rate on the way back */
    bool has_packets;      /* cross links one after another, stored where one is faster */
    double op_cost;        /* time to simulate an op, relative to model fifo; 0: 1 */
    const char *unbounded; /* why the machine's bounds do not hold, or NULL */
    /* The parameters of the model, by option name, ending with NULL; or NULL:
     * no parameters. */
    const char *const *parameters;
    /* Whether, with the parameters, a message can wait for buffer space of
     * earlier messages. NULL: never. */
    bool (*shares_buffers)(const struct cs_model_params *params);
    /* Only of models that ignore links, else NULL: the time of a message
     * without contention, and a net with links that bound the model's speed (in
     * the arena, without routes). */
    struct cs_model_line (*line)(const struct cs_model_params *params);
    void (*bound_net)(const struct cs_net *net, const struct cs_model_params *params,
                      struct cs_net *bound, struct cs_arena *arena);
    const char *bound_why; /* of `bound_net`: what limits the model */
    /* Message `number` was sent now; or the MOVE event fires now. */
    struct cs_delivery (*send)(struct cs_traffic *traffic, uint32_t number);
    struct cs_delivery (*move)(struct cs_traffic *traffic, uint32_t number);
    /* NULL if the model has no state. `open` makes traffic->model before the
     * first message, `close` releases it after the last event; `wake` handles
     * an event CS_EVENT_MODEL that fires now. */
    void (*open)(struct cs_traffic *traffic, struct cs_arena *arena);
    void (*close)(struct cs_traffic *traffic);
    void (*wake)(struct cs_traffic *traffic, uint32_t number);
    /* NULL if every arrived message has left its sender. Otherwise called when
     * the receive of a message that has not left is posted: the sender
     * continues, by the returned path. */
    struct cs_path (*release)(struct cs_traffic *traffic, uint32_t number);
    /* NULL if messages cannot wait for messages. Called in a deadlock, when
     * no event is left and messages are undelivered: writes the links of a
     * circle, where a link waits for room held by messages waiting for the next
     * link, at most net->link_count, and returns the count; 0 without a
     * circle. */
    uint32_t (*circle)(const struct cs_traffic *traffic, uint32_t *links);
    /* NULL if the net cannot change while messages are in flight. Otherwise
     * called before the change to `next`, with equal links: whether message
     * `number` is lost, on its route over a link that is down in `next`. A lost
     * message is forgotten, and pending events are removed. */
    bool (*lose)(struct cs_traffic *traffic, uint32_t number, const struct cs_net *next);
    /* Called after the change, with the new traffic->net: corrects state that
     * depends on rates or on lost messages. */
    void (*change)(struct cs_traffic *traffic, uint32_t messages);
};

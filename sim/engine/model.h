/*
 * Messages under way, and the interface of a network model.
 *
 * The executor owns the messages and asks a model when each will be
 * delivered.  A model answers at once where it can, or schedules an event of
 * kind CS_EVENT_MOVE with the message's number and answers when that fires.  A
 * model whose messages depend on each other keeps a state of its own, schedules
 * CS_EVENT_MODEL for itself, and CS_EVENT_DELIVER when a message is there.
 *
 * Time of one message = wait + latency + bandwidth:  `wait_ps` is what its head
 * stood before busy links, `latency_ps` the links' latencies, and the rest is
 * the transfer.  In models fifo, fluid and postal, `own_ps` of the wait was behind messages
 * of the same sender, one after the other: on a path that is bandwidth.
 */
#ifndef CS_SIM_ENGINE_MODEL_H
#define CS_SIM_ENGINE_MODEL_H

#include "sim/engine/events.h"
#include "sim/engine/queue.h"
#include "sim/net/net.h"
#include "sim/program/program.h"

#include <stddef.h>

/* Where the time of a chain of events went; the four add up to its length. */
struct cs_path {
    uint64_t latency_ps;
    uint64_t bandwidth_ps;
    uint64_t reduction_ps;
    uint64_t wait_ps;
};

static inline uint64_t cs_path_ps(const struct cs_path *path)
{
    return path->latency_ps + path->bandwidth_ps + path->reduction_ps +
           path->wait_ps;
}

/* The time on that party, which may be slow. */
static inline uint64_t cs_slowed_ps(const struct cs_net_party *party,
                                    uint64_t take_ps)
{
    if (party->slow == 0)
        return take_ps;
    return cs_time_rounded((double)take_ps * (1 + party->slow));
}

struct cs_message {
    uint64_t bytes;
    uint64_t sent_ps;
    uint64_t head_ps; /* the first byte reaches links[hop] */
    uint64_t tail_ps; /* the last byte does, at the soonest */
    uint64_t left_ps; /* the first link has all bytes; in models with eager */
    uint64_t latency_ps;
    uint64_t wait_ps;
    uint64_t own_ps;     /* part of wait_ps behind messages of its own sender */
    struct cs_path path; /* of the sender up to sent_ps */
    uint64_t round;      /* of the sender, for error messages */
    struct cs_blocks blocks;
    uint32_t src, dst, lane, channel;
    uint32_t op; /* its number among the ops of the round */
    uint32_t to; /* destination of its route: dst, unless ranks are folded */
    uint32_t hop, hops;
    uint32_t next;    /* list of unused or stalled messages */
    uint32_t receive; /* that matches, once it is posted */
    bool handshake;   /* leaves when its receive is posted */
    bool in_order;    /* also behind the other in-order messages to dst */
    bool arrived;
    bool left;      /* the sender has gone on */
    bool in_flight; /* in the network */
    bool again;     /* the net has changed: the planned event is void */
    bool fills;     /* a buffer, while memory is watched */
    bool lingers;   /* needed by its model until CS_EVENT_FORGET */
    bool is_over;   /* needed by its model at most */
};

/* The service of one message by one link: kept where the net can change. */
struct cs_service {
    uint64_t start_ps;
    uint64_t end_ps; /* all bytes have passed, unless they arrive later */
    uint64_t turn;   /* services before it, of all messages */
    bool in_line;    /* the resource serves no other message meanwhile */
};

/* The state of one resource of the net: together, as a message that is served
 * needs all of it.  A streak are messages of one sender that the resource
 * serves without a pause. */
struct cs_resource {
    uint64_t free_ps;  /* all messages that it was given are served */
    uint64_t since_ps; /* begin of the current streak */
    uint32_t src;      /* sender of the streak */
    uint32_t due;      /* messages whose CS_EVENT_MOVE to it is pending */
};

/* Totals of a link. */
struct cs_link_use {
    uint64_t busy_ps;
    uint64_t bytes;
    uint64_t messages;
};

enum cs_event_kind {
    CS_EVENT_MOVE,    /* a message: the model moves it on */
    CS_EVENT_DELIVER, /* a message: its last byte has arrived */
    CS_EVENT_REDUCED, /* a receive: its reduction is done */
    CS_EVENT_POST,    /* a receive: its party is free to post it */
    CS_EVENT_WORK,    /* a receive: requests the processor to reduce it */
    CS_EVENT_LEFT,    /* a message: its sender is done with it */
    CS_EVENT_LEAVE,   /* a message: its delay by noise is over */
    CS_EVENT_COME,    /* a lane: its rank enters the collective */
    CS_EVENT_FORGET,  /* a message that lingers: its model is done with it */
    CS_EVENT_FILL,    /* a message: its first byte is at its receiver */
    CS_EVENT_CHANGE,  /* a change of the net happens or becomes known */
    CS_EVENT_MODEL,   /* an event of the model */
    CS_EVENT_KINDS,
};

/* The parameters of all models (sim/models/params.h). */
struct cs_model_params;

struct cs_traffic {
    const struct cs_net *net;
    const struct cs_model_params *params; /* NULL: every model's defaults */
    struct cs_events events;
    struct cs_message *messages;
    uint32_t *links; /* the route of each message, `stride` apart */
    uint32_t stride;
    struct cs_resource *resources; /* by resource */
    struct cs_link_use *use;       /* by link */
    /* The services of each message in the order of its links, `stride` apart, in
     * models that queue; NULL: the net does not change. */
    struct cs_service *services;
    uint64_t service_count;
    bool eager;  /* sends are done when they have left */
    bool stores; /* set by the model: nodes forward whole messages only */
    /* Party: when its processor has done all that it was given; NULL in models
     * whose parties send and receive beside their work. */
    uint64_t *processor_ps;
    struct cs_queue *queue;   /* at them: cs_traffic_line */
    void *model;              /* state of the model, if it has one */
    const char *failure;      /* set by a model that cannot go on; NULL */
    uint64_t packets_dropped; /* by models that cut messages, and lose some */
    uint64_t packets_resent;
};

/* The queues at a party with a processor, by what they wait for. */
enum cs_line_kind {
    CS_LINE_SEND, /* the processor and the sending port */
    CS_LINE_TAKE, /* the processor and the receiving port */
    CS_LINE_WORK, /* the processor */
    CS_LINE_KINDS,
};

static inline struct cs_line *cs_traffic_line(const struct cs_traffic *traffic,
                                              uint32_t party,
                                              enum cs_line_kind kind)
{
    return &traffic->queue->lines[(size_t)CS_LINE_KINDS * party + kind];
}

/* The links on the route of a message. */
static inline uint32_t *cs_traffic_route(const struct cs_traffic *traffic,
                                         uint32_t number)
{
    return &traffic->links[(size_t)number * traffic->stride];
}

/* Their services of the message. */
static inline struct cs_service *cs_traffic_services(
    const struct cs_traffic *traffic, uint32_t number)
{
    return &traffic->services[(size_t)number * traffic->stride];
}

/* Takes the message out of the totals of the first `hops` links of its route. */
void cs_traffic_uncount(struct cs_traffic *traffic, uint32_t number,
                        uint32_t hops);

/* How far a message is.  Where parties have processors, who comes next is
 * settled when a processor begins something: what is done with that is done
 * at `at_ps`, the end of it, and may ask for the processor from then on. */
enum cs_delivery_kind {
    CS_IN_FLIGHT, /* an event will follow */
    CS_ARRIVES,   /* its last byte arrives at at_ps */
    CS_LEFT,      /* in flight; its sender is done with it at at_ps */
    CS_TAKEN,     /* arrived; its receiver is done with it at at_ps */
};

struct cs_delivery {
    enum cs_delivery_kind kind;
    uint64_t at_ps;
};

/* One message alone takes fixed + bytes x per_byte; the fixed part may be
 * negative. */
struct cs_model_line {
    double fixed_ps;
    double ps_per_byte;
};

struct cs_link_model {
    const char *name;
    const char *about;
    bool takes_eager;   /* left_ps is known when a message was sent */
    bool ports_only;    /* what is inside the network has room for everybody */
    bool ignores_links; /* the model ignores the links of the net */
    bool queues_messages; /* a link serves whole messages, one after another:
                             its rate is fixed when the service begins */
    bool is_compat;       /* another simulator's, with what is its own */
    double op_cost; /* time to simulate one op, in those of model fifo; 0: 1 */
    const char *unbounded; /* why the machine's bounds do not hold, or NULL */
    /* The parameters that the model reads, by the names of their options,
     * ending with NULL; or NULL: none. */
    const char *const *parameters;
    /* With these parameters, can a message wait for the buffer space of other
     * messages?  NULL: never. */
    bool (*shares_buffers)(const struct cs_model_params *params);
    /* Only of models that ignore links, else NULL: the time of a message alone,
     * and a net whose links bound what the model can do (in the arena, without
     * routes). */
    struct cs_model_line (*line)(const struct cs_model_params *params);
    void (*bound_net)(const struct cs_net *net,
                      const struct cs_model_params *params,
                      struct cs_net *bound, struct cs_arena *arena);
    /* Message `number` was sent now; or its MOVE event fires now. */
    struct cs_delivery (*send)(struct cs_traffic *traffic, uint32_t number);
    struct cs_delivery (*move)(struct cs_traffic *traffic, uint32_t number);
    /* NULL if the model has no state: makes traffic->model before the first
     * message, gives it back after the last event; an event CS_EVENT_MODEL
     * fires now. */
    void (*open)(struct cs_traffic *traffic, struct cs_arena *arena);
    void (*close)(struct cs_traffic *traffic);
    void (*wake)(struct cs_traffic *traffic, uint32_t number);
    /* NULL if a message that is there has always been left.  Else the receive
     * of one that has not been is there now: its sender goes on, by the path
     * that is returned. */
    struct cs_path (*release)(struct cs_traffic *traffic, uint32_t number);
    /* NULL if messages cannot wait for each other.  Nothing happens any more and
     * not all are there: writes the links of a circle, each of which waits for
     * room that is taken by what waits for the next one, at most
     * net->link_count, and returns how many; 0 if there is none. */
    uint32_t (*circle)(const struct cs_traffic *traffic, uint32_t *links);
    /* NULL if the net cannot change while messages are under way.  Else it is
     * about to be another one, with the same links: is message `number` lost, as it is
     * on its way over a link that is down in `next`?  Then it is forgotten, and
     * its events are taken out. */
    bool (*lose)(struct cs_traffic *traffic, uint32_t number,
                 const struct cs_net *next);
    /* traffic->net is the next one now: sets right what depends on rates, and
     * on what was lost of all messages. */
    void (*change)(struct cs_traffic *traffic, uint32_t messages);
};

#endif

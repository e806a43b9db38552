/*
 * Model `loggp`: LogGP, LogGPS and LogGOPS, as LogGOPSim runs them.
 *
 * The model ignores links.  A party has one processor, which sends, receives and
 * works in turn, and one port in each direction.  To send m bytes from time t on takes
 * a free processor and a free sending port:
 *
 *     processor   busy until t + o + (m-1) O
 *     port        busy until t + g + (m-1) G
 *     first byte  arrives at t + o + L
 *
 * To receive the message from time r on, at the arrival or later, takes the
 * receiver's processor and receiving port:
 *
 *     processor   busy until r + o + (m-1) max(G, O); then it is received
 *     port        busy until r + g + (m-1) G
 *
 * A message is received on arrival, even if its receive is not posted.  The send
 * of a message of up to S bytes ends with the work of the processor.  The send of
 * a longer message ends when the message is being received and its receive is
 * posted; the sender is busy until then, and learns of the end in no time.  A
 * message without bytes takes as long as one byte.
 *
 * Requests are served first come, first served: a message requests the processor
 * when sent, an op when the work before it begins, not when that work ends.  (So
 * a message in flight precedes the ops that follow the work.)
 *
 * Cost: two events a message and a few more for a message that waits: k
 * concurrent messages to one party take O(k log k).
 *
 * T. Hoefler, T. Schneider, A. Lumsdaine, LogGOPSim - simulating large-scale
 * applications in the LogGOPS model, LSAP 2010; github.com/spcl/LogGOPSim.
 */
#include "sim/models/params/loggp.h"

#include "sim/models/params/params.h"

#include <math.h>

struct loggp {
    struct cs_loggp_params is;
    uint64_t *sends_ps; /* party: when its sending port is free */
    uint64_t *takes_ps; /* party: when its receiving port is free */
    struct cs_queue queue;
};

/* How far a message is: its `hop`. */
enum {
    AT_SENDER,
    AT_RECEIVER,
};

const struct cs_loggp_params cs_loggp_typical = {
    .latency_ps = 2500000,
    .overhead_ps = 1500000,
    .gap_ps = 1000000,
    .gap_ps_per_byte = 6000,
    .overhead_ps_per_byte = 0,
    .eager_bytes = 65535,
};

static uint64_t loggp_later(uint64_t a_ps, uint64_t b_ps)
{
    return a_ps > b_ps ? a_ps : b_ps;
}

/* The time of a message whose first byte is free. */
static uint64_t loggp_span(uint64_t fixed_ps, double ps_per_byte, uint64_t bytes)
{
    if (bytes == 0)
        return fixed_ps;
    return cs_time_after(fixed_ps, cs_time_rounded((double)(bytes - 1) * ps_per_byte));
}

static double loggp_slower(const struct cs_loggp_params *is)
{
    return is->gap_ps_per_byte > is->overhead_ps_per_byte ? is->gap_ps_per_byte
                                                          : is->overhead_ps_per_byte;
}

static const struct cs_loggp_params *loggp_params_of(const struct cs_model_params *params)
{
    return params->loggp ? params->loggp : &cs_loggp_typical;
}

static void loggp_open(struct cs_traffic *traffic, struct cs_arena *arena)
{
    const struct cs_net *net = traffic->net;
    struct loggp *loggp = cs_arena_alloc(arena, 1, sizeof(*loggp));
    size_t each = sizeof(uint64_t);

    loggp->is = *loggp_params_of(cs_model_params_of(traffic));
    loggp->sends_ps = cs_arena_alloc(arena, net->party_count, each);
    loggp->takes_ps = cs_arena_alloc(arena, net->party_count, each);
    traffic->processor_ps = cs_arena_alloc(arena, net->party_count, each);
    traffic->queue = &loggp->queue;
    cs_queue_open(&loggp->queue, CS_LINE_KINDS * net->party_count, arena);
    traffic->model = loggp;
}

static void loggp_close(struct cs_traffic *traffic)
{
    cs_queue_close(traffic->queue);
}

/* When processor and port are free for the message. */
static uint64_t free_for(const struct cs_traffic *traffic, const struct cs_message *message)
{
    const struct loggp *loggp = traffic->model;

    return message->hop == AT_SENDER
               ? loggp_later(traffic->processor_ps[message->src], loggp->sends_ps[message->src])
               : loggp_later(traffic->processor_ps[message->dst], loggp->takes_ps[message->dst]);
}

static struct cs_delivery loggp_send(struct cs_traffic *traffic, uint32_t number)
{
    struct cs_message *message = &traffic->messages[number];

    message->sent_ps = cs_path_ps(&message->path);
    message->hop = AT_SENDER;
    cs_events_add(&traffic->events, loggp_later(free_for(traffic, message), traffic->events.now_ps),
                  CS_EVENT_MOVE, number);
    return (struct cs_delivery){0};
}

/* Processor and port are free: the message leaves. */
static struct cs_delivery loggp_leave(struct cs_traffic *traffic, uint32_t number)
{
    struct loggp *loggp = traffic->model;
    struct cs_message *message = &traffic->messages[number];
    const struct cs_loggp_params *is = &loggp->is;
    uint64_t now_ps = traffic->events.now_ps;
    uint64_t *processor_ps = &traffic->processor_ps[message->src];
    const struct cs_net_party *party = &traffic->net->parties[message->src];

    *processor_ps = cs_time_after(
        now_ps,
        cs_slowed_ps(party, loggp_span(is->overhead_ps, is->overhead_ps_per_byte, message->bytes)));
    loggp->sends_ps[message->src] = cs_time_after(
        now_ps, cs_slowed_ps(party, loggp_span(is->gap_ps, is->gap_ps_per_byte, message->bytes)));
    message->hop = AT_RECEIVER;
    message->wait_ps = now_ps - message->sent_ps;
    message->latency_ps = is->overhead_ps;
    message->head_ps =
        cs_time_after(now_ps, cs_time_after(cs_slowed_ps(party, is->overhead_ps), is->latency_ps));
    cs_events_add(&traffic->events, message->head_ps, CS_EVENT_MOVE, number);
    if (message->bytes > is->eager_bytes)
        return (struct cs_delivery){0};
    return (struct cs_delivery){CS_LEFT, *processor_ps};
}

/* Processor and port are free: the message is taken in. */
static struct cs_delivery loggp_take(struct cs_traffic *traffic, uint32_t number)
{
    struct loggp *loggp = traffic->model;
    struct cs_message *message = &traffic->messages[number];
    const struct cs_loggp_params *is = &loggp->is;
    uint64_t now_ps = traffic->events.now_ps;
    uint64_t *processor_ps = &traffic->processor_ps[message->dst];
    const struct cs_net_party *party = &traffic->net->parties[message->dst];

    *processor_ps = cs_time_after(
        now_ps, cs_slowed_ps(party, loggp_span(is->overhead_ps, loggp_slower(is), message->bytes)));
    loggp->takes_ps[message->dst] = cs_time_after(
        now_ps, cs_slowed_ps(party, loggp_span(is->gap_ps, is->gap_ps_per_byte, message->bytes)));
    message->wait_ps += now_ps - message->head_ps;
    message->latency_ps += is->latency_ps + is->overhead_ps;
    return (struct cs_delivery){CS_TAKEN, *processor_ps};
}

static struct cs_delivery loggp_move(struct cs_traffic *traffic, uint32_t number)
{
    struct cs_message *message = &traffic->messages[number];
    struct cs_message requested = *message;
    bool leaves = requested.hop == AT_SENDER;
    struct cs_line *line = cs_traffic_line(traffic, leaves ? requested.src : requested.dst,
                                           leaves ? CS_LINE_SEND : CS_LINE_TAKE);
    uint64_t free_ps = free_for(traffic, message);
    struct cs_delivery delivery;

    if (free_ps > traffic->events.now_ps) {
        cs_queue_wait(line, &traffic->events,
                      (struct cs_event){.at_ps = free_ps, .kind = CS_EVENT_MOVE, .number = number});
        return (struct cs_delivery){0};
    }
    delivery = leaves ? loggp_leave(traffic, number) : loggp_take(traffic, number);
    cs_queue_taken(line, &traffic->events, CS_EVENT_MOVE, free_for(traffic, &requested));
    return delivery;
}

static struct cs_path loggp_release(struct cs_traffic *traffic, uint32_t number)
{
    struct loggp *loggp = traffic->model;
    const struct cs_message *message = &traffic->messages[number];
    uint64_t now_ps = traffic->events.now_ps;
    uint64_t *processor_ps = &traffic->processor_ps[message->src];
    uint64_t *port_ps = &loggp->sends_ps[message->src];
    struct cs_path path = message->path;

    *processor_ps = loggp_later(*processor_ps, now_ps);
    *port_ps = loggp_later(*port_ps, now_ps);
    path.latency_ps += loggp->is.overhead_ps + loggp->is.latency_ps;
    path.wait_ps += now_ps - cs_path_ps(&path);
    return path;
}

/* ---- bounds ---- */

struct cs_model_line cs_loggp_line(const struct cs_loggp_params *loggp)
{
    double ps_per_byte = loggp_slower(loggp);

    return (struct cs_model_line){
        2 * (double)loggp->overhead_ps + (double)loggp->latency_ps - ps_per_byte, ps_per_byte};
}

/* The least time a byte between two sends, over all sizes m: the higher of two
 * lines counts, so the least is at one byte, at infinity or where the lines
 * cross. */
static double least_send_ps(const struct cs_loggp_params *is)
{
    double o = (double)is->overhead_ps;
    double g = (double)is->gap_ps;
    double least = o > g ? o : g;
    double steeper = is->gap_ps_per_byte - is->overhead_ps_per_byte;
    double crossing = steeper == 0 ? 1 : 1 + (o - g) / steeper;

    if (loggp_slower(is) < least)
        least = loggp_slower(is);
    if (crossing > 1) {
        double at = (o + (crossing - 1) * is->overhead_ps_per_byte) / crossing;

        if (at < least)
            least = at;
    }
    return least;
}

static struct cs_net_link loggp_link_of(double ps_per_byte, uint64_t latency_ps)
{
    return (struct cs_net_link){.ps_per_byte = ps_per_byte,
                                .rate_Bps = ps_per_byte > 0 ? 1e12 / ps_per_byte : (double)INFINITY,
                                .latency_ps = latency_ps};
}

void cs_loggp_bound_net(const struct cs_net *net, const struct cs_loggp_params *loggp,
                        struct cs_net *bound, struct cs_arena *arena)
{
    double o = (double)loggp->overhead_ps;
    uint64_t both_ps = loggp->overhead_ps + loggp->latency_ps;
    uint64_t more_ps = loggp->gap_ps > loggp->overhead_ps ? loggp->gap_ps - loggp->overhead_ps : 0;
    struct cs_net_link in =
        loggp_link_of(o < loggp_slower(loggp) ? o : loggp_slower(loggp), loggp->overhead_ps);
    struct cs_net_link out =
        loggp_link_of(least_send_ps(loggp), both_ps > more_ps ? both_ps - more_ps : 0);

    *bound = (struct cs_net){
        .parties = net->parties,
        .party_count = net->party_count,
        .node_count = net->node_count + 1,
        .links = cs_arena_alloc(arena, 2 * (size_t)net->party_count, sizeof(*bound->links)),
        .link_count = 2 * net->party_count,
        .resource_count = 2 * net->party_count,
    };
    for (uint32_t i = 0; i < net->party_count; i++) {
        in.to = out.from = net->parties[i].node;
        in.from = out.to = net->node_count;
        in.resource = 2 * i;
        out.resource = 2 * i + 1;
        bound->links[in.resource] = in;
        bound->links[out.resource] = out;
    }
}

/* ---- the model ---- */

static struct cs_model_line loggp_line(const struct cs_model_params *params)
{
    return cs_loggp_line(loggp_params_of(params));
}

static void loggp_bound_net(const struct cs_net *net, const struct cs_model_params *params,
                            struct cs_net *bound, struct cs_arena *arena)
{
    cs_loggp_bound_net(net, loggp_params_of(params), bound, arena);
}

static const char *const loggp_parameters[] = {"loggp", NULL};

const struct cs_link_model cs_link_model_loggp = {
    .name = "loggp",
    .about = "LogGP, LogGPS, LogGOPS: parties have processors; no links",
    .ports_only = true,
    .ignores_links = true,
    .parameters = loggp_parameters,
    .line = loggp_line,
    .bound_net = loggp_bound_net,
    .bound_why = "the parameters of --loggp; the model has no links",
    .send = loggp_send,
    .move = loggp_move,
    .open = loggp_open,
    .close = loggp_close,
    .release = loggp_release,
};

/*
 * Model `fluid`: messages are flows that share the links max-min fairly.
 *
 * A message first pays the latencies of its route.  Then its bytes flow over
 * all links at once, at the rate that max-min fairness gives it among all that
 * flow at that time (maxmin.h), and it is delivered when they are through.
 * Alone it takes latency + bytes / slowest link, and whatever it takes longer is
 * waiting.  A message without bytes takes the latency.  Links of one server
 * share it (half duplex, bus); links that are free do not count.  Nor does any
 * flow go faster than the net's cap, if it has one.  Of messages in turn
 * (program.h) from one party to another one flows at a time.
 *
 * Flows start and end at whole picoseconds: an end is rounded up, so that flows
 * that end within one end together, the oldest message
 * first.  All that starts or ends at one picosecond is taken together: rates are
 * solved when nothing else is left to happen at that time.
 *
 * Flows that are held by one server (maxmin.h) go at one rate, so they end in
 * the order of `served + left`, where `served` is what each of them would have
 * got since the server began to hold flows: a change of rate changes one number.
 * A completion time is late by up to a picosecond, by as much again for every
 * flow that it shared a link with, and by 2^-52 of its length for every change
 * of its rate.
 *
 * Models `simgrid` (LV08, what SimGrid takes where nothing else is said) and
 * `simgrid-cm02` are this with corrections.  Latencies and rates have factors,
 * and no flow goes faster than gamma / (2 x latency), a TCP window a round trip.
 * Flows share a link not alike but inversely to their latency plus S / rate of
 * each link.  And acknowledgements take 5 % of a flow's rate of the way back
 * (cross traffic).  Not modelled: its loopback and Wi-Fi links, SMPI's factors by
 * size.
 * H. Casanova and L. Marchal, LIP RR2002-40; P. Velho and A. Legrand, SIMUTools
 * 2009; simgrid@12a63c78, docs/source/Models.rst and network_cm02.cpp.
 *
 * Cost: O(hops) a message, three events or less, while its links have room for
 * it; else what solving costs, and O(log flows) for each end and each flow whose
 * holder changes.  Memory O(live flows x hops), kept.
 */
#include "sim/engine/model.h"
#include "sim/engine/order.h"
#include "sim/models/fluid/maxmin.h"
#include "sim/models/params.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

struct factors {
    double latency;
    double rate;
    double weight_bytes; /* S */
    double back;         /* of the rate, on the way back */
    double window_bytes; /* gamma; 0: none */
};

static const struct factors plain = {.latency = 1, .rate = 1};
static const struct factors lv08 = {13.01, 0.97, 20537, 0.05, 4194304};
static const struct factors cm02 = {1, 1, 0, 0.05, 4194304};

/* A message's bytes under way, numbered as the message. */
struct fluid_flow {
    double left_bytes; /* at since_ps; of a flow that is held, see there */
    double rate_Bps;   /* from then on; 0: not known yet */
    double scale;      /* of the rates that are shared, to it */
    uint64_t since_ps;
    uint64_t start_ps;
    uint64_t age;    /* of the message: those sent before */
    uint32_t holder; /* in whose heap it is, or CS_MAXMIN_FREE */
    bool flows;      /* latencies are paid and bytes are left */
    bool takes_turn; /* among those in turn to its destination */
    bool queues;     /* it is not its turn yet */
    bool is_ready;   /* and its latencies are paid */
};

/* Flows that one server holds back, or one limit. */
struct holder {
    double served_bytes; /* to each, over its scale, at since_ps */
    double rate_Bps;     /* of each, over its scale, from then on */
    uint64_t since_ps;
    struct cs_heap ends; /* by served_bytes at the end; `place` is shared */
    uint32_t room;
    bool touched;
};

struct fluid {
    const struct factors *factors;
    double flow_cap_Bps; /* 0: no limit */
    struct cs_maxmin maxmin;
    double *capacity_Bps;       /* server */
    struct cs_maxmin_use *uses; /* room for a route and one back */
    uint32_t *back;             /* room for a route */
    struct cs_order order;      /* of messages in turn */
    struct fluid_flow *flows;
    uint32_t flow_room;
    struct cs_heap ends; /* free flows, by the time of their end */
    struct holder *holders;
    struct cs_heap holder_ends; /* holders, by the time of their first end */
    uint32_t *touched;          /* holders */
    uint32_t holder_count, touched_count;
    struct cs_heap through; /* flows that end now, by age */
    uint64_t sent;
    uint64_t *wakes_ps; /* ENDS events that are to come, the next one last */
    uint32_t wake_count, wake_room;
    bool solve_is_due;
};

/* Numbers of the model's own events. */
enum {
    ENDS,
    SOLVE,
};

#define PS_PER_S 1e12

/* ---- state ---- */

/* A server is as fast as the fastest of its links; a slower link takes more of
 * it. */
static void find_capacities(struct fluid *fluid, const struct cs_net *net)
{
    uint32_t i;

    memset(fluid->capacity_Bps, 0, net->resource_count * sizeof(double));
    for (i = 0; i < net->link_count; i++) {
        const struct cs_net_link *link = &net->links[i];

        if (link->ps_per_byte > 0 &&
            link->rate_Bps > fluid->capacity_Bps[link->resource])
            fluid->capacity_Bps[link->resource] = link->rate_Bps;
    }
}

static void open_with(struct cs_traffic *traffic, struct cs_arena *arena,
                      const struct factors *factors)
{
    const struct cs_net *net = traffic->net;
    struct fluid *fluid = cs_arena_alloc(arena, 1, sizeof(*fluid));

    fluid->capacity_Bps =
        cs_arena_alloc(arena, net->resource_count, sizeof(double));
    fluid->factors = factors;
    fluid->flow_cap_Bps = cs_model_params_of(traffic)->fluid.flow_cap_Bps;
    fluid->uses =
        cs_arena_alloc(arena, 2 * (size_t)net->max_hops, sizeof(*fluid->uses));
    fluid->back = cs_arena_alloc(arena, net->max_hops, sizeof(uint32_t));
    find_capacities(fluid, net);
    cs_maxmin_open(&fluid->maxmin, fluid->capacity_Bps, net->resource_count);
    traffic->model = fluid;
}

static void fluid_open(struct cs_traffic *traffic, struct cs_arena *arena)
{
    open_with(traffic, arena, &plain);
}

static void lv08_open(struct cs_traffic *traffic, struct cs_arena *arena)
{
    open_with(traffic, arena, &lv08);
}

static void cm02_open(struct cs_traffic *traffic, struct cs_arena *arena)
{
    open_with(traffic, arena, &cm02);
}

static void fluid_close(struct cs_traffic *traffic)
{
    struct fluid *fluid = traffic->model;
    uint32_t i;

    cs_maxmin_free(&fluid->maxmin);
    cs_order_free(&fluid->order);
    for (i = 0; i < fluid->holder_count; i++)
        free(fluid->holders[i].ends.items);
    free(fluid->holders);
    free(fluid->holder_ends.items);
    free(fluid->holder_ends.place);
    free(fluid->touched);
    free(fluid->through.items);
    free(fluid->flows);
    free(fluid->ends.items);
    free(fluid->ends.place);
    free(fluid->wakes_ps);
}

static void fluid_make_room(struct fluid *fluid, uint32_t number)
{
    uint32_t room = fluid->flow_room ? fluid->flow_room : 64;
    uint32_t i;

    if (number < fluid->flow_room)
        return;
    while (room <= number)
        room *= 2;
    fluid->flows = cs_grow(fluid->flows, room, sizeof(*fluid->flows));
    fluid->ends.items =
        cs_grow(fluid->ends.items, room, sizeof(*fluid->ends.items));
    fluid->ends.place =
        cs_grow(fluid->ends.place, room, sizeof(*fluid->ends.place));
    for (i = fluid->flow_room; i < room; i++)
        fluid->ends.place[i] = CS_HEAP_NOWHERE;
    for (i = fluid->flow_room; i < room; i++)
        fluid->flows[i].flows = false;
    fluid->through.items =
        cs_grow(fluid->through.items, room, sizeof(*fluid->through.items));
    fluid->flow_room = room;
}

static void make_holders(struct fluid *fluid, uint32_t count)
{
    uint32_t i = fluid->holder_count;

    if (count <= i)
        return;
    fluid->holders = cs_grow(fluid->holders, count, sizeof(*fluid->holders));
    fluid->touched = cs_grow(fluid->touched, count, sizeof(uint32_t));
    fluid->holder_ends.items =
        cs_grow(fluid->holder_ends.items, count, sizeof(struct cs_heap_item));
    fluid->holder_ends.place =
        cs_grow(fluid->holder_ends.place, count, sizeof(uint32_t));
    for (; i < count; i++) {
        fluid->holders[i] = (struct holder){0};
        fluid->holder_ends.place[i] = CS_HEAP_NOWHERE;
    }
    fluid->holder_count = count;
}

/* ---- events of the model ---- */

static uint64_t top_ps(const struct cs_heap *ends)
{
    return ends->count ? ends->items[0].key : UINT64_MAX;
}

static uint64_t next_end_ps(const struct fluid *fluid)
{
    uint64_t free_ps = top_ps(&fluid->ends);
    uint64_t held_ps = top_ps(&fluid->holder_ends);

    return free_ps < held_ps ? free_ps : held_ps;
}

/* Sees to it that there is an event for the next end.  An event for a later
 * end stays; when it fires and nothing ends, no harm is done. */
static void plan_wake(struct cs_traffic *traffic, struct fluid *fluid)
{
    uint64_t next_ps;

    next_ps = next_end_ps(fluid);
    if (next_ps == UINT64_MAX)
        return;
    if (fluid->wake_count && fluid->wakes_ps[fluid->wake_count - 1] <= next_ps)
        return;
    if (fluid->wake_count == fluid->wake_room) {
        fluid->wake_room = fluid->wake_room ? 2 * fluid->wake_room : 16;
        fluid->wakes_ps =
            cs_grow(fluid->wakes_ps, fluid->wake_room, sizeof(uint64_t));
    }
    fluid->wakes_ps[fluid->wake_count++] = next_ps;
    cs_events_add(&traffic->events, next_ps, CS_EVENT_MODEL, ENDS);
}

static void plan_solve(struct cs_traffic *traffic, struct fluid *fluid)
{
    if (fluid->solve_is_due || !cs_maxmin_stale(&fluid->maxmin))
        return;
    fluid->solve_is_due = true;
    cs_events_add(&traffic->events, traffic->events.now_ps, CS_EVENT_MODEL,
                  SOLVE);
}

/* ---- flows ---- */

/* How long `bytes` take at that rate, as serve.h reckons it. */
static uint64_t fluid_take_ps(double bytes, double rate_Bps)
{
    return cs_time_up(bytes * (PS_PER_S / rate_Bps));
}

static uint64_t end_ps(const struct fluid_flow *flow)
{
    return cs_time_after(flow->since_ps,
                         fluid_take_ps(flow->left_bytes, flow->rate_Bps));
}

static struct cs_heap_item fluid_end_of(const struct fluid *fluid,
                                        uint32_t number)
{
    const struct fluid_flow *flow = &fluid->flows[number];

    return (struct cs_heap_item){
        .key = end_ps(flow), .tie = flow->age, .number = number};
}

/* Links of a way, of which `share` times its rate is used. */
struct fluid_route {
    const uint32_t *links;
    uint32_t hops;
    double share;
};

/* Appends them to the `count` uses so far; returns how many there are. */
static uint32_t add_uses(struct fluid *fluid, const struct cs_net *net,
                         struct fluid_route route, uint32_t count)
{
    uint32_t i;

    for (i = 0; i < route.hops; i++) {
        const struct cs_net_link *link = &net->links[route.links[i]];

        if (link->ps_per_byte > 0)
            fluid->uses[count++] = (struct cs_maxmin_use){
                link->resource, fluid->capacity_Bps[link->resource] /
                                    link->rate_Bps * route.share};
    }
    return count;
}

/* How flows share: the higher, the less it gets.  And what limits it. */
struct sharing {
    double penalty_s;
    double limit_Bps;
};

static struct sharing sharing_of(const struct cs_net *net,
                                 const struct fluid *fluid,
                                 struct fluid_route route)
{
    const struct factors *factors = fluid->factors;
    struct sharing sharing = {1, (double)INFINITY};
    double latency_s = 0;
    double weight_s = 0;
    uint32_t i;

    if (fluid->flow_cap_Bps > 0)
        sharing.limit_Bps = fluid->flow_cap_Bps;
    if (factors == &plain)
        return sharing;
    for (i = 0; i < route.hops; i++) {
        const struct cs_net_link *link = &net->links[route.links[i]];

        latency_s += (double)link->latency_ps / PS_PER_S;
        if (link->ps_per_byte > 0)
            weight_s += factors->weight_bytes / link->rate_Bps;
    }
    if (latency_s > 0)
        sharing = (struct sharing){latency_s + weight_s,
                                   factors->window_bytes / (2 * latency_s)};
    return sharing;
}

/* Rates are shared in units of 1 / penalty, so that equal shares are fair. */
static double fluid_share(struct cs_traffic *traffic, uint32_t number)
{
    struct fluid *fluid = traffic->model;
    const struct cs_net *net = traffic->net;
    const struct cs_message *message = &traffic->messages[number];
    struct fluid_route route = {cs_traffic_route(traffic, number),
                                message->hops, 1};
    struct sharing sharing = sharing_of(net, fluid, route);
    uint32_t count;

    route.share = 1 / sharing.penalty_s;
    count = add_uses(fluid, net, route, 0);
    if (fluid->factors->back > 0) {
        route.links = fluid->back;
        route.hops =
            net->route(net->route_ctx, message->dst, message->src, fluid->back);
        route.share *= fluid->factors->back;
        count = add_uses(fluid, net, route, count);
    }
    fluid->flows[number].scale = fluid->factors->rate / sharing.penalty_s;
    return cs_maxmin_add(&fluid->maxmin, number, fluid->uses, count,
                         sharing.limit_Bps * sharing.penalty_s) *
           fluid->flows[number].scale;
}

/* What is left of the flow begins to share. */
static void fluid_join(struct cs_traffic *traffic, uint32_t number)
{
    struct fluid *fluid = traffic->model;
    struct fluid_flow *flow = &fluid->flows[number];

    flow->holder = CS_MAXMIN_FREE;
    flow->since_ps = traffic->events.now_ps;
    flow->rate_Bps = fluid_share(traffic, number);
    if (flow->rate_Bps > 0) {
        cs_heap_add(&fluid->ends, fluid_end_of(fluid, number));
        plan_wake(traffic, fluid);
    }
    plan_solve(traffic, fluid);
}

/* The latencies are paid, and it is its turn: the bytes start to flow. */
static void flow_on(struct cs_traffic *traffic, uint32_t number)
{
    struct fluid *fluid = traffic->model;

    fluid->flows[number].flows = true;
    fluid_join(traffic, number);
}

/* The latencies are paid. */
static void fluid_start(struct cs_traffic *traffic, uint32_t number)
{
    struct fluid *fluid = traffic->model;
    struct fluid_flow *flow = &fluid->flows[number];

    flow->left_bytes = (double)traffic->messages[number].bytes;
    flow->start_ps = traffic->events.now_ps;
    flow->is_ready = true;
    if (!flow->queues)
        flow_on(traffic, number);
}

/* ---- turns ---- */

static void take_turn(struct cs_traffic *traffic, uint32_t number)
{
    struct fluid *fluid = traffic->model;
    const struct cs_message *message = &traffic->messages[number];
    struct cs_order_key key = {message->src, message->to, 0};

    fluid->flows[number].takes_turn = true;
    fluid->flows[number].queues =
        cs_order_begin(&fluid->order, key, number) != CS_ORDER_NONE;
}

/* It is the turn of `number`, or of nobody. */
static void give_turn(struct cs_traffic *traffic, uint32_t number)
{
    struct fluid *fluid = traffic->model;

    if (number == CS_ORDER_NONE)
        return;
    fluid->flows[number].queues = false;
    if (fluid->flows[number].is_ready)
        flow_on(traffic, number);
}

/* ---- ends of flows ---- */

/* The bytes are through, now. */
static void fluid_finish(struct cs_traffic *traffic, uint32_t number)
{
    struct fluid *fluid = traffic->model;
    struct cs_message *message = &traffic->messages[number];
    uint64_t took_ps = traffic->events.now_ps - fluid->flows[number].start_ps;
    uint64_t alone_ps = fluid_take_ps(
        (double)message->bytes, cs_maxmin_limit_Bps(&fluid->maxmin, number) *
                                    fluid->flows[number].scale);

    cs_maxmin_remove(&fluid->maxmin, number);
    fluid->flows[number].flows = false;
    message->wait_ps = took_ps > alone_ps ? took_ps - alone_ps : 0;
    if (fluid->flows[number].takes_turn)
        give_turn(traffic, cs_order_end(&fluid->order, number));
    cs_events_add(&traffic->events, traffic->events.now_ps, CS_EVENT_DELIVER,
                  number);
}

/* ---- flows that are held ---- */

/* What is left of the first flow to end. */
static double first_left(const struct holder *holder)
{
    return fmax(
        cs_heap_number(holder->ends.items[0].key) - holder->served_bytes, 0);
}

static uint64_t first_end_ps(const struct holder *holder)
{
    return cs_time_after(holder->since_ps,
                         fluid_take_ps(first_left(holder), holder->rate_Bps));
}

/* Brings the holder up to date, before anything about it changes. */
static struct holder *fluid_touch(struct fluid *fluid, uint32_t id,
                                  uint64_t now_ps)
{
    struct holder *holder = &fluid->holders[id];

    if (holder->ends.count == 0)
        holder->served_bytes = 0;
    else
        holder->served_bytes +=
            holder->rate_Bps * ((double)(now_ps - holder->since_ps) / PS_PER_S);
    holder->since_ps = now_ps;
    if (!holder->touched)
        fluid->touched[fluid->touched_count++] = id;
    holder->touched = true;
    return holder;
}

/* Plans the first ends of all holders that were touched. */
static void plan_ends(struct fluid *fluid)
{
    struct cs_heap *ends = &fluid->holder_ends;
    uint32_t i;

    for (i = 0; i < fluid->touched_count; i++) {
        uint32_t id = fluid->touched[i];
        struct holder *holder = &fluid->holders[id];
        uint32_t at = ends->place[id];

        holder->touched = false;
        holder->rate_Bps = cs_maxmin_level_Bps(&fluid->maxmin, id);
        if (holder->ends.count == 0) {
            if (at != CS_HEAP_NOWHERE)
                cs_heap_remove(ends, at);
        } else if (at == CS_HEAP_NOWHERE) {
            cs_heap_add(ends, (struct cs_heap_item){.key = first_end_ps(holder),
                                                    .tie = id,
                                                    .number = id});
        } else {
            cs_heap_change(ends, at, first_end_ps(holder));
        }
    }
    fluid->touched_count = 0;
}

/* Takes the flow out of the heap it is in; what is left of it is right then. */
static void fluid_let_go(struct fluid *fluid, uint32_t number, uint64_t now_ps)
{
    struct fluid_flow *flow = &fluid->flows[number];
    uint32_t at = fluid->ends.place[number];

    if (flow->holder != CS_MAXMIN_FREE) {
        struct holder *holder = fluid_touch(fluid, flow->holder, now_ps);

        flow->left_bytes = (cs_heap_number(holder->ends.items[at].key) -
                            holder->served_bytes) *
                           flow->scale;
        holder->ends.place = fluid->ends.place;
        cs_heap_remove(&holder->ends, at);
    } else if (at != CS_HEAP_NOWHERE) {
        flow->left_bytes -=
            flow->rate_Bps * ((double)(now_ps - flow->since_ps) / PS_PER_S);
        cs_heap_remove(&fluid->ends, at);
    }
    flow->left_bytes = fmax(flow->left_bytes, 0);
    flow->since_ps = now_ps;
}

static void enter_heap(struct fluid *fluid, uint32_t id, uint32_t number,
                       uint64_t now_ps)
{
    struct fluid_flow *flow = &fluid->flows[number];
    struct holder *holder = fluid_touch(fluid, id, now_ps);

    if (holder->ends.count == holder->room) {
        holder->room = holder->room ? 2 * holder->room : 16;
        holder->ends.items = cs_grow(holder->ends.items, holder->room,
                                     sizeof(*holder->ends.items));
    }
    holder->ends.place = fluid->ends.place;
    cs_heap_add(&holder->ends,
                (struct cs_heap_item){
                    .key = cs_heap_key(holder->served_bytes +
                                       flow->left_bytes / flow->scale),
                    .tie = flow->age,
                    .number = number});
}

/* The flow's holder is another, or it is free. */
static void move_flow(struct fluid *fluid, uint32_t number, uint64_t now_ps)
{
    struct fluid_flow *flow = &fluid->flows[number];

    fluid_let_go(fluid, number, now_ps);
    flow->holder = cs_maxmin_holder(&fluid->maxmin, number);
    if (flow->holder != CS_MAXMIN_FREE) {
        enter_heap(fluid, flow->holder, number, now_ps);
        return;
    }
    flow->rate_Bps = cs_maxmin_rate_Bps(&fluid->maxmin, number) * flow->scale;
    cs_heap_add(&fluid->ends, fluid_end_of(fluid, number));
}

/* ---- ends ---- */

/* Flows of a holder that are through now. */
static void collect_held(struct fluid *fluid, uint32_t id, uint64_t now_ps)
{
    struct holder *holder = fluid_touch(fluid, id, now_ps);
    struct cs_heap *ends = &holder->ends;

    ends->place = fluid->ends.place;
    while (ends->count && first_end_ps(holder) <= now_ps) {
        struct cs_heap_item item = ends->items[0];

        cs_heap_remove(ends, 0);
        cs_heap_add(
            &fluid->through,
            (struct cs_heap_item){.key = item.tie, .number = item.number});
    }
    cs_heap_remove(&fluid->holder_ends, 0);
}

/* Takes out the oldest flow that is through now, if there is one. */
static bool next_through(struct fluid *fluid, uint64_t now_ps, uint32_t *number)
{
    struct cs_heap *ends = &fluid->ends;
    struct cs_heap *through = &fluid->through;
    struct cs_heap *from = through;

    if (top_ps(ends) <= now_ps &&
        (!through->count || ends->items[0].tie < through->items[0].key))
        from = ends;
    if (!from->count)
        return false;
    *number = from->items[0].number;
    cs_heap_remove(from, 0);
    return true;
}

static void finish_all(struct cs_traffic *traffic)
{
    struct fluid *fluid = traffic->model;
    uint64_t now_ps = traffic->events.now_ps;
    uint32_t number;

    assert(fluid->wake_count &&
           fluid->wakes_ps[fluid->wake_count - 1] == now_ps);
    fluid->wake_count--;
    while (top_ps(&fluid->holder_ends) <= now_ps)
        collect_held(fluid, fluid->holder_ends.items[0].number, now_ps);
    while (next_through(fluid, now_ps, &number))
        fluid_finish(traffic, number);
    plan_ends(fluid);
    plan_wake(traffic, fluid);
    plan_solve(traffic, fluid);
}

static void fluid_solve(struct cs_traffic *traffic)
{
    struct fluid *fluid = traffic->model;
    struct cs_maxmin *maxmin = &fluid->maxmin;
    uint64_t now_ps = traffic->events.now_ps;
    uint32_t i;

    if (cs_events_next_ps(&traffic->events) == now_ps) {
        cs_events_add(&traffic->events, now_ps, CS_EVENT_MODEL, SOLVE);
        return;
    }
    fluid->solve_is_due = false;
    if (!cs_maxmin_solve(maxmin)) {
        traffic->failure = "max-min fair rates do not settle";
        return;
    }
    make_holders(fluid, maxmin->holder_count);
    for (i = 0; i < maxmin->moved_count; i++)
        move_flow(fluid, maxmin->moved[i], now_ps);
    for (i = 0; i < maxmin->changed_count; i++)
        fluid_touch(fluid, maxmin->changed[i], now_ps);
    plan_ends(fluid);
    plan_wake(traffic, fluid);
}

/* ---- the model ---- */

static struct cs_delivery fluid_send(struct cs_traffic *traffic,
                                     uint32_t number)
{
    struct fluid *fluid = traffic->model;
    struct cs_message *message = &traffic->messages[number];
    const uint32_t *route = cs_traffic_route(traffic, number);
    uint64_t start_ps;
    bool takes_time = fluid->flow_cap_Bps > 0;
    uint32_t i;

    fluid_make_room(fluid, number);
    fluid->flows[number].age = fluid->sent++;
    fluid->flows[number].takes_turn = fluid->flows[number].queues =
        fluid->flows[number].is_ready = false;
    for (i = 0; i < message->hops; i++) {
        const struct cs_net_link *link = &traffic->net->links[route[i]];
        struct cs_link_use *use = &traffic->use[route[i]];

        use->busy_ps += cs_time_up((double)message->bytes * link->ps_per_byte);
        use->bytes += message->bytes;
        use->messages++;
        message->latency_ps += link->latency_ps;
        takes_time = takes_time || link->ps_per_byte > 0;
    }
    if (fluid->factors != &plain)
        message->latency_ps = cs_time_rounded((double)message->latency_ps *
                                              fluid->factors->latency);
    start_ps = cs_time_after(message->sent_ps, message->latency_ps);
    if (message->bytes == 0 || !takes_time)
        return (struct cs_delivery){CS_ARRIVES, start_ps};
    if (message->in_order && fluid->factors == &plain) /* peers have no turns */
        take_turn(traffic, number);
    if (start_ps == message->sent_ps)
        fluid_start(traffic, number);
    else
        cs_events_add(&traffic->events, start_ps, CS_EVENT_MOVE, number);
    return (struct cs_delivery){0};
}

static struct cs_delivery fluid_move(struct cs_traffic *traffic,
                                     uint32_t number)
{
    fluid_start(traffic, number);
    return (struct cs_delivery){0};
}

static void fluid_wake(struct cs_traffic *traffic, uint32_t number)
{
    if (number == SOLVE)
        fluid_solve(traffic);
    else
        finish_all(traffic);
}

/* ---- changes of the net ---- */

static void fluid_leave(struct cs_traffic *traffic, uint32_t number)
{
    struct fluid *fluid = traffic->model;

    fluid_let_go(fluid, number, traffic->events.now_ps);
    cs_maxmin_remove(&fluid->maxmin, number);
}

static bool fluid_lose(struct cs_traffic *traffic, uint32_t number,
                       const struct cs_net *next)
{
    struct fluid *fluid = traffic->model;
    const uint32_t *route = cs_traffic_route(traffic, number);
    uint32_t hops = traffic->messages[number].hops;
    uint32_t i = 0;

    while (i < hops && !next->links[route[i]].down)
        i++;
    if (i == hops)
        return false;
    if (fluid->flows[number].flows)
        fluid_leave(traffic, number);
    fluid->flows[number].flows = false;
    if (fluid->flows[number].takes_turn)
        give_turn(traffic, cs_order_leave(&fluid->order, number));
    cs_traffic_uncount(traffic, number, hops);
    return true;
}

/* All that flows leaves, and what is left of it joins again. */
static void fluid_change(struct cs_traffic *traffic, uint32_t messages)
{
    struct fluid *fluid = traffic->model;
    uint32_t i;

    if (messages > fluid->flow_room) /* the others were never sent */
        messages = fluid->flow_room;
    for (i = 0; i < messages; i++)
        if (fluid->flows[i].flows)
            fluid_leave(traffic, i);
    find_capacities(fluid, traffic->net);
    for (i = 0; i < traffic->net->resource_count; i++)
        cs_maxmin_resize(&fluid->maxmin, i, fluid->capacity_Bps[i]);
    for (i = 0; i < messages; i++)
        if (fluid->flows[i].flows)
            fluid_join(traffic, i);
    plan_ends(fluid);
    plan_wake(traffic, fluid);
    plan_solve(traffic, fluid);
}

static const char *const fluid_parameters[] = {"flow-cap", NULL};

const struct cs_link_model cs_link_model_fluid = {
    .name = "fluid",
    .about = "messages flow and share every link max-min fairly",
    .op_cost = 3,
    .parameters = fluid_parameters,
    .send = fluid_send,
    .move = fluid_move,
    .open = fluid_open,
    .close = fluid_close,
    .wake = fluid_wake,
    .lose = fluid_lose,
    .change = fluid_change,
};

const struct cs_link_model cs_link_model_simgrid = {
    .name = "simgrid",
    .about = "SimGrid's LV08: fluid with factors, windows, cross traffic",
    .is_compat = true,
    .send = fluid_send,
    .move = fluid_move,
    .open = lv08_open,
    .close = fluid_close,
    .wake = fluid_wake,
};

const struct cs_link_model cs_link_model_simgrid_cm02 = {
    .name = "simgrid-cm02",
    .about = "SimGrid's CM02: fluid with windows and cross traffic",
    .is_compat = true,
    .send = fluid_send,
    .move = fluid_move,
    .open = cm02_open,
    .close = fluid_close,
    .wake = fluid_wake,
};

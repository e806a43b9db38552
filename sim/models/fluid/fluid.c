/*
 * Model `fluid`: messages are flows on links shared max-min fairly.
 *
 * A message first pays the latencies of the route. Then the bytes flow over the
 * links at once, at the max-min fair rate among concurrent flows (maxmin.h),
 * and the message is delivered with the last byte. A message alone takes
 * latency + bytes / slowest link, and a longer time is waiting, behind messages
 * of the sender (own_wait.h) or of further senders.  A message without bytes
 * takes the latency. Links of a resource share the resource (half duplex, bus);
 * links of infinite rate do not count.  No flow exceeds the parameter
 * flow_cap_Bps.  Messages marked to leave in order (program.h) from party to
 * party flow singly.
 *
 * Flows start and end at whole picoseconds: an end is rounded up, so that flows
 * with an end within a picosecond end together, the oldest message first.
 * Starts and ends of a picosecond are taken together: rates are solved when no
 * further event is left at the time.
 *
 * A completion time is late by up to a picosecond, by as much again for every
 * flow with a common link, and by 2^-52 of the length for every change of the
 * rate.
 *
 * Cost: O(hops) a message, three events or less, while the links are
 * unsaturated; else the cost of solving, and O(log flows) for each end and each
 * flow with a new holder.  Memory O(live flows x hops), kept.
 */
#include "sim/models/fluid/fluid.h"

#include "sim/models/fluid/state.h"
#include "sim/models/params/params.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Numbers of the model's events. */
enum {
    FLUID_ENDS,
    FLUID_SOLVE,
};

/* ---- state ---- */

/* The capacity of a resource is the rate of the fastest link; slower links use
 * a larger share of the capacity. */
static void fluid_capacities(struct fluid *fluid, const struct cs_net *net)
{
    memset(fluid->capacity_Bps, 0, net->resource_count * sizeof(double));
    for (uint32_t i = 0; i < net->link_count; i++) {
        const struct cs_net_link *link = &net->links[i];

        if (link->ps_per_byte > 0 && link->rate_Bps > fluid->capacity_Bps[link->resource])
            fluid->capacity_Bps[link->resource] = link->rate_Bps;
    }
}

void cs_fluid_open(struct cs_traffic *traffic, struct cs_arena *arena,
                   const struct cs_fluid_factors *factors)
{
    const struct cs_net *net = traffic->net;
    struct fluid *fluid = cs_arena_alloc(arena, 1, sizeof(*fluid));

    fluid->capacity_Bps = cs_arena_alloc(arena, net->resource_count, sizeof(double));
    fluid->users = cs_arena_alloc(arena, net->resource_count, sizeof(*fluid->users));
    fluid->factors = factors;
    fluid->flow_cap_Bps = cs_model_params_of(traffic)->fluid.flow_cap_Bps;
    fluid->uses = cs_arena_alloc(arena, 2 * (size_t)net->max_hops, sizeof(*fluid->uses));
    fluid->back = cs_arena_alloc(arena, net->max_hops, sizeof(uint32_t));
    fluid_capacities(fluid, net);
    cs_maxmin_open(&fluid->maxmin, fluid->capacity_Bps, net->resource_count);
    traffic->model = fluid;
}

void cs_fluid_close(struct cs_traffic *traffic)
{
    struct fluid *fluid = traffic->model;

    cs_maxmin_free(&fluid->maxmin);
    cs_order_free(&fluid->order);
    cs_ends_free(fluid);
    free(fluid->flows);
    free(fluid->wakes.at_ps);
}

/* ---- events of the model ---- */

/* Ensures that an event for the next end is pending.  An event for a later end
 * stays; when the event fires and no flow ends, nothing happens. */
static void fluid_plan_wake(struct cs_traffic *traffic, struct fluid *fluid)
{
    uint64_t next_ps = cs_ends_next_ps(fluid);

    if (next_ps == UINT64_MAX)
        return;
    if (fluid->wakes.count && fluid->wakes.at_ps[fluid->wakes.count - 1] <= next_ps)
        return;
    if (fluid->wakes.count == fluid->wakes.room) {
        fluid->wakes.room = fluid->wakes.room ? 2 * fluid->wakes.room : 16;
        fluid->wakes.at_ps = cs_grow(fluid->wakes.at_ps, fluid->wakes.room, sizeof(uint64_t));
    }
    fluid->wakes.at_ps[fluid->wakes.count++] = next_ps;
    cs_events_add(&traffic->events, next_ps, CS_EVENT_MODEL, FLUID_ENDS);
}

static void fluid_plan_solve(struct cs_traffic *traffic, struct fluid *fluid)
{
    if (fluid->solve_is_due || !cs_maxmin_stale(&fluid->maxmin))
        return;
    fluid->solve_is_due = true;
    cs_events_add(&traffic->events, traffic->events.now_ps, CS_EVENT_MODEL, FLUID_SOLVE);
}

/* ---- flows ---- */

/* The links of a route, and the share of the flow's rate on each. */
struct fluid_route {
    const uint32_t *links;
    uint32_t hops;
    double share;
};

/* Appends the links to the `count` uses so far; returns the new count. */
static uint32_t fluid_add_uses(struct fluid *fluid, const struct cs_net *net,
                               struct fluid_route route, uint32_t count)
{
    for (uint32_t i = 0; i < route.hops; i++) {
        const struct cs_net_link *link = &net->links[route.links[i]];

        if (link->ps_per_byte > 0)
            fluid->uses[count++] = (struct cs_maxmin_use){
                link->resource, fluid->capacity_Bps[link->resource] / link->rate_Bps * route.share};
    }
    return count;
}

/* A flow with a higher penalty gets a lower rate; the limit always holds. */
struct sharing {
    double penalty_s;
    double limit_Bps;
};

static struct sharing fluid_sharing_of(const struct cs_net *net, const struct fluid *fluid,
                                       struct fluid_route route)
{
    const struct cs_fluid_factors *factors = fluid->factors;
    struct sharing sharing = {1, (double)INFINITY};
    double latency_s = 0;
    double weight_s = 0;

    if (fluid->flow_cap_Bps > 0)
        sharing.limit_Bps = fluid->flow_cap_Bps;
    if (!factors->is_corrected)
        return sharing;
    for (uint32_t i = 0; i < route.hops; i++) {
        const struct cs_net_link *link = &net->links[route.links[i]];

        latency_s += (double)link->latency_ps / PS_PER_S;
        if (link->ps_per_byte > 0)
            weight_s += factors->weight_bytes / link->rate_Bps;
    }
    if (latency_s > 0)
        sharing = (struct sharing){latency_s + weight_s, factors->window_bytes / (2 * latency_s)};
    return sharing;
}

/* Rates are shared in units of 1 / penalty, so that equal shares are fair. */
static double fluid_share(struct cs_traffic *traffic, uint32_t number)
{
    struct fluid *fluid = traffic->model;
    const struct cs_net *net = traffic->net;
    const struct cs_message *message = &traffic->messages[number];
    struct fluid_route route = {cs_traffic_route(traffic, number), message->hops, 1};
    struct sharing sharing = fluid_sharing_of(net, fluid, route);
    uint32_t count;

    route.share = 1 / sharing.penalty_s;
    count = fluid_add_uses(fluid, net, route, 0);
    if (fluid->factors->back > 0) {
        route.links = fluid->back;
        route.hops = net->route(net->route_ctx, message->dst, message->src, fluid->back);
        route.share *= fluid->factors->back;
        count = fluid_add_uses(fluid, net, route, count);
    }
    fluid->flows[number].scale = fluid->factors->rate / sharing.penalty_s;
    return cs_maxmin_add(&fluid->maxmin, number, fluid->uses, count,
                         sharing.limit_Bps * sharing.penalty_s) *
           fluid->flows[number].scale;
}

/* The rest of the flow begins to share. */
static void fluid_join(struct cs_traffic *traffic, uint32_t number)
{
    struct fluid *fluid = traffic->model;
    struct fluid_flow *flow = &fluid->flows[number];

    flow->holder = CS_MAXMIN_FREE;
    flow->since_ps = traffic->events.now_ps;
    flow->rate_Bps = fluid_share(traffic, number);
    cs_own_wait_enter(traffic, number);
    if (flow->rate_Bps > 0) {
        cs_ends_add(fluid, number);
        fluid_plan_wake(traffic, fluid);
    }
    fluid_plan_solve(traffic, fluid);
}

/* The latencies are paid, and no earlier message in order flows: the bytes
 * start. */
static void fluid_flow_on(struct cs_traffic *traffic, uint32_t number)
{
    struct fluid *fluid = traffic->model;

    fluid->flows[number].flows = true;
    /* Messages in order have a common sender. */
    traffic->messages[number].own_ps += traffic->events.now_ps - fluid->flows[number].start_ps;
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
        fluid_flow_on(traffic, number);
}

/* ---- messages in order ---- */

static void fluid_take_turn(struct cs_traffic *traffic, uint32_t number)
{
    struct fluid *fluid = traffic->model;
    const struct cs_message *message = &traffic->messages[number];
    struct cs_order_key key = {message->src, message->to, message->part};

    if (traffic->ties) {
        struct cs_origin origin = cs_traffic_origin(traffic, number, 0);

        key.src = origin.sender;
        key.dst = origin.receiver;
    }
    fluid->flows[number].takes_turn = true;
    fluid->flows[number].queues = cs_order_begin(&fluid->order, key, number) != CS_ORDER_NONE;
}

/* Message `number`, or none, is next in order. */
static void fluid_give_turn(struct cs_traffic *traffic, uint32_t number)
{
    struct fluid *fluid = traffic->model;

    if (number == CS_ORDER_NONE)
        return;
    fluid->flows[number].queues = false;
    if (fluid->flows[number].is_ready)
        fluid_flow_on(traffic, number);
}

/* ---- ends of flows ---- */

/* The last byte of the message arrives now. */
static void fluid_finish(struct cs_traffic *traffic, uint32_t number)
{
    struct fluid *fluid = traffic->model;
    struct cs_message *message = &traffic->messages[number];
    uint64_t took_ps = traffic->events.now_ps - fluid->flows[number].start_ps;
    uint64_t alone_ps =
        fluid_take_ps((double)message->bytes,
                      cs_maxmin_limit_Bps(&fluid->maxmin, number) * fluid->flows[number].scale);

    cs_own_wait_count(traffic, number, &fluid->flows[number], 0);
    cs_own_wait_leave(traffic, number);
    cs_maxmin_remove(&fluid->maxmin, number);
    fluid->flows[number].flows = false;
    message->wait_ps = took_ps > alone_ps ? took_ps - alone_ps : 0;
    if (message->own_ps > message->wait_ps)
        message->own_ps = message->wait_ps;
    if (fluid->flows[number].takes_turn)
        fluid_give_turn(traffic, cs_order_end(&fluid->order, number));
    cs_events_add(&traffic->events, traffic->events.now_ps, CS_EVENT_DELIVER, number);
}

static void fluid_finish_all(struct cs_traffic *traffic)
{
    struct fluid *fluid = traffic->model;
    uint64_t now_ps = traffic->events.now_ps;
    uint32_t number;

    assert(fluid->wakes.count && fluid->wakes.at_ps[fluid->wakes.count - 1] == now_ps);
    fluid->wakes.count--;
    cs_ends_collect(fluid, now_ps);
    while (cs_ends_take(fluid, now_ps, &number))
        fluid_finish(traffic, number);
    cs_ends_plan(fluid);
    fluid_plan_wake(traffic, fluid);
    fluid_plan_solve(traffic, fluid);
}

/* The flow has a new holder, or is free. */
static void fluid_move_flow(struct cs_traffic *traffic, uint32_t number)
{
    struct fluid *fluid = traffic->model;
    const struct fluid_flow before = fluid->flows[number];

    cs_ends_move(fluid, number, traffic->events.now_ps);
    cs_own_wait_count(traffic, number, &before, fluid->flows[number].left_bytes);
}

static void fluid_solve(struct cs_traffic *traffic)
{
    struct fluid *fluid = traffic->model;
    struct cs_maxmin *maxmin = &fluid->maxmin;
    uint64_t now_ps = traffic->events.now_ps;

    if (cs_events_more_now(&traffic->events)) {
        cs_events_add(&traffic->events, now_ps, CS_EVENT_MODEL, FLUID_SOLVE);
        return;
    }
    fluid->solve_is_due = false;
    maxmin->monitor = traffic->monitor;
    if (!cs_maxmin_solve(maxmin)) {
        traffic->stopped = true;
        return;
    }
    cs_ends_make_holders(fluid, maxmin->holder_count);
    for (uint32_t i = 0; i < maxmin->last.moved_count; i++)
        fluid_move_flow(traffic, maxmin->last.moved[i]);
    for (uint32_t i = 0; i < maxmin->last.changed_count; i++)
        cs_ends_touch(fluid, maxmin->last.changed[i], now_ps);
    cs_ends_plan(fluid);
    fluid_plan_wake(traffic, fluid);
}

/* ---- messages ---- */

struct cs_delivery cs_fluid_send(struct cs_traffic *traffic, uint32_t number)
{
    struct fluid *fluid = traffic->model;
    struct cs_message *message = &traffic->messages[number];
    const uint32_t *route = cs_traffic_route(traffic, number);
    uint64_t start_ps;
    bool takes_time = fluid->flow_cap_Bps > 0;

    cs_ends_make_room(fluid, number);
    fluid->flows[number].age = fluid->sent++;
    fluid->flows[number].takes_turn = fluid->flows[number].queues = fluid->flows[number].is_ready =
        false;
    for (uint32_t i = 0; i < message->hops; i++) {
        const struct cs_net_link *link = &traffic->net->links[route[i]];
        struct cs_link_use *use = &traffic->use[route[i]];

        /* Not rounded up: messages together would take longer than the run. */
        use->busy_ps += (uint64_t)((double)message->bytes * link->ps_per_byte);
        use->bytes += message->bytes;
        use->messages++;
        message->latency_ps += link->latency_ps;
        takes_time = takes_time || link->ps_per_byte > 0;
    }
    if (fluid->factors->is_corrected)
        message->latency_ps =
            cs_time_rounded((double)message->latency_ps * fluid->factors->latency);
    start_ps = cs_time_after(message->sent_ps, message->latency_ps);
    if (message->bytes == 0 || !takes_time)
        return (struct cs_delivery){CS_ARRIVES, start_ps};
    if (message->in_order && !fluid->factors->is_corrected)
        fluid_take_turn(traffic, number);
    if (start_ps == message->sent_ps)
        fluid_start(traffic, number);
    else
        cs_events_add(&traffic->events, start_ps, CS_EVENT_MOVE, number);
    return (struct cs_delivery){0};
}

struct cs_delivery cs_fluid_move(struct cs_traffic *traffic, uint32_t number)
{
    fluid_start(traffic, number);
    return (struct cs_delivery){0};
}

void cs_fluid_wake(struct cs_traffic *traffic, uint32_t number)
{
    if (number == FLUID_SOLVE)
        fluid_solve(traffic);
    else
        fluid_finish_all(traffic);
}

/* ---- changes of the net ---- */

static void fluid_leave(struct cs_traffic *traffic, uint32_t number)
{
    struct fluid *fluid = traffic->model;
    const struct fluid_flow before = fluid->flows[number];

    cs_ends_remove(fluid, number, traffic->events.now_ps);
    cs_own_wait_count(traffic, number, &before, fluid->flows[number].left_bytes);
    cs_own_wait_leave(traffic, number);
    cs_maxmin_remove(&fluid->maxmin, number);
}

static bool fluid_lose(struct cs_traffic *traffic, uint32_t number, const struct cs_net *next)
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
        fluid_give_turn(traffic, cs_order_leave(&fluid->order, number));
    cs_traffic_uncount(traffic, number, hops);
    return true;
}

/* All flows leave, and the rest of each flow joins again at the new rates. */
static void fluid_change(struct cs_traffic *traffic, uint32_t messages)
{
    struct fluid *fluid = traffic->model;

    if (messages > fluid->flow_room) /* later messages were never sent */
        messages = fluid->flow_room;
    for (uint32_t i = 0; i < messages; i++)
        if (fluid->flows[i].flows)
            fluid_leave(traffic, i);
    fluid_capacities(fluid, traffic->net);
    for (uint32_t i = 0; i < traffic->net->resource_count; i++)
        cs_maxmin_resize(&fluid->maxmin, i, fluid->capacity_Bps[i]);
    for (uint32_t i = 0; i < messages; i++)
        if (fluid->flows[i].flows)
            fluid_join(traffic, i);
    cs_ends_plan(fluid);
    fluid_plan_wake(traffic, fluid);
    fluid_plan_solve(traffic, fluid);
}

/* ---- the model ---- */

static void fluid_open(struct cs_traffic *traffic, struct cs_arena *arena)
{
    static const struct cs_fluid_factors plain = {.latency = 1, .rate = 1};

    cs_fluid_open(traffic, arena, &plain);
}

static const char *const fluid_parameters[] = {"flow-cap", NULL};

const struct cs_link_model cs_link_model_fluid = {
    .name = "fluid",
    .about = "messages flow and share every link max-min fairly",
    .op_cost = 3,
    .folds_queues = true,
    .parameters = fluid_parameters,
    .send = cs_fluid_send,
    .move = cs_fluid_move,
    .open = fluid_open,
    .close = cs_fluid_close,
    .wake = cs_fluid_wake,
    .lose = fluid_lose,
    .change = fluid_change,
};

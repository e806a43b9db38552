#include "sim/engine/exec.h"

#include "sim/base/units.h"
#include "sim/engine/fan_in.h"
#include "sim/engine/fetch.h"
#include "sim/engine/message.h"
#include "sim/engine/paths.h"
#include "sim/engine/repeat.h"
#include "sim/engine/state.h"

#include <assert.h>
#include <stdlib.h>

/*
 * Changes of the net while messages are in flight (struct cs_net_change).
 *
 * A change is two events: the change itself, and `failover_ps` later the switch to
 * routes that avoid failed links.
 */

/* Events of messages that are no longer in flight are void. */
static bool event_is_valid(const void *ctx, const struct cs_event *event)
{
    const struct exec *exec = ctx;
    bool is_of_route = event->kind == CS_EVENT_MOVE || event->kind == CS_EVENT_DELIVER ||
                       event->kind == CS_EVENT_FILL || event->kind == CS_EVENT_LEFT;

    return !is_of_route || exec->traffic.messages[event->number].in_flight;
}

/* Messages over a link that goes down are lost whole and sent again; rates of
 * the others are the model's to correct. */
static void change_net(struct exec *exec, const struct cs_net *next)
{
    struct cs_message *messages = exec->traffic.messages;

    for (uint32_t i = 0; i < exec->message_pool.count; i++)
        if (messages[i].in_flight && exec->model->lose(&exec->traffic, i, next)) {
            messages[i].in_flight = false;
            if (exec->load_bytes)
                cs_exec_load_links(exec, i, false);
            if (messages[i].fills)
                cs_exec_filled(exec, i);
            exec->result->resent++;
            cs_exec_stall(exec, i);
        }
    cs_events_sift(&exec->traffic.events, event_is_valid, exec);
    exec->net = exec->traffic.net = next;
    exec->model->change(&exec->traffic, exec->message_pool.count);
}

/* Event of change `number`; numbers from the count of changes on mean that a
 * change becomes known. */
static int exec_change(struct exec *exec, uint32_t number)
{
    uint32_t count = exec->change_count;
    uint32_t next;
    int code = 0;

    exec->changes_left--;
    if (number < count) {
        change_net(exec, exec->changes[number].net);
    } else {
        exec->routes = exec->changes[number - count].net;
    }
    /* Stalled messages take a route again, or stall again. */
    number = exec->stalled_first;
    exec->stalled_first = CS_NONE;
    for (; number != CS_NONE && !code; number = next) {
        next = exec->traffic.messages[number].next;
        cs_path_wait_until(&exec->traffic.messages[number].path, exec->traffic.events.now_ps);
        code = cs_exec_inject(exec, number);
    }
    return code;
}

static void exec_plan_changes(struct exec *exec)
{
    exec->changes_left = 2 * exec->change_count;
    for (uint32_t i = 0; i < exec->change_count; i++) {
        cs_events_add(&exec->traffic.events, exec->changes[i].at_ps, CS_EVENT_CHANGE, i);
        cs_events_add(&exec->traffic.events,
                      cs_time_after(exec->changes[i].at_ps, exec->failover_ps), CS_EVENT_CHANGE,
                      exec->change_count + i);
    }
}

/* Longer routes are rare: room for them is made when the first is seen. */
enum {
    TYPICAL_HOPS = 8
};

_Static_assert(CS_EXEC_MESSAGE_BYTES <= sizeof(struct cs_message) + sizeof(struct cs_event),
               "the promise of the header does not hold");
_Static_assert(CS_EXEC_LANE_BYTES <= sizeof(struct cs_lane) + sizeof(struct receive) + 8 &&
                   CS_EXEC_LINK_BYTES <= sizeof(struct cs_link_use) + sizeof(struct cs_resource),
               "that of lanes and links does not");

/* Routes of two links are found as fast as kept ones. */
static void open_kept(struct exec *exec, struct cs_arena *arena)
{
    uint32_t room = 1;

    if (exec->change_count || (exec->routing && !cs_paths_are_by_flow(exec->routing)) ||
        (exec->net->max_hops <= 2 && !exec->net->origins))
        return;
    while (room / 2 < exec->lanes.count && room < CS_KEPT_ROOM)
        room *= 2;
    exec->kept_room = room;
    exec->kept = cs_arena_alloc(arena, room, sizeof(*exec->kept));
    if (exec->net->origins)
        exec->kept_origins =
            cs_arena_alloc(arena, (size_t)room * (CS_KEPT_HOPS + 1), sizeof(*exec->kept_origins));
}

/* Rounds that begin at one time begin by turn, then by party: a place is the number of a
 * lane in that order. */
static void open_places(struct exec *exec, uint32_t parties, struct cs_arena *arena)
{
    const struct cs_program *program = exec->program;
    uint32_t lanes = exec->lanes.count;
    uint32_t each = exec->lanes.each;

    if (!program->turn)
        return;
    exec->places = cs_arena_alloc(arena, lanes, sizeof(*exec->places));
    exec->lane_at = cs_arena_alloc(arena, lanes, sizeof(*exec->lane_at));
    for (uint32_t i = 0; i < lanes; i++) {
        uint32_t party = i / each;
        uint32_t turn = program->turn(program->ctx, (struct cs_at){party, i % each, 0});

        if (program->order)
            party = program->order(program->ctx, party);
        exec->places[i] = turn * parties + party;
        exec->lane_at[exec->places[i]] = i;
    }
}

static void open_deferred(struct exec *exec, struct cs_arena *arena)
{
    if (!exec->program->served)
        return;
    cs_min_set_open(&exec->served, exec->lanes.count, arena);
    exec->deferred_at = cs_arena_alloc(arena, exec->lanes.count, sizeof(*exec->deferred_at));
}

int cs_exec_refuse_bytes(struct cs_err *err)
{
    return cs_err_set(err, CS_EINPUT,
                      "more than 2^64 bytes are sent; the vector is too large for so many ranks");
}

static void open_ties(struct exec *exec, struct cs_arena *arena)
{
    cs_traffic_open_ties(&exec->traffic, exec->program->ranks, arena);
    for (uint32_t i = 0; exec->traffic.ties && i < exec->net->party_count; i++)
        exec->parties[i].tie.lane = CS_NONE;
}

static void open_exec(struct exec *exec, struct cs_arena *arena)
{
    const struct cs_net *net = exec->net;
    uint32_t parties = cs_program_parties(exec->program);
    uint32_t lanes = cs_lane_count(exec->program);

    assert(net->party_count == parties);
    exec->cut = cs_cut_of(exec->program);
    exec->stalled_first = CS_NONE;
    exec->traffic.net = net;
    exec->traffic.stride = net->max_hops < TYPICAL_HOPS ? net->max_hops : TYPICAL_HOPS;
    exec->route = cs_arena_alloc(arena, net->max_hops, sizeof(uint32_t));
    exec->traffic.resources =
        cs_arena_alloc(arena, net->resource_count, sizeof(struct cs_resource));
    exec->traffic.use = cs_arena_alloc(arena, net->link_count, sizeof(struct cs_link_use));
    exec->parties = cs_arena_alloc(arena, parties, sizeof(*exec->parties));
    exec->lanes = cs_lanes_open(exec->program, cs_arena_alloc(arena, lanes, sizeof(struct cs_lane)),
                                &exec->progress.rounds);
    open_places(exec, parties, arena);
    exec->result->lane_done_ps = cs_arena_alloc(arena, lanes, sizeof(*exec->result->lane_done_ps));
    exec->result->done_ps = cs_arena_alloc(arena, parties, sizeof(*exec->result->done_ps));
    open_kept(exec, arena);
    exec->ready = &exec->beginning[0];
    exec->batch = &exec->beginning[1];
    cs_min_set_open(exec->ready, lanes, arena);
    cs_min_set_open(exec->batch, lanes, arena);
    open_deferred(exec, arena);
    open_ties(exec, arena);
    if (exec->routing && exec->routing->how == CS_PATHS_LEAST_LOADED)
        exec->load_bytes = cs_arena_alloc(arena, net->resource_count, sizeof(*exec->load_bytes));
    exec->unfinished = lanes;
    cs_mailbox_init(&exec->box);
    cs_mailbox_give_slots(&exec->box, parties, exec->lanes.each, arena);
    if (exec->model->open)
        exec->model->open(&exec->traffic, arena);
}

static void close_exec(struct exec *exec)
{
    if (exec->model->close)
        exec->model->close(&exec->traffic);
    cs_packed_close(exec);
    free(exec->traffic.messages);
    free(exec->traffic.links);
    free(exec->traffic.services);
    free(exec->traffic.origins);
    free(exec->receives);
    free(exec->deferred);
    cs_ops_free(&exec->ops);
    cs_events_free(&exec->traffic.events);
    cs_mailbox_free(&exec->box);
}

static int exec_stop(struct exec *exec)
{
    uint64_t now_ps = exec->traffic.events.now_ps;

    exec->result->time_ps = now_ps;
    return cs_err_set(exec->err, CS_ESTOPPED,
                      "stopped at %s of simulated time, %s messages delivered",
                      cs_show_time(now_ps).text, cs_show_count(exec->delivered).text);
}

/* The `update` of the monitor that models ask: the progress so far. */
static bool exec_goes_on(void *ctx, const struct cs_progress *progress)
{
    struct exec *exec = ctx;

    (void)progress;
    return exec->monitor->update(exec->monitor->ctx, &exec->progress);
}

static int update_monitor(struct exec *exec)
{
    struct cs_events *events = &exec->traffic.events;

    if (!exec->monitor) {
        exec->next_update = UINT64_MAX;
        return 0;
    }
    exec->next_update = events->added + CS_MONITOR_STEPS;
    exec->progress.events = events->added;
    exec->progress.time_ps = events->now_ps;
    exec->progress.use = exec->traffic.use;
    exec->result->is_ambiguous = exec->traffic.is_ambiguous;
    if (exec->monitor->update(exec->monitor->ctx, &exec->progress))
        return 0;
    return exec_stop(exec);
}

static int handle_event(struct exec *exec, struct cs_event event)
{
    struct cs_delivery delivery;

    if (event.kind == CS_EVENT_PACKED)
        event = cs_packed_take(exec, event.number);
    switch (event.kind) {
    case CS_EVENT_DELIVER:
        break;
    case CS_EVENT_REDUCED:
        cs_exec_reduced(exec, event.number);
        return 0;
    case CS_EVENT_POST:
        return cs_exec_post(exec, event.number);
    case CS_EVENT_WORK:
        cs_exec_work(exec, event.number);
        return 0;
    case CS_EVENT_LEFT:
        cs_exec_left(exec, event.number);
        return 0;
    case CS_EVENT_LEAVE:
        cs_exec_enter(exec, event.number);
        return 0;
    case CS_EVENT_COME:
        cs_min_set_add(exec->ready, cs_exec_place(exec, event.number));
        return 0;
    case CS_EVENT_FORGET:
        cs_exec_forget(exec, event.number);
        return 0;
    case CS_EVENT_FILL:
        cs_exec_fill(exec, event.number);
        return 0;
    case CS_EVENT_CHANGE:
        return exec_change(exec, event.number);
    case CS_EVENT_MODEL:
        exec->model->wake(&exec->traffic, event.number);
        return exec->traffic.stopped ? exec_stop(exec) : 0;
    default:
        delivery = exec->model->move(&exec->traffic, event.number);
        cs_exec_follow(exec, event.number, delivery);
        if (delivery.kind != CS_TAKEN)
            return 0;
        event.at_ps = delivery.at_ps;
    }
    return cs_exec_delivered(exec, event.number, event.at_ps);
}

/* The next lane of the batch; false when all have begun. */
static inline bool take_lane(struct exec *exec, uint32_t *lane)
{
    uint32_t place;

    if (!cs_min_set_next(exec->batch, &exec->batch_taken, &place))
        return false;
    *lane = cs_exec_lane_at(exec, place);
    cs_fetch_lane(exec, *lane);
    return true;
}

/* Each lane of the batch starts a round.  Lanes are taken some places ahead of the one that
 * starts, so that their memory has been fetched by then. */
static int start_batch(struct exec *exec)
{
    uint32_t coming[CS_FETCH_LANES];
    uint32_t first = 0;
    uint32_t end = 0;
    int code = 0;

    while (!code) {
        while (end - first < CS_FETCH_LANES && take_lane(exec, &coming[end % CS_FETCH_LANES]))
            end++;
        if (first == end)
            break;
        if (end - first > CS_FETCH_LANES / 2)
            cs_fetch_links(exec, coming[(first + CS_FETCH_LANES / 2) % CS_FETCH_LANES]);
        code = cs_exec_start_rounds(exec, coming[first++ % CS_FETCH_LANES]);
        /* A round of a million sends adds as many events without one. */
        if (!code && exec->traffic.events.added >= exec->next_update)
            code = update_monitor(exec);
    }
    return code;
}

/* Lanes that become ready while a batch starts, as behind an empty round, are of the next
 * batch: otherwise the order would depend on how far this one is. */
static int start_ready(struct exec *exec)
{
    int code = 0;

    while (!code) {
        struct cs_min_set *ready = exec->ready;

        if (exec->deferred_count)
            code = cs_exec_serve(exec);
        if (code || cs_min_set_is_empty(ready))
            break;
        exec->ready = exec->batch;
        exec->batch = ready;
        code = start_batch(exec);
    }
    return code;
}

/* The state is complete between the last round that begins now and the next
 * event. */
static int start_ready_or_jump(struct exec *exec, struct cs_repeat *repeat)
{
    int code = start_ready(exec);

    if (!code && cs_repeat_is_due(repeat, exec))
        code = cs_repeat_test(repeat, exec, update_monitor);
    return code;
}

/* All lanes are done and all messages delivered. Remaining events, such as the
 * timeout of a delivered packet, do not count. */
static bool run_is_over(const struct exec *exec)
{
    return exec->unfinished == 0 && exec->delivered == exec->result->messages;
}

static int run_events(struct exec *exec, struct cs_repeat *repeat)
{
    struct cs_events *events = &exec->traffic.events;
    struct cs_event event;
    int code;

    exec_plan_changes(exec);
    for (uint32_t i = 0; i < exec->lanes.count; i++)
        cs_exec_arrive(exec, i);
    code = start_ready(exec);
    while (!code && !run_is_over(exec) && cs_events_next(events, &event)) {
        if (events->added >= exec->next_update)
            code = update_monitor(exec);
        cs_fetch_events(exec);
        if (!code)
            code = handle_event(exec, event);
        /* All that ends at a time ends before anything begins: the order in which rounds
         * begin is that of places, not that of the events which ended the ones before. */
        if (!code && !cs_events_more_now(events))
            code = start_ready_or_jump(exec, repeat);
    }
    if (code)
        return code;
    if (events->overflowed)
        return cs_err_set(
            exec->err, CS_EINPUT,
            "the run exceeds the 53-day limit of simulated time; check rates and sizes");
    if (exec->too_many_bytes)
        return cs_exec_refuse_bytes(exec->err);
    cs_fan_in_end(exec);
    return exec->unfinished ? cs_exec_report_deadlock(exec) : cs_exec_check_mail(exec);
}

/* An agent keeps the sum in an additional vector, neither input nor output. */
static void count_agent_vectors(struct exec *exec)
{
    const struct cs_program *program = exec->program;

    for (uint32_t i = program->ranks; i < cs_program_parties(program); i++)
        cs_exec_hold(exec, i, exec->cut.vector_bytes);
}

int cs_exec_run(const struct cs_program *program, const struct cs_net *net,
                const struct cs_link_model *model, struct cs_arena *arena,
                struct cs_exec_result *result, struct cs_err *err)
{
    struct cs_exec_request request = {.program = program, .net = net, .model = model};

    return cs_exec_run_watched(&request, arena, result, err);
}

int cs_exec_run_watched(const struct cs_exec_request *request, struct cs_arena *arena,
                        struct cs_exec_result *result, struct cs_err *err)
{
    const struct cs_program *program = request->program;
    struct exec exec = {.program = program,
                        .net = request->net,
                        .routes = request->net,
                        .model = request->model,
                        .watch = request->watch,
                        .watches_memory = request->watch && request->watch->held,
                        .noise = request->noise,
                        .routing = request->net->choice ? request->routing : NULL,
                        .changes = request->changes,
                        .change_count = request->change_count,
                        .failover_ps = request->failover_ps,
                        .monitor = request->monitor,
                        .traffic = {.params = request->params,
                                    .draws_routes = request->net->choice && request->routing,
                                    .eager = request->eager && request->model->takes_eager},
                        .result = result,
                        .err = err};
    const struct cs_monitor asked = {exec_goes_on, &exec};
    struct cs_repeat repeat = {0};
    int code;

    exec.traffic.monitor = exec.monitor ? &asked : NULL;
    exec.keeps_services =
        exec.change_count > 0 || (exec.watch && exec.watch->carried &&
                                  request->model->queues_messages && request->model->lose);
    *result = (struct cs_exec_result){0};
    open_exec(&exec, arena);
    count_agent_vectors(&exec);
    cs_repeat_open(&repeat, &exec, request->jumps_from, arena);
    cs_packed_open(&exec, cs_repeat_may_jump(&repeat, &exec), arena);
    code = run_events(&exec, &repeat);
    cs_repeat_close(&repeat);
    result->jumped = repeat.jumped;
    result->events = exec.traffic.events.added;
    result->use = exec.traffic.use;
    result->is_ambiguous = exec.traffic.is_ambiguous;
    result->is_cause_open = exec.traffic.is_cause_open;
    result->packets_dropped = exec.traffic.packets_dropped;
    result->packets_resent = exec.traffic.packets_resent;
    for (uint32_t i = 0; i < program->ranks; i++)
        if (exec.parties[i].sent_bytes > result->bytes_sent_max)
            result->bytes_sent_max = exec.parties[i].sent_bytes;
    close_exec(&exec);
    return code;
}

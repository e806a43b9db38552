#include "sim/engine/exec.h"

#include "sim/base/units.h"
#include "sim/engine/state.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Routes are rarely longer; the room for them grows when one is. */
enum {
    TYPICAL_HOPS = 8
};

_Static_assert(CS_EXEC_MESSAGE_BYTES <= sizeof(struct cs_message) +
                                            sizeof(struct receive) +
                                            sizeof(struct cs_event),
               "a message takes less");

/* ---- pools ---- */

static uint32_t exec_new_message(struct exec *exec)
{
    struct cs_traffic *traffic = &exec->traffic;
    uint32_t i = exec->unused_message;

    if (i != CS_NOBODY) {
        exec->unused_message = traffic->messages[i].next;
        return i;
    }
    if (exec->message_count == exec->message_capacity) {
        uint32_t capacity =
            exec->message_capacity ? 2 * exec->message_capacity : 64;

        traffic->messages =
            cs_grow(traffic->messages, capacity, sizeof(*traffic->messages));
        traffic->links =
            cs_grow(traffic->links, (size_t)capacity * traffic->stride,
                    sizeof(*traffic->links));
        if (exec->change_count)
            traffic->services =
                cs_grow(traffic->services, (size_t)capacity * traffic->stride,
                        sizeof(*traffic->services));
        exec->message_capacity = capacity;
    }
    return exec->message_count++;
}

static void drop_message(struct exec *exec, uint32_t number)
{
    struct cs_message *message = &exec->traffic.messages[number];

    message->is_over = true;
    if (message->lingers)
        return;
    message->next = exec->unused_message;
    exec->unused_message = number;
}

/* Its model needs the message no more. */
static void exec_forget(struct exec *exec, uint32_t number)
{
    exec->traffic.messages[number].lingers = false;
    if (exec->traffic.messages[number].is_over)
        drop_message(exec, number);
}

static uint32_t new_receive(struct exec *exec)
{
    uint32_t i = exec->unused_receive;

    if (i != CS_NOBODY) {
        exec->unused_receive = exec->receives[i].next;
        return i;
    }
    if (exec->receive_count == exec->receive_capacity) {
        exec->receive_capacity =
            exec->receive_capacity ? 2 * exec->receive_capacity : 64;
        exec->receives = cs_grow(exec->receives, exec->receive_capacity,
                                 sizeof(*exec->receives));
    }
    return exec->receive_count++;
}

static void drop_receive(struct exec *exec, uint32_t number)
{
    exec->receives[number].next = exec->unused_receive;
    exec->unused_receive = number;
}

/* ---- memory beside the vectors ---- */

static void exec_hold(struct exec *exec, uint32_t party, uint64_t bytes)
{
    struct party *who = &exec->parties[party];
    uint64_t *most = party < exec->program->ranks
                         ? &exec->result->extra_bytes_max
                         : &exec->result->agent_bytes_max;

    who->extra_bytes += bytes;
    if (who->extra_bytes > *most)
        *most = who->extra_bytes;
    if (exec->watches_memory)
        cs_exec_report_held(exec, party);
}

static void exec_release(struct exec *exec, uint32_t party, uint64_t bytes)
{
    assert(exec->parties[party].extra_bytes >= bytes);
    exec->parties[party].extra_bytes -= bytes;
    if (exec->watches_memory)
        cs_exec_report_held(exec, party);
}

/* ---- rounds ---- */

/* One op of the lane is done at the end of `path`: now, or when the processor
 * has done what it has begun. */
static inline void exec_op_done(struct exec *exec, uint32_t index,
                                const struct cs_path *path)
{
    struct lane *lane = &exec->lanes[index];

    if (!exec->traffic.processor_ps ||
        cs_path_ps(path) >= cs_path_ps(&lane->path))
        lane->path = *path;
    if (--lane->pending > 0)
        return;
    lane->round++;
    cs_min_set_add(&exec->ready, index);
}

/* Rounds of lane `index` are over: who waits for them goes on. */
static void exec_wake_waiters(struct exec *exec, uint32_t index)
{
    uint32_t lanes = exec->program->lanes;
    uint32_t first = index - index % lanes;
    uint32_t i;

    if (lanes == 1)
        return;
    for (i = first; i < first + lanes; i++) {
        struct lane *waiter = &exec->lanes[i];

        if (waiter->waits_for != index % lanes ||
            exec->lanes[index].round <= waiter->waits_round)
            continue;
        waiter->waits_for = CS_NOBODY;
        exec_op_done(exec, i, &exec->lanes[index].path);
    }
}

/* The same `stride` apart as routes. */
static void widen_services(struct exec *exec, uint32_t hops)
{
    struct cs_traffic *traffic = &exec->traffic;
    struct cs_service *wide =
        cs_grow(NULL, (size_t)exec->message_capacity * hops, sizeof(*wide));
    uint32_t i;

    for (i = 0; i < exec->message_count; i++)
        memcpy(&wide[(size_t)i * hops], cs_traffic_services(traffic, i),
               traffic->stride * sizeof(*wide));
    free(traffic->services);
    traffic->services = wide;
}

/* Makes room for routes of `hops` links: the longest so far. */
static void widen_routes(struct exec *exec, uint32_t hops)
{
    struct cs_traffic *traffic = &exec->traffic;
    uint32_t *wide =
        cs_grow(NULL, (size_t)exec->message_capacity * hops, sizeof(*wide));
    uint32_t i;

    for (i = 0; i < exec->message_count; i++)
        memcpy(&wide[(size_t)i * hops], cs_traffic_route(traffic, i),
               traffic->stride * sizeof(*wide));
    free(traffic->links);
    traffic->links = wide;
    if (traffic->services)
        widen_services(exec, hops);
    traffic->stride = hops;
}

/* Writes the route of a message and returns its length. */
static uint32_t find_route(struct exec *exec, uint32_t number)
{
    const struct cs_net *net = exec->routes;
    struct cs_traffic *traffic = &exec->traffic;
    const struct cs_message *message = &traffic->messages[number];
    uint32_t hops;

    if (traffic->stride == net->max_hops)
        return net->route(net->route_ctx, message->src, message->to,
                          cs_traffic_route(traffic, number));
    hops = net->route(net->route_ctx, message->src, message->to, exec->route);
    if (hops > traffic->stride)
        widen_routes(exec, hops);
    memcpy(cs_traffic_route(traffic, number), exec->route,
           hops * sizeof(*exec->route));
    return hops;
}

static int exec_check_sizes(struct exec *exec, uint32_t dst,
                            const struct receive *receive,
                            const struct cs_message *message);

/* The lane that sent the message goes on. */
static void exec_let_go(struct exec *exec, struct cs_message *message,
                        const struct cs_path *path)
{
    message->left = true;
    exec_op_done(exec, message->src * exec->program->lanes + message->lane,
                 path);
}

/* The way to `at_ps`, over the message.  Behind messages of its own sender it
 * waits for the rate of the link, not for others. */
static struct cs_path path_over(const struct cs_message *message,
                                uint64_t at_ps)
{
    struct cs_path path = message->path;

    path.latency_ps += message->latency_ps;
    path.wait_ps += message->wait_ps - message->own_ps;
    path.bandwidth_ps += at_ps - message->sent_ps - message->latency_ps -
                         message->wait_ps + message->own_ps;
    return path;
}

/* What the model says of the message. */
static void exec_follow(struct exec *exec, uint32_t number,
                        struct cs_delivery delivery)
{
    struct cs_message *message = &exec->traffic.messages[number];
    struct cs_path path;

    if (delivery.kind == CS_ARRIVES && exec->watches_memory)
        cs_exec_fill_from(exec, number, delivery.at_ps);
    if (delivery.kind == CS_ARRIVES)
        cs_events_add(&exec->traffic.events, delivery.at_ps, CS_EVENT_DELIVER,
                      number);
    if (delivery.kind != CS_LEFT)
        return;
    path = path_over(message, delivery.at_ps);
    exec_let_go(exec, message, &path);
}

/* The message enters the network. */
static void exec_enter(struct exec *exec, uint32_t number)
{
    struct cs_message *message = &exec->traffic.messages[number];
    uint64_t now_ps = exec->traffic.events.now_ps;
    struct cs_delivery delivery;

    message->sent_ps = now_ps;
    message->head_ps = now_ps;
    message->tail_ps = now_ps;
    message->in_flight = true;
    if (exec->model->wake && exec->watches_memory)
        cs_exec_fill_at_soonest(exec, number);
    delivery = exec->model->send(&exec->traffic, number);
    /* Before its delivery, should they be at the same time. */
    if (exec->traffic.eager && !message->left)
        cs_events_add(&exec->traffic.events, message->left_ps, CS_EVENT_LEFT,
                      number);
    exec_follow(exec, number, delivery);
}

/* The sender's port has the last byte. */
static void exec_left(struct exec *exec, uint32_t number)
{
    struct cs_message *message = &exec->traffic.messages[number];
    uint32_t first = *cs_traffic_route(&exec->traffic, number);
    uint64_t took_ps = message->left_ps - message->sent_ps;
    uint64_t take_ps = cs_time_up((double)message->bytes *
                                  exec->net->links[first].ps_per_byte);
    struct cs_path path = message->path;

    if (take_ps > took_ps) /* the net has changed */
        take_ps = took_ps;
    path.bandwidth_ps += take_ps;
    path.wait_ps += took_ps - take_ps;
    exec_let_go(exec, message, &path);
}

/* Noise holds it back; true if it does. */
static bool delay_message(struct exec *exec, uint32_t number)
{
    struct cs_message *message = &exec->traffic.messages[number];
    uint64_t wait_ps = cs_noise_message_ps(exec->noise, message);
    uint64_t ready_ps = cs_path_ps(&message->path);

    if (wait_ps == 0)
        return false;
    /* From the end of the path, where a processor may not have got yet; or
     * later, where the receive was posted by one that was busy. */
    if (ready_ps < exec->traffic.events.now_ps)
        wait_ps += exec->traffic.events.now_ps - ready_ps;
    message->path.wait_ps += wait_ps;
    cs_events_add(&exec->traffic.events, cs_path_ps(&message->path),
                  CS_EVENT_LEAVE, number);
    return true;
}

/* Finds the way of the message, as far as ways are known; whether all of it
 * is up. */
static bool inject_on_route(struct exec *exec, uint32_t number)
{
    struct cs_message *message = &exec->traffic.messages[number];
    uint32_t hops = message->hops = find_route(exec, number);
    const uint32_t *route = cs_traffic_route(&exec->traffic, number);
    bool is_up = hops > 0;
    uint32_t i;

    if (exec->change_count)
        for (i = 0; i < hops && is_up; i++)
            is_up = !exec->net->links[route[i]].down;
    return is_up;
}

/* The message waits for a way. */
static void exec_stall(struct exec *exec, uint32_t number)
{
    struct cs_message *messages = exec->traffic.messages;

    messages[number].next = CS_NOBODY;
    if (exec->stalled_first == CS_NOBODY)
        exec->stalled_first = number;
    else
        messages[exec->stalled_last].next = number;
    exec->stalled_last = number;
}

/* The message, whose path ends now, sets out or waits for a way. */
static int exec_inject(struct exec *exec, uint32_t number)
{
    struct cs_message *message = &exec->traffic.messages[number];

    message->wait_ps = 0;
    message->own_ps = 0;
    message->latency_ps = 0;
    message->hop = 0;
    if (inject_on_route(exec, number)) {
        if (!exec->noise || !delay_message(exec, number))
            exec_enter(exec, number);
        return 0;
    }
    exec->result->cut_off = exec->changes_left == 0;
    if (exec->result->cut_off)
        return cs_err_set(exec->err, CS_EINPUT,
                          "there is no way from rank %u to rank %u",
                          message->src, message->dst);
    exec_stall(exec, number);
    return 0;
}

/* The message leaves now, `path` after the start. */
static int exec_launch(struct exec *exec, uint32_t number,
                       const struct cs_path *path)
{
    struct cs_message *message = &exec->traffic.messages[number];

    message->path = *path;
    exec->too_many_bytes |= __builtin_add_overflow(
        exec->result->bytes_sent, message->bytes, &exec->result->bytes_sent);
    exec->parties[message->src].sent_bytes += message->bytes;
    exec->result->messages++;
    return exec_inject(exec, number);
}

/* A send and its receive have met before the message leaves. */
static int exec_meet(struct exec *exec, uint32_t number, uint32_t receive,
                     const struct cs_path *path)
{
    struct cs_message *message = &exec->traffic.messages[number];

    message->receive = receive;
    if (exec_check_sizes(exec, message->dst, &exec->receives[receive], message))
        return CS_EANSWER;
    return exec_launch(exec, number, path);
}

static int start_send(struct exec *exec, uint32_t index, const struct cs_op *op)
{
    uint32_t lanes = exec->program->lanes;
    const struct lane *lane = &exec->lanes[index];
    uint32_t number = exec_new_message(exec);
    struct cs_message *message = &exec->traffic.messages[number];
    struct cs_mail_key key = {op->peer, index / lanes,
                              cs_op_channel(exec->program, index % lanes, op)};
    uint32_t receive;

    /* One by one: what exec_launch() sets need not be cleared. */
    message->bytes = cs_op_bytes(&exec->cut, op);
    message->round = lane->round;
    message->src = index / lanes;
    message->dst = op->peer;
    message->to = exec->program->folded ? op->source : op->peer;
    message->lane = index % lanes;
    message->channel = key.channel;
    message->op = (uint32_t)(op - exec->ops.op);
    message->blocks = op->blocks;
    message->handshake =
        exec->program->handshake || op->leaves == CS_LEAVES_MET;
    message->in_order = op->leaves == CS_LEAVES_IN_ORDER;
    message->arrived = message->left = message->in_flight = false;
    message->again = message->fills = false;
    message->lingers = message->is_over = false;
    /* Who receives it is settled now: it may be overtaken on the way. */
    receive = cs_mailbox_arrive(&exec->box, &key, number);
    message->receive = receive;
    if (!message->handshake)
        return exec_launch(exec, number, &lane->path);
    return receive == CS_NOBODY ? 0
                                : exec_meet(exec, number, receive, &lane->path);
}

/* Lengthens the path. */
static void wait_until(struct cs_path *path, uint64_t at_ps)
{
    path->wait_ps += at_ps - cs_path_ps(path);
}

/* An event when the processor of the receive's party is free, as it looks. */
static void request_processor(struct exec *exec, uint32_t number,
                              enum cs_event_kind kind)
{
    uint32_t party = exec->receives[number].lane / exec->program->lanes;
    uint64_t at_ps = exec->traffic.processor_ps[party];

    if (at_ps < exec->traffic.events.now_ps)
        at_ps = exec->traffic.events.now_ps;
    cs_events_add(&exec->traffic.events, at_ps, kind, number);
}

/* The party reduces, copies or computes for so long. */
static void report_work(const struct exec *exec, uint32_t party,
                        uint64_t from_ps, uint64_t to_ps)
{
    const struct cs_exec_watch *watch = exec->watch;

    if (watch && watch->worked)
        watch->worked(watch->ctx, party, from_ps, to_ps);
}

/* Takes the party's one adder, in turn, for that long; or the processor that
 * all that the party does takes turns at. */
static void exec_occupy(struct exec *exec, uint32_t number, uint64_t take_ps,
                        const struct cs_path *path)
{
    struct receive *receive = &exec->receives[number];
    struct party *party = &exec->parties[receive->lane / exec->program->lanes];
    uint64_t now_ps = exec->traffic.events.now_ps;
    uint64_t start_ps = now_ps;

    take_ps = cs_slowed_ps(
        &exec->net->parties[receive->lane / exec->program->lanes], take_ps);
    receive->path = *path;
    receive->take_ps = take_ps;
    if (exec->traffic.processor_ps) {
        request_processor(exec, number, CS_EVENT_WORK);
        return;
    }
    if (party->reducer_free_ps > start_ps)
        start_ps = party->reducer_free_ps;
    party->reducer_free_ps = cs_time_after(start_ps, take_ps);
    exec->result->waits += start_ps > now_ps;
    receive->path.wait_ps += start_ps - now_ps;
    receive->path.reduction_ps += take_ps;
    report_work(exec, receive->lane / exec->program->lanes, start_ps,
                party->reducer_free_ps);
    cs_events_add(&exec->traffic.events, party->reducer_free_ps,
                  CS_EVENT_REDUCED, number);
}

/*
 * The message of a receive is there and is `path` old: adds it up, in turn,
 * or is done with it.
 */
static void take_in(struct exec *exec, uint32_t number, uint32_t dst,
                    const struct cs_path *path)
{
    const struct receive *receive = &exec->receives[number];
    const struct cs_net_party *party = &exec->net->parties[dst];
    uint32_t lane = receive->lane;
    uint64_t take_ps =
        receive->reduces ? cs_time_after(party->reduce_overhead_ps,
                                         cs_time_up((double)receive->bytes *
                                                    party->reduce_ps_per_byte))
                         : 0;

    if (take_ps > 0) {
        exec_occupy(exec, number, take_ps, path);
        return;
    }
    exec_release(exec, dst, receive->held_bytes);
    drop_receive(exec, number);
    exec_op_done(exec, lane, path);
}

static void exec_reduced(struct exec *exec, uint32_t number)
{
    struct receive *receive = &exec->receives[number];
    uint32_t lane = receive->lane;

    exec_release(exec, lane / exec->program->lanes, receive->held_bytes);
    drop_receive(exec, number);
    exec_op_done(exec, lane, &receive->path);
}

/* The processor turns to it, or somebody was there before. */
static void exec_work(struct exec *exec, uint32_t number)
{
    struct receive *receive = &exec->receives[number];
    uint32_t party = receive->lane / exec->program->lanes;
    uint64_t *free_ps = &exec->traffic.processor_ps[party];
    struct cs_events *events = &exec->traffic.events;
    struct cs_line *line = cs_traffic_line(&exec->traffic, party, CS_LINE_WORK);
    uint64_t now_ps = events->now_ps;

    if (*free_ps > now_ps) {
        cs_queue_wait(line, events,
                      (struct cs_event){.at_ps = *free_ps,
                                        .kind = CS_EVENT_WORK,
                                        .number = number});
        return;
    }
    *free_ps = cs_time_after(now_ps, receive->take_ps);
    cs_queue_taken(line, events, CS_EVENT_WORK, *free_ps);
    exec->result->waits += cs_path_ps(&receive->path) < now_ps;
    wait_until(&receive->path, now_ps);
    receive->path.reduction_ps += receive->take_ps;
    report_work(exec, party, now_ps, *free_ps);
    exec_reduced(exec, number);
}

static int exec_check_sizes(struct exec *exec, uint32_t dst,
                            const struct receive *receive,
                            const struct cs_message *message)
{
    char who[CS_PARTY_NAME];

    if (receive->bytes == message->bytes)
        return 0;
    return cs_err_set(exec->err, CS_EANSWER,
                      "%s expects %" PRIu64 " bytes and gets %" PRIu64
                      " from party %u",
                      cs_party_name(exec->program, dst, who), receive->bytes,
                      message->bytes, message->src);
}

/* The receive that its sender waited for is there. */
static void let_go_of(struct exec *exec, uint32_t number)
{
    struct cs_path path = exec->model->release(&exec->traffic, number);

    exec_let_go(exec, &exec->traffic.messages[number], &path);
}

/* The message may be there while the processor is still taking it in. */
static void wait_for_message(const struct exec *exec,
                             const struct cs_message *message,
                             struct cs_path *path)
{
    uint64_t free_ps = exec->traffic.processor_ps[message->dst];
    uint64_t now_ps = exec->traffic.events.now_ps;

    if (cs_path_ps(&message->path) > cs_path_ps(path))
        *path = message->path;
    wait_until(path, free_ps > now_ps ? free_ps : now_ps);
}

/* The receive takes the message that has been waiting for it. */
static int exec_fetch(struct exec *exec, uint32_t number, uint32_t waiting)
{
    struct receive *receive = &exec->receives[number];
    struct cs_message *message = &exec->traffic.messages[waiting];
    struct cs_path *path = &exec->lanes[receive->lane].path;
    uint32_t dst = message->dst;

    if (exec_check_sizes(exec, dst, receive, message))
        return exec->err ? exec->err->code : CS_EANSWER;
    if (exec->model->release && !message->left)
        let_go_of(exec, waiting);
    drop_message(exec, waiting);
    if (receive->reduces)
        receive->held_bytes = receive->bytes;
    else
        exec_release(exec, dst, receive->bytes);
    if (exec->traffic.processor_ps)
        wait_for_message(exec, message, path);
    take_in(exec, number, dst, path);
    return 0;
}

/* `key` is the receive's. */
static int exec_post(struct exec *exec, uint32_t number,
                     const struct cs_mail_key *key)
{
    const struct receive *receive = &exec->receives[number];
    uint32_t waiting = cs_mailbox_post(&exec->box, key, number);

    if (waiting == CS_NOBODY)
        return 0;
    if (exec->traffic.messages[waiting].handshake)
        return exec_meet(exec, waiting, number,
                         &exec->lanes[receive->lane].path);
    if (exec->traffic.messages[waiting].arrived)
        return exec_fetch(exec, number, waiting);
    exec->traffic.messages[waiting].receive = number;
    return 0;
}

static int start_receive(struct exec *exec, uint32_t index,
                         const struct cs_op *op)
{
    uint32_t lanes = exec->program->lanes;
    uint32_t number = new_receive(exec);
    struct receive *receive = &exec->receives[number];
    const uint64_t *processor_ps = exec->traffic.processor_ps;
    uint32_t party = index / lanes;
    struct cs_mail_key key = {party, op->peer,
                              cs_op_channel(exec->program, index % lanes, op)};

    /* One by one: the path comes with the message. */
    receive->bytes = cs_op_bytes(&exec->cut, op);
    receive->blocks = op->blocks;
    receive->held_bytes = 0;
    receive->lane = index;
    receive->key = key;
    receive->reduces = op->kind == CS_OP_RECV_REDUCE;
    if (!processor_ps || processor_ps[party] <= exec->traffic.events.now_ps)
        return exec_post(exec, number, &key);
    request_processor(exec, number, CS_EVENT_POST);
    return 0;
}

/* The last byte of a message is there, and taken in at `at_ps`. */
static int exec_delivered(struct exec *exec, uint32_t number, uint64_t at_ps)
{
    struct cs_message *message = &exec->traffic.messages[number];
    uint32_t sender = message->src * exec->program->lanes + message->lane;
    uint32_t dst = message->dst;
    struct cs_path path = path_over(message, at_ps);
    uint32_t receive = message->receive;
    bool was_left = message->left;
    int code = 0;

    message->arrived = true;
    message->in_flight = false;
    if (message->fills)
        cs_exec_filled(exec, number);
    exec->delivered++;
    exec->result->waits += message->wait_ps > 0;
    if (exec->watch && exec->watch->delivered)
        exec->watch->delivered(exec->watch->ctx, message, at_ps);
    if (receive == CS_NOBODY) {
        exec_hold(exec, dst, message->bytes);
        if (message->left)
            message->path = path;
    } else {
        code = exec_check_sizes(exec, dst, &exec->receives[receive], message);
        if (exec->receives[receive].reduces) {
            exec->receives[receive].held_bytes = message->bytes;
            exec_hold(exec, dst, message->bytes);
        }
        drop_message(exec, number);
        if (!code)
            take_in(exec, receive, dst, &path);
    }
    if (!exec->model->release && !was_left)
        exec_op_done(exec, sender, &path);
    else if (exec->model->release && !was_left && receive != CS_NOBODY)
        let_go_of(exec, number);
    return code;
}

static void exec_start_wait(struct exec *exec, uint32_t index,
                            const struct cs_op *op)
{
    uint32_t lanes = exec->program->lanes;
    struct lane *lane = &exec->lanes[index];

    assert(op->peer < lanes);
    if (exec->lanes[index - index % lanes + op->peer].round > op->source) {
        exec_op_done(exec, index, &lane->path);
        return;
    }
    lane->waits_for = op->peer;
    lane->waits_round = op->source;
}

/* A copy or sum within a party: it takes its turn at the adder. */
static void start_local(struct exec *exec, uint32_t index,
                        const struct cs_op *op)
{
    uint32_t party = index / exec->program->lanes;
    uint32_t number = new_receive(exec);
    struct receive *receive = &exec->receives[number];

    *receive = (struct receive){
        .bytes = cs_op_bytes(&exec->cut, op),
        .blocks = op->blocks,
        .lane = index,
        .reduces = true,
    };
    take_in(exec, number, party, &exec->lanes[index].path);
}

static void start_work(struct exec *exec, uint32_t index,
                       const struct cs_op *op)
{
    uint32_t number;

    if (op->amount == 0) {
        exec_op_done(exec, index, &exec->lanes[index].path);
        return;
    }
    number = new_receive(exec);
    exec->receives[number] = (struct receive){.lane = index};
    exec_occupy(exec, number, op->amount, &exec->lanes[index].path);
}

static int exec_start_op(struct exec *exec, uint32_t index,
                         const struct cs_op *op)
{
    switch (op->kind) {
    case CS_OP_SEND:
        assert(op->peer < cs_program_parties(exec->program));
        return start_send(exec, index, op);
    case CS_OP_COPY:
    case CS_OP_REDUCE:
        start_local(exec, index, op);
        return 0;
    case CS_OP_WAIT:
        exec_start_wait(exec, index, op);
        return 0;
    case CS_OP_WORK:
        start_work(exec, index, op);
        return 0;
    default:
        assert(op->peer < cs_program_parties(exec->program));
        return start_receive(exec, index, op);
    }
}

static bool is_main(const struct exec *exec, uint32_t index)
{
    const struct cs_program *program = exec->program;

    return program->main_lanes == 0 ||
           index % program->lanes < program->main_lanes;
}

static void lane_done(struct exec *exec, uint32_t index)
{
    struct cs_exec_result *result = exec->result;
    const struct cs_path *path = &exec->lanes[index].path;
    uint64_t *done_ps = &result->done_ps[index / exec->program->lanes];
    uint64_t at_ps = cs_path_ps(path);

    result->lane_done_ps[index] = at_ps;
    if (at_ps > *done_ps)
        *done_ps = at_ps;
    if (at_ps < result->time_ps || !is_main(exec, index))
        return;
    result->time_ps = at_ps;
    result->path = *path;
}

/* Starts the lane's current round, and the next ones while they are done at
 * once. */
static int start_rounds(struct exec *exec, uint32_t index)
{
    const struct cs_program *program = exec->program;
    struct lane *lane = &exec->lanes[index];
    uint32_t i;
    int code;

    for (; lane->round < lane->rounds; lane->round++) {
        exec->ops.count = 0;
        exec->progress.rounds_begun++;
        program->round(program->ctx, index / program->lanes,
                       index % program->lanes, lane->round, &exec->ops);
        /* One more than there are, so that none of them ends the round. */
        lane->pending = exec->ops.count + 1;
        for (i = 0; i < exec->ops.count; i++) {
            code = exec_start_op(exec, index, &exec->ops.op[i]);
            if (code)
                return code;
        }
        if (--lane->pending > 0) {
            exec_wake_waiters(exec, index);
            return 0;
        }
    }
    exec_wake_waiters(exec, index);
    exec->unfinished--;
    lane_done(exec, index);
    return 0;
}

/* ---- the run ---- */

static void open_exec(struct exec *exec, struct cs_arena *arena)
{
    const struct cs_net *net = exec->net;
    uint32_t parties = cs_program_parties(exec->program);
    uint32_t lanes = exec->program->lanes;
    uint32_t i;

    assert(net->party_count == parties);
    exec->cut = cs_cut_of(exec->program);
    exec->unused_message = CS_NOBODY;
    exec->unused_receive = CS_NOBODY;
    exec->stalled_first = CS_NOBODY;
    exec->traffic.net = net;
    exec->traffic.stride =
        net->max_hops < TYPICAL_HOPS ? net->max_hops : TYPICAL_HOPS;
    exec->route = cs_arena_alloc(arena, net->max_hops, sizeof(uint32_t));
    exec->traffic.resources =
        cs_arena_alloc(arena, net->resource_count, sizeof(struct cs_resource));
    exec->traffic.use =
        cs_arena_alloc(arena, net->link_count, sizeof(struct cs_link_use));
    exec->parties = cs_arena_alloc(arena, parties, sizeof(*exec->parties));
    exec->lanes =
        cs_arena_alloc(arena, (size_t)parties * lanes, sizeof(*exec->lanes));
    exec->result->lane_done_ps = cs_arena_alloc(
        arena, (size_t)parties * lanes, sizeof(*exec->result->lane_done_ps));
    exec->result->done_ps =
        cs_arena_alloc(arena, parties, sizeof(*exec->result->done_ps));
    cs_min_set_open(&exec->ready, parties * lanes, arena);
    exec->unfinished = (uint64_t)parties * lanes;
    cs_mailbox_init(&exec->box);
    for (i = 0; i < parties * lanes; i++) {
        exec->lanes[i] =
            (struct lane){.rounds = exec->program->rounds(exec->program->ctx,
                                                          i / lanes, i % lanes),
                          .waits_for = CS_NOBODY};
        exec->progress.rounds += exec->lanes[i].rounds;
    }
    if (exec->model->open)
        exec->model->open(&exec->traffic, arena);
}

static void close_exec(struct exec *exec)
{
    if (exec->model->close)
        exec->model->close(&exec->traffic);
    free(exec->traffic.messages);
    free(exec->traffic.links);
    free(exec->traffic.services);
    free(exec->receives);
    cs_ops_free(&exec->ops);
    cs_events_free(&exec->traffic.events);
    cs_mailbox_free(&exec->box);
}

/* Messages that are not under way any more have no events. */
static bool exec_is_wanted(const void *ctx, const struct cs_event *event)
{
    const struct exec *exec = ctx;
    bool is_of_route =
        event->kind == CS_EVENT_MOVE || event->kind == CS_EVENT_DELIVER ||
        event->kind == CS_EVENT_FILL || event->kind == CS_EVENT_LEFT;

    return !is_of_route || exec->traffic.messages[event->number].in_flight;
}

static void change_net(struct exec *exec, const struct cs_net *next)
{
    struct cs_message *messages = exec->traffic.messages;
    uint32_t i;

    for (i = 0; i < exec->message_count; i++)
        if (messages[i].in_flight &&
            exec->model->lose(&exec->traffic, i, next)) {
            messages[i].in_flight = false;
            if (messages[i].fills)
                cs_exec_filled(exec, i);
            exec->result->resent++;
            exec_stall(exec, i);
        }
    cs_events_sift(&exec->traffic.events, exec_is_wanted, exec);
    exec->net = exec->traffic.net = next;
    exec->model->change(&exec->traffic, exec->message_count);
}

/* Change `number` happens, or, numbered behind all of them, becomes known. */
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
    number = exec->stalled_first;
    exec->stalled_first = CS_NOBODY;
    for (; number != CS_NOBODY && !code; number = next) {
        next = exec->traffic.messages[number].next;
        wait_until(&exec->traffic.messages[number].path,
                   exec->traffic.events.now_ps);
        code = exec_inject(exec, number);
    }
    return code;
}

static void plan_changes(struct exec *exec)
{
    uint32_t i;

    exec->changes_left = 2 * exec->change_count;
    for (i = 0; i < exec->change_count; i++) {
        cs_events_add(&exec->traffic.events, exec->changes[i].at_ps,
                      CS_EVENT_CHANGE, i);
        cs_events_add(&exec->traffic.events,
                      cs_time_after(exec->changes[i].at_ps, exec->failover_ps),
                      CS_EVENT_CHANGE, exec->change_count + i);
    }
}

static int exec_handle(struct exec *exec, struct cs_event event)
{
    struct cs_delivery delivery;

    switch (event.kind) {
    case CS_EVENT_DELIVER:
        break;
    case CS_EVENT_REDUCED:
        exec_reduced(exec, event.number);
        return 0;
    case CS_EVENT_POST:
        return exec_post(exec, event.number, &exec->receives[event.number].key);
    case CS_EVENT_WORK:
        exec_work(exec, event.number);
        return 0;
    case CS_EVENT_LEFT:
        exec_left(exec, event.number);
        return 0;
    case CS_EVENT_LEAVE:
        exec_enter(exec, event.number);
        return 0;
    case CS_EVENT_COME:
        cs_min_set_add(&exec->ready, event.number);
        return 0;
    case CS_EVENT_FORGET:
        exec_forget(exec, event.number);
        return 0;
    case CS_EVENT_FILL:
        cs_exec_fill(exec, event.number);
        return 0;
    case CS_EVENT_CHANGE:
        return exec_change(exec, event.number);
    case CS_EVENT_MODEL:
        exec->model->wake(&exec->traffic, event.number);
        return 0;
    default:
        delivery = exec->model->move(&exec->traffic, event.number);
        exec_follow(exec, event.number, delivery);
        if (delivery.kind != CS_TAKEN)
            return 0;
        event.at_ps = delivery.at_ps;
    }
    return exec_delivered(exec, event.number, event.at_ps);
}

static int exec_beat(struct exec *exec)
{
    struct cs_events *events = &exec->traffic.events;
    char time[CS_UNITS_TEXT];
    char count[CS_UNITS_TEXT];

    if (!exec->monitor) {
        exec->next_update = UINT64_MAX;
        return 0;
    }
    exec->next_update = events->added + CS_MONITOR_STEPS;
    exec->progress.events = events->added;
    exec->progress.time_ps = events->now_ps;
    if (exec->monitor->update(exec->monitor->ctx, &exec->progress))
        return 0;
    exec->result->time_ps = events->now_ps;
    return cs_err_set(exec->err, CS_ESTOPPED,
                      "stopped at %s of simulated time, %s messages delivered",
                      cs_units_show_time(time, events->now_ps),
                      cs_units_show_count(count, exec->delivered));
}

/* What the model says is its own fault, not the user's. */
static int check_model(const struct exec *exec)
{
    char time[CS_UNITS_TEXT];

    if (!exec->traffic.failure)
        return 0;
    return cs_err_set(
        exec->err, CS_EANSWER,
        "internal error in model %s at %s of simulated time, %u ranks: %s; "
        "please report it with the machine and the command",
        exec->model->name,
        cs_units_show_time(time, exec->traffic.events.now_ps),
        exec->program->ranks, exec->traffic.failure);
}

/* Rounds begin when all has happened that happens now, in the order of ranks and
 * lanes: which of several events of one time is told first does not matter. */
static int start_ready(struct exec *exec)
{
    int code = 0;

    while (!cs_min_set_is_empty(&exec->ready) && !code) {
        code = start_rounds(exec, cs_min_set_take(&exec->ready));
        /* A round of a million sends adds as many events without one. */
        if (!code && exec->traffic.events.added >= exec->next_update)
            code = exec_beat(exec);
    }
    return code;
}

/* The lane's party comes to the collective, late or not; agents are there. */
static void exec_come(struct exec *exec, uint32_t index)
{
    uint32_t party = index / exec->program->lanes;
    const struct cs_program *program = exec->program;
    uint64_t late_ps = 0;

    if (program->start_ps)
        late_ps =
            program->start_ps(program->ctx, party, index % program->lanes);
    if (exec->noise && party < exec->program->ranks)
        late_ps = cs_time_after(late_ps, cs_noise_rank_ps(exec->noise, party));
    if (late_ps == 0) {
        cs_min_set_add(&exec->ready, index);
        return;
    }
    exec->lanes[index].path.wait_ps = late_ps;
    cs_events_add(&exec->traffic.events, late_ps, CS_EVENT_COME, index);
}

/* All lanes are at their ends and nothing is on its way to anybody; what may be
 * under way still, a packet sent again in vain, is of no account. */
static bool exec_is_over(const struct exec *exec)
{
    return exec->unfinished == 0 && exec->delivered == exec->result->messages;
}

static int exec_run(struct exec *exec)
{
    uint32_t i;
    struct cs_events *events = &exec->traffic.events;
    struct cs_event event;
    int code;

    plan_changes(exec);
    for (i = 0; i < lane_count(exec); i++)
        exec_come(exec, i);
    code = start_ready(exec);
    while (!code && !exec_is_over(exec) && cs_events_next(events, &event)) {
        if (events->added >= exec->next_update)
            code = exec_beat(exec);
        if (!code)
            code = exec_handle(exec, event);
        if (!code)
            code = check_model(exec);
        if (!code && cs_events_next_ps(events) > events->now_ps)
            code = start_ready(exec);
    }
    if (code)
        return code;
    if (events->overflowed)
        return cs_err_set(exec->err, CS_EINPUT,
                          "the simulated time passes 53 days, the most that "
                          "is told apart; a rate or size is off");
    if (exec->too_many_bytes)
        return cs_err_set(exec->err, CS_EINPUT,
                          "more than 2^64 bytes are sent; the vector is too "
                          "large for so many ranks");
    return exec->unfinished ? cs_exec_stuck(exec) : cs_exec_check_mail(exec);
}

/* An agent keeps the sum in a vector that is nobody's input or output. */
static void count_agent_vectors(struct exec *exec)
{
    const struct cs_program *program = exec->program;
    uint32_t i;

    for (i = program->ranks; i < cs_program_parties(program); i++)
        exec_hold(exec, i, exec->cut.vector_bytes);
}

int cs_exec_run(const struct cs_program *program, const struct cs_net *net,
                const struct cs_link_model *model, struct cs_arena *arena,
                struct cs_exec_result *result, struct cs_err *err)
{
    struct cs_exec_request request = {
        .program = program, .net = net, .model = model};

    return cs_exec_run_watched(&request, arena, result, err);
}

int cs_exec_run_watched(const struct cs_exec_request *request,
                        struct cs_arena *arena, struct cs_exec_result *result,
                        struct cs_err *err)
{
    const struct cs_program *program = request->program;
    struct exec exec = {
        .program = program,
        .net = request->net,
        .routes = request->net,
        .model = request->model,
        .watch = request->watch,
        .watches_memory = request->watch && request->watch->held,
        .noise = request->noise,
        .changes = request->changes,
        .change_count = request->change_count,
        .failover_ps = request->failover_ps,
        .monitor = request->monitor,
        .traffic = {.params = request->params,
                    .eager = request->eager && request->model->takes_eager},
        .result = result,
        .err = err};
    uint32_t i;
    int code;

    *result = (struct cs_exec_result){0};
    open_exec(&exec, arena);
    count_agent_vectors(&exec);
    code = exec_run(&exec);
    result->events = exec.traffic.events.added;
    result->use = exec.traffic.use;
    result->packets_dropped = exec.traffic.packets_dropped;
    result->packets_resent = exec.traffic.packets_resent;
    for (i = 0; i < program->ranks; i++)
        if (exec.parties[i].sent_bytes > result->bytes_sent_max)
            result->bytes_sent_max = exec.parties[i].sent_bytes;
    close_exec(&exec);
    return code;
}

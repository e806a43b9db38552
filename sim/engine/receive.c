#include "sim/engine/state.h"

#include "sim/engine/fan_in.h"
#include "sim/engine/message.h"
#include "sim/engine/paths.h"

static uint32_t new_receive(struct exec *exec)
{
    if (cs_pool_is_full(&exec->receive_pool))
        exec->receives =
            cs_grow_lines(exec->receives, exec->receive_pool.count,
                          cs_exec_enlarge(exec, &exec->receive_pool), sizeof(*exec->receives));
    return cs_pool_take(&exec->receive_pool, &exec->receives->next, sizeof(*exec->receives));
}

/* No further receive of the round joins this one. */
static inline void close_receive(struct exec *exec, uint32_t number)
{
    if (exec->joined == number)
        exec->joined = CS_NONE;
}

static inline void drop_receive(struct exec *exec, uint32_t number)
{
    if (--exec->receives[number].sharers > 0)
        return;
    close_receive(exec, number);
    cs_pool_give(&exec->receive_pool, number, &exec->receives[number].next);
}

/* One of the receives, by itself: its message has come. */
static inline uint32_t part_receive(struct exec *exec, uint32_t number)
{
    uint32_t alone;

    if (exec->receives[number].sharers == 1) {
        close_receive(exec, number);
        return number;
    }
    alone = new_receive(exec);
    exec->receives[number].sharers--;
    exec->receives[alone] = exec->receives[number];
    exec->receives[alone].sharers = 1;
    return alone;
}

/* One more like the last receive of the round, where all expect the same. */
static inline bool join_receive(const struct exec *exec, uint32_t lane, uint64_t bytes,
                                bool reduces)
{
    struct receive *last;

    if (exec->joined == CS_NONE)
        return false;
    last = &exec->receives[exec->joined];
    if (last->lane != lane || last->bytes != bytes || last->reduces != reduces)
        return false;
    last->sharers++;
    return true;
}

/* Adds an event for when the processor of the receive's party is free, as far as
 * known now. */
static void request_processor(struct exec *exec, uint32_t number, enum cs_event_kind kind)
{
    uint32_t party = exec->receives[number].lane / exec->lanes.each;
    uint64_t at_ps = exec->traffic.processor_ps[party];

    if (at_ps < exec->traffic.events.now_ps)
        at_ps = exec->traffic.events.now_ps;
    cs_events_add(&exec->traffic.events, at_ps, kind, number);
}

static void report_work(const struct exec *exec, uint32_t party, uint64_t from_ps, uint64_t to_ps)
{
    const struct cs_exec_watch *watch = exec->watch;

    if (watch && watch->worked)
        watch->worked(watch->ctx, party, from_ps, to_ps);
}

/* Occupies the party's reducer for `take_ps`, in order of arrival; or the
 * processor, requested by an event as the processor also serves sends. */
static void occupy_reducer(struct exec *exec, uint32_t number, uint64_t take_ps,
                           const struct cs_path *path)
{
    struct receive *receive = &exec->receives[number];
    struct party *party = &exec->parties[receive->lane / exec->lanes.each];
    uint64_t now_ps = exec->traffic.events.now_ps;
    uint64_t start_ps = now_ps;

    take_ps = cs_slowed_ps(&exec->net->parties[receive->lane / exec->lanes.each], take_ps);
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
    report_work(exec, receive->lane / exec->lanes.each, start_ps, party->reducer_free_ps);
    cs_events_add(&exec->traffic.events, party->reducer_free_ps, CS_EVENT_REDUCED, number);
}

/* Handles the arrived message of a receive, at the end of `path`: reduces it, or
 * completes the receive. */
static inline void consume_message(struct exec *exec, uint32_t number, uint32_t dst,
                                   const struct cs_path *path)
{
    const struct receive *receive = &exec->receives[number];
    const struct cs_net_party *party = &exec->net->parties[dst];
    uint32_t lane = receive->lane;
    uint64_t take_ps =
        receive->reduces
            ? cs_time_after(party->reduce_overhead_ps,
                            cs_time_up((double)receive->bytes * party->reduce_ps_per_byte))
            : 0;

    if (take_ps > 0) {
        occupy_reducer(exec, number, take_ps, path);
        return;
    }
    if (receive->holds)
        cs_exec_release(exec, dst, receive->bytes);
    drop_receive(exec, number);
    cs_exec_op_done(exec, lane, path);
}

void cs_exec_reduced(struct exec *exec, uint32_t number)
{
    struct receive *receive = &exec->receives[number];
    uint32_t lane = receive->lane;

    if (receive->holds)
        cs_exec_release(exec, lane / exec->lanes.each, receive->bytes);
    drop_receive(exec, number);
    cs_exec_op_done(exec, lane, &receive->path);
}

void cs_exec_work(struct exec *exec, uint32_t number)
{
    struct receive *receive = &exec->receives[number];
    uint32_t party = receive->lane / exec->lanes.each;
    uint64_t *free_ps = &exec->traffic.processor_ps[party];
    struct cs_events *events = &exec->traffic.events;
    struct cs_line *line = cs_traffic_line(&exec->traffic, party, CS_LINE_WORK);
    uint64_t now_ps = events->now_ps;

    if (*free_ps > now_ps) {
        cs_queue_wait(
            line, events,
            (struct cs_event){.at_ps = *free_ps, .kind = CS_EVENT_WORK, .number = number});
        return;
    }
    *free_ps = cs_time_after(now_ps, receive->take_ps);
    cs_queue_taken(line, events, CS_EVENT_WORK, *free_ps);
    exec->result->waits += cs_path_ps(&receive->path) < now_ps;
    cs_path_wait_until(&receive->path, now_ps);
    receive->path.reduction_ps += receive->take_ps;
    report_work(exec, party, now_ps, *free_ps);
    cs_exec_reduced(exec, number);
}

/* Models with rendezvous keep the sender until its receive is posted. */
static void release_sender(struct exec *exec, uint32_t number)
{
    struct cs_path path = exec->model->release(&exec->traffic, number);

    cs_exec_finish_send(exec, &exec->traffic.messages[number], &path);
}

/* The message may have arrived while the processor is still receiving it. */
static void wait_for_message(const struct exec *exec, const struct cs_message *message,
                             struct cs_path *path)
{
    uint64_t free_ps = exec->traffic.processor_ps[message->dst];
    uint64_t now_ps = exec->traffic.events.now_ps;

    if (cs_path_ps(&message->path) > cs_path_ps(path))
        *path = message->path;
    cs_path_wait_until(path, free_ps > now_ps ? free_ps : now_ps);
}

/* Matches the receive with a message that arrived earlier. */
static int fetch_message(struct exec *exec, uint32_t number, uint32_t waiting)
{
    const struct receive *receive = &exec->receives[number];
    struct cs_message *message = &exec->traffic.messages[waiting];
    struct cs_path *path = &exec->lanes.lane[receive->lane].path;
    uint32_t dst = message->dst;

    if (cs_exec_check_sizes(exec, dst, receive, message))
        return exec->err ? exec->err->code : CS_EANSWER;
    if (exec->model->release && !message->left)
        release_sender(exec, waiting);
    cs_exec_drop_message(exec, waiting);
    if (receive->reduces) {
        number = part_receive(exec, number);
        exec->receives[number].holds = true;
    } else {
        cs_exec_release(exec, dst, receive->bytes);
    }
    if (exec->traffic.processor_ps)
        wait_for_message(exec, message, path);
    consume_message(exec, number, dst, path);
    return 0;
}

/* Posts the receive under its known key, at the end of `path`. */
static inline int post_receive(struct exec *exec, uint32_t number, const struct cs_mail_key *key,
                               const struct cs_path *path)
{
    uint32_t waiting = exec->receives_fan_in ? cs_fan_in_post(exec, key, number)
                                             : cs_mailbox_post(&exec->box, key, number);
    struct cs_message *message;

    if (waiting == CS_NONE)
        return 0;
    message = &exec->traffic.messages[waiting];
    if (message->handshake) {
        message->starter = exec->receives[number].lane % exec->lanes.each;
        message->met = true;
        return cs_exec_match(exec, waiting, number, path);
    }
    if (message->arrived)
        return fetch_message(exec, number, waiting);
    message->receive = number;
    return 0;
}

int cs_exec_post(struct exec *exec, uint32_t number)
{
    const struct receive *receive = &exec->receives[number];
    struct cs_mail_key key = {receive->lane / exec->lanes.each, receive->src, receive->channel};
    struct cs_path path = receive->path;

    if (cs_path_ps(&path) < exec->traffic.events.now_ps)
        cs_path_wait_until(&path, exec->traffic.events.now_ps);
    return post_receive(exec, number, &key, &path);
}

/* A receive for the op, with those of the round that expect the same. */
static inline uint32_t take_receive(struct exec *exec, uint32_t lane, const struct cs_op *op)
{
    uint64_t bytes = cs_op_bytes(&exec->cut, op);
    bool reduces = op->kind == CS_OP_RECV_REDUCE;
    struct receive *receive;
    uint32_t number;

    if (join_receive(exec, lane, bytes, reduces))
        return exec->joined;
    number = exec->joined = new_receive(exec);
    receive = &exec->receives[number];
    /* Field by field: the path comes with the message. */
    receive->bytes = bytes;
    receive->lane = lane;
    receive->sharers = 1;
    receive->holds = false;
    receive->reduces = reduces;
    return number;
}

int cs_exec_receive(struct exec *exec, uint32_t party, uint32_t lane, const struct cs_op *op)
{
    const uint64_t *processor_ps = exec->traffic.processor_ps;
    struct cs_mail_key key = {party, op->peer,
                              cs_op_channel(exec->program, lane - party * exec->lanes.each, op)};
    uint32_t number = take_receive(exec, lane, op);

    if (!processor_ps || processor_ps[party] <= exec->traffic.events.now_ps)
        return post_receive(exec, number, &key, &exec->lanes.lane[lane].path);
    number = part_receive(exec, number);
    exec->receives[number].src = key.src;
    exec->receives[number].channel = key.channel;
    /* Other ops of the round may end before the processor is free. */
    exec->receives[number].path = exec->lanes.lane[lane].path;
    request_processor(exec, number, CS_EVENT_POST);
    return 0;
}

static void report_route(const struct exec *exec, uint32_t number, uint64_t at_ps)
{
    const struct cs_exec_watch *watch = exec->watch;
    const struct cs_traffic *traffic = &exec->traffic;
    bool queues = exec->model->queues_messages && exec->model->lose;

    watch->carried(watch->ctx, &traffic->messages[number], cs_traffic_route(traffic, number),
                   queues ? cs_traffic_services(traffic, number) : NULL, at_ps);
}

/* A part of a message, or the whole, has arrived.  True: the message has, and its
 * number replaces that of the last part. */
static bool take_part(struct exec *exec, uint32_t *number, uint64_t at_ps)
{
    const struct cs_message *message = &exec->traffic.messages[*number];

    if (exec->load_bytes)
        cs_exec_load_links(exec, *number, false);
    if (message->whole == CS_NONE)
        return true;
    if (message->fills)
        cs_exec_filled(exec, *number);
    if (exec->watch && exec->watch->carried)
        report_route(exec, *number, at_ps);
    exec->result->waits += message->wait_ps > 0;
    return cs_exec_last_part_arrives(exec, number);
}

/* The receive of a message that packs, or CS_NONE. */
static uint32_t match_late(struct exec *exec, uint32_t number)
{
    const struct cs_message *message = &exec->traffic.messages[number];
    struct cs_mail_key key = {message->dst, message->src, message->channel};

    cs_packed_landed(exec, number);
    return cs_fan_in_arrive(exec, &key, number);
}

static void report_delivery(struct exec *exec, uint32_t number, uint64_t at_ps)
{
    const struct cs_message *message = &exec->traffic.messages[number];

    if (exec->watch->delivered)
        exec->watch->delivered(exec->watch->ctx, message, at_ps);
    if (exec->watch->carried && !message->is_split)
        report_route(exec, number, at_ps);
}

static int deliver_message(struct exec *exec, uint32_t number, uint64_t at_ps)
{
    struct cs_message *message = &exec->traffic.messages[number];
    uint32_t sender = message->src * exec->lanes.each + message->lane;
    uint32_t dst = message->dst;
    struct cs_path path = cs_exec_path_over(message, at_ps);
    uint32_t receive = message->packs ? match_late(exec, number) : message->receive;
    bool was_left = message->left;
    int code = 0;

    message->arrived = true;
    message->in_flight = false;
    if (message->fills)
        cs_exec_filled(exec, number);
    if (exec->traffic.ties && dst < exec->program->ranks)
        cs_traffic_meet(&exec->traffic, &exec->parties[dst].tie, number, message->hops, at_ps);
    exec->delivered++;
    exec->result->waits += !message->is_split && message->wait_ps > 0;
    if (exec->watch)
        report_delivery(exec, number, at_ps);
    if (receive == CS_NONE) {
        cs_exec_hold(exec, dst, message->bytes);
        if (message->left)
            message->path = path;
    } else {
        code = cs_exec_check_sizes(exec, dst, &exec->receives[receive], message);
        if (exec->receives[receive].reduces) {
            receive = part_receive(exec, receive);
            exec->receives[receive].holds = true;
            cs_exec_hold(exec, dst, message->bytes);
        }
        cs_exec_drop_message(exec, number);
        if (!code)
            consume_message(exec, receive, dst, &path);
    }
    if (!exec->model->release && !was_left)
        cs_exec_op_done(exec, sender, &path);
    else if (exec->model->release && !was_left && receive != CS_NONE)
        release_sender(exec, number);
    return code;
}

int cs_exec_delivered(struct exec *exec, uint32_t number, uint64_t at_ps)
{
    if (exec->routing && !take_part(exec, &number, at_ps))
        return 0;
    return deliver_message(exec, number, at_ps);
}

void cs_exec_reduce_local(struct exec *exec, uint32_t lane, const struct cs_op *op)
{
    uint32_t party = lane / exec->lanes.each;
    uint32_t number = new_receive(exec);
    struct receive *receive = &exec->receives[number];

    *receive = (struct receive){
        .bytes = cs_op_bytes(&exec->cut, op),
        .lane = lane,
        .sharers = 1,
        .reduces = true,
    };
    consume_message(exec, number, party, &exec->lanes.lane[lane].path);
}

void cs_exec_compute(struct exec *exec, uint32_t lane, const struct cs_op *op)
{
    uint32_t number;

    if (op->amount == 0) {
        cs_exec_op_done(exec, lane, &exec->lanes.lane[lane].path);
        return;
    }
    number = new_receive(exec);
    exec->receives[number] = (struct receive){.lane = lane, .sharers = 1};
    occupy_reducer(exec, number, op->amount, &exec->lanes.lane[lane].path);
}

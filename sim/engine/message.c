#include "sim/engine/message.h"

#include "sim/engine/fan_in.h"
#include "sim/engine/paths.h"

#include <inttypes.h>

void cs_exec_forget(struct exec *exec, uint32_t number)
{
    exec->traffic.messages[number].lingers = false;
    if (exec->traffic.messages[number].is_over)
        cs_exec_drop_message(exec, number);
}

int cs_exec_refuse_size(struct exec *exec, uint32_t dst, const struct receive *receive,
                        const struct cs_message *message)
{
    char who[CS_PARTY_NAME];

    return cs_err_set(
        exec->err, CS_EANSWER, "%s expects %" PRIu64 " bytes and gets %" PRIu64 " from party %u",
        cs_party_name(exec->program, dst, who), receive->bytes, message->bytes, message->src);
}

inline void cs_exec_enter(struct exec *exec, uint32_t number)
{
    struct cs_message *message = &exec->traffic.messages[number];
    uint64_t now_ps = exec->traffic.events.now_ps;
    struct cs_delivery delivery;

    message->sent_ps = now_ps;
    message->head_ps = now_ps;
    message->tail_ps = now_ps;
    message->in_flight = true;
    if (exec->load_bytes)
        cs_exec_load_links(exec, number, true);
    if (exec->model->wake && exec->watches_memory)
        cs_exec_fill_at_soonest(exec, number);
    delivery = exec->model->send(&exec->traffic, number);
    /* Added first, so that the event fires before a delivery at the same time. */
    if (exec->traffic.eager && !message->left)
        cs_events_add(&exec->traffic.events, message->left_ps, CS_EVENT_LEFT, number);
    cs_exec_follow(exec, number, delivery);
}

/* Whether the part is the last of its message to leave the sender. */
static bool last_part_leaves(struct exec *exec, uint32_t number)
{
    uint32_t whole = exec->traffic.messages[number].whole;

    exec->traffic.messages[number].left = true;
    return --exec->traffic.messages[whole].parts_there == 0;
}

void cs_exec_left(struct exec *exec, uint32_t number)
{
    struct cs_message *message = &exec->traffic.messages[number];
    uint32_t first = *cs_traffic_route(&exec->traffic, number);
    uint64_t took_ps = message->left_ps - message->sent_ps;
    struct cs_path path = message->path;
    uint64_t take_ps;

    if (message->whole != CS_NONE) {
        if (!last_part_leaves(exec, number))
            return;
        message = &exec->traffic.messages[message->whole];
    }
    take_ps = cs_time_up((double)message->bytes * exec->net->links[first].ps_per_byte);
    if (take_ps > took_ps) /* the rate has changed meanwhile */
        take_ps = took_ps;
    path.bandwidth_ps += take_ps;
    path.wait_ps += took_ps - take_ps;
    cs_exec_finish_send(exec, message, &path);
}

/* Delays the message by noise; false without a delay. */
static bool delay_message(struct exec *exec, uint32_t number)
{
    struct cs_message *message = &exec->traffic.messages[number];
    uint64_t wait_ps = cs_noise_message_ps(exec->noise, message);
    uint64_t ready_ps = cs_path_ps(&message->path);

    if (wait_ps == 0)
        return false;
    /* From the end of the path, which with a processor may be later than now;
     * or from now, where a busy party posted the receive late. */
    if (ready_ps < exec->traffic.events.now_ps)
        wait_ps += exec->traffic.events.now_ps - ready_ps;
    message->path.wait_ps += wait_ps;
    cs_events_add(&exec->traffic.events, cs_path_ps(&message->path), CS_EVENT_LEAVE, number);
    return true;
}

/* Finds the route of the message in the known net; true if all links of the
 * route exist and are up. */
static bool take_route(struct exec *exec, uint32_t number)
{
    struct cs_message *message = &exec->traffic.messages[number];
    uint32_t hops = message->hops = cs_exec_find_route(exec, number);
    const uint32_t *route = cs_traffic_route(&exec->traffic, number);
    bool is_up = hops > 0;

    if (exec->change_count)
        for (uint32_t i = 0; i < hops && is_up; i++)
            is_up = !exec->net->links[route[i]].down;
    return is_up;
}

void cs_exec_stall(struct exec *exec, uint32_t number)
{
    struct cs_message *messages = exec->traffic.messages;

    messages[number].next = CS_NONE;
    if (exec->stalled_first == CS_NONE)
        exec->stalled_first = number;
    else
        messages[exec->stalled_last].next = number;
    exec->stalled_last = number;
}

inline int cs_exec_inject(struct exec *exec, uint32_t number)
{
    struct cs_message *message = &exec->traffic.messages[number];

    message->wait_ps = 0;
    message->own_ps = 0;
    message->latency_ps = 0;
    message->hop = 0;
    if (take_route(exec, number)) {
        if (!exec->noise || !delay_message(exec, number))
            cs_exec_enter(exec, number);
        return 0;
    }
    exec->result->cut_off = exec->changes_left == 0;
    if (exec->result->cut_off)
        return cs_err_set(exec->err, CS_EINPUT, "no route from rank %u to rank %u", message->src,
                          message->dst);
    cs_exec_stall(exec, number);
    return 0;
}

/* ---- parts ---- */

/* The message itself stays out of the network. */
static int inject_part(struct exec *exec, uint32_t number, uint32_t part, uint32_t parts)
{
    uint32_t one = cs_exec_new_message(exec);
    const struct cs_message *whole = &exec->traffic.messages[number];
    struct cs_message *message = &exec->traffic.messages[one];

    *message = *whole;
    message->whole = number;
    message->is_split = false;
    message->part = part;
    message->bytes = whole->bytes / parts + (part < whole->bytes % parts);
    return cs_exec_inject(exec, one);
}

/* As cs_exec_inject(), in parts where the message takes several routes. */
static int inject_parts(struct exec *exec, uint32_t number)
{
    struct cs_message *message = &exec->traffic.messages[number];
    uint32_t parts = cs_exec_count_parts(exec, message);
    int code = 0;

    if (parts == 1)
        return cs_exec_inject(exec, number);
    message->parts_here = message->parts_there = parts;
    message->is_split = true;
    for (uint32_t i = 0; i < parts && !code; i++)
        code = inject_part(exec, number, i, parts);
    return code;
}

bool cs_exec_last_part_arrives(struct exec *exec, uint32_t *number)
{
    struct cs_message *part = &exec->traffic.messages[*number];
    uint32_t whole = part->whole;
    struct cs_message *message = &exec->traffic.messages[whole];
    bool is_last = --message->parts_here == 0;

    part->in_flight = false;
    if (is_last) {
        message->path = part->path;
        message->sent_ps = part->sent_ps;
        message->latency_ps = part->latency_ps;
        message->wait_ps = part->wait_ps;
        message->own_ps = part->own_ps;
    }
    cs_exec_drop_message(exec, *number);
    *number = whole;
    return is_last;
}

/* The message leaves now, `path` after the start. */
static inline int launch_message(struct exec *exec, uint32_t number, const struct cs_path *path)
{
    struct cs_message *message = &exec->traffic.messages[number];

    message->path = *path;
    exec->too_many_bytes |=
        __builtin_add_overflow(exec->result->bytes_sent, message->bytes, &exec->result->bytes_sent);
    exec->parties[message->src].sent_bytes += message->bytes;
    exec->result->messages++;
    return exec->routing ? inject_parts(exec, number) : cs_exec_inject(exec, number);
}

int cs_exec_match(struct exec *exec, uint32_t number, uint32_t receive, const struct cs_path *path)
{
    struct cs_message *message = &exec->traffic.messages[number];

    message->receive = receive;
    if (cs_exec_check_sizes(exec, message->dst, &exec->receives[receive], message))
        return CS_EANSWER;
    return launch_message(exec, number, path);
}

int cs_exec_send(struct exec *exec, uint32_t src, uint32_t lane, const struct cs_op *op)
{
    uint32_t own = lane - src * exec->lanes.each;
    uint32_t number = cs_exec_new_message(exec);
    struct cs_message *message = &exec->traffic.messages[number];
    struct cs_mail_key key = {op->peer, src, cs_op_channel(exec->program, own, op)};
    uint32_t served = cs_exec_served(exec, lane, op);
    uint32_t receive;

    /* Field by field: fields set by launch_message() need no clearing. */
    message->bytes = cs_op_bytes(&exec->cut, op);
    message->round = exec->lanes.lane[lane].round;
    message->src = src;
    message->dst = op->peer;
    message->to = exec->program->folded ? op->source : op->peer;
    message->lane = own;
    message->channel = key.channel;
    message->op = (uint32_t)(op - exec->ops.op);
    message->blocks = op->blocks;
    message->flags = 0;
    if (exec->program->handshake || op->leaves == CS_LEAVES_MET)
        message->handshake = true;
    if (op->leaves == CS_LEAVES_IN_ORDER)
        message->in_order = true;
    message->starter = own;
    if (served != CS_NONE) {
        message->met = true;
        message->starter = served;
    }
    message->whole = CS_NONE;
    message->part = message->parts_here = message->parts_there = 0;
    if (exec->sends_pack) {
        message->packs = true;
        message->launch = cs_packed_launch(exec, lane, message->bytes);
        message->receive = CS_NONE;
        return launch_message(exec, number, &exec->lanes.lane[lane].path);
    }
    /* Matched when sent, not on arrival: messages may overtake it. */
    receive = cs_fan_in_arrive(exec, &key, number);
    message->receive = receive;
    if (!message->handshake)
        return launch_message(exec, number, &exec->lanes.lane[lane].path);
    if (receive == CS_NONE)
        return 0;
    return cs_exec_match(exec, number, receive, &exec->lanes.lane[lane].path);
}

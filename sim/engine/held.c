#include "sim/engine/message.h"

void cs_exec_report_held(const struct exec *exec, uint32_t party)
{
    const struct party *holder = &exec->parties[party];

    exec->watch->held(exec->watch->ctx, party, holder->extra_bytes + holder->filling_bytes,
                      exec->traffic.events.now_ps);
}

/* Arrival of the first byte of a message whose last byte arrives at `at_ps`.
 * With cut-through this is the end of all waits and latencies; with
 * store-and-forward nodes, the start of the last link's service. */
static uint64_t first_byte_ps(const struct exec *exec, uint32_t number, uint64_t at_ps)
{
    const struct cs_message *message = &exec->traffic.messages[number];
    const uint32_t *route = cs_traffic_route(&exec->traffic, number);
    uint64_t take_ps = at_ps - message->sent_ps - message->latency_ps - message->wait_ps;

    if (exec->traffic.stores)
        take_ps = cs_time_up((double)message->bytes *
                             exec->net->links[route[message->hops - 1]].ps_per_byte);
    return take_ps < at_ps ? at_ps - take_ps : 0;
}

void cs_exec_fill_from(struct exec *exec, uint32_t number, uint64_t at_ps)
{
    uint64_t now_ps = exec->traffic.events.now_ps;
    uint64_t from_ps = first_byte_ps(exec, number, at_ps);

    cs_events_add(&exec->traffic.events, from_ps < now_ps ? now_ps : from_ps, CS_EVENT_FILL,
                  number);
}

/* Models that move all messages together know the end of a message only at
 * delivery; its first byte needs at least the latencies of the route. */
void cs_exec_fill_at_soonest(struct exec *exec, uint32_t number)
{
    const struct cs_message *message = &exec->traffic.messages[number];
    const uint32_t *route = cs_traffic_route(&exec->traffic, number);
    uint64_t from_ps = exec->traffic.events.now_ps;

    for (uint32_t i = 0; i < message->hops; i++)
        from_ps = cs_time_after(from_ps, exec->net->links[route[i]].latency_ps);
    cs_events_add(&exec->traffic.events, from_ps, CS_EVENT_FILL, number);
}

/* A message that is received in place needs no buffer.  Where the net has
 * changed since the event was planned, the first byte may arrive later. */
void cs_exec_fill(struct exec *exec, uint32_t number)
{
    struct cs_message *message = &exec->traffic.messages[number];
    uint64_t due_ps = message->sent_ps + message->latency_ps + message->wait_ps;
    uint32_t receive = message->receive;

    if (message->whole != CS_NONE)
        receive = exec->traffic.messages[message->whole].receive;
    if (!message->in_flight || message->fills ||
        (receive != CS_NONE && !exec->receives[receive].reduces))
        return;
    if (!exec->model->wake && due_ps > exec->traffic.events.now_ps) {
        cs_events_add(&exec->traffic.events, due_ps, CS_EVENT_FILL, number);
        return;
    }
    message->fills = true;
    exec->parties[message->dst].filling_bytes += message->bytes;
    cs_exec_report_held(exec, message->dst);
}

void cs_exec_filled(struct exec *exec, uint32_t number)
{
    struct cs_message *message = &exec->traffic.messages[number];

    exec->parties[message->dst].filling_bytes -= message->bytes;
    message->fills = false;
}

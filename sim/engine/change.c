#include "sim/engine/change.h"

#include "sim/engine/held.h"
#include "sim/engine/message.h"
#include "sim/engine/paths.h"

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

int cs_exec_change(struct exec *exec, uint32_t number)
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

void cs_exec_plan_changes(struct exec *exec)
{
    exec->changes_left = 2 * exec->change_count;
    for (uint32_t i = 0; i < exec->change_count; i++) {
        cs_events_add(&exec->traffic.events, exec->changes[i].at_ps, CS_EVENT_CHANGE, i);
        cs_events_add(&exec->traffic.events,
                      cs_time_after(exec->changes[i].at_ps, exec->failover_ps), CS_EVENT_CHANGE,
                      exec->change_count + i);
    }
}

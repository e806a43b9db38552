#include "sim/models/fluid/state.h"

void cs_own_wait_enter(struct cs_traffic *traffic, uint32_t number)
{
    struct fluid *fluid = traffic->model;
    const struct cs_message *message = &traffic->messages[number];
    const uint32_t *route = cs_traffic_route(traffic, number);

    for (uint32_t i = 0; i < message->hops; i++) {
        struct fluid_users *users = &fluid->users[traffic->net->links[route[i]].resource];
        uint32_t src = cs_traffic_sender(traffic, number, i);

        if (users->flows++ == 0)
            *users = (struct fluid_users){.flows = 1, .src = src};
        else
            users->shared = true;
        if (users->src != src)
            users->mixed = true;
    }
}

void cs_own_wait_leave(struct cs_traffic *traffic, uint32_t number)
{
    struct fluid *fluid = traffic->model;
    const uint32_t *route = cs_traffic_route(traffic, number);

    for (uint32_t i = 0; i < traffic->messages[number].hops; i++)
        fluid->users[traffic->net->links[route[i]].resource].flows--;
}

/* Whether the cause of a wait depends on the resource that holds the flow back: of
 * two resources with one level either may, and their numbers decide. */
static bool cause_is_open(const struct cs_traffic *traffic, uint32_t number)
{
    const struct fluid *fluid = traffic->model;
    const uint32_t *route = cs_traffic_route(traffic, number);
    bool own = false;
    bool mixed = false;

    for (uint32_t i = 0; i < traffic->messages[number].hops; i++) {
        const struct fluid_users *users = &fluid->users[traffic->net->links[route[i]].resource];

        mixed |= users->mixed;
        own |= users->shared && !users->mixed;
    }
    return own && mixed;
}

void cs_own_wait_count(struct cs_traffic *traffic, uint32_t number, const struct fluid_flow *before,
                       double left_bytes)
{
    struct fluid *fluid = traffic->model;
    struct cs_message *message = &traffic->messages[number];
    uint64_t took_ps = traffic->events.now_ps - before->since_ps;
    uint64_t alone_ps;

    /* A limit holds back no flow beyond the time of the flow alone. */
    if (before->holder >= traffic->net->resource_count || fluid->factors->back > 0)
        return;
    alone_ps = fluid_take_ps(before->left_bytes - left_bytes,
                             cs_maxmin_limit_Bps(&fluid->maxmin, number) * before->scale);
    if (took_ps <= alone_ps)
        return;
    if (traffic->ties && cause_is_open(traffic, number))
        traffic->is_cause_open = true;
    if (!fluid->users[before->holder].mixed)
        message->own_ps += took_ps - alone_ps;
}

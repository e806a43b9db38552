#include "sim/link_lost.h"

#include <stdlib.h>

bool cs_link_lose(struct cs_traffic *traffic, uint32_t number,
                  const struct cs_net *next)
{
    const struct cs_message *message = &traffic->messages[number];
    const struct cs_net_link *links = next->links;
    const uint32_t *route = cs_traffic_route(traffic, number);
    uint64_t now_ps = traffic->events.now_ps;
    uint64_t passed_ps = message->tail_ps; /* by the last byte, link i */
    bool lost = false;
    uint32_t i;

    for (i = message->hops; i-- > 0 && !lost;) {
        const struct cs_net_link *link = &links[route[i]];

        lost = link->down && (i >= message->hop || passed_ps > now_ps);
        if (i < message->hop)
            passed_ps -= link->latency_ps;
    }
    if (!lost)
        return false;
    cs_traffic_uncount(traffic, number, message->hop);
    if (message->hop < message->hops) /* its next move does not come */
        traffic->due[links[route[message->hop]].server]--;
    return true;
}

/* Until when each server is needed by messages that are under way: not before
 * their last bytes are off the link, and these come one link after the other. */
static void find_needs(const struct cs_traffic *traffic, uint32_t messages,
                       uint64_t *until_ps)
{
    uint32_t number;
    uint32_t i;

    for (number = 0; number < messages; number++) {
        const struct cs_message *message = &traffic->messages[number];
        const uint32_t *route = cs_traffic_route(traffic, number);
        uint64_t passed_ps = message->tail_ps;

        for (i = message->hop; message->under_way && i-- > 0;) {
            const struct cs_net_link *link = &traffic->net->links[route[i]];

            passed_ps -= link->latency_ps;
            if (passed_ps > until_ps[link->server])
                until_ps[link->server] = passed_ps;
        }
    }
}

void cs_link_change(struct cs_traffic *traffic, uint32_t messages)
{
    uint32_t servers = traffic->net->server_count;
    uint64_t *until_ps = cs_grow(NULL, servers, sizeof(*until_ps));
    uint32_t i;

    for (i = 0; i < servers; i++)
        until_ps[i] = traffic->events.now_ps;
    find_needs(traffic, messages, until_ps);
    for (i = 0; i < servers; i++)
        if (traffic->free_ps[i] > until_ps[i])
            traffic->free_ps[i] = until_ps[i];
    free(until_ps);
}

#include "scenarios/run/routing_note.h"

#include "scenarios/run/job_machine.h"

#include <stdlib.h>
#include <string.h>

enum {
    PARTIES_SEEN = 64, /* between which routes are compared */
};

static bool same_route(const struct cs_net *a, const struct cs_net *b, uint32_t src, uint32_t dst,
                       uint32_t *links)
{
    uint32_t hops = a->route(a->route_ctx, src, dst, links);
    uint32_t *others = links + a->max_hops;

    return b->route(b->route_ctx, src, dst, others) == hops &&
           memcmp(links, others, hops * sizeof(*links)) == 0;
}

/* Between parties evenly spread. */
static bool same_routes(const struct cs_net *a, const struct cs_net *b)
{
    uint32_t step = a->party_count / PARTIES_SEEN + 1;
    uint32_t *links = cs_grow(NULL, a->max_hops + (size_t)b->max_hops, sizeof(*links));
    bool same = true;
    uint32_t src, dst;

    for (src = 0; src < a->party_count && same; src += step)
        for (dst = 0; dst < a->party_count && same; dst += step)
            same = src == dst || same_route(a, b, src, dst, links);
    free(links);
    return same;
}

/* Whether some pair of parties evenly spread has several shortest routes. */
static bool has_alternatives(const struct cs_net *net)
{
    uint32_t step = net->party_count / PARTIES_SEEN + 1;
    uint32_t *links = cs_grow(NULL, net->max_hops, sizeof(*links));
    struct cs_route_choice *choice = net->choice;
    uint32_t src, dst;

    choice->paths = 1;
    for (src = 0; src < net->party_count; src += step)
        for (dst = 0; dst < net->party_count && choice->paths == 1; dst += step)
            if (src != dst) {
                choice->by = CS_CHOOSE_NUMBER;
                choice->number = 0;
                (void)net->route(net->route_ctx, src, dst, links);
            }
    choice->by = CS_CHOOSE_NOTHING;
    free(links);
    return choice->paths > 1;
}

static void note_single_routes(const struct cs_run *run)
{
    if (!has_alternatives(&run->net))
        cs_text_printf(
            run->which->notes,
            "--routing %s has no effect: there is one shortest route between any two ranks\n",
            cs_routing_names[run->which->scenario->flows.routing]);
}

void cs_note_unused_routing(const struct cs_run *run)
{
    enum cs_routing routing = run->which->scenario->flows.routing;
    const struct cs_machine *typical;
    struct cs_err err = {0};

    if (routing == CS_ROUTING_STATIC || !run->which->notes)
        return;
    if (run->draws_routes && run->net.choice) {
        note_single_routes(run);
        return;
    }
    if (cs_run_machine_routed(run, CS_ROUTING_STATIC, &typical, &err) == 0 &&
        !typical->graph.replicated.count == !run->graph.replicated.count &&
        same_routes(&run->machine->net, &typical->net))
        cs_text_printf(run->which->notes,
                       "--routing %s has no effect: the routes are those of spread\n",
                       cs_routing_names[routing]);
}

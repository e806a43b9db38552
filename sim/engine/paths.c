#include "sim/engine/paths.h"

#include "sim/base/random.h"

/* ---- choice of a route ---- */

static uint32_t route_by(const struct exec *exec, const struct cs_message *message,
                         struct cs_route_choice choice, uint32_t *links)
{
    const struct cs_net *net = exec->routes;
    uint32_t hops;

    choice.paths = 1;
    *net->choice = choice;
    hops = net->route(net->route_ctx, message->src, message->to, links);
    net->choice->by = CS_CHOOSE_NOTHING;
    return hops;
}

/* The first route of a message in a sequence of routes: differs by round, so that
 * short messages use every route in turn. */
static uint64_t first_number(const struct exec *exec, const struct cs_message *message)
{
    uint64_t key = cs_mix64((uint64_t)message->src << 32 | message->to);

    return cs_mix64(cs_mix64(exec->routing->seed ^ key) + message->round);
}

static struct cs_route_choice hashed(const struct exec *exec, const struct cs_message *message)
{
    const struct cs_paths *paths = exec->routing;
    uint32_t pairs = paths->queue_pairs ? paths->queue_pairs : 1;

    return (struct cs_route_choice){
        .by = CS_CHOOSE_HASHED,
        .seed = paths->seed,
        .number = paths->by_pair ? (uint64_t)message->channel * pairs + message->part : 0};
}

/* The time of the links to pass the bytes under way. */
static double load_ps(const struct exec *exec, const uint32_t *links, uint32_t hops)
{
    double sum = 0;
    uint32_t i;

    for (i = 0; i < hops; i++) {
        const struct cs_net_link *link = &exec->net->links[links[i]];

        sum += link->ps_per_byte * (double)exec->load_bytes[link->resource];
    }
    return sum;
}

static uint32_t least_loaded(struct exec *exec, const struct cs_message *message, uint32_t *links)
{
    uint64_t first = first_number(exec, message);
    struct cs_route_choice choice = {.by = CS_CHOOSE_NUMBER, .number = first};
    uint32_t hops = route_by(exec, message, choice, links);
    uint32_t paths = exec->routes->choice->paths;
    double least_ps = load_ps(exec, links, hops);
    uint64_t best = first;
    uint32_t i;

    for (i = 1; i < paths && i < CS_PATHS_MAX; i++) {
        double at_ps;

        choice.number = first + i;
        hops = route_by(exec, message, choice, links);
        at_ps = load_ps(exec, links, hops);
        if (at_ps < least_ps) {
            least_ps = at_ps;
            best = choice.number;
        }
    }
    choice.number = best;
    return route_by(exec, message, choice, links);
}

uint32_t cs_exec_choose_route(struct exec *exec, const struct cs_message *message, uint32_t *links)
{
    if (exec->routing->how == CS_PATHS_LEAST_LOADED)
        return least_loaded(exec, message, links);
    if (exec->routing->how == CS_PATHS_HASHED)
        return route_by(exec, message, hashed(exec, message), links);
    return route_by(exec, message,
                    (struct cs_route_choice){.by = CS_CHOOSE_NUMBER,
                                             .number = first_number(exec, message) + message->part},
                    links);
}

void cs_exec_load_links(struct exec *exec, uint32_t number, bool begins)
{
    const struct cs_message *message = &exec->traffic.messages[number];
    const uint32_t *route = cs_traffic_route(&exec->traffic, number);
    uint32_t i;

    for (i = 0; i < message->hops; i++) {
        uint64_t *load = &exec->load_bytes[exec->net->links[route[i]].resource];

        if (begins)
            *load += message->bytes;
        else
            *load -= message->bytes;
    }
}

/* ---- parts of a message ---- */

/* How many routes the message may take. */
static uint32_t parts_wanted(const struct exec *exec)
{
    const struct cs_paths *paths = exec->routing;

    if (paths->how == CS_PATHS_SPRAYED)
        return CS_PATHS_MAX;
    if (paths->how == CS_PATHS_HASHED && !paths->by_pair)
        return 1;
    return paths->queue_pairs ? paths->queue_pairs : 1;
}

uint32_t cs_exec_count_parts(struct exec *exec, const struct cs_message *message)
{
    uint64_t parts = parts_wanted(exec);
    uint64_t packets = message->bytes / CS_PATHS_PACKET + (message->bytes % CS_PATHS_PACKET > 0);
    uint32_t paths;

    if (parts > packets)
        parts = packets;
    if (parts < 2)
        return 1;
    (void)route_by(exec, message, (struct cs_route_choice){.by = CS_CHOOSE_NUMBER}, exec->route);
    paths = exec->routes->choice->paths;
    if (paths < 2)
        return 1;
    if (exec->routing->how == CS_PATHS_SPRAYED && parts > paths)
        parts = paths;
    return (uint32_t)parts;
}

#include "sim/engine/paths.h"

#include "sim/base/random.h"

#include <stdlib.h>
#include <string.h>

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

    for (uint32_t i = 0; i < hops; i++) {
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

    for (uint32_t i = 1; i < paths && i < CS_PATHS_MAX; i++) {
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

/* Writes the route of a message or part, as a cs_route_fn. */
static uint32_t exec_choose_route(struct exec *exec, const struct cs_message *message,
                                  uint32_t *links)
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

    for (uint32_t i = 0; i < message->hops; i++) {
        uint64_t *load = &exec->load_bytes[exec->net->links[route[i]].resource];

        if (begins)
            *load += message->bytes;
        else
            *load -= message->bytes;
    }
}

/* ---- records ---- */

/* The message has row `number` of the routes. */
static void own_route(const struct exec *exec, uint32_t number)
{
    const struct cs_traffic *traffic = &exec->traffic;
    struct cs_message *message = &traffic->messages[number];

    message->owns_route = true;
    message->route = &traffic->links[(size_t)number * traffic->stride];
    if (traffic->origins)
        message->origins = &traffic->origins[(size_t)number * (traffic->stride + 1)];
}

/* After the routes have moved. */
static void follow_routes(const struct exec *exec)
{
    for (uint32_t i = 0; i < exec->message_pool.count; i++)
        if (exec->traffic.messages[i].owns_route)
            own_route(exec, i);
}

void cs_exec_enlarge_messages(struct exec *exec)
{
    struct cs_traffic *traffic = &exec->traffic;
    size_t capacity = cs_exec_enlarge(exec, &exec->message_pool);

    traffic->messages = cs_grow_lines(traffic->messages, exec->message_pool.count, capacity,
                                      sizeof(*traffic->messages));
    traffic->links = cs_grow(traffic->links, capacity * traffic->stride, sizeof(*traffic->links));
    if (exec->net->origins)
        traffic->origins =
            cs_grow(traffic->origins, capacity * (traffic->stride + 1), sizeof(*traffic->origins));
    if (exec->keeps_services)
        traffic->services =
            cs_grow(traffic->services, capacity * traffic->stride, sizeof(*traffic->services));
    follow_routes(exec);
}

/* ---- routes ---- */

/* The array with rows of `wide` bytes instead of `narrow`. */
static void *widen_rows(const struct exec *exec, void *rows, size_t narrow, size_t wide)
{
    char *made = cs_grow(NULL, exec->message_pool.capacity, wide);

    for (uint32_t i = 0; i < exec->message_pool.count; i++)
        memcpy(made + i * wide, (char *)rows + i * narrow, narrow);
    free(rows);
    return made;
}

/* Makes room for routes of `hops` links: the longest so far. */
static void widen_routes(struct exec *exec, uint32_t hops)
{
    struct cs_traffic *traffic = &exec->traffic;
    size_t stride = traffic->stride;

    traffic->links =
        widen_rows(exec, traffic->links, stride * sizeof(uint32_t), hops * sizeof(uint32_t));
    if (traffic->services)
        traffic->services = widen_rows(exec, traffic->services, stride * sizeof(struct cs_service),
                                       hops * sizeof(struct cs_service));
    if (traffic->origins)
        traffic->origins =
            widen_rows(exec, traffic->origins, (stride + 1) * sizeof(struct cs_origin),
                       (hops + 1) * sizeof(struct cs_origin));
    traffic->stride = hops;
    follow_routes(exec);
}

/* Reads the route of a message and returns its length.  Routes longer than the
 * rows so far are rare: rows of max_hops would waste memory on large machines. */
static uint32_t read_route(struct exec *exec, uint32_t number)
{
    const struct cs_net *net = exec->routes;
    struct cs_traffic *traffic = &exec->traffic;
    const struct cs_message *message = &traffic->messages[number];
    uint32_t src = message->src;
    uint32_t to = message->to;
    uint32_t hops;

    own_route(exec, number);
    if (!exec->routing && traffic->stride == net->max_hops) {
        hops =
            net->route(net->route_ctx, src, to, &traffic->links[(size_t)number * traffic->stride]);
    } else {
        hops = exec->routing ? exec_choose_route(exec, message, exec->route)
                             : net->route(net->route_ctx, src, to, exec->route);
        if (hops > traffic->stride)
            widen_routes(exec, hops);
        memcpy(&traffic->links[(size_t)number * traffic->stride], exec->route,
               hops * sizeof(*exec->route));
    }
    if (traffic->origins)
        net->origins(net->route_ctx, src, to,
                     &traffic->origins[(size_t)number * (traffic->stride + 1)]);
    return hops;
}

/* Keeps the route of the message for all messages of its lane to its destination. */
static void keep_route(const struct exec *exec, struct kept_route *kept,
                       const struct cs_message *message, uint32_t hops)
{
    kept->lane = message->src * exec->lanes.each + message->lane;
    kept->to = message->to;
    kept->hops = hops;
    memcpy(kept->links, message->route, hops * sizeof(*kept->links));
    if (exec->kept_origins)
        memcpy(&exec->kept_origins[(kept - exec->kept) * (CS_KEPT_HOPS + 1)], message->origins,
               (hops + 1) * sizeof(*exec->kept_origins));
}

uint32_t cs_exec_read_route(struct exec *exec, uint32_t number, struct kept_route *kept)
{
    uint32_t hops = read_route(exec, number);

    if (kept && kept->hops == 0 && hops <= CS_KEPT_HOPS)
        keep_route(exec, kept, &exec->traffic.messages[number], hops);
    return hops;
}

void cs_exec_copy_route(struct exec *exec, uint32_t number, const uint32_t *links, uint32_t hops)
{
    own_route(exec, number);
    memcpy(&exec->traffic.links[(size_t)number * exec->traffic.stride], links,
           hops * sizeof(*links));
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

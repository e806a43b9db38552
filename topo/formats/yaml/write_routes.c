#include "topo/formats/yaml/write_values.h"

#include "sim/base/collections/name_index.h"
#include "sim/base/order.h"
#include "topo/formats/yaml/reader.h"
#include "topo/graph/lower.h"
#include "topo/graph/route.h"

#include <stdlib.h>

enum {
    BYTES_MAX = 8 << 20, /* half of what a reader takes */
};

/* A pair of ranks with its path. */
struct yaml_route {
    uint32_t src, dst; /* devices */
    uint32_t over;     /* number of the text of the devices between */
};

struct yaml_routes {
    const struct cs_graph *graph, *plain;
    const char *const *names;
    struct cs_arena arena;
    struct cs_net net;
    struct cs_routes *found; /* by search */
    struct cs_route_links links;
    uint32_t *kept; /* by wire of the graph: the number in `plain` */
    uint32_t *own_links, *found_links;
    uint32_t *path, length; /* devices of a route */
    uint32_t *steps;        /* links between them; UINT32_MAX: free */
    struct yaml_route *routes;
    uint32_t count;
    struct cs_names texts;
    const char **over; /* by number */
};

/* ---- paths ---- */

static uint32_t yaml_link_end(const struct cs_graph *graph, uint32_t link)
{
    const struct cs_wire *wire = &graph->wires[link / 2];

    return link % 2 ? wire->a : wire->b;
}

/* The number in `plain` of a link of the graph. */
static uint32_t yaml_plain(const struct yaml_routes *routes, uint32_t link)
{
    return 2 * routes->kept[link / 2] + link % 2;
}

static void yaml_step(struct yaml_routes *routes, uint32_t device, uint32_t link)
{
    routes->steps[routes->length - 1] = link;
    routes->path[routes->length++] = device;
}

/* The devices of a route, and the links between them; a link out of a bus is free,
 * and on no route. */
static void yaml_path(struct yaml_routes *routes, uint32_t hops, uint32_t src, uint32_t dst)
{
    const struct cs_graph *graph = routes->graph;

    routes->path[0] = src;
    routes->length = 1;
    for (uint32_t i = 0; i < hops; i++) {
        uint32_t link = routes->own_links[i], from = yaml_link_end(graph, link ^ 1);

        if (from != routes->path[routes->length - 1])
            yaml_step(routes, from, UINT32_MAX);
        yaml_step(routes, yaml_link_end(graph, link), yaml_plain(routes, link));
    }
    if (routes->path[routes->length - 1] != dst)
        yaml_step(routes, dst, UINT32_MAX);
}

/* Whether a device is twice on the path, as on routes that a file of SimGrid gives: no
 * route of this format, so that its reader finds another one (read_back.c has notes). */
static bool yaml_passes_twice(const struct yaml_routes *routes)
{
    for (uint32_t i = 1; i < routes->length; i++)
        for (uint32_t k = 0; k < i; k++)
            if (routes->path[i] == routes->path[k])
                return true;
    return false;
}

static bool yaml_is_found(const struct yaml_routes *routes, uint32_t hops, uint32_t found)
{
    bool same = hops == found;

    for (uint32_t i = 0; i < hops && same; i++)
        same = yaml_plain(routes, routes->own_links[i]) == routes->found_links[i];
    return same;
}

/* Which of several links the step of a path takes; 0 without several. */
static uint32_t yaml_nth(const struct yaml_routes *routes, uint32_t step)
{
    uint32_t nth = 0, link;

    if (routes->steps[step] == UINT32_MAX)
        return 0;
    while ((link = cs_route_link_nth(&routes->links, routes->path[step], routes->path[step + 1],
                                     nth)) != routes->steps[step] &&
           link != UINT32_MAX)
        nth++;
    return nth;
}

static bool yaml_is_cheapest(const struct yaml_routes *routes, uint32_t step)
{
    return routes->steps[step] == UINT32_MAX ||
           cs_route_link(&routes->links, routes->path[step], routes->path[step + 1]) ==
               routes->steps[step];
}

/* ", over: [plx0, nic0]", or "" for a link between the two; with the numbers of links
 * that are not the cheapest. */
static const char *yaml_over(struct yaml_routes *routes)
{
    uint32_t links = routes->length - 1, i = 0;
    struct cs_text text = {0};

    if (links > 1) {
        cs_yaml_add_sets(&text, ", over: ", routes->names, routes->path + 1, links - 1);
    }
    while (i < links && yaml_is_cheapest(routes, i))
        i++;
    for (uint32_t k = 0; k < links && i < links; k++)
        cs_text_printf(&text, "%s%u%s", k ? ", " : ", nth: [", yaml_nth(routes, k),
                       k + 1 == links ? "]" : "");
    return cs_text_keep(&text, &routes->arena);
}

/* ---- all pairs ---- */

static void yaml_add_route(struct yaml_routes *routes, uint32_t src, uint32_t dst)
{
    uint32_t from = routes->graph->rank_device[src], to = routes->graph->rank_device[dst];
    uint32_t hops = routes->net.route(routes->net.route_ctx, src, dst, routes->own_links);
    uint32_t found = cs_routes_find(routes->found, src, dst, routes->found_links);
    const char *over;
    uint32_t number;

    if (yaml_is_found(routes, hops, found))
        return;
    yaml_path(routes, hops, from, to);
    if (yaml_passes_twice(routes))
        return;
    over = yaml_over(routes);
    number = cs_names_add(&routes->texts, over, routes->texts.count);
    if (number == CS_NO_NAME) {
        number = routes->texts.count - 1;
        routes->over[number] = over;
    }
    routes->routes[routes->count++] = (struct yaml_route){from, to, number};
}

static int yaml_compare_routes(const void *a, const void *b)
{
    const struct yaml_route *x = a, *y = b;

    return CS_ORDER({x->over, y->over}, {x->src, y->src}, {x->dst, y->dst});
}

/* The routes from `at` on with its source and devices between. */
static uint32_t yaml_fan(const struct yaml_routes *routes, uint32_t at)
{
    uint32_t count = 1;

    while (at + count < routes->count &&
           routes->routes[at + count].over == routes->routes[at].over &&
           routes->routes[at + count].src == routes->routes[at].src)
        count++;
    return count;
}

/* Whether the fan at `next` leads to the devices of that at `at`, over the same. */
static bool yaml_fans_equal(const struct yaml_routes *routes, uint32_t at, uint32_t next,
                            uint32_t fan)
{
    const struct yaml_route *a = &routes->routes[at], *b = &routes->routes[next];
    bool equal = next < routes->count && a->over == b->over && yaml_fan(routes, next) == fan;

    for (uint32_t i = 0; i < fan && equal; i++)
        equal = a[i].dst == b[i].dst;
    return equal;
}

/* Appends the routes from `at` on that share a line; returns their number. */
static uint32_t yaml_write_line(const struct yaml_routes *routes, uint32_t at, uint32_t *devices,
                                struct cs_text *out)
{
    uint32_t fan = yaml_fan(routes, at), sources = 0;

    do {
        devices[sources] = routes->routes[at + sources * fan].src;
        sources++;
    } while (yaml_fans_equal(routes, at, at + sources * fan, fan));
    cs_yaml_add_sets(out, "  - {from: ", routes->names, devices, sources);
    for (uint32_t i = 0; i < fan; i++)
        devices[i] = routes->routes[at + i].dst;
    cs_yaml_add_sets(out, ", to: ", routes->names, devices, fan);
    cs_text_printf(out, "%s}\n", routes->over[routes->routes[at].over]);
    return sources * fan;
}

static void yaml_write_routes(struct yaml_routes *routes, struct cs_text *out)
{
    uint32_t *devices = cs_arena_alloc(&routes->arena, routes->graph->rank_count, sizeof(*devices));
    CS_AT_END(cs_text_free) struct cs_text text = {0};

    qsort(routes->routes, routes->count, sizeof(*routes->routes), yaml_compare_routes);
    cs_text_add(&text, "routes:\n");
    for (uint32_t at = 0; at < routes->count && text.length < BYTES_MAX;)
        at += yaml_write_line(routes, at, devices, &text);
    if (text.length < BYTES_MAX)
        cs_text_add(out, cs_text_str(&text));
}

/* The routes as a reader of the file finds them. */
static void yaml_search(struct yaml_routes *routes)
{
    struct cs_graph search = *routes->plain;

    search.route = NULL;
    search.choice = NULL;
    search.given_routes = NULL;
    search.hashes_routes = false;
    search.agent_count = 0;
    routes->found = cs_routes_new(&search, &routes->arena);
}

static void yaml_routes_open(struct yaml_routes *routes)
{
    const struct cs_graph *graph = routes->graph;
    struct cs_arena *arena = &routes->arena;
    size_t pairs = (size_t)graph->rank_count * graph->rank_count;
    uint32_t hops, kept = 0;

    cs_lower(graph, &routes->net, arena);
    yaml_search(routes);
    routes->links = cs_route_links_of(routes->plain, arena);
    routes->kept = cs_arena_alloc(arena, graph->wire_count, sizeof(*routes->kept));
    for (uint32_t w = 0; w < graph->wire_count; w++)
        routes->kept[w] = graph->wires[w].down ? kept : kept++;
    hops = routes->net.max_hops + cs_routes_max_hops(routes->found) + 2;
    routes->own_links = cs_arena_alloc(arena, hops, sizeof(uint32_t));
    routes->found_links = cs_arena_alloc(arena, hops, sizeof(uint32_t));
    routes->path = cs_arena_alloc(arena, 2 * (size_t)hops, sizeof(uint32_t));
    routes->steps = cs_arena_alloc(arena, 2 * (size_t)hops, sizeof(uint32_t));
    routes->routes = cs_arena_alloc(arena, pairs, sizeof(*routes->routes));
    routes->over = cs_arena_alloc(arena, pairs, sizeof(*routes->over));
    cs_names_init(&routes->texts, arena, 0);
}

void cs_yaml_add_routes(const struct cs_graph *graph, const struct cs_graph *plain,
                        const char *const *names, struct cs_text *out)
{
    struct yaml_routes routes = {.graph = graph, .plain = plain, .names = names};
    uint32_t ranks = graph->rank_count;

    if (ranks > CS_YAML_ROUTED_RANKS_MAX || ranks < 2 || (!graph->route && !graph->given_routes))
        return;
    yaml_routes_open(&routes);
    for (uint32_t src = 0; src < ranks; src++)
        for (uint32_t dst = 0; dst < ranks; dst++)
            if (src != dst)
                yaml_add_route(&routes, src, dst);
    if (routes.count)
        yaml_write_routes(&routes, out);
    cs_arena_free(&routes.arena);
}

#include "topo/graph/route.h"

#include "sim/base/collections/heap.h"
#include "sim/base/collections/narrow.h"
#include "sim/net/net.h"
#include "topo/graph/replicated.h"
#include "topo/graph/route_tie.h"

#include <stdbool.h>
#include <string.h>

enum {
    NO_LINK = UINT32_MAX,
    NO_HOPS = UINT32_MAX,
    KNOWN_PARTIES = 256, /* 65536 kept routes at most */
};

#define COST_FAR UINT64_MAX

struct route_route {
    uint32_t hops;
    uint32_t links[];
};

struct cs_routes {
    struct cs_graph whole;
    struct cs_graph graph;            /* of the search: the whole, or the smaller form */
    struct cs_replicated *replicated; /* NULL: the search is in the whole */
    struct cs_routes *fallback;       /* in the whole, on first use */
    struct cs_arena *arena;
    uint32_t max_hops;
    uint32_t *start, *links;   /* of struct cs_route_links */
    uint64_t *cost_ps;         /* of each link; 0: free */
    struct cs_narrow **trees;  /* party -> device -> 1 + which of its links is the last of the
                                * route there; 0: no route */
    uint64_t **fars;           /* source -> `tight`, or `far` where the links are more than the
                                * bits of that; where the last link depends on the destination */
    struct cs_narrow **counts; /* source -> device -> number of cheapest paths; only
                                * where routes are chosen */
    uint32_t parties;
    struct route_route **known; /* of each pair; NULL: too many parties */
    /* Of the last search: device -> cost from the source, scratch or one of `fars`.
     * Where not NULL in its place: a bit for each of `links`, see is_tight(). */
    uint64_t *far, *far_of_tree;
    const uint64_t *tight;
    uint32_t *numbers;   /* scratch, of each device */
    struct cs_heap heap; /* devices by cost, then by number */
    uint32_t *settled;   /* forwarding devices in order of cost; or NULL */
    uint32_t settled_count;
};

static uint32_t link_from(const struct cs_routes *routes, uint32_t link)
{
    const struct cs_wire *wire = &routes->graph.wires[link / 2];

    return link % 2 ? wire->b : wire->a;
}

static uint32_t link_to(const struct cs_routes *routes, uint32_t link)
{
    return link_from(routes, link ^ 1);
}

static bool route_leads(const struct cs_routes *routes, uint32_t link)
{
    return cs_wire_leads(&routes->graph.wires[link / 2], link);
}

/* A cheapest path has each forwarding device at most once: the count bounds the
 * hops. */
static uint32_t count_forwarding(const struct cs_graph *graph)
{
    uint32_t count = 0;

    for (uint32_t d = 0; d < graph->device_count; d++)
        count += cs_graph_forwards(graph, d);
    return count;
}

/* `graph` is the whole, or the smaller form of the whole. */
static void route_prepare(struct cs_routes *routes, const struct cs_graph *graph)
{
    struct cs_arena *arena = routes->arena;
    size_t devices = graph->device_count;
    uint32_t parties = routes->whole.rank_count + routes->whole.agent_count;
    struct cs_route_links index;

    routes->graph = *graph;
    routes->parties = parties;
    if (parties <= KNOWN_PARTIES)
        routes->known = cs_arena_alloc(arena, (size_t)parties * parties, sizeof(*routes->known));
    index = cs_route_links_of(&routes->graph, arena);
    routes->start = index.start;
    routes->links = index.links;
    routes->cost_ps = cs_arena_alloc(arena, graph->wire_count, 2 * sizeof(uint64_t));
    if (routes->replicated || graph->hashes_routes || graph->choice)
        routes->fars = cs_arena_alloc(arena, devices, sizeof(uint64_t *));
    if (!routes->replicated && !graph->hashes_routes)
        routes->trees = cs_arena_alloc(arena, parties, sizeof(*routes->trees));
    if (!routes->replicated && graph->choice) {
        routes->counts = cs_arena_alloc(arena, devices, sizeof(*routes->counts));
        routes->settled = cs_arena_alloc(arena, devices, sizeof(uint32_t));
    }
    routes->far_of_tree = cs_arena_alloc(arena, devices, sizeof(uint64_t));
    routes->numbers = cs_arena_alloc(arena, devices, sizeof(uint32_t));
    routes->heap.items = cs_arena_alloc(arena, devices, sizeof(*routes->heap.items));
    routes->heap.place = cs_arena_alloc(arena, devices, sizeof(uint32_t));
    for (uint32_t link = 0; link < 2 * graph->wire_count; link++)
        if (!cs_graph_link_is_free(graph, link))
            routes->cost_ps[link] = cs_route_wire_cost(&graph->wires[link / 2]);
}

/* With or without the smaller form of identical nodes. */
static struct cs_routes *route_begin(const struct cs_graph *graph, bool reduces,
                                     struct cs_arena *arena)
{
    struct cs_routes *routes = cs_arena_alloc(arena, 1, sizeof(*routes));

    routes->whole = *graph;
    routes->arena = arena;
    routes->max_hops = count_forwarding(graph) + 1;
    if (graph->given_routes && graph->given_routes->max_hops > routes->max_hops)
        routes->max_hops = graph->given_routes->max_hops;
    if (reduces)
        routes->replicated = cs_replicated_new(&routes->whole, arena);
    route_prepare(routes,
                  routes->replicated ? cs_replicated_graph(routes->replicated) : &routes->whole);
    return routes;
}

struct cs_routes *cs_routes_new(const struct cs_graph *graph, struct cs_arena *arena)
{
    return route_begin(graph, true, arena);
}

uint32_t cs_routes_max_hops(const struct cs_routes *routes)
{
    return routes->max_hops;
}

/* Only the source of a path may be a device that does not forward. */
static bool may_leave(const struct cs_routes *routes, uint32_t device, uint32_t source)
{
    return device == source || cs_graph_forwards(&routes->graph, device);
}

/* Lowers the cost of a device.  A device that does not forward ends a route
 * and stays out of the heap. */
static void route_lower_cost(struct cs_routes *routes, uint32_t device, uint64_t cost)
{
    struct cs_heap *heap = &routes->heap;

    if (cost >= routes->far[device])
        return;
    routes->far[device] = cost;
    if (!cs_graph_forwards(&routes->graph, device))
        return;
    if (heap->place[device] == CS_HEAP_NOWHERE)
        cs_heap_add(heap, (struct cs_heap_item){.key = cost, .tie = device, .number = device});
    else
        cs_heap_change(heap, heap->place[device], cost);
}

/* Dijkstra: fills the scratch `far` with the cost from the source to every device. */
static void route_search(struct cs_routes *routes, uint32_t source)
{
    struct cs_heap *heap = &routes->heap;

    routes->far = routes->far_of_tree;
    routes->tight = NULL;
    for (uint32_t d = 0; d < routes->graph.device_count; d++) {
        routes->far[d] = COST_FAR;
        heap->place[d] = CS_HEAP_NOWHERE;
    }
    routes->far[source] = 0;
    heap->count = 0;
    routes->settled_count = 0;
    cs_heap_add(heap, (struct cs_heap_item){.tie = source, .number = source});
    while (heap->count) {
        uint32_t d = heap->items[0].number;

        cs_heap_remove(heap, 0);
        if (routes->settled)
            routes->settled[routes->settled_count++] = d;
        for (uint32_t i = routes->start[d]; i < routes->start[d + 1]; i++) {
            uint32_t link = routes->links[i];

            if (route_leads(routes, link))
                route_lower_cost(routes, link_to(routes, link),
                                 routes->far[d] + routes->cost_ps[link]);
        }
    }
}

/* Whether the other direction of links[i] is the last of a cheapest path from the
 * source to that link's end. */
static bool is_tight(const struct cs_routes *routes, uint32_t i, uint32_t source)
{
    uint32_t link = routes->links[i] ^ 1, from;

    if (routes->tight)
        return routes->tight[i / 64] >> i % 64 & 1;
    from = link_from(routes, link);
    return route_leads(routes, link) && may_leave(routes, from, source) &&
           routes->far[from] != COST_FAR &&
           routes->far[from] + routes->cost_ps[link] == routes->far[link_to(routes, link)];
}

/* Which of `links` is, in the other direction, the last of the route to `device`; or NO_LINK. */
static uint32_t route_pick(const struct cs_routes *routes, uint32_t device, uint32_t source,
                           struct cs_tie_pair pair)
{
    uint32_t first = NO_LINK, ties = 0, chosen;

    for (uint32_t i = routes->start[device]; i < routes->start[device + 1]; i++) {
        if (!is_tight(routes, i, source))
            continue;
        if (ties++ == 0)
            first = i;
    }
    if (ties < 2)
        return first;
    chosen = cs_tie_choose(&routes->graph, pair, device, ties);
    while (!is_tight(routes, first, source) || chosen-- > 0)
        first++;
    return first;
}

/* Selects the last link to every device once; a route then follows the links
 * back without another search. */
static struct cs_narrow *grow_tree(struct cs_routes *routes, uint32_t party)
{
    uint32_t devices = routes->graph.device_count;
    uint32_t source = cs_graph_party_device(&routes->graph, party);

    route_search(routes, source);
    for (uint32_t d = 0; d < devices; d++) {
        uint32_t last =
            d == source ? NO_LINK : route_pick(routes, d, source, (struct cs_tie_pair){party, 0});

        routes->numbers[d] = last == NO_LINK ? 0 : 1 + last - routes->start[d];
    }
    return cs_narrow_of(routes->numbers, devices, routes->arena);
}

/* What is_tight() says after the search. */
static uint64_t *tight_links(const struct cs_routes *routes, uint32_t source)
{
    uint32_t count = routes->start[routes->graph.device_count];
    uint64_t *tight = cs_arena_alloc(routes->arena, count / 64 + 1, sizeof(*tight));

    for (uint32_t i = 0; i < count; i++)
        tight[i / 64] |= (uint64_t)is_tight(routes, i, source) << i % 64;
    return tight;
}

static bool route_is_sparse(const struct cs_routes *routes)
{
    return routes->start[routes->graph.device_count] / 64 < routes->graph.device_count;
}

/* Keeps the costs of the last search, from the source. */
static uint64_t *route_keep_costs(struct cs_routes *routes, uint32_t source)
{
    uint32_t devices = routes->graph.device_count;
    uint64_t *kept = route_is_sparse(routes)
                         ? tight_links(routes, source)
                         : cs_arena_copy(routes->arena, routes->far, devices, sizeof(*routes->far));

    routes->fars[source] = kept;
    return kept;
}

/* From now on is_tight() answers for the source. */
static void route_costs_from(struct cs_routes *routes, uint32_t source)
{
    uint64_t *kept = routes->fars[source];

    if (!kept) {
        route_search(routes, source);
        kept = route_keep_costs(routes, source);
    }
    routes->tight = route_is_sparse(routes) ? kept : NULL;
    if (!routes->tight)
        routes->far = kept;
}

/* The last link of the pair's route up to the device. */
static uint32_t route_to(struct cs_routes *routes, uint32_t device, uint32_t source,
                         struct cs_tie_pair pair)
{
    uint32_t last;

    if (routes->graph.hashes_routes)
        last = route_pick(routes, device, source, pair);
    else
        last = routes->start[device] + cs_narrow_get(routes->trees[pair.src], device) - 1;
    return last == NO_LINK || last < routes->start[device] ? NO_LINK : routes->links[last] ^ 1;
}

/* The last links lead from the destination to the source; a route is in order
 * of travel. */
static uint32_t route_reversed(uint32_t *links, uint32_t hops)
{
    for (uint32_t i = 0; i < hops / 2; i++) {
        uint32_t swap = links[i];

        links[i] = links[hops - 1 - i];
        links[hops - 1 - i] = swap;
    }
    return hops;
}

/* The free link out of a bus is part of the path, but not of the route. */
static uint32_t find_whole(struct cs_routes *routes, struct cs_tie_pair pair, uint32_t *links)
{
    uint32_t source = cs_graph_party_device(&routes->whole, pair.src);
    uint32_t device = cs_graph_party_device(&routes->whole, pair.dst);
    uint32_t hops = 0;

    if (routes->graph.hashes_routes)
        route_costs_from(routes, source);
    else if (!routes->trees[pair.src])
        routes->trees[pair.src] = grow_tree(routes, pair.src);
    while (device != source) {
        uint32_t link = route_to(routes, device, source, pair);

        if (link == NO_LINK)
            return 0;
        if (routes->cost_ps[link] > 0)
            links[hops++] = link;
        device = link_from(routes, link);
    }
    return route_reversed(links, hops);
}

/* ---- search in the smaller form of identical nodes ---- */

/* The tight links to a device. */
struct tied {
    uint32_t ties;
    uint32_t link;   /* with the lowest number of at least `least` */
    uint32_t number; /* of the link in the whole */
    bool is_foreign; /* of a third node: the whole may have more */
};

static struct tied route_ties(const struct cs_routes *routes, uint32_t device,
                              const struct cs_replicated_view *view, uint32_t least)
{
    struct tied tied = {.link = NO_LINK, .number = NO_LINK};

    for (uint32_t i = routes->start[device]; i < routes->start[device + 1]; i++) {
        uint32_t link = routes->links[i] ^ 1, number;

        if (!is_tight(routes, i, view->src))
            continue;
        number = cs_replicated_link(routes->replicated, view, link);
        tied.ties++;
        tied.is_foreign |= number == NO_LINK;
        if (number >= least && number < tied.number) {
            tied.link = link;
            tied.number = number;
        }
    }
    return tied;
}

/* As route_pick, in the order of the links in the whole, so that both forms
 * select the same path. */
static struct tied route_pick_replicated(const struct cs_routes *routes, uint32_t device,
                                         const struct cs_replicated_view *view,
                                         struct cs_tie_pair pair)
{
    struct tied tied = route_ties(routes, device, view, 0);
    uint32_t meant = cs_replicated_device(routes->replicated, view, device);
    uint32_t chosen = 0;

    if (tied.ties > 1 && !tied.is_foreign)
        chosen = cs_tie_choose(&routes->graph, pair, meant, tied.ties);
    while (chosen-- > 0)
        tied = route_ties(routes, device, view, tied.number + 1);
    return tied;
}

/* NO_HOPS where the search has to run in the whole. */
static uint32_t route_find_replicated(struct cs_routes *routes, struct cs_tie_pair pair,
                                      uint32_t *links)
{
    struct cs_replicated_view view =
        cs_replicated_view_of(routes->replicated, cs_graph_party_device(&routes->whole, pair.src),
                              cs_graph_party_device(&routes->whole, pair.dst));
    uint32_t device = view.dst, hops = 0;

    route_costs_from(routes, view.src);
    while (device != view.src) {
        struct tied tied = route_pick_replicated(routes, device, &view, pair);

        if (tied.is_foreign)
            return NO_HOPS;
        if (tied.ties == 0)
            return 0;
        if (routes->cost_ps[tied.link] > 0)
            links[hops++] = tied.number;
        device = link_from(routes, tied.link);
    }
    return route_reversed(links, hops);
}

static struct cs_routes *routes_in_whole(struct cs_routes *routes)
{
    if (!routes->replicated)
        return routes;
    if (!routes->fallback)
        routes->fallback = route_begin(&routes->whole, false, routes->arena);
    return routes->fallback;
}

static uint32_t route_find(struct cs_routes *routes, struct cs_tie_pair pair, uint32_t *links)
{
    uint32_t hops;

    if (!routes->replicated)
        return find_whole(routes, pair, links);
    hops = route_find_replicated(routes, pair, links);
    return hops != NO_HOPS ? hops : find_whole(routes_in_whole(routes), pair, links);
}

/* ---- a path by number ---- */

static void add_paths(uint32_t *count, uint32_t more)
{
    *count = *count > UINT32_MAX - more ? UINT32_MAX : *count + more;
}

static void count_paths_to(const struct cs_routes *routes, uint32_t *count, uint32_t device,
                           uint32_t source)
{
    for (uint32_t i = routes->start[device]; i < routes->start[device + 1]; i++) {
        if (is_tight(routes, i, source))
            add_paths(&count[device], count[link_to(routes, routes->links[i])]);
    }
}

/* The numbers of cheapest paths from the source to all devices: in order of
 * cost, then those of devices that end paths.  Keeps the costs, too. */
static struct cs_narrow *route_counts(struct cs_routes *routes, uint32_t source)
{
    uint32_t devices = routes->graph.device_count;
    uint32_t *count = routes->numbers;

    route_search(routes, source);
    memset(count, 0, devices * sizeof(*count));
    count[source] = 1;
    for (uint32_t i = 1; i < routes->settled_count; i++)
        count_paths_to(routes, count, routes->settled[i], source);
    for (uint32_t d = 0; d < devices; d++)
        if (d != source && !cs_graph_forwards(&routes->graph, d))
            count_paths_to(routes, count, d, source);
    (void)route_keep_costs(routes, source);
    return cs_narrow_of(count, devices, routes->arena);
}

/* The last link to the device on path `*number`, which becomes the number of the
 * path to the link's start. */
static uint32_t route_numbered_link(const struct cs_routes *routes, uint32_t device,
                                    uint32_t source, uint32_t *number)
{
    const struct cs_narrow *count = routes->counts[source];
    uint32_t last = NO_LINK, paths;

    for (uint32_t i = routes->start[device]; i < routes->start[device + 1]; i++) {
        uint32_t link = routes->links[i] ^ 1;

        if (!is_tight(routes, i, source))
            continue;
        last = link;
        paths = cs_narrow_get(count, link_from(routes, link));
        if (*number < paths)
            break;
        *number -= paths;
    }
    return last;
}

/* Path `choice->number` of a pair, in the whole: the smaller form does not know
 * every path. */
static uint32_t find_numbered(struct cs_routes *routes, struct cs_tie_pair pair, uint32_t *links)
{
    struct cs_route_choice *choice = routes->graph.choice;
    uint32_t source = cs_graph_party_device(&routes->whole, pair.src);
    uint32_t device = cs_graph_party_device(&routes->whole, pair.dst);
    uint32_t hops = 0, number, paths;

    if (!routes->counts[source])
        routes->counts[source] = route_counts(routes, source);
    route_costs_from(routes, source);
    paths = cs_narrow_get(routes->counts[source], device);
    if (paths == 0)
        return 0;
    choice->paths = paths;
    number = (uint32_t)(choice->number % paths);
    while (device != source) {
        uint32_t link = route_numbered_link(routes, device, source, &number);

        if (routes->cost_ps[link] > 0)
            links[hops++] = link;
        device = link_from(routes, link);
    }
    return route_reversed(links, hops);
}

/* Finds and keeps the route of a pair, on first request. */
static struct route_route *keep_route(struct cs_routes *routes, struct cs_tie_pair pair,
                                      uint32_t *links)
{
    uint32_t hops = route_find(routes, pair, links);
    struct route_route *route =
        cs_arena_alloc(routes->arena, 1, sizeof(*route) + hops * sizeof(*route->links));

    route->hops = hops;
    memcpy(route->links, links, hops * sizeof(*links));
    return route;
}

/* Whether the pair has one link each, to a common device: there is no other route. */
static bool find_over_common(const struct cs_routes *routes, struct cs_tie_pair pair,
                             uint32_t *links, uint32_t *hops)
{
    uint32_t source = cs_graph_party_device(&routes->whole, pair.src);
    uint32_t device = cs_graph_party_device(&routes->whole, pair.dst);
    const uint32_t *from = &routes->start[source], *to = &routes->start[device];
    uint32_t out, in;

    if (from[1] - *from != 1 || to[1] - *to != 1 || source == device)
        return false;
    out = routes->links[*from];
    in = routes->links[*to] ^ 1;
    if (link_to(routes, out) != link_from(routes, in) ||
        !cs_graph_forwards(&routes->graph, link_to(routes, out)) || !route_leads(routes, out) ||
        !route_leads(routes, in))
        return false;
    links[*hops] = out;
    *hops += routes->cost_ps[out] > 0;
    links[*hops] = in;
    *hops += routes->cost_ps[in] > 0;
    return true;
}

/* The given route of a pair, where no wire of it is down; or NULL. */
static const struct cs_given_route *find_given(const struct cs_routes *routes,
                                               struct cs_tie_pair pair)
{
    const struct cs_graph *graph = &routes->whole;
    const struct cs_given_route *given;

    if (!graph->given_routes || graph->hashes_routes ||
        (graph->choice && graph->choice->by != CS_CHOOSE_NOTHING))
        return NULL;
    given = cs_given_routes_find(graph->given_routes, cs_graph_party_device(graph, pair.src),
                                 cs_graph_party_device(graph, pair.dst));
    for (uint32_t i = 0; given && i < given->hops; i++)
        if (graph->wires[given->links[i] / 2].down)
            return NULL;
    return given;
}

uint32_t cs_routes_find(void *ctx, uint32_t src, uint32_t dst, uint32_t *links)
{
    struct cs_routes *routes = ctx;
    struct cs_tie_pair pair = {src, dst};
    struct cs_route_choice *choice = routes->graph.choice;
    const struct cs_given_route *given = find_given(routes, pair);
    struct route_route **known;
    uint32_t hops = 0;

    if (given) {
        memcpy(links, given->links, given->hops * sizeof(*links));
        if (choice)
            choice->paths = 1;
        return given->hops;
    }
    if (choice && choice->by == CS_CHOOSE_NUMBER)
        routes = routes_in_whole(routes);
    if (!routes->replicated && find_over_common(routes, pair, links, &hops)) {
        if (choice)
            choice->paths = 1;
        return hops;
    }
    if (choice && choice->by == CS_CHOOSE_NUMBER)
        return find_numbered(routes, pair, links);
    if (!routes->known || (choice && choice->by != CS_CHOOSE_NOTHING))
        return route_find(routes, pair, links);
    known = &routes->known[src * routes->parties + dst];
    if (!*known)
        *known = keep_route(routes, pair, links);
    else
        memcpy(links, (*known)->links, (*known)->hops * sizeof(*links));
    return (*known)->hops;
}

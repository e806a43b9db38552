#include "algorithms/shared/trees/graph.h"

#include "sim/base/collections/vector.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rates come from divisions: a product this close to an integer is one. */
#define WHOLE (1 + 1e-9)
/* Flows of real capacities lack no more than rounding. */
#define ROUNDING 1e-9

enum {
    NONE = UINT32_MAX
};

/* The graph under construction: vertices by what they stand for. */
struct tree_graph_maker {
    const struct cs_tree_routes *routes;
    const struct cs_net *net;
    struct cs_tree_graph graph;
    uint32_t arc_room, pair_room, step_room, step_count;
    uint32_t *vertex; /* of nodes, then of resources (entry, exit) */
    uint32_t *first;  /* arc of each vertex */
    bool *is_rank;    /* by node */
    bool *is_shared;  /* by resource: several arcs would use it */
    uint32_t *arc_of; /* by resource */
    struct cs_net_link *route;
};

/* ---- arcs ---- */

static uint32_t tree_graph_vertex(struct tree_graph_maker *maker, uint32_t key)
{
    if (maker->vertex[key] == NONE) {
        maker->vertex[key] = maker->graph.vertices;
        maker->first[maker->graph.vertices++] = NONE;
    }
    return maker->vertex[key];
}

static uint32_t tree_graph_arc(struct tree_graph_maker *maker, uint32_t from, uint32_t to,
                               uint32_t resource, double rate_Bps)
{
    struct cs_tree_graph *graph = &maker->graph;
    uint32_t i;

    for (i = maker->first[from]; i != NONE; i = graph->arc[i].next)
        if (graph->arc[i].to == to && graph->arc[i].resource == resource)
            break;
    if (i == NONE) {
        i = graph->arc_count++;
        graph->arc = cs_vector_room(graph->arc, i + 1, &maker->arc_room, sizeof(*graph->arc));
        graph->arc[i] = (struct cs_tree_arc){.from = from,
                                             .to = to,
                                             .resource = resource,
                                             .rate_Bps = rate_Bps,
                                             .next = maker->first[from]};
        maker->first[from] = i;
    }
    graph->arc[i].rate_Bps = fmin(graph->arc[i].rate_Bps, rate_Bps);
    graph->arc[i].users++;
    return i;
}

static void tree_graph_step(struct tree_graph_maker *maker, uint32_t arc)
{
    *CS_VECTOR_NEXT(maker->graph.steps, maker->step_count, maker->step_room) = arc;
}

/* Appends the arcs of one link, from vertex `at`, and returns the vertex behind.
 * `end`: the vertex of the link's end; NONE for a link from a device to itself,
 * which ends at the exit of the resource. */
static uint32_t tree_graph_pass(struct tree_graph_maker *maker, uint32_t at,
                                const struct cs_net_link *link, uint32_t end)
{
    uint32_t key = maker->net->node_count + 2 * link->resource;

    if (!maker->is_shared[link->resource]) {
        if (end == NONE)
            end = tree_graph_vertex(maker, key + 1);
        tree_graph_step(maker, tree_graph_arc(maker, at, end, link->resource, link->rate_Bps));
        return end;
    }
    tree_graph_step(
        maker, tree_graph_arc(maker, at, tree_graph_vertex(maker, key), NONE, (double)INFINITY));
    at = tree_graph_vertex(maker, key + 1);
    tree_graph_step(maker,
                    tree_graph_arc(maker, maker->vertex[key], at, link->resource, link->rate_Bps));
    if (end == NONE)
        return at;
    tree_graph_step(maker, tree_graph_arc(maker, at, end, NONE, (double)INFINITY));
    return end;
}

/* ---- pairs ---- */

bool *cs_tree_rank_nodes(const struct cs_net *net, uint32_t ranks, struct cs_arena *arena)
{
    bool *is_rank = cs_arena_alloc(arena, net->node_count, sizeof(*is_rank));

    for (uint32_t r = 0; r < ranks; r++)
        is_rank[cs_net_party_at(net, r).node] = true;
    return is_rank;
}

uint32_t cs_tree_route(const struct cs_net *net, const bool *is_rank, uint32_t from, uint32_t to,
                       uint32_t *links)
{
    uint32_t ends[] = {cs_net_party_at(net, from).node, cs_net_party_at(net, to).node};
    uint32_t hops = net->route(net->route_ctx, from, to, links);
    uint32_t kept = 0;

    for (uint32_t i = 0; i < hops; i++) {
        struct cs_net_link link = cs_net_link_at(net, links[i]);
        bool is_cost = link.from == link.to; /* of a transport, at no device in particular */

        if (link.down || (!is_cost && is_rank[link.to] && link.to != ends[0] && link.to != ends[1]))
            return 0;
        if (!is_cost || isfinite(link.rate_Bps))
            links[kept++] = links[i];
    }
    return kept;
}

/* Keeps the links from parent to child, in that order; their number, see cs_tree_route(). */
static uint32_t tree_graph_route(struct tree_graph_maker *maker, uint32_t parent, uint32_t child,
                                 uint32_t *links)
{
    const struct cs_net *net = maker->net;
    bool upwards = maker->routes->upwards;
    uint32_t hops = cs_tree_route(net, maker->is_rank, upwards ? child : parent,
                                  upwards ? parent : child, links);

    for (uint32_t i = 0; i < hops; i++) {
        struct cs_net_link link = cs_net_link_at(net, links[i]);

        if (upwards) {
            uint32_t end = link.from;

            link.from = link.to;
            link.to = end;
            maker->route[hops - 1 - i] = link;
        } else {
            maker->route[i] = link;
        }
    }
    return hops;
}

static void tree_graph_pair(struct tree_graph_maker *maker, uint32_t parent, uint32_t child,
                            uint32_t *links)
{
    struct cs_tree_graph *graph = &maker->graph;
    uint32_t hops = tree_graph_route(maker, parent, child, links);
    uint32_t at = parent;
    struct cs_tree_pair *pair;

    if (hops == 0 || (maker->routes->direct && hops > 1))
        return;
    pair = CS_VECTOR_NEXT(graph->pair, graph->pair_count, maker->pair_room);
    *pair = (struct cs_tree_pair){.parent = parent, .child = child, .first = maker->step_count};
    for (uint32_t i = 0; i < hops; i++) {
        const struct cs_net_link *link = &maker->route[i];
        uint32_t end = link->from == link->to ? NONE : tree_graph_vertex(maker, link->to);

        at = tree_graph_pass(maker, at, link, i + 1 == hops ? child : end);
    }
    pair->arcs = maker->step_count - pair->first;
}

/* Marks the resources that several arcs use; whether any is new. */
static bool tree_graph_mark_shared(struct tree_graph_maker *maker)
{
    bool found = false;

    memset(maker->arc_of, 0xff, maker->net->resource_count * sizeof(*maker->arc_of));
    for (uint32_t i = 0; i < maker->graph.arc_count; i++) {
        uint32_t resource = maker->graph.arc[i].resource;

        if (resource == NONE)
            continue;
        if (maker->arc_of[resource] != NONE && !maker->is_shared[resource]) {
            maker->is_shared[resource] = true;
            found = true;
        }
        maker->arc_of[resource] = i;
    }
    return found;
}

static void tree_graph_collect(struct tree_graph_maker *maker, uint32_t *links)
{
    struct cs_tree_graph *graph = &maker->graph;
    const struct cs_net *net = maker->net;

    graph->vertices = graph->ranks;
    graph->arc_count = graph->pair_count = maker->step_count = 0;
    memset(maker->vertex, 0xff,
           (net->node_count + 2 * (size_t)net->resource_count) * sizeof(*maker->vertex));
    for (uint32_t a = 0; a < graph->ranks; a++) {
        maker->first[a] = NONE;
        maker->vertex[cs_net_party_at(net, a).node] = a;
    }
    for (uint32_t a = 0; a < graph->ranks; a++)
        for (uint32_t b = 0; b < graph->ranks; b++)
            if (a != b)
                tree_graph_pair(maker, a, b, links);
}

static void *tree_graph_keep(struct cs_arena *arena, void *from, size_t count, size_t size)
{
    void *kept = cs_arena_alloc(arena, count, size);

    if (count)
        memcpy(kept, from, count * size);
    free(from);
    return kept;
}

static void tree_graph_finish(struct tree_graph_maker *maker, struct cs_arena *arena)
{
    struct cs_tree_graph *graph = &maker->graph;

    graph->arc = tree_graph_keep(arena, graph->arc, graph->arc_count, sizeof(*graph->arc));
    graph->pair = tree_graph_keep(arena, graph->pair, graph->pair_count, sizeof(*graph->pair));
    graph->steps = tree_graph_keep(arena, graph->steps, maker->step_count, sizeof(*graph->steps));
    graph->supply = cs_arena_alloc(arena, graph->ranks, sizeof(double));
    cs_flow_init(&graph->flow, graph->vertices, graph->arc_count + graph->pair_count, arena);
    for (uint32_t i = 0; i < graph->arc_count; i++)
        graph->arc[i].flow_arc =
            cs_flow_add(&graph->flow, graph->arc[i].from, graph->arc[i].to, 0, 0);
    for (uint32_t i = 0; i < graph->pair_count; i++)
        if (graph->pair[i].arcs > 1)
            graph->pair[i].flow_arc =
                cs_flow_add(&graph->flow, graph->pair[i].parent, graph->pair[i].child, 0, 0);
}

struct cs_tree_graph cs_tree_graph_of(const struct cs_tree_routes *routes, struct cs_arena *arena)
{
    CS_AT_END(cs_arena_free) struct cs_arena scratch = {0};
    const struct cs_net *net = routes->net;
    uint32_t ranks = routes->ranks;
    size_t keys = net->node_count + 2 * (size_t)net->resource_count;
    struct tree_graph_maker maker = {
        .routes = routes,
        .net = net,
        .graph = {.ranks = ranks, .monitor = net->monitor},
        .vertex = cs_arena_alloc(&scratch, keys, sizeof(uint32_t)),
        .first = cs_arena_alloc(&scratch, keys + ranks, sizeof(uint32_t)),
        .is_rank = cs_tree_rank_nodes(net, ranks, &scratch),
        .is_shared = cs_arena_alloc(&scratch, net->resource_count, sizeof(bool)),
        .arc_of = cs_arena_alloc(&scratch, net->resource_count, sizeof(uint32_t)),
        .route = cs_arena_alloc(&scratch, net->max_hops + 1, sizeof(struct cs_net_link)),
    };
    uint32_t *links = cs_arena_alloc(&scratch, net->max_hops + 1, sizeof(*links));

    do
        tree_graph_collect(&maker, links);
    while (tree_graph_mark_shared(&maker));
    tree_graph_finish(&maker, arena);
    return maker.graph;
}

/* ---- capacities and flows ---- */

static void tree_graph_set(struct cs_tree_graph *graph, uint32_t arc, double capacity)
{
    graph->arc[arc].capacity = capacity;
    cs_flow_set(&graph->flow, graph->arc[arc].flow_arc, capacity);
}

void cs_tree_graph_scale(struct cs_tree_graph *graph, double scale_s_per_byte, bool whole)
{
    for (uint32_t i = 0; i < graph->arc_count; i++) {
        double capacity = fmin(graph->arc[i].rate_Bps * scale_s_per_byte, CS_TREE_CAPACITY);

        graph->arc[i].total = whole ? floor(capacity * WHOLE) : capacity;
        tree_graph_set(graph, i, graph->arc[i].total);
    }
    for (uint32_t i = 0; i < graph->pair_count; i++) {
        graph->pair[i].granted = 0;
        graph->pair[i].is_blocked = false;
        if (graph->pair[i].arcs > 1)
            cs_flow_set(&graph->flow, graph->pair[i].flow_arc, 0);
    }
}

void cs_tree_graph_supply(struct cs_tree_graph *graph, uint32_t rank, double supply)
{
    graph->supply[rank] = supply;
    cs_flow_supply(&graph->flow, rank, supply);
}

static bool tree_graph_stops(struct cs_tree_graph *graph)
{
    graph->stopped = graph->stopped || !cs_monitor_count(graph->monitor, 0, 0);
    return graph->stopped;
}

double cs_tree_graph_into(struct cs_tree_graph *graph, uint32_t rank, double demand)
{
    cs_flow_clear_drains(&graph->flow);
    cs_flow_drain(&graph->flow, rank, demand);
    return cs_flow_run(&graph->flow);
}

double cs_tree_graph_lack(struct cs_tree_graph *graph, double demand, double enough)
{
    double most = 0;
    uint32_t first = graph->lacking;

    for (uint32_t i = 0; i < graph->ranks && most < enough && !tree_graph_stops(graph); i++) {
        uint32_t rank = (first + i) % graph->ranks;
        double lack = demand - cs_tree_graph_into(graph, rank, demand);

        if (lack > most) {
            most = lack;
            graph->lacking = rank;
        }
    }
    return most > ROUNDING * demand ? most : 0;
}

/* ---- grants ---- */

/* Moves capacity from the arcs of the route to the pair; negative: back. */
static void tree_graph_move(struct cs_tree_graph *graph, struct cs_tree_pair *pair, double amount)
{
    for (uint32_t i = 0; i < pair->arcs; i++) {
        uint32_t arc = graph->steps[pair->first + i];

        tree_graph_set(graph, arc, graph->arc[arc].capacity - amount);
    }
    pair->granted += amount;
    cs_flow_set(&graph->flow, pair->flow_arc, pair->granted);
}

/* What the route has left; `fairly`: the pair's share among all pairs that use
 * the arc, so that every pair is granted a part and trees are flat. */
static double tree_graph_left(const struct cs_tree_graph *graph, const struct cs_tree_pair *pair,
                              bool fairly)
{
    double least = (double)INFINITY;
    double share = (double)INFINITY;

    for (uint32_t i = 0; i < pair->arcs; i++) {
        const struct cs_tree_arc *arc = &graph->arc[graph->steps[pair->first + i]];

        least = fmin(least, arc->capacity);
        share = fmin(share, floor(arc->total / arc->users));
    }
    return fairly ? fmin(least, fmax(share, 1)) : least;
}

/* A grant of g lowers a cut by at least g or not at all, so that a cut which
 * lacks d afterwards has its demand again when d is taken back. */
static bool tree_graph_grant_pair(struct cs_tree_graph *graph, struct cs_tree_pair *pair,
                                  double demand, bool fairly)
{
    double amount = fmin(tree_graph_left(graph, pair, fairly), demand - pair->granted);
    double lack;

    if (pair->arcs < 2 || pair->is_blocked || amount < 1)
        return false;
    tree_graph_move(graph, pair, amount);
    lack = cs_tree_graph_lack(graph, demand, amount);
    pair->is_blocked = lack > 0;
    if (pair->is_blocked)
        tree_graph_move(graph, pair, -fmin(ceil(lack), amount));
    return lack < amount;
}

bool cs_tree_graph_grant(struct cs_tree_graph *graph, double demand)
{
    bool fairly = true;
    bool granted;

    do {
        granted = fairly;
        for (uint32_t i = 0; i < graph->pair_count && !graph->stopped; i++)
            granted |= tree_graph_grant_pair(graph, &graph->pair[i], demand, fairly);
        fairly = false;
    } while (granted && !graph->stopped);
    for (uint32_t i = 0; i < graph->pair_count; i++) {
        struct cs_tree_pair *pair = &graph->pair[i];

        if (pair->arcs == 1)
            pair->granted = graph->arc[graph->steps[pair->first]].capacity;
        else
            for (uint32_t j = 0; j < pair->arcs; j++)
                tree_graph_set(graph, graph->steps[pair->first + j], 0);
    }
    return cs_tree_graph_lack(graph, demand, 1) <= 0;
}

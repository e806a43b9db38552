#include "algorithms/bounds/mincut.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Edge e and its reverse e ^ 1; what one carries the other can take back. */
struct edge {
    uint32_t to;
    uint32_t next; /* of the same node, or NONE */
    double capacity_Bps;
    double left_Bps;
};

enum {
    NONE = UINT32_MAX
};

struct mincut_flow {
    struct edge *edges;
    uint32_t edge_count;
    uint32_t *first; /* node -> edge */
    uint32_t *level; /* node -> distance from the source */
    uint32_t *at;    /* node -> edge that is tried next */
    uint32_t *path;  /* edges from source to where the search is */
    uint32_t *queue;
    uint32_t nodes;
    uint32_t source, sink;
};

static void add_edge(struct mincut_flow *flow, uint32_t from, uint32_t to,
                     double rate_Bps)
{
    flow->edges[flow->edge_count] =
        (struct edge){to, flow->first[from], rate_Bps, 0};
    flow->first[from] = flow->edge_count++;
}

/* Both directions of a wire: each is the other's reverse. */
static void mincut_add_wire(struct mincut_flow *flow, uint32_t a, uint32_t b,
                            double ab_Bps, double ba_Bps)
{
    add_edge(flow, a, b, ab_Bps);
    add_edge(flow, b, a, ba_Bps);
}

/* ---- Dinic: levels, then paths along them ---- */

static bool mincut_find_levels(struct mincut_flow *flow)
{
    uint32_t head = 0;
    uint32_t tail = 0;

    memset(flow->level, 0xff, flow->nodes * sizeof(*flow->level));
    flow->level[flow->source] = 0;
    flow->queue[tail++] = flow->source;
    while (head < tail && flow->level[flow->sink] == NONE) {
        uint32_t node = flow->queue[head++];
        uint32_t e;

        for (e = flow->first[node]; e != NONE; e = flow->edges[e].next) {
            const struct edge *edge = &flow->edges[e];

            if (edge->left_Bps <= 0 || flow->level[edge->to] != NONE)
                continue;
            flow->level[edge->to] = flow->level[node] + 1;
            flow->queue[tail++] = edge->to;
        }
    }
    return flow->level[flow->sink] != NONE;
}

/* The next edge on from `node`, or NONE: a dead end. */
static uint32_t mincut_step(const struct mincut_flow *flow, uint32_t node)
{
    uint32_t e;

    for (e = flow->at[node]; e != NONE; e = flow->edges[e].next)
        if (flow->edges[e].left_Bps > 0 &&
            flow->level[flow->edges[e].to] == flow->level[node] + 1)
            break;
    return e;
}

/* Sends as much as fits along the path; an edge that it fills is exactly 0. */
static double push_path(struct mincut_flow *flow, uint32_t length)
{
    double least_Bps = (double)INFINITY;
    uint32_t i;

    for (i = 0; i < length; i++)
        if (flow->edges[flow->path[i]].left_Bps < least_Bps)
            least_Bps = flow->edges[flow->path[i]].left_Bps;
    for (i = 0; i < length; i++) {
        flow->edges[flow->path[i]].left_Bps -= least_Bps;
        flow->edges[flow->path[i] ^ 1].left_Bps += least_Bps;
    }
    return least_Bps;
}

/* All that goes along the levels. */
static double push_levels(struct mincut_flow *flow)
{
    double sum_Bps = 0;
    uint32_t length = 0;
    uint32_t node = flow->source;

    memcpy(flow->at, flow->first, flow->nodes * sizeof(*flow->at));
    for (;;) {
        uint32_t e;

        if (node == flow->sink) {
            sum_Bps += push_path(flow, length);
            length = 0;
            node = flow->source;
        }
        e = mincut_step(flow, node);
        flow->at[node] = e;
        if (e != NONE) {
            flow->path[length++] = e;
            node = flow->edges[e].to;
        } else if (length > 0) {
            flow->level[node] = NONE;
            node = flow->edges[flow->path[--length] ^ 1].to;
        } else {
            return sum_Bps;
        }
    }
}

static double run_flow(struct mincut_flow *flow)
{
    double sum_Bps = 0;

    while (mincut_find_levels(flow))
        sum_Bps += push_levels(flow);
    return sum_Bps;
}

/* ---- the machine ---- */

/* Device d is node d.  All that passes a bus uses its one medium: what comes
 * leads to the device's node, what goes leads from its node of `leaving`, and
 * between the two is as much as the medium takes. */
struct media {
    uint32_t *leaving;  /* device -> node; of a bus, another one */
    double *medium_Bps; /* of a bus: the most that one wire has */
    uint32_t nodes;
};

static struct media find_media(const struct cs_graph *graph,
                               struct cs_arena *arena)
{
    struct media media = {
        .leaving = cs_arena_alloc(arena, graph->device_count, sizeof(uint32_t)),
        .medium_Bps =
            cs_arena_alloc(arena, graph->device_count, sizeof(double)),
        .nodes = graph->device_count};

    for (uint32_t i = 0; i < graph->device_count; i++)
        media.leaving[i] =
            cs_graph_device(graph, i).kind == CS_DEVICE_BUS ? media.nodes++ : i;
    for (uint32_t i = 0; i < 2 * graph->wire_count; i++) {
        struct cs_wire wire = cs_graph_wire(graph, i / 2);
        uint32_t end = i % 2 ? wire.b : wire.a;

        media.medium_Bps[end] =
            fmax(media.medium_Bps[end], cs_wire_effective(&wire));
    }
    return media;
}

static void mincut_new_flow(struct mincut_flow *flow,
                            const struct cs_graph *graph,
                            const struct media *media, struct cs_arena *arena)
{
    uint32_t buses = media->nodes - graph->device_count;
    uint32_t edges = 4 * graph->wire_count + 4 * graph->rank_count + 2 * buses;

    flow->nodes = media->nodes + 2;
    flow->source = media->nodes;
    flow->sink = media->nodes + 1;
    flow->edges = cs_arena_alloc(arena, edges, sizeof(*flow->edges));
    flow->first = cs_arena_alloc(arena, flow->nodes, sizeof(uint32_t));
    flow->level = cs_arena_alloc(arena, flow->nodes, sizeof(uint32_t));
    flow->at = cs_arena_alloc(arena, flow->nodes, sizeof(uint32_t));
    flow->path = cs_arena_alloc(arena, flow->nodes, sizeof(uint32_t));
    flow->queue = cs_arena_alloc(arena, flow->nodes, sizeof(uint32_t));
    memset(flow->first, 0xff, flow->nodes * sizeof(uint32_t));
}

/* Devices through which bytes may pass: those that forward, and parties. */
static bool *mincut_passable(const struct cs_graph *graph,
                             struct cs_arena *arena)
{
    bool *passes = cs_arena_alloc(arena, graph->device_count, sizeof(bool));
    uint32_t i;

    for (i = 0; i < graph->device_count; i++)
        passes[i] = cs_graph_forwards(graph, i);
    for (i = 0; i < graph->rank_count; i++)
        passes[graph->rank_device[i]] = true;
    for (i = 0; i < graph->agent_count; i++)
        passes[graph->agent_device[i]] = true;
    return passes;
}

/* What goes from `from` to `to` over a wire.  From a bus it is free: its medium
 * is what that takes. */
static double mincut_rate_of(const struct media *media,
                             const struct cs_wire *wire, uint32_t from)
{
    if (wire->backwards && from == wire->a)
        return 0;
    return media->leaving[from] == from ? cs_wire_effective(wire)
                                        : media->medium_Bps[from];
}

/* A wire to a bus is an edge to it and another one from it. */
static void mincut_add_wires(struct mincut_flow *flow,
                             const struct media *media,
                             const struct cs_wire *wire)
{
    double there_Bps = mincut_rate_of(media, wire, wire->a);
    double back_Bps = mincut_rate_of(media, wire, wire->b);
    uint32_t a = media->leaving[wire->a];
    uint32_t b = media->leaving[wire->b];

    if (a == wire->a && b == wire->b) {
        mincut_add_wire(flow, a, b, there_Bps, back_Bps);
        return;
    }
    mincut_add_wire(flow, a, wire->b, there_Bps, 0);
    mincut_add_wire(flow, b, wire->a, back_Bps, 0);
}

/* Wires first, then for each rank an edge from the source and one to the sink,
 * of which a set opens one. */
static uint32_t add_graph(struct mincut_flow *flow,
                          const struct cs_graph *graph,
                          const struct media *media, struct cs_arena *arena)
{
    const bool *passes = mincut_passable(graph, arena);
    uint32_t first;
    uint32_t i;

    for (i = 0; i < graph->wire_count; i++) {
        struct cs_wire wire = cs_graph_wire(graph, i);

        if (passes[wire.a] && passes[wire.b] && !wire.down)
            mincut_add_wires(flow, media, &wire);
    }
    for (i = 0; i < graph->device_count; i++)
        if (media->leaving[i] != i)
            mincut_add_wire(flow, i, media->leaving[i], media->medium_Bps[i],
                            0);
    first = flow->edge_count;
    for (i = 0; i < graph->rank_count; i++) {
        mincut_add_wire(flow, flow->source, graph->rank_device[i], 0, 0);
        mincut_add_wire(flow, graph->rank_device[i], flow->sink, 0, 0);
    }
    return first;
}

static double flow_out_of(struct mincut_flow *flow, uint32_t set,
                          uint32_t ranks, uint32_t first)
{
    uint32_t i;

    for (i = 0; i < flow->edge_count; i++)
        flow->edges[i].left_Bps = flow->edges[i].capacity_Bps;
    for (i = 0; i < ranks; i++)
        flow->edges[first + 4 * i + (set >> i & 1 ? 0 : 2)].left_Bps = 1e30;
    return run_flow(flow);
}

double *cs_mincut_all(const struct cs_graph *graph, struct cs_arena *arena)
{
    uint32_t ranks = graph->rank_count;
    double *rates_Bps =
        cs_arena_alloc(arena, (size_t)1 << ranks, sizeof(*rates_Bps));
    struct media media = find_media(graph, arena);
    struct mincut_flow flow = {0};
    uint32_t first;
    uint32_t set;

    assert(ranks <= CS_MINCUT_RANKS_MAX);
    mincut_new_flow(&flow, graph, &media, arena);
    first = add_graph(&flow, graph, &media, arena);
    for (set = 1; set + 1 < (uint32_t)1 << ranks; set++)
        rates_Bps[set] = flow_out_of(&flow, set, ranks, first);
    return rates_Bps;
}

double cs_mincut_of(const struct cs_graph *graph, const bool *inside,
                    struct cs_arena *arena)
{
    struct media media = find_media(graph, arena);
    struct mincut_flow flow = {0};
    uint32_t first;
    uint32_t i;

    mincut_new_flow(&flow, graph, &media, arena);
    first = add_graph(&flow, graph, &media, arena);
    for (i = 0; i < flow.edge_count; i++)
        flow.edges[i].left_Bps = flow.edges[i].capacity_Bps;
    for (i = 0; i < graph->rank_count; i++)
        flow.edges[first + 4 * i + (inside[i] ? 0 : 2)].left_Bps = 1e30;
    return run_flow(&flow);
}

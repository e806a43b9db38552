#include "algorithms/bounds/network.h"

#include "algorithms/bounds/exact_rate.h"

#include <string.h>

/* Buses by cell: the node of departure, and the rate of the quickest wire as
 * the rate of the medium. */
struct media {
    uint32_t *departure; /* the cell without a medium */
    double *rate_Bps;
    uint32_t nodes;
};

static bool network_is_bus(const struct cs_graph *graph, uint32_t device)
{
    return cs_graph_device(graph, device).kind == CS_DEVICE_BUS;
}

struct cs_network_traits cs_network_traits(const struct cs_graph *graph)
{
    struct cs_network_traits traits = {false, false};

    for (uint32_t w = 0; w < graph->wire_count; w = cs_graph_next_wire(graph, w)) {
        struct cs_wire wire = cs_graph_wire(graph, w);

        traits.is_shared |= wire.duplex != CS_DUPLEX_FULL;
        traits.is_one_way |= wire.backwards || wire.duplex == CS_DUPLEX_BUS;
    }
    return traits;
}

static struct media network_media(const struct cs_graph *graph, const struct cs_cells *cells,
                                  struct cs_arena *arena)
{
    struct media media = {.departure = cs_arena_alloc(arena, cells->count, sizeof(uint32_t)),
                          .rate_Bps = cs_arena_alloc(arena, cells->count, sizeof(double)),
                          .nodes = cells->count};

    for (uint32_t c = 0; c < cells->count; c++)
        media.departure[c] = network_is_bus(graph, cells->device[c]) ? media.nodes++ : c;
    if (media.nodes == cells->count)
        return media;
    for (uint32_t i = 0; i < 2 * graph->wire_count; i++) {
        struct cs_wire wire = cs_graph_wire(graph, i / 2);
        uint32_t cell = cells->of[i % 2 ? wire.b : wire.a];

        media.rate_Bps[cell] = fmax(media.rate_Bps[cell], cs_wire_effective(&wire));
    }
    return media;
}

/* ---- arcs ---- */

/* An arc pair in the network's direction. */
static void network_add(struct cs_network *network, uint32_t a, uint32_t b,
                        struct cs_network_arc arc)
{
    double weight = arc.weight;
    bool reversed = network->direction == CS_CUT_OUT_OF;
    uint32_t e = cs_flow_add(&network->flow, reversed ? b : a, reversed ? a : b,
                             arc.forward_Bps * weight, arc.back_Bps * weight);

    network->arcs[e / 2] = arc;
}

/* The rate from `from` over a wire without a medium. */
static double network_rate(const struct cs_network *network, const struct cs_wire *wire,
                           uint32_t from)
{
    double rate_Bps = cs_wire_effective(wire);

    if (network->direction == CS_CUT_BOTH)
        return wire->duplex == CS_DUPLEX_FULL && !wire->backwards ? 2 * rate_Bps : rate_Bps;
    return wire->backwards && from == wire->a ? 0 : rate_Bps;
}

/* A wire to a medium is an arc to the node of arrival and an arc from the node
 * of departure. The link from a medium is free, and for both directions
 * together only the medium is a limit, whatever the direction of the wire: a medium
 * that only receives from outside adds to what crosses the cut. */
static void network_add_to_medium(struct cs_network *network, const struct media *media,
                                  const struct cs_wire *wire, struct cs_network_arc arc)
{
    uint32_t a = network->cells.of[wire->a];
    uint32_t b = network->cells.of[wire->b];
    bool b_is_bus = media->departure[b] != b;
    uint32_t bus = b_is_bus ? b : a;
    uint32_t end = b_is_bus ? a : b;
    bool any = !wire->backwards || network->direction == CS_CUT_BOTH;
    bool there = any || !b_is_bus;
    bool back = any || b_is_bus;
    double medium_Bps = media->rate_Bps[bus];

    arc.forward_Bps = there ? cs_wire_effective(wire) : 0;
    if (there && network->direction == CS_CUT_BOTH)
        arc.forward_Bps = medium_Bps;
    network_add(network, end, bus, arc);
    arc.forward_Bps = back ? medium_Bps : 0;
    arc.latency_ps = 0;
    network_add(network, media->departure[bus], end, arc);
}

static void network_add_wires(struct cs_network *network, const struct media *media)
{
    const struct cs_graph *graph = network->graph;
    const bool *passes = network->cells.passes;

    for (uint32_t w = 0; w < graph->wire_count; w++) {
        struct cs_wire wire = cs_graph_wire(graph, w);
        struct cs_network_arc arc = {.wire = w,
                                     .weight = cs_cells_wire_weight(&network->cells, &wire),
                                     .latency_ps = wire.latency_ps};
        uint32_t a = network->cells.of[wire.a];
        uint32_t b = network->cells.of[wire.b];

        if (!arc.weight || wire.down || !passes[wire.a] || !passes[wire.b])
            continue;
        if (media->departure[a] != a || media->departure[b] != b) {
            network_add_to_medium(network, media, &wire, arc);
            continue;
        }
        arc.forward_Bps = network_rate(network, &wire, wire.a);
        arc.back_Bps = network_rate(network, &wire, wire.b);
        network_add(network, a, b, arc);
    }
}

static void network_add_media(struct cs_network *network, const struct media *media)
{
    for (uint32_t c = 0; c < network->cells.count; c++)
        if (media->departure[c] != c)
            network_add(network, c, media->departure[c],
                        (struct cs_network_arc){.wire = CS_NO_CELL,
                                                .weight = network->cells.weight[c],
                                                .forward_Bps = media->rate_Bps[c]});
}

static void network_find_ranks(struct cs_network *network, struct cs_arena *arena)
{
    const struct cs_graph *graph = network->graph;

    network->ranks = cs_arena_alloc(arena, network->cells.count, sizeof(uint32_t));
    network->rank_of = cs_arena_alloc(arena, network->cells.count, sizeof(uint32_t));
    memset(network->rank_of, 0xff, network->cells.count * sizeof(uint32_t));
    for (uint32_t r = 0; r < graph->rank_count; r++) {
        uint32_t cell = network->cells.of[graph->rank_device[r]];

        if (network->rank_of[cell] != CS_NO_CELL)
            continue;
        network->rank_of[cell] = network->rank_cells;
        network->ranks[network->rank_cells++] = cell;
    }
}

struct cs_network cs_network_of(const struct cs_graph *graph, const struct cs_cells *cells,
                                enum cs_cut_direction direction, struct cs_arena *arena)
{
    struct cs_network network = {.graph = graph, .direction = direction, .cells = *cells};
    struct media media = network_media(graph, cells, arena);
    uint32_t buses = media.nodes - cells->count;
    uint32_t pairs = cs_cells_wires(cells, graph);

    pairs = (buses ? 2 : 1) * pairs + buses;
    cs_flow_init(&network.flow, media.nodes, pairs, arena);
    network.arcs = cs_arena_alloc(arena, pairs, sizeof(*network.arcs));
    network_add_wires(&network, &media);
    network_add_media(&network, &media);
    network_find_ranks(&network, arena);
    return network;
}

/* ---- cuts ---- */

/* Sums the rates exactly; the flow's value is a sum of rounded pushes. */
struct cs_flow_cut cs_network_cut(const struct cs_network *network)
{
    const struct cs_flow *flow = &network->flow;
    struct cs_flow_cut cut = {.latency_ps = UINT64_MAX};
    cs_exact_rate sum = 0;

    for (uint32_t i = 0; i < flow->queued; i++) {
        uint32_t node = flow->queue[i];

        if (node < network->cells.count && network->rank_of[node] != CS_NO_CELL)
            cut.ranks += network->cells.weight[node];
        for (uint32_t e = flow->nodes[node].first; e != CS_FLOW_NONE; e = flow->arcs[e].next) {
            const struct cs_network_arc *arc = &network->arcs[e / 2];
            /* Of the reverse of e, into the node. */
            double rate_Bps = e % 2 ? arc->forward_Bps : arc->back_Bps;

            if (rate_Bps <= 0 || cs_flow_is_inside(flow, flow->arcs[e].to))
                continue;
            sum += cs_exact_rate_of(rate_Bps) * arc->weight;
            if (arc->latency_ps < cut.latency_ps)
                cut.latency_ps = arc->latency_ps;
        }
    }
    cut.rate_Bps = cs_exact_rate_round(sum);
    return cut;
}

struct cs_flow_cut cs_network_keep_cut(const struct cs_network *network, struct cs_arena *arena)
{
    struct cs_flow_cut cut = cs_network_cut(network);
    uint32_t nodes = network->flow.node_count;
    bool *inside = cs_arena_alloc(arena, nodes, sizeof(*inside));

    for (uint32_t n = 0; n < nodes; n++)
        inside[n] = cs_flow_is_inside(&network->flow, n);
    cut.inside = inside;
    return cut;
}

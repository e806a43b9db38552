#include "scenarios/train/memory/link_use.h"

#include "topo/graph/lower.h"

#include <math.h>
#include <string.h>

enum {
    LINK_USE_PAIRS = 1 << 20,
};

enum {
    NO_WIRE = UINT32_MAX
};

struct link_load {
    const struct cs_graph *graph;
    struct cs_net net;
    double *bytes;
    uint32_t *route;
    /* Wires between GPUs, as a list of links for each rank: link 2w leads from the
     * rank of wire.a to that of wire.b. */
    uint32_t *first, *next; /* of ranks, of links; NO_WIRE: the end */
    uint32_t *rank_of;      /* of devices; NO_WIRE: none */
};

static void load_add(struct link_load *load, uint32_t from, uint32_t to, double bytes)
{
    uint32_t hops;

    if (from == to || !(bytes > 0))
        return;
    hops = load->net.route(load->net.route_ctx, from, to, load->route);
    for (uint32_t h = 0; h < hops; ++h)
        load->bytes[load->route[h]] += bytes;
}

static void find_direct(struct link_load *load, struct cs_arena *arena)
{
    const struct cs_graph *graph = load->graph;
    uint32_t links = graph->wire_count * 2;

    load->first = cs_arena_alloc(arena, graph->rank_count, sizeof(*load->first));
    load->next = cs_arena_alloc(arena, links, sizeof(*load->next));
    load->rank_of = cs_arena_alloc(arena, graph->device_count, sizeof(*load->rank_of));
    memset(load->first, 0xff, graph->rank_count * sizeof(*load->first));
    memset(load->rank_of, 0xff, graph->device_count * sizeof(*load->rank_of));
    for (uint32_t r = graph->rank_count; r-- > 0;)
        load->rank_of[graph->rank_device[r]] = r;
    for (uint32_t l = 0; l < links; ++l) {
        struct cs_wire wire = cs_graph_wire(graph, l / 2);
        uint32_t from = load->rank_of[l % 2 ? wire.b : wire.a];
        uint32_t to = load->rank_of[l % 2 ? wire.a : wire.b];

        if (from == NO_WIRE || to == NO_WIRE)
            continue;
        load->next[l] = load->first[from];
        load->first[from] = l;
    }
}

/* A rank's place in its group, and the rank in another place. */
static uint32_t place_of(const struct cs_train_stream *stream, uint32_t rank)
{
    return rank / stream->stride % stream->size;
}

static uint32_t rank_at(const struct cs_train_stream *stream, uint32_t rank, uint32_t place)
{
    return rank + (place - place_of(stream, rank)) * stream->stride;
}

/* The rank at the other end of a link between GPUs, if within [first, first +
 * count) places of the rank's group. */
static bool leads_within(const struct link_load *load, const struct cs_train_stream *stream,
                         uint32_t rank, uint32_t link, uint32_t first, uint32_t count)
{
    struct cs_wire wire = cs_graph_wire(load->graph, link / 2);
    uint32_t to = load->rank_of[link % 2 ? wire.a : wire.b];
    uint32_t place = place_of(stream, to);

    return place >= first && place - first < count && rank_at(stream, rank, place) == to;
}

/* Spreads the bytes over the rank's links to the places; false without any. */
static bool load_direct(struct link_load *load, const struct cs_train_stream *stream, uint32_t rank,
                        uint32_t first, uint32_t count, double bytes)
{
    double rates = 0;

    for (int spread = 0; spread < 2; ++spread)
        for (uint32_t l = load->first[rank]; l != NO_WIRE; l = load->next[l]) {
            double rate = cs_graph_wire(load->graph, l / 2).rate_Bps;

            if (!leads_within(load, stream, rank, l, first, count))
                continue;
            if (spread)
                load->bytes[l] += bytes * rate / rates;
            else
                rates += rate;
        }
    return rates > 0;
}

/* Ranks of a group in one node, which share a block of ranks. */
static uint32_t ranks_in_node(const struct cs_train_stream *stream, uint32_t node_ranks)
{
    uint32_t inside = stream->stride < node_ranks ? node_ranks / stream->stride : 1;

    return stream->size < inside ? stream->size : inside;
}

static void load_ring(struct link_load *load, const struct cs_train_stream *stream, uint32_t inside,
                      uint32_t rank)
{
    uint32_t place = place_of(stream, rank);
    uint32_t first = place / inside * inside, size = stream->size;
    uint32_t count = size - first < inside ? size - first : inside;
    uint32_t next = place + 1 < first + count ? place + 1 : first;
    double between = stream->size > inside ? stream->bytes / inside : 0;
    double kept = stream->bytes - between;

    if (!load_direct(load, stream, rank, first, count, kept))
        load_add(load, rank, rank_at(stream, rank, next), kept);
    if (stream->pattern == CS_STREAM_LEVELS)
        between *= (1 - (double)inside / size) / (1 - 1. / size);
    load_add(load, rank, rank_at(stream, rank, (place + inside) % size), between);
}

static void load_chain(struct link_load *load, const struct cs_train_stream *stream, uint32_t rank)
{
    uint32_t place = place_of(stream, rank);

    if (place + 1 < stream->size)
        load_add(load, rank, rank_at(stream, rank, place + 1), stream->bytes / 2);
    if (place > 0)
        load_add(load, rank, rank_at(stream, rank, place - 1), stream->bytes / 2);
}

static void load_exchange(struct link_load *load, const struct cs_train_stream *stream,
                          uint32_t ranks, uint32_t rank)
{
    uint32_t others = stream->size - 1, place = place_of(stream, rank);
    uint32_t most = LINK_USE_PAIRS / ranks;
    uint32_t partners = others < most ? others : most;

    for (uint32_t i = 0; i < partners; ++i) {
        uint32_t ahead = 1 + (uint32_t)((uint64_t)i * others / partners);

        load_add(load, rank, rank_at(stream, rank, (place + ahead) % stream->size),
                 stream->bytes / partners);
    }
}

static void load_fan(struct link_load *load, const struct cs_train_stream *stream, uint32_t rank)
{
    uint32_t first = rank_at(stream, rank, 0);
    double bytes = stream->bytes / (stream->size - 1);

    if (stream->pattern == CS_STREAM_FAN_OUT)
        load_add(load, first, rank, bytes);
    else
        load_add(load, rank, first, bytes);
}

static void load_servers(struct link_load *load, const struct cs_train_stream *stream,
                         uint32_t rank)
{
    uint32_t ranks = load->graph->rank_count, all = load->graph->agent_count;
    uint32_t servers = stream->size < all ? stream->size : all;

    for (uint32_t s = 0; s < servers; ++s) {
        load_add(load, rank, ranks + s, stream->bytes / servers);
        load_add(load, ranks + s, rank, stream->bytes / servers);
    }
}

static void load_stream(struct link_load *load, uint32_t ranks, uint32_t node_ranks,
                        const struct cs_train_stream *stream)
{
    uint32_t inside = ranks_in_node(stream, node_ranks);

    if (stream->size < 2 && stream->pattern != CS_STREAM_SERVERS)
        return;
    for (uint32_t rank = 0; rank < ranks; ++rank)
        switch (stream->pattern) {
        case CS_STREAM_RING:
        case CS_STREAM_LEVELS:
            load_ring(load, stream, inside, rank);
            break;
        case CS_STREAM_CHAIN:
            load_chain(load, stream, rank);
            break;
        case CS_STREAM_FAN_OUT:
        case CS_STREAM_FAN_IN:
            load_fan(load, stream, rank);
            break;
        case CS_STREAM_SERVERS:
            load_servers(load, stream, rank);
            break;
        default:
            load_exchange(load, stream, ranks, rank);
        }
}

const double *cs_link_use(const struct cs_graph *graph, uint32_t node_ranks,
                          const struct cs_train_stream *streams, uint32_t count,
                          struct cs_arena *arena)
{
    struct link_load load = {.graph = graph};

    find_direct(&load, arena);
    cs_lower(graph, &load.net, arena);
    load.bytes = cs_arena_alloc(arena, (size_t)graph->wire_count * 2, sizeof(*load.bytes));
    load.route = cs_arena_alloc(arena, load.net.max_hops, sizeof(*load.route));
    for (uint32_t s = 0; s < count; ++s)
        load_stream(&load, graph->rank_count, node_ranks, &streams[s]);
    return load.bytes;
}

uint32_t cs_link_use_classes(const struct cs_graph *graph, const double *bytes,
                             struct cs_class_use classes[CS_LINK_CLASSES_MAX])
{
    uint32_t count = 0;

    for (uint32_t w = 0; w < graph->wire_count; ++w) {
        struct cs_wire wire = cs_graph_wire(graph, w);
        const double *both = bytes + 2 * (size_t)w;
        double most = fmax(both[0], both[1]);
        struct cs_class_use *one;
        uint32_t c = 0;

        while (c < count && strcmp(classes[c].name, wire.class_name) != 0)
            ++c;
        if (c == CS_LINK_CLASSES_MAX)
            --c;
        else if (c == count)
            classes[count++] = (struct cs_class_use){.name = wire.class_name};
        one = &classes[c];
        one->links += !wire.down;
        one->most = fmax(one->most, most);
        one->all += both[0] + both[1];
        one->busy_s = fmax(one->busy_s, cs_link_use_share(graph, w, bytes, 1));
    }
    return count;
}

double cs_link_use_share(const struct cs_graph *graph, uint32_t w, const double *bytes,
                         double seconds)
{
    struct cs_wire wire = cs_graph_wire(graph, w);
    double most = fmax(bytes[2 * (size_t)w], bytes[2 * (size_t)w + 1]);

    return most / (wire.rate_Bps * wire.efficiency) / seconds;
}

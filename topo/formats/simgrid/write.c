/*
 * simgrid: a platform file of SimGrid 4, one zone with all routes written out.
 *
 * Ranks become hosts and wires links: SPLITDUPLEX if each direction has its own
 * rate, otherwise SHARED.  The wires of a bus become a shared link with the
 * lowest latency; a wire with a higher latency has an additional link for the
 * difference.  A link has a single rate, so a bus with wires of different rates
 * is refused.  Rates include the efficiency, which SimGrid does not have.  The
 * speed of hosts is 1 Gf, because the machine does not specify computation.
 *
 * Properties, which SimGrid ignores, hold other devices, nodes, reductions and
 * the ends of links (reader.h), so that algorithms that follow the wires find
 * them in a file that is read back.  Not the ends of a machine with buses, whose
 * links are not its wires.
 */
#include "sim/base/units.h"
#include "topo/formats/simgrid/reader.h"
#include "topo/formats/writer.h"
#include "topo/graph/lower.h"

#include <math.h>
#include <string.h>

enum {
    RANKS_MAX = 512, /* the file lists a route per pair */
    NO_WIRE = UINT32_MAX,
};

struct simgrid_writer {
    const struct cs_graph *graph;
    const char **names; /* of devices */
    const char **xml;   /* the names with entities */
    struct cs_net net;
    uint32_t *shared; /* wire -> the wire with the shared link of the bus */
    struct cs_text *out;
    bool has_bus;
};

static const struct cs_net_link *simgrid_writer_link_of(const struct simgrid_writer *writer,
                                                        uint32_t w)
{
    const struct cs_net_link *link = &writer->net.links[2 * (size_t)w];

    return isinf(link->rate_Bps) ? link + 1 : link;
}

/* SimGrid has no medium with two rates. */
static int simgrid_writer_unequal(const struct simgrid_writer *writer, uint32_t a, uint32_t b,
                                  struct cs_err *err)
{
    const struct cs_wire *one = &writer->graph->wires[a], *other = &writer->graph->wires[b];

    return cs_err_set(err, CS_EINPUT,
                      "'%s - %s' with %s and '%s - %s' with %s share a bus with different rates; a "
                      "link of SimGrid has one rate",
                      writer->names[one->a], writer->names[one->b],
                      cs_show_rate(simgrid_writer_link_of(writer, a)->rate_Bps).text,
                      writer->names[other->a], writer->names[other->b],
                      cs_show_rate(simgrid_writer_link_of(writer, b)->rate_Bps).text);
}

/* The shared link of a bus has the lowest latency of the wires, by the
 * first such wire. */
static int share_buses(struct simgrid_writer *writer, struct cs_arena *arena, struct cs_err *err)
{
    uint32_t count = writer->graph->wire_count, servers = writer->net.resource_count;
    uint32_t *of_server = cs_arena_alloc(arena, servers, sizeof(*of_server));

    writer->shared = cs_arena_alloc(arena, count, sizeof(*writer->shared));
    memset(of_server, 0xff, servers * sizeof(*of_server));
    for (uint32_t w = 0; w < count; w++) {
        const struct cs_net_link *link = simgrid_writer_link_of(writer, w);
        uint32_t *first = &of_server[link->resource];

        if (writer->graph->wires[w].duplex != CS_DUPLEX_BUS || link->down)
            continue;
        if (*first == NO_WIRE) {
            *first = w;
            continue;
        }
        if (simgrid_writer_link_of(writer, *first)->rate_Bps != link->rate_Bps)
            return simgrid_writer_unequal(writer, *first, w, err);
        if (simgrid_writer_link_of(writer, *first)->latency_ps > link->latency_ps)
            *first = w;
    }
    for (uint32_t w = 0; w < count; w++) {
        uint32_t first = of_server[simgrid_writer_link_of(writer, w)->resource];

        writer->shared[w] = first == NO_WIRE ? w : first;
    }
    return 0;
}

/* The latency of the wire's own link: for a bus the excess over the shared
 * link. */
static uint64_t own_latency_ps(const struct simgrid_writer *writer, uint32_t w)
{
    uint32_t shared = writer->shared[w];
    uint64_t latency_ps = simgrid_writer_link_of(writer, w)->latency_ps;

    return shared == w ? latency_ps
                       : latency_ps - simgrid_writer_link_of(writer, shared)->latency_ps;
}

static bool has_link(const struct simgrid_writer *writer, uint32_t w)
{
    return !writer->graph->wires[w].down &&
           (writer->shared[w] == w || own_latency_ps(writer, w) > 0);
}

/* "gpu 0": the kind, and the node. */
static void add_device(struct simgrid_writer *writer, const char *name,
                       const struct cs_device *device)
{
    cs_text_printf(writer->out, "<prop id=\"" CS_SIMGRID_DEVICE "%s\" value=\"%s", name,
                   cs_device_kind_name(device->kind));
    if (device->host != CS_NO_HOST)
        cs_text_printf(writer->out, " %u", device->host);
    cs_text_add(writer->out, "\"/>");
}

static void add_host(struct simgrid_writer *writer, uint32_t d)
{
    const struct cs_device *device = &writer->graph->devices[d];

    cs_text_printf(writer->out, "    <host id=\"%s\" speed=\"1Gf\">", writer->xml[d]);
    add_device(writer, "", device);
    if (device->reduce_Bps > 0)
        cs_text_printf(writer->out, "<prop id=\"" CS_SIMGRID_REDUCTION "\" value=\"%.17gBps\"/>",
                       device->reduce_Bps);
    if (device->reduce_overhead_ps > 0)
        cs_text_printf(writer->out, "<prop id=\"" CS_SIMGRID_OVERHEAD "\" value=\"%llups\"/>",
                       (unsigned long long)device->reduce_overhead_ps);
    cs_text_add(writer->out, "</host>\n");
}

/* Devices of links that are no hosts; a GPU without a rank only forwards to
 * itself. */
static void add_devices(struct simgrid_writer *writer, struct cs_arena *arena)
{
    const struct cs_graph *graph = writer->graph;
    bool *is_rank = cs_arena_alloc(arena, graph->device_count, sizeof(*is_rank));

    for (uint32_t r = 0; r < graph->rank_count; r++)
        is_rank[graph->rank_device[r]] = true;
    for (uint32_t d = 0; d < graph->device_count && !writer->has_bus; d++) {
        struct cs_device device = graph->devices[d];

        if (is_rank[d])
            continue;
        if (device.kind == CS_DEVICE_GPU || device.kind == CS_DEVICE_HOST)
            device.kind = CS_DEVICE_SWITCH;
        cs_text_add(writer->out, "    ");
        add_device(writer, cs_arena_printf(arena, " %s", writer->xml[d]), &device);
        cs_text_add(writer->out, "\n");
    }
    for (uint32_t r = 0; r < graph->rank_count; r++)
        add_host(writer, graph->rank_device[r]);
}

/* "3 gpu0 - nvswitch" */
static void add_link_name(struct simgrid_writer *writer, uint32_t w)
{
    const struct cs_wire *wire = &writer->graph->wires[w];

    cs_text_printf(writer->out, "%u %s - %s", w, writer->xml[wire->a], writer->xml[wire->b]);
}

static void simgrid_writer_add_links(struct simgrid_writer *writer)
{
    for (uint32_t w = 0; w < writer->graph->wire_count; w++) {
        const struct cs_wire *wire = &writer->graph->wires[w];

        if (!has_link(writer, w))
            continue;
        cs_text_add(writer->out, "    <link id=\"");
        add_link_name(writer, w);
        cs_text_printf(writer->out,
                       "\" bandwidth=\"%.17gBps\" latency=\"%llups\" sharing_policy=\"%s\"",
                       simgrid_writer_link_of(writer, w)->rate_Bps,
                       (unsigned long long)own_latency_ps(writer, w),
                       wire->duplex == CS_DUPLEX_FULL ? "SPLITDUPLEX" : "SHARED");
        if (writer->has_bus)
            cs_text_add(writer->out, "/>\n");
        else
            cs_text_printf(writer->out,
                           "><prop id=\"" CS_SIMGRID_ENDS "\" value=\"%s\"/>"
                           "<prop id=\"" CS_SIMGRID_ENDS "\" value=\"%s\"/></link>\n",
                           writer->xml[wire->a], writer->xml[wire->b]);
    }
}

static void add_crossing(struct simgrid_writer *writer, uint32_t w, const char *direction)
{
    cs_text_add(writer->out, "<link_ctn id=\"");
    add_link_name(writer, w);
    if (writer->graph->wires[w].duplex == CS_DUPLEX_FULL)
        cs_text_printf(writer->out, "\" direction=\"%s\"/>", direction);
    else
        cs_text_add(writer->out, "\"/>");
}

static void add_hop(struct simgrid_writer *writer, uint32_t number)
{
    uint32_t w = number / 2;

    add_crossing(writer, writer->shared[w], number % 2 ? "DOWN" : "UP");
    if (writer->shared[w] != w && has_link(writer, w))
        add_crossing(writer, w, "");
}

/* A reader refuses a link twice in a row, which a route over a bus and back
 * has. */
static int check_route(const struct simgrid_writer *writer, const uint32_t *links, uint32_t hops,
                       struct cs_err *err)
{
    for (uint32_t i = 1; i < hops; i++) {
        uint32_t w = writer->shared[links[i] / 2];

        if (w == writer->shared[links[i - 1] / 2])
            return cs_err_set(err, CS_EINPUT,
                              "a route crosses '%s - %s' twice in a row, which a platform of "
                              "SimGrid does not allow",
                              writer->names[writer->graph->wires[w].a],
                              writer->names[writer->graph->wires[w].b]);
    }
    return 0;
}

static int add_route(struct simgrid_writer *writer, uint32_t src, uint32_t dst, uint32_t *links,
                     struct cs_err *err)
{
    uint32_t hops = writer->net.route(writer->net.route_ctx, src, dst, links);

    cs_text_printf(writer->out, "    <route src=\"%s\" dst=\"%s\" symmetrical=\"NO\">",
                   writer->xml[writer->graph->rank_device[src]],
                   writer->xml[writer->graph->rank_device[dst]]);
    for (uint32_t i = 0; i < hops; i++)
        add_hop(writer, links[i]);
    cs_text_add(writer->out, "</route>\n");
    return check_route(writer, links, hops, err);
}

static int simgrid_writer_add_zone(struct simgrid_writer *writer, struct cs_arena *arena,
                                   struct cs_err *err)
{
    uint32_t ranks = writer->graph->rank_count;
    uint32_t *links = cs_arena_alloc(arena, writer->net.max_hops + 1, sizeof(*links));
    int code = 0;

    cs_text_printf(writer->out,
                   "<?xml version='1.0'?>\n"
                   "<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
                   "<platform version=\"4.1\">\n  <zone id=\"%s\" routing=\"Full\">\n",
                   cs_writer_entities(writer->graph->name, arena));
    add_devices(writer, arena);
    simgrid_writer_add_links(writer);
    for (uint32_t i = 0; i < ranks * ranks && !code; i++)
        if (i / ranks != i % ranks)
            code = add_route(writer, i / ranks, i % ranks, links, err);
    cs_text_add(writer->out, "  </zone>\n</platform>\n");
    return code;
}

static int simgrid_writer_write(const struct cs_graph *graph, struct cs_text *out,
                                struct cs_text *notes, struct cs_err *err)
{
    struct simgrid_writer writer = {.graph = graph, .out = out};
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    uint32_t ranks = graph->rank_count;
    int code;

    if (ranks > RANKS_MAX)
        return cs_err_set(err, CS_EINPUT,
                          "%u ranks; at most %d, because the file lists all routes; "
                          "--ranks %d exports the first, --format yaml all",
                          ranks, RANKS_MAX, RANKS_MAX);
    writer.names = cs_writer_names(graph, "", &arena, notes);
    writer.xml = cs_arena_alloc(&arena, graph->device_count, sizeof(*writer.xml));
    for (uint32_t d = 0; d < graph->device_count; d++)
        writer.xml[d] = cs_writer_entities(writer.names[d], &arena);
    cs_lower(graph, &writer.net, &arena);
    for (uint32_t w = 0; w < graph->wire_count; w++)
        writer.has_bus |= graph->wires[w].duplex == CS_DUPLEX_BUS;
    code = share_buses(&writer, &arena, err);
    if (!code)
        code = simgrid_writer_add_zone(&writer, &arena, err);
    cs_text_add(
        notes,
        "models of GPUs and classes of links are omitted; link rates include the efficiency\n");
    if (writer.has_bus)
        cs_text_add(notes, "ends of links and devices but ranks are omitted, by which algorithms "
                           "find routes and rings\n");
    return code;
}

const struct cs_writer cs_writer_simgrid = {
    .name = "simgrid",
    .prefix = "simgrid:",
    .about = "a platform of SimGrid 4",
    .write = simgrid_writer_write,
};

/*
 * simgrid: a platform file of SimGrid 4, one zone with all routes written out.
 *
 * Ranks become hosts, wires links: SPLITDUPLEX where directions have a rate
 * each, SHARED where not.  All wires of a bus are one shared link.  Rates are
 * what a collective gets, as SimGrid knows no efficiency.  What hosts compute
 * is not said: their speed is 1 Gf.
 */
#include "topo/lower.h"
#include "topo/writer.h"

#include <math.h>
#include <stdio.h>

enum {
    RANKS_MAX = 512, /* a route for each pair */
};

struct writer {
    const struct cs_graph *graph;
    const char **names; /* of devices */
    struct cs_net net;
    struct cs_text *out;
};

static bool is_free(const struct cs_net_link *link)
{
    return isinf(link->rate_Bps);
}

/* The link that stands for what shares its server: a wire's first, or the first
 * wire's of a bus. */
static uint32_t link_for(const struct writer *writer, uint32_t number)
{
    const struct cs_wire *wires = writer->graph->wires;
    const struct cs_net_link *links = writer->net.links;
    uint32_t w = number / 2;

    if (wires[w].duplex != CS_DUPLEX_BUS)
        return w;
    for (w = 0; w < number / 2; w++) {
        const struct cs_net_link *link = &links[2 * (size_t)w];

        link += is_free(link);
        if (wires[w].duplex == CS_DUPLEX_BUS &&
            link->server == links[number].server)
            break;
    }
    return w;
}

static const char *rank_name(const struct writer *writer, uint32_t rank)
{
    return writer->names[writer->graph->rank_device[rank]];
}

static void add_hosts(struct writer *writer)
{
    const struct cs_graph *graph = writer->graph;

    for (uint32_t r = 0; r < graph->rank_count; r++) {
        cs_text_add(writer->out, "    <host id=\"");
        cs_writer_xml(writer->out, rank_name(writer, r));
        cs_text_add(writer->out, "\" speed=\"1Gf\"/>\n");
    }
}

static void add_link_name(struct writer *writer, uint32_t w)
{
    const struct cs_wire *wire = &writer->graph->wires[w];

    cs_text_printf(writer->out, "%u ", w);
    cs_writer_xml(writer->out, writer->names[wire->a]);
    cs_text_add(writer->out, " - ");
    cs_writer_xml(writer->out, writer->names[wire->b]);
}

static void add_links(struct writer *writer)
{
    for (uint32_t w = 0; w < writer->graph->wire_count; w++) {
        const struct cs_wire *wire = &writer->graph->wires[w];
        const struct cs_net_link *link = &writer->net.links[2 * (size_t)w];

        link += is_free(link);
        if (wire->down ||
            link_for(writer, (uint32_t)(link - writer->net.links)) != w)
            continue;
        cs_text_add(writer->out, "    <link id=\"");
        add_link_name(writer, w);
        cs_text_printf(writer->out,
                       "\" bandwidth=\"%.17gBps\" latency=\"%llups\" "
                       "sharing_policy=\"%s\"/>\n",
                       link->rate_Bps, (unsigned long long)link->latency_ps,
                       wire->duplex == CS_DUPLEX_FULL ? "SPLITDUPLEX"
                                                      : "SHARED");
    }
}

static void add_hop(struct writer *writer, uint32_t number)
{
    uint32_t w = link_for(writer, number);

    cs_text_add(writer->out, "<link_ctn id=\"");
    add_link_name(writer, w);
    if (writer->graph->wires[w].duplex == CS_DUPLEX_FULL)
        cs_text_printf(writer->out, "\" direction=\"%s\"/>",
                       number % 2 ? "DOWN" : "UP");
    else
        cs_text_add(writer->out, "\"/>");
}

/* Readers take no link twice in a row, as a way over a bus and back may be. */
static int check_route(const struct writer *writer, const uint32_t *links,
                       uint32_t hops, struct cs_err *err)
{
    for (uint32_t i = 1; i < hops; i++) {
        uint32_t w = link_for(writer, links[i]);

        if (w == link_for(writer, links[i - 1]))
            return cs_err_set(
                err, CS_EINPUT,
                "a way leads twice in a row over '%s - %s'; a platform has no "
                "such",
                writer->names[writer->graph->wires[w].a],
                writer->names[writer->graph->wires[w].b]);
    }
    return 0;
}

static int add_route(struct writer *writer, uint32_t src, uint32_t dst,
                     uint32_t *links, struct cs_err *err)
{
    uint32_t hops = writer->net.route(writer->net.route_ctx, src, dst, links);

    cs_text_add(writer->out, "    <route src=\"");
    cs_writer_xml(writer->out, rank_name(writer, src));
    cs_text_add(writer->out, "\" dst=\"");
    cs_writer_xml(writer->out, rank_name(writer, dst));
    cs_text_add(writer->out, "\" symmetrical=\"NO\">");
    for (uint32_t i = 0; i < hops; i++)
        add_hop(writer, links[i]);
    cs_text_add(writer->out, "</route>\n");
    return check_route(writer, links, hops, err);
}

static int write(const struct cs_graph *graph, struct cs_text *out,
                 struct cs_text *remarks, struct cs_err *err)
{
    struct writer writer = {.graph = graph, .out = out};
    struct cs_arena arena = {0};
    uint32_t ranks = graph->rank_count;
    uint32_t *links;
    int code = 0;

    if (ranks > RANKS_MAX)
        return cs_err_set(err, CS_EINPUT,
                          "%u ranks; all routes are written out, so %d are the "
                          "most",
                          ranks, RANKS_MAX);
    writer.names = cs_writer_names(graph, "", &arena, remarks);
    cs_lower(graph, &writer.net, &arena);
    links = cs_arena_alloc(&arena, writer.net.max_hops + 1, sizeof(*links));
    cs_text_add(out, "<?xml version='1.0'?>\n"
                     "<!DOCTYPE platform SYSTEM "
                     "\"https://simgrid.org/simgrid.dtd\">\n"
                     "<platform version=\"4.1\">\n  <zone id=\"");
    cs_writer_xml(out, graph->name);
    cs_text_add(out, "\" routing=\"Full\">\n");
    add_hosts(&writer);
    add_links(&writer);
    for (uint32_t i = 0; i < ranks * ranks && !code; i++)
        if (i / ranks != i % ranks)
            code = add_route(&writer, i / ranks, i % ranks, links, err);
    cs_text_add(out, "  </zone>\n</platform>\n");
    cs_text_add(remarks, "kinds of devices, and how fast they add up, have no "
                         "place in the format; links there have the rate that "
                         "a collective gets\n");
    cs_arena_free(&arena);
    return code;
}

const struct cs_writer cs_writer_simgrid = {
    .name = "simgrid",
    .prefix = "simgrid:",
    .about = "a platform of SimGrid 4",
    .write = write,
};

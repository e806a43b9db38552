/*
 * dot: a picture for Graphviz.  A box contains the devices of a host, links
 * have class and rate, parallel links of a class are a single line with a
 * number.
 */
#include "sim/base/collections/name_index.h"
#include "sim/base/units.h"
#include "topo/formats/writer.h"

#include <stdio.h>

enum {
    DEVICES_MAX = 4096, /* a larger picture is not readable */
};

/* Shape and colour by kind; the colours also differ in brightness. */
static const char *const looks[CS_DEVICE_KINDS] = {
    [CS_DEVICE_GPU] = "shape=box, fillcolor=\"#cfe8cf\"",
    [CS_DEVICE_HOST] = "shape=box, fillcolor=\"#cfe8cf\"",
    [CS_DEVICE_CPU] = "shape=box, fillcolor=\"#d9d9f3\"",
    [CS_DEVICE_NIC] = "shape=hexagon, fillcolor=\"#fbe3b8\"",
    [CS_DEVICE_SWITCH] = "shape=ellipse, fillcolor=\"#ffffff\"",
    [CS_DEVICE_BUS] = "shape=parallelogram, fillcolor=\"#eeeeee\"",
};

/* Inside of a string: quotes and backslashes. */
static void dot_writer_add_escaped(struct cs_text *out, const char *text)
{
    for (; *text; text++)
        cs_text_printf(out, *text == '"' || *text == '\\' ? "\\%c" : "%c", *text);
}

static void dot_writer_add_device(const struct cs_graph *graph, uint32_t d, struct cs_text *out)
{
    cs_text_printf(out, "    d%u [label=\"", d);
    dot_writer_add_escaped(out, graph->devices[d].name);
    cs_text_printf(out, "\", %s];\n", looks[graph->devices[d].kind]);
}

static uint32_t count_hosts(const struct cs_graph *graph)
{
    uint32_t hosts = 0;

    for (uint32_t d = 0; d < graph->device_count; d++) {
        uint32_t host = graph->devices[d].host;

        if (host != CS_NO_HOST && host >= hosts)
            hosts = host + 1;
    }
    return hosts;
}

/* A host with several devices gets a box. */
static void add_host(const struct cs_graph *graph, uint32_t host, struct cs_text *out)
{
    uint32_t devices = 0;

    for (uint32_t d = 0; d < graph->device_count; d++)
        devices += graph->devices[d].host == host;
    if (devices > 1 && host != CS_NO_HOST)
        cs_text_printf(out,
                       "  subgraph cluster_%u {\n"
                       "    label=\"node %u\"; color=\"#999999\";\n",
                       host, host);
    for (uint32_t d = 0; d < graph->device_count; d++)
        if (graph->devices[d].host == host)
            dot_writer_add_device(graph, d, out);
    if (devices > 1 && host != CS_NO_HOST)
        cs_text_add(out, "  }\n");
}

/* Line width grows by a factor of 1.8 per tenfold rate. */
static double dot_writer_width_of(double rate_Bps)
{
    double width = 0.8;

    for (; rate_Bps > 2e9 && width < 6; rate_Bps /= 10)
        width *= 1.8;
    return width;
}

static void dot_writer_add_wire(const struct cs_graph *graph, uint32_t w, uint32_t twins,
                                struct cs_text *out)
{
    const struct cs_wire *wire = &graph->wires[w];

    cs_text_printf(out, "  d%u -- d%u [label=\"", wire->a, wire->b);
    if (twins > 1)
        cs_text_printf(out, "%u x ", twins);
    dot_writer_add_escaped(out, wire->class_name);
    cs_text_printf(out, "\\n%s\", penwidth=%.1f%s];\n",
                   cs_show_rate(twins * cs_wire_effective(wire)).text,
                   dot_writer_width_of(twins * cs_wire_effective(wire)),
                   wire->down ? ", style=dotted, color=red" : "");
}

/* Parallel wires of a class become a single line. */
static void dot_writer_add_wires(const struct cs_graph *graph, struct cs_text *out)
{
    CS_AT_END(cs_arena_free) struct cs_arena arena = {0};
    struct cs_names seen;
    uint32_t *twins = cs_arena_alloc(&arena, graph->wire_count, sizeof(*twins));

    cs_names_init(&seen, &arena, graph->wire_count);
    for (uint32_t w = 0; w < graph->wire_count; w++) {
        const struct cs_wire *wire = &graph->wires[w];
        uint32_t low = wire->a < wire->b ? wire->a : wire->b;
        uint32_t first =
            cs_names_add(&seen,
                         cs_arena_printf(&arena, "%u %u %d %a %s", low, wire->a ^ wire->b ^ low,
                                         wire->down, cs_wire_effective(wire), wire->class_name),
                         w);

        twins[first == CS_NO_NAME ? w : first]++;
    }
    for (uint32_t w = 0; w < graph->wire_count; w++)
        if (twins[w])
            dot_writer_add_wire(graph, w, twins[w], out);
}

static int dot_writer_write(const struct cs_graph *graph, struct cs_text *out,
                            struct cs_text *notes, struct cs_err *err)
{
    uint32_t hosts = count_hosts(graph);

    (void)notes;
    if (graph->device_count > DEVICES_MAX)
        return cs_err_set(err, CS_EINPUT, "%u devices; a picture takes %d at most",
                          graph->device_count, DEVICES_MAX);
    cs_text_add(out, "graph \"");
    dot_writer_add_escaped(out, graph->name);
    cs_text_add(out, "\" {\n"
                     "  graph [rankdir=TB, nodesep=0.35, ranksep=1.0, fontname=\"Helvetica\"];\n"
                     "  node [style=filled, fontname=\"Helvetica\", fontsize=12];\n"
                     "  edge [fontname=\"Helvetica\", fontsize=9, color=\"#555555\"];\n");
    for (uint32_t host = 0; host < hosts; host++)
        add_host(graph, host, out);
    add_host(graph, CS_NO_HOST, out);
    dot_writer_add_wires(graph, out);
    cs_text_add(out, "}\n");
    return 0;
}

const struct cs_writer cs_writer_dot = {
    .name = "dot",
    .about = "a picture for Graphviz",
    .write = dot_writer_write,
};

#include "topo/generators/cluster/wire.h"

#include "sim/base/text.h"
#include "topo/kinds/link_kind.h"
#include "topo/kinds/port.h"

#include <math.h>

/* Of a fabric without a class of wires, as in shapes.c: a 200 Gb/s port. */
#define DEFAULT_RATE_BPS   25e9
#define DEFAULT_LATENCY_PS UINT64_C(500000)

static bool is_machine(const struct cs_cluster_part *part)
{
    return part->node->graph.device_count > 1;
}

/* Sets *port to the link that the ports of all nodes have; NULL: unknown. */
static int find_common_port(const struct cs_cluster_builder *builder, const struct cs_wire **port)
{
    const struct cs_cluster *cluster = builder->cluster;

    *port = NULL;
    for (uint32_t i = 0; i < cluster->part_count; i++) {
        const struct cs_wire *own = cluster->parts[i].node->joins.link;

        if (own && *port && !cs_port_is_equal(own, *port))
            return cs_err_set(builder->err, CS_EINPUT,
                              "ports of %s and of %s on one fabric; select the class with link=",
                              (*port)->class_name, own->class_name);
        *port = own ? own : *port;
    }
    return 0;
}

/* The payload of the fastest slot of an adapter; 0: unknown. */
static double slot_Bps(const struct cs_graph *graph)
{
    double most_Bps = 0;

    for (uint32_t w = 0; w < graph->wire_count; w++) {
        const struct cs_wire *wire = &graph->wires[w];

        if (wire->family == CS_LINK_PCIE && wire->rate_Bps > most_Bps &&
            (graph->devices[wire->a].kind == CS_DEVICE_NIC ||
             graph->devices[wire->b].kind == CS_DEVICE_NIC))
            most_Bps = wire->rate_Bps;
    }
    return most_Bps;
}

/* The port to assume for machines: the fastest of InfiniBand that their slots feed, as those
 * for training have it: EDR on PCIe 3.0 x16, HDR on 4.0, NDR on 5.0.  NULL: slots unknown. */
static const struct cs_link_kind *port_of_slots(const struct cs_cluster *cluster)
{
    const struct cs_link_kind *best = NULL;
    double most_Bps = 0;

    for (uint32_t i = 0; i < cluster->part_count; i++)
        most_Bps = fmax(most_Bps, slot_Bps(&cluster->parts[i].node->graph));
    most_Bps /= fmax(1, cluster->stripe); /* slots of the NICs of a port are one wire */
    for (size_t i = 0; i < cs_link_kind_count; i++) {
        const struct cs_link_kind *kind = &cs_link_kinds[i];

        if (kind->network == CS_NET_IB && kind->rate_Bps < most_Bps &&
            (!best || kind->rate_Bps > best->rate_Bps))
            best = kind;
    }
    return best;
}

/* The source of a wire without a class. */
static const char *source_of_default(const struct cs_cluster_plan *plan, const struct cs_wire *wire)
{
    if (plan->rate_Bps > 0)
        return plan->has_latency ? "given by the user"
                                 : "rate: given by the user; latency: assumed";
    return cs_arena_printf(plan->arena,
                           plan->has_latency
                               ? "rate: assumed, a port of %.0f Gb/s; latency: given by the user"
                               : "assumed: a port of %.0f Gb/s",
                           wire->rate_Bps * 8e-9);
}

static void note_assumed_rate(struct cs_cluster_builder *builder, const struct cs_wire *wire)
{
    const struct cs_cluster *cluster = builder->cluster;

    for (uint32_t i = 0; i < cluster->part_count; i++)
        if (is_machine(&cluster->parts[i]))
            cs_graph_note(builder->graph,
                          "the rate of the NICs of %s is unknown; a port of %.0f Gb/s is assumed; "
                          "link=CLASS or bandwidth=RATE of the fabric sets it",
                          cluster->parts[i].node->graph.name, wire->rate_Bps * 8e-9);
}

/* The wire of a port whose network is not known either. */
static void assume_wire(struct cs_cluster_builder *builder, struct cs_wire *wire)
{
    const struct cs_link_kind *kind = port_of_slots(builder->cluster);

    *wire = (struct cs_wire){
        .class_name = "link",
        .rate_Bps = kind ? kind->rate_Bps : DEFAULT_RATE_BPS,
        .efficiency = kind ? kind->efficiency : 1,
        .latency_ps = kind ? kind->latency_ps : DEFAULT_LATENCY_PS,
    };
    wire->source = source_of_default(builder->plan, wire);
    if (builder->plan->rate_Bps == 0)
        note_assumed_rate(builder, wire);
}

int cs_cluster_choose_wire(struct cs_cluster_builder *builder, struct cs_wire *wire)
{
    const struct cs_cluster_plan *plan = builder->plan;
    const struct cs_cluster *cluster = builder->cluster;
    const struct cs_wire *port = NULL;
    int rc;

    *wire = (struct cs_wire){0};
    rc = plan->link ? cs_link_kind_find(plan->link, wire, builder->err)
                    : find_common_port(builder, &port);
    if (rc)
        return rc;
    if (plan->link)
        wire->class_name = plan->link;
    else if (port)
        *wire = *port;
    else
        assume_wire(builder, wire);
    if (plan->rate_Bps > 0) {
        wire->rate_Bps = plan->rate_Bps;
        wire->efficiency = 1;
    }
    if (plan->has_latency)
        wire->latency_ps = plan->latency_ps;
    if (cluster->stripe > 1) {
        wire->rate_Bps *= cluster->stripe;
        wire->class_name =
            cs_arena_printf(plan->arena, "%u of %s", cluster->stripe, wire->class_name);
    }
    return 0;
}

/* ---- notes ---- */

static bool has_note(const struct cs_graph *graph, const char *note)
{
    for (uint32_t i = 0; i < graph->note_count; i++)
        if (cs_same(graph->notes[i], note))
            return true;
    return false;
}

static void note_idle_nics(struct cs_cluster_builder *builder, const struct cs_node *node)
{
    const struct cs_ports *joins = &node->joins;
    uint32_t nics = joins->count + joins->virtual_count + joins->slow_count;

    if (joins->virtual_count)
        cs_graph_note(builder->graph,
                      "%u of the %u NICs of a %s join no fabric: virtual, on a machine with others",
                      joins->virtual_count, nics, node->graph.name);
    if (joins->slow_count)
        cs_graph_note(builder->graph,
                      "%u of the %u NICs of a %s join no fabric: slower than %s, or farther from "
                      "the GPUs, or of "
                      "unknown rate",
                      joins->slow_count, nics, node->graph.name, joins->link->class_name);
}

void cs_cluster_note_nodes(struct cs_cluster_builder *builder)
{
    const struct cs_cluster *cluster = builder->cluster;

    for (uint32_t i = 0; i < cluster->part_count; i++) {
        const struct cs_node *node = cluster->parts[i].node;

        for (uint32_t k = 0; k < node->graph.note_count; k++) {
            const char *note = node->graph.notes[k];

            if (cluster->part_count > 1)
                note = cs_arena_printf(builder->graph->arena, "%s: %s", node->graph.name, note);
            if (!has_note(builder->graph, note))
                cs_graph_note(builder->graph, "%s", note);
        }
        note_idle_nics(builder, node);
    }
}

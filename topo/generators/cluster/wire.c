#include "topo/generators/cluster/wire.h"

#include "sim/base/text.h"
#include "topo/kinds/link_kind.h"
#include "topo/kinds/port.h"

/* Of a fabric without a class of wires, as in shape.c: a 200 Gb/s port. */
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

/* The source of a wire without a class. */
static const char *source_of_default(const struct cs_cluster_plan *plan)
{
    if (plan->rate_Bps > 0 && plan->has_latency)
        return "given by the user";
    if (plan->rate_Bps > 0)
        return "rate: given by the user; latency: assumed";
    return plan->has_latency ? "rate: assumed, a port of 200 Gb/s; latency: given by the user"
                             : "assumed: a port of 200 Gb/s";
}

static void note_assumed_rate(struct cs_cluster_builder *builder)
{
    const struct cs_cluster *cluster = builder->cluster;

    for (uint32_t i = 0; i < cluster->part_count; i++)
        if (is_machine(&cluster->parts[i]))
            cs_graph_note(builder->graph,
                          "the rate of the NICs of %s is unknown; a port of 200 Gb/s is assumed; "
                          "link=CLASS or bandwidth=RATE of the fabric sets it",
                          cluster->parts[i].node->graph.name);
}

int cs_cluster_choose_wire(struct cs_cluster_builder *builder, struct cs_wire *wire)
{
    const struct cs_cluster_plan *plan = builder->plan;
    const struct cs_cluster *cluster = builder->cluster;
    const struct cs_wire *port = NULL;
    int rc = 0;

    *wire = (struct cs_wire){.class_name = plan->link ? plan->link : "link",
                             .rate_Bps = DEFAULT_RATE_BPS,
                             .efficiency = 1,
                             .latency_ps = DEFAULT_LATENCY_PS,
                             .source = source_of_default(plan)};
    if (plan->link)
        rc = cs_link_kind_find(plan->link, wire, builder->err);
    else
        rc = find_common_port(builder, &port);
    if (rc)
        return rc;
    if (port)
        *wire = *port;
    else if (!plan->link && plan->rate_Bps == 0)
        note_assumed_rate(builder);
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

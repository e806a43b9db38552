#include "topo/generators/cluster/nodes.h"

#include "sim/base/divisor.h"
#include "sim/base/text.h"
#include "topo/documents/parameters.h"
#include "topo/generators/cluster/route.h"
#include "topo/kinds/port.h"
#include "topo/kinds/stripe.h"

#include <string.h>

enum {
    DEFAULT_NODES = 8,
};

/* A node of a single device, "rank" or "server". */
static int make_host(struct cs_cluster_builder *builder, const char *name, struct cs_node *node)
{
    struct cs_device device = builder->plan->host;

    cs_graph_init(&node->graph, builder->graph->arena);
    device.name = name;
    device.kind = CS_DEVICE_HOST;
    cs_graph_add_device(&node->graph, device);
    cs_graph_place_all(&node->graph);
    return cs_node_make(node, builder->err);
}

/* Ports of different widths would need fabric wires of different rates. */
static int check_width(struct cs_cluster_builder *builder, const char *node, uint32_t width)
{
    struct cs_cluster *cluster = builder->cluster;

    if (cluster->stripe && cluster->stripe != width)
        return cs_err_set(builder->err, CS_EINPUT,
                          "a port of %s combines %u NICs, a port of an earlier node %u; stripe=on "
                          "requires equal numbers",
                          node, width, cluster->stripe);
    cluster->stripe = width;
    return 0;
}

static int stripe_node(struct cs_cluster_builder *builder, struct cs_graph *graph)
{
    uint32_t width;
    int rc = cs_stripe_nics(graph, &width, builder->err);

    return rc ? rc : check_width(builder, graph->name, width);
}

/* Whether a node of a single kind has more NICs than GPUs, in use or not: a rank
 * sends through one port, so that NICs would be idle with all GPUs in use. */
static bool has_spare_nics(const struct cs_cluster_builder *builder, const struct cs_graph *graph)
{
    const char *node = builder->plan->node;
    struct cs_ports ports;
    uint32_t gpus = 0;

    cs_ports_choose(graph, &ports, graph->arena);
    for (uint32_t d = 0; d < graph->device_count; d++)
        gpus += graph->devices[d].kind == CS_DEVICE_GPU;
    return ports.count > gpus && ports.count > graph->rank_count && !(node && strchr(node, '+'));
}

/* Without stripe=, spare NICs are combined where the numbers are equal, as the
 * libraries do. */
static void stripe_spare(struct cs_cluster_builder *builder, struct cs_graph *graph)
{
    struct cs_err uneven = {0};
    uint32_t width;

    if (!has_spare_nics(builder, graph) || cs_stripe_nics(graph, &width, &uneven) || width < 2)
        return;
    builder->cluster->stripe = width;
    cs_graph_note(builder->graph,
                  "each port of a %s is %u NICs, over which every message is split, as by "
                  "aws-ofi-nccl; stripe=off uses one NIC per rank",
                  graph->name, width);
}

/* A NIC with a link out of its host is on a network already: a file of several nodes
 * with the fabric between them. */
static int check_ports_are_free(const struct cs_cluster_builder *builder, const char *spec,
                                const struct cs_graph *graph)
{
    for (uint32_t w = 0; w < graph->wire_count; w++) {
        const struct cs_device *a = &graph->devices[graph->wires[w].a];
        const struct cs_device *b = &graph->devices[graph->wires[w].b];

        if ((a->kind == CS_DEVICE_NIC || b->kind == CS_DEVICE_NIC) && a->host != b->host)
            return cs_err_set(builder->err, CS_EINPUT,
                              "'%s' has a network between its nodes (%s - %s); --nodes and "
                              "--fabric take a single node: its devices and links, without "
                              "'nodes:' and 'fabric:'",
                              spec, a->name, b->name);
    }
    return 0;
}

static int open_node(struct cs_cluster_builder *builder, const char *spec, struct cs_node *node)
{
    struct cs_topo_request request = {.spec = spec,
                                      .ranks = builder->plan->gpus,
                                      .platform = builder->request->platform,
                                      .gpu = builder->request->gpu};
    int rc;

    if (cs_same(spec, "host")) {
        rc = builder->plan->stripe ? check_width(builder, spec, 1) : 0;
        return rc ? rc : make_host(builder, "rank", node);
    }
    if (strncmp(spec, "cluster:", 8) == 0)
        return cs_err_set(
            builder->err, CS_EINPUT,
            "'%s' is a cluster, not a node; leave --nodes and --gpus out, or give one of its nodes",
            spec);
    if (!cs_topo_is_text(spec) && strchr(spec, ':') && strncmp(spec, "node:", 5) != 0)
        return cs_err_set(
            builder->err, CS_EINPUT,
            "'%s' is not a node; expected a machine of the library, a file or node:gpu=MODEL,...",
            spec);
    rc = cs_topo_open(&request, &node->graph, builder->graph->arena, builder->err);
    if (!rc && node->graph.route == cs_cluster_route)
        return cs_err_set(builder->err, CS_EINPUT,
                          "'%s' is a whole fabric, not a node; leave --nodes, --gpus, --nics and "
                          "--fabric out; --ranks N takes its first N",
                          spec);
    if (!rc)
        rc = check_ports_are_free(builder, spec, &node->graph);
    builder->graph->is_of_file |= !rc && node->graph.is_of_file;
    node->graph.port_names = builder->plan->nics;
    if (!rc)
        rc = cs_ports_check_names(&node->graph, builder->err);
    if (!rc && builder->plan->stripe)
        rc = stripe_node(builder, &node->graph);
    else if (!rc && !builder->plan->says_stripe)
        stripe_spare(builder, &node->graph);
    return rc ? rc : cs_node_make(node, builder->err);
}

static struct cs_cluster_part *cluster_add_part(struct cs_cluster_builder *builder)
{
    struct cs_cluster *cluster = builder->cluster;
    struct cs_cluster_part *part = &cluster->parts[cluster->part_count++];

    part->node = cs_arena_alloc(builder->graph->arena, 1, sizeof(struct cs_node));
    return part;
}

/* "dgx-a100+[node:gpu=l4,gpus=4]": a part for each kind of node. */
int cs_cluster_open_nodes(struct cs_cluster_builder *builder)
{
    const char *rest = builder->plan->node ? builder->plan->node : "host";
    int rc = 0;

    while (!rc) {
        size_t length = cs_topo_is_text(rest) ? strlen(rest) : cs_parameters_span(rest, '+');
        char *spec = cs_arena_text_n(builder->graph->arena, rest, length);
        struct cs_cluster_part *part;

        if (builder->cluster->part_count == CS_CLUSTER_KINDS_MAX)
            return cs_err_set(builder->err, CS_EINPUT, "over %d kinds of nodes in '%s:'",
                              CS_CLUSTER_KINDS_MAX, builder->owner);
        part = cluster_add_part(builder);
        rc = open_node(builder, cs_parameters_bare(spec), (struct cs_node *)part->node);
        if (!rest[length])
            break;
        rest += length + 1;
    }
    return rc;
}

int cs_cluster_count_nodes(struct cs_cluster_builder *builder)
{
    const struct cs_cluster_plan *plan = builder->plan;
    struct cs_cluster_part *parts = builder->cluster->parts;
    uint32_t each = parts->node->ranks;
    uint32_t ranks = plan->ranks || plan->fabric.dim_count ? plan->ranks : builder->request->ranks;
    uint64_t nodes = DEFAULT_NODES;

    if (plan->node_kinds && plan->node_kinds != builder->cluster->part_count)
        return cs_err_set(builder->err, CS_EINPUT,
                          "%u kinds of nodes, and numbers for %u in nodes=; expected a number for "
                          "each kind, as in nodes=4+2",
                          builder->cluster->part_count, plan->node_kinds);
    for (uint32_t i = 0; i < builder->cluster->part_count; i++)
        parts[i].nodes = plan->nodes[i];
    if (plan->node_kinds)
        return 0;
    if (builder->cluster->part_count > 1)
        return cs_err_set(builder->err, CS_EINPUT,
                          "several kinds of nodes need nodes=, as in nodes=4+2");
    if (plan->ranks && plan->ranks % each)
        return cs_err_set(builder->err, CS_EINPUT, "ranks=%u is not a multiple of the %u of a node",
                          plan->ranks, each);
    if (ranks)
        nodes = cs_divide_up(ranks, each);
    for (uint32_t i = 0; !ranks && i < plan->fabric.dim_count; i++) {
        nodes = i ? nodes * plan->fabric.dims[i] : plan->fabric.dims[i];
        if (nodes > CS_SOURCE_RANKS_MAX)
            return cs_err_set(builder->err, CS_EINPUT, "over %d nodes in dims=; expected fewer",
                              CS_SOURCE_RANKS_MAX);
    }
    parts[0].nodes = (uint32_t)nodes;
    return 0;
}

int cs_cluster_place_agents(struct cs_cluster_builder *builder)
{
    struct cs_cluster *cluster = builder->cluster;
    uint32_t agents = builder->request->agents;
    bool plain = true;
    uint32_t servers;
    struct cs_cluster_part *part;

    for (uint32_t i = 0; i < cluster->part_count; i++)
        plain &= cluster->parts[i].node->graph.device_count == 1;
    if (agents && plain && builder->plan->fabric.given)
        return cs_err_set(builder->err, CS_EINPUT,
                          "no CPU for a parameter server in the hosts of a fabric's file; "
                          "--platform MACHINE says what is inside");
    if (agents && plain) {
        part = cluster_add_part(builder);
        part->nodes = agents;
        part->serves = true;
        return make_host(builder, "server", (struct cs_node *)part->node);
    }
    for (uint32_t i = 0; agents && i < cluster->part_count; i++) {
        part = &cluster->parts[i];
        servers = part->node->serves ? part->node->servers : 0;
        if ((agents - 1) / cluster->nodes >= servers)
            return cs_err_set(
                builder->err, CS_EINPUT,
                "no room for %u parameter servers: a node of %s has %u CPUs with a route to a NIC",
                agents, part->node->graph.name, servers);
    }
    return 0;
}

int cs_cluster_number(struct cs_cluster_builder *builder, struct cs_cluster_size *size)
{
    struct cs_cluster *cluster = builder->cluster;
    uint64_t ranks = 0, ports = 0, hosts = 0;

    *size = (struct cs_cluster_size){0};
    for (uint32_t i = 0; i < cluster->part_count; i++) {
        struct cs_cluster_part *part = &cluster->parts[i];
        const struct cs_node *node = part->node;

        part->first_rank = (uint32_t)ranks;
        part->first_device = (uint32_t)size->devices;
        part->first_wire = (uint32_t)size->wires;
        part->first_port = (uint32_t)ports;
        part->first_host = (uint32_t)hosts;
        part->wires = node->graph.wire_count;
        if (node->ports % cluster->rails)
            return cs_err_set(builder->err, CS_EINPUT,
                              "the %u NICs of a node cannot be split among %u %s", node->ports,
                              cluster->rails,
                              builder->plan->fabric.kind->planes ? "planes" : "rails");
        ranks += part->serves ? 0 : (uint64_t)part->nodes * node->ranks;
        ports += (uint64_t)part->nodes * (node->ports / cluster->rails);
        hosts += (uint64_t)part->nodes * node->hosts;
        size->devices += (uint64_t)part->nodes * node->graph.device_count;
        size->wires += (uint64_t)part->nodes * node->graph.wire_count;
        if (ranks > CS_SOURCE_RANKS_MAX || size->devices > CS_CLUSTER_DEVICES_MAX ||
            size->wires > CS_CLUSTER_DEVICES_MAX)
            return cs_err_set(builder->err, CS_EINPUT,
                              "a cluster of more than %d ranks or %d devices", CS_SOURCE_RANKS_MAX,
                              CS_CLUSTER_DEVICES_MAX);
    }
    cluster->ranks = (uint32_t)ranks;
    builder->plan->fabric.ports = (uint32_t)ports;
    return 0;
}

#include "topo/generators/cluster/cluster.h"

#include "topo/formats/source.h"
#include "topo/generators/cluster/nodes.h"
#include "topo/generators/cluster/plan.h"
#include "topo/generators/cluster/route.h"
#include "topo/generators/cluster/wire.h"

/* The parameters say which switches stand where. */
static bool is_built(const struct cs_fabric *of)
{
    return of->pod || of->chassis || of->spine.down;
}

/* A parameter of another kind of fabric is an error, not ignored. */
static int cluster_check_use(const struct cs_cluster_builder *builder)
{
    const struct cs_fabric *of = &builder->plan->fabric;
    const char *name = of->kind->name, *stray = NULL;

    if (of->kind->shape != CS_FABRIC_TREE && (of->radix || of->tiers || of->leaf.down))
        stray = "radix, tiers and oversubscription are a fat-tree's";
    if (of->kind->shape != CS_FABRIC_TREE && is_built(of))
        stray = "pod, chassis and core-oversubscription are a fat-tree's";
    if (of->kind->shape != CS_FABRIC_GROUPS && of->kind->shape != CS_FABRIC_GROUPS_OF_TREES &&
        (of->hosts || of->routers || of->globals))
        stray = "hosts, routers and globals are a dragonfly's";
    if (of->kind->shape != CS_FABRIC_GROUPS_OF_TREES && of->spines)
        stray = "spines are a dragonfly+'s";
    if (of->kind->shape != CS_FABRIC_GRID && of->dim_count)
        stray = "dims are a torus's";
    if (of->kind->shape != CS_FABRIC_TREE && builder->plan->has_routing)
        stray = "routing is a fat-tree's";
    if (!stray)
        return 0;
    return cs_err_set(builder->err, CS_EINPUT, "%s, not a %s's", stray, name);
}

/* All rails have the same parameters: a plan serves for all. */
static int plan_fabrics(struct cs_cluster_builder *builder)
{
    struct cs_cluster *cluster = builder->cluster;
    struct cs_fabric *of = &builder->plan->fabric;
    struct cs_fabric *built = NULL;
    int rc = cs_cluster_choose_wire(builder, &of->wire);

    if (!rc)
        rc = cluster_check_use(builder);
    if (!rc && is_built(of)) {
        built = cs_arena_alloc(builder->graph->arena, 1, sizeof(*built));
        *built = *of;
        builder->graph->built = built;
    }
    if (!rc)
        rc = of->kind->plan(of, builder->err);
    if (!rc && built)
        built->radix = of->radix;
    if (!rc && of->reduces && of->devices == 0)
        rc = cs_err_set(builder->err, CS_EINPUT,
                        "reduces=yes needs a fabric with switches, and a %s has none",
                        of->kind->name);
    if (rc)
        return rc;
    cluster->fabrics =
        cs_arena_alloc(builder->graph->arena, cluster->rails, sizeof(*cluster->fabrics));
    for (uint32_t r = 0; r < cluster->rails; r++) {
        cluster->fabrics[r] = *of;
        cluster->fabrics[r].rail = r;
    }
    return 0;
}

static uint32_t cluster_device_of(struct cs_cluster_slot slot)
{
    const struct cs_graph *of = &slot.part->node->graph;

    return slot.part->first_device + slot.node * of->device_count +
           cs_graph_party_device(of, slot.party);
}

/* Whether the graph can have the folded form: a single kind of nodes, all ranks
 * in use, and full-duplex wires only, so that no two links share a resource. */
static bool is_replicated(const struct cs_cluster_builder *builder)
{
    const struct cs_cluster_part *part = builder->cluster->parts;
    const struct cs_graph *of = &part->node->graph;

    for (uint32_t w = 0; w < of->wire_count; w++)
        if (of->wires[w].duplex != CS_DUPLEX_FULL)
            return false;
    return builder->cluster->part_count == 1 &&
           cs_topo_may_replicate(builder->request, builder->cluster->ranks) &&
           (builder->request->ranks == 0 || builder->request->ranks == builder->cluster->ranks);
}

/* The wires of the first node's ports.  Port i is on rail i mod rails; the
 * switches of the rails come after all nodes. */
static void cluster_add_first_ports(struct cs_cluster_builder *builder)
{
    const struct cs_cluster *cluster = builder->cluster;
    const struct cs_cluster_part *part = cluster->parts;
    uint32_t wires = part->node->graph.wire_count, ports = part->node->ports;
    uint32_t stars = part->nodes * part->node->graph.device_count;

    builder->cluster->parts->wires = wires + ports;
    for (uint32_t i = 0; i < ports; i++)
        cs_fabric_wire(
            &cluster->fabrics[i % cluster->rails], builder->graph,
            cluster_device_of((struct cs_cluster_slot){part, 0, cs_node_port(part->node, i)}),
            stars + i % cluster->rails);
    for (uint32_t r = 0; r < cluster->rails; r++) {
        struct cs_fabric *fabric = &cluster->fabrics[r];

        fabric->first_device = stars + r;
        fabric->first_wire = wires + r;
        fabric->each_ports = ports / cluster->rails;
        fabric->each_wires = part->wires;
        fabric->step = cluster->rails;
    }
}

/* "rail3.", "plane0.", or "" for a single rail. */
static const char *rail_name(const struct cs_cluster_builder *builder, uint32_t rail)
{
    return builder->cluster->rails == 1
               ? ""
               : cs_arena_printf(builder->graph->arena, "%s%u.",
                                 builder->plan->fabric.kind->planes ? "plane" : "rail", rail);
}

/* Node 0 of the folded form.  The wires of a star are equal for all nodes, and
 * part of the node; another fabric has different wires per node, added later.
 * */
static void cluster_add_first_node(struct cs_cluster_builder *builder)
{
    const struct cs_cluster_part *part = builder->cluster->parts;
    const struct cs_graph *of = &part->node->graph;
    bool is_star = builder->plan->fabric.kind->is_star;

    for (uint32_t d = 0; d < of->device_count; d++)
        cs_graph_add_device(builder->graph, of->devices[d]);
    for (uint32_t w = 0; w < of->wire_count; w++)
        cs_graph_add_wire(builder->graph, of->wires[w]);
    if (is_star)
        cluster_add_first_ports(builder);
    cs_graph_fold_replicas(builder->graph, (struct cs_graph_replicas){
                                               .count = part->nodes,
                                               .devices = of->device_count,
                                               .wires = builder->graph->wire_count,
                                               .hosts = part->node->hosts,
                                               .moving_route = is_star ? cs_cluster_route : NULL});
}

/* The switch of each rail; cluster_add_first_ports has added the wires. */
static void add_stars(struct cs_cluster_builder *builder)
{
    const struct cs_cluster *cluster = builder->cluster;
    struct cs_graph *graph = builder->graph;

    for (uint32_t r = 0; r < cluster->rails; r++)
        cs_fabric_switch(&cluster->fabrics[r], graph, rail_name(builder, r), "switch", 0);
}

static const char *cluster_name_of(struct cs_cluster_builder *builder,
                                   const struct cs_cluster_part *part, uint32_t node,
                                   const char *device)
{
    if (part->node->graph.device_count == 1)
        return cs_arena_printf(builder->graph->arena, "%s%u", device,
                               part->serves ? node : part->first_node + node);
    return cs_arena_printf(builder->graph->arena, "n%u.%s", part->first_node + node, device);
}

/* A copy has no lines: a message about the cluster must not name a line of the
 * node's file. */
static void cluster_copy_node(struct cs_cluster_builder *builder,
                              const struct cs_cluster_part *part, uint32_t node)
{
    const struct cs_graph *of = &part->node->graph;
    uint32_t first = part->first_device + node * of->device_count;

    for (uint32_t d = 0; d < of->device_count; d++) {
        struct cs_device device = of->devices[d];

        device.name = cluster_name_of(builder, part, node, device.name);
        if (device.host != CS_NO_HOST)
            device.host += part->first_host + node * part->node->hosts;
        device.line = 0;
        cs_graph_add_device(builder->graph, device);
    }
    for (uint32_t w = 0; w < of->wire_count; w++) {
        struct cs_wire wire = of->wires[w];

        wire.a += first;
        wire.b += first;
        wire.line = 0;
        cs_graph_add_wire(builder->graph, wire);
    }
}

static void cluster_slot_parties(struct cs_cluster_builder *builder)
{
    const struct cs_cluster *cluster = builder->cluster;
    struct cs_graph *graph = builder->graph;

    graph->rank_count = cluster->ranks;
    graph->agent_count = builder->request->agents;
    graph->rank_device =
        cs_arena_alloc(graph->arena, graph->rank_count, sizeof(*graph->rank_device));
    graph->agent_device =
        cs_arena_alloc(graph->arena, graph->agent_count, sizeof(*graph->agent_device));
    for (uint32_t r = 0; r < graph->rank_count; r++)
        graph->rank_device[r] = cluster_device_of(cs_cluster_slot_of_rank(cluster, r));
    for (uint32_t i = 0; i < graph->agent_count; i++)
        graph->agent_device[i] = cluster_device_of(cs_cluster_slot_of_agent(cluster, i));
}

/* The devices of a rail's ports, in order of node and port. */
static void list_ports(const struct cs_cluster *cluster, uint32_t rail, uint32_t *port)
{
    for (uint32_t i = 0; i < cluster->part_count; i++) {
        const struct cs_cluster_part *part = &cluster->parts[i];
        const struct cs_node *node = part->node;

        for (uint32_t k = 0; k < part->nodes; k++)
            for (uint32_t p = rail; p < node->ports; p += cluster->rails)
                *port++ =
                    cluster_device_of((struct cs_cluster_slot){part, k, cs_node_port(node, p)});
    }
}

static void add_fabrics(struct cs_cluster_builder *builder)
{
    struct cs_cluster *cluster = builder->cluster;
    struct cs_graph *graph = builder->graph;
    CS_AT_END(cs_arena_free) struct cs_arena scratch = {0};
    uint32_t *port = cs_arena_alloc(&scratch, builder->plan->fabric.ports, sizeof(*port));

    for (uint32_t r = 0; r < cluster->rails; r++) {
        list_ports(cluster, r, port);
        cs_fabric_add(&cluster->fabrics[r], graph, port, rail_name(builder, r));
    }
}

static void cluster_fill(struct cs_cluster_builder *builder)
{
    struct cs_cluster *cluster = builder->cluster;
    const struct cs_fabric *of = &builder->plan->fabric;
    bool replicated = is_replicated(builder);

    if (replicated)
        cluster_add_first_node(builder);
    for (uint32_t i = 0; i < cluster->part_count && !replicated; i++)
        for (uint32_t k = 0; k < cluster->parts[i].nodes; k++)
            cluster_copy_node(builder, &cluster->parts[i], k);
    if (replicated && of->kind->is_star) {
        add_stars(builder);
    } else {
        if (replicated)
            cs_graph_reserve(builder->graph, (uint32_t)(cluster->rails * of->devices),
                             (uint32_t)(cluster->rails * of->wires));
        add_fabrics(builder);
    }
    cluster_slot_parties(builder);
}

/* A rank sends through a single NIC: a node with more NICs than ranks has idle
 * NICs, which the user may not expect. */
static void cluster_note_idle(struct cs_cluster_builder *builder)
{
    for (uint32_t i = 0; i < builder->cluster->part_count; i++) {
        const struct cs_node *node = builder->cluster->parts[i].node;
        uint32_t idle = 0;

        for (uint32_t p = 0; p < node->ports; p++)
            idle += node->rank_of[p] == UINT32_MAX;
        if (idle && node->ports > node->ranks && !builder->plan->gpus)
            cs_graph_note(builder->graph,
                          "%u of the %u NICs of a %s are idle: each rank uses one NIC; stripe=on "
                          "may use more",
                          idle, node->ports, node->graph.name);
    }
}

/* A grid of plain hosts is a direct network: each host has a router. */
static bool cluster_is_direct(const struct cs_cluster *cluster, const struct cs_fabric *fabric)
{
    for (uint32_t i = 0; i < cluster->part_count; i++)
        if (cluster->parts[i].node->graph.device_count > 1)
            return false;
    return fabric->kind->shape == CS_FABRIC_GRID;
}

/* "2 x dgx-h100 + 3 x dgx-a100 (rail)" */
static const char *title_of(const struct cs_cluster_builder *builder)
{
    const struct cs_cluster *cluster = builder->cluster;
    const char *name = "";

    for (uint32_t i = 0; i < cluster->part_count && !cluster->parts[i].serves; i++)
        name = cs_arena_printf(builder->graph->arena, "%s%s%u x %s", name, i ? " + " : "",
                               cluster->parts[i].nodes, cluster->parts[i].node->graph.name);
    return cs_arena_printf(builder->graph->arena, "%s (%s)", name,
                           builder->plan->fabric.kind->name);
}

static int build_all(struct cs_cluster_builder *builder)
{
    struct cs_cluster *cluster = builder->cluster;
    const struct cs_fabric *of = &builder->plan->fabric;
    struct cs_graph *graph = builder->graph;
    struct cs_cluster_size size;
    int rc = cs_cluster_number(builder, &size);

    cs_cluster_note_nodes(builder);
    if (!rc)
        rc = plan_fabrics(builder);
    if (rc)
        return rc;
    size.devices += cluster->rails * of->devices;
    size.wires += cluster->rails * of->wires;
    if (size.devices > CS_CLUSTER_DEVICES_MAX || size.wires > CS_CLUSTER_DEVICES_MAX)
        return cs_err_set(builder->err, CS_EINPUT, "a cluster of more than %d devices or wires",
                          CS_CLUSTER_DEVICES_MAX);
    if (!is_replicated(builder))
        cs_graph_reserve(graph, (uint32_t)size.devices, (uint32_t)size.wires);
    cluster_fill(builder);
    cluster_note_idle(builder);
    if (builder->request->ranks && builder->request->ranks < cluster->ranks)
        cluster->ranks = builder->request->ranks;
    graph->name = builder->plan->node ? title_of(builder) : builder->owner;
    graph->about = of->kind->about;
    graph->direct = cluster_is_direct(cluster, of);
    graph->circles = graph->direct || of->kind->shape == CS_FABRIC_GROUPS ||
                     of->kind->shape == CS_FABRIC_GROUPS_OF_TREES ||
                     of->kind->shape == CS_FABRIC_GRID;
    graph->route = cs_cluster_route;
    graph->route_ctx = cluster;
    graph->has_choice = of->kind->shape == CS_FABRIC_TREE || of->kind->is_star;
    graph->route_max_hops = cs_cluster_max_hops(cluster);
    return 0;
}

/* Opens and counts the nodes, and checks parameters that depend on the nodes,
 * before any device is added. */
static int cluster_settle(struct cs_cluster_builder *builder, const struct cs_fabric_kind *kind)
{
    struct cs_cluster *cluster = builder->cluster;
    struct cs_cluster_plan *plan = builder->plan;
    int rc = 0;

    if (kind && plan->fabric_name)
        return cs_err_set(builder->err, CS_EINPUT, "'%s:' is a fabric; fabric= requires 'cluster:'",
                          builder->owner);
    plan->fabric.kind = kind;
    if (!kind)
        rc = cs_fabric_kind_find(plan->fabric_name ? plan->fabric_name : "star", &plan->fabric.kind,
                                 builder->err);
    if (!rc)
        rc = cs_cluster_open_nodes(builder);
    if (!rc)
        rc = cs_cluster_count_nodes(builder);
    if (rc)
        return rc;
    for (uint32_t i = 0; i < cluster->part_count; i++) {
        cluster->parts[i].first_node = cluster->nodes;
        cluster->nodes += cluster->parts[i].nodes;
    }
    cluster->pxn = !plan->no_pxn;
    if (plan->fabric.kind->planes && plan->rails && plan->rails != plan->fabric.kind->planes)
        return cs_err_set(builder->err, CS_EINPUT,
                          "a %s has %u planes, not rails=%u; leave rails= out",
                          plan->fabric.kind->name, plan->fabric.kind->planes, plan->rails);
    if (plan->fabric.kind->planes)
        plan->rails = plan->fabric.kind->planes;
    cluster->rails = plan->rails ? plan->rails : 1;
    if (!plan->rails && plan->fabric.kind->is_per_nic)
        cluster->rails = cluster->parts->node->ports;
    if (plan->says_pxn && cluster->rails == 1)
        return cs_err_set(
            builder->err, CS_EINPUT,
            "pxn= has no effect with all NICs on one fabric; use it with fabric=rail or rails=");
    return cs_cluster_place_agents(builder);
}

int cs_cluster_build_given(const struct cs_topo_request *request,
                           const struct cs_cluster_given *given, struct cs_graph *graph,
                           struct cs_err *err)
{
    struct cs_topo_request bare = *request;
    struct cs_cluster_plan plan = {.arena = graph->arena,
                                   .node = request->platform,
                                   .nodes = {given->nodes},
                                   .node_kinds = 1,
                                   .gpus = given->gpus,
                                   .fabric = given->fabric};
    struct cs_cluster_builder builder = {
        .graph = graph,
        .request = &bare,
        .owner = given->fabric.kind->name,
        .plan = &plan,
        .cluster = cs_arena_alloc(graph->arena, 1, sizeof(struct cs_cluster)),
        .err = err,
    };
    int rc;

    bare.platform = NULL;
    rc = cluster_settle(&builder, given->fabric.kind);
    if (!rc && given->adapters && builder.cluster->parts->node->ports != given->adapters)
        rc = cs_err_set(err, CS_EINPUT, "a %s has %u ports, and hosts have %u adapters",
                        builder.cluster->parts->node->graph.name,
                        builder.cluster->parts->node->ports, given->adapters);
    return rc ? rc : build_all(&builder);
}

int cs_cluster_build(const struct cs_source *source, const struct cs_topo_request *request,
                     const char *parameters, struct cs_graph *graph, struct cs_err *err)
{
    struct cs_cluster_plan plan = {
        .arena = graph->arena,
        .fabric = {.routing = request->routing, .seed = request->seed, .choice = graph->choice}};
    struct cs_cluster_builder builder = {
        .graph = graph,
        .request = request,
        .owner = source->name,
        .plan = &plan,
        .cluster = cs_arena_alloc(graph->arena, 1, sizeof(struct cs_cluster)),
        .err = err,
    };
    int rc = cs_cluster_plan_read(&plan, builder.owner, parameters, err);

    if (!rc)
        rc = cluster_settle(&builder, source->fabric);
    return rc ? rc : build_all(&builder);
}

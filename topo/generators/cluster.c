#include "topo/generators/cluster.h"

#include "sim/base/text.h"
#include "sim/base/units.h"
#include "topo/generators/parameters.h"
#include "topo/graph/node.h"
#include "topo/graph/stripe.h"
#include "topo/kinds/link_kind.h"

#include <stdlib.h>
#include <string.h>

enum {
    DEFAULT_NODES = 8,
    PARTS_MAX = CS_CLUSTER_KINDS_MAX + 1,
    SHARE_MAX = 1 << 20, /* ports of an oversubscription */
};

/* Invented, as shape.c's: one 200 Gb/s port. */
#define DEFAULT_RATE_BPS   25e9
#define DEFAULT_LATENCY_PS UINT64_C(500000)

/* ---- what is asked for ---- */

struct plan {
    struct cs_arena *arena;
    const char *node;   /* "dgx-a100+dgx-h100"; NULL: plain hosts */
    const char *fabric; /* NULL: star */
    const char *link;
    uint32_t nodes[CS_CLUSTER_KINDS_MAX];
    uint32_t node_kinds; /* numbers in nodes= */
    uint32_t ranks, gpus, rails;
    bool no_pxn, says_pxn;
    bool stripe;
    bool has_routing;
    struct cs_device host; /* gamma and overhead of a plain host */
    struct cs_fabric of;   /* what is the fabric's */
    double rate_Bps;       /* 0: not said */
    uint64_t latency_ps;
    bool has_latency;
};

static unsigned long long cluster_divisor(unsigned long long a,
                                          unsigned long long b)
{
    while (b) {
        unsigned long long rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

static int cluster_count(const char *text, uint32_t *into, struct cs_err *err)
{
    uint64_t number = 0;
    int rc = cs_units_count(text, 1, 1 << 20, &number, err);

    *into = (uint32_t)number;
    return rc;
}

/* Numbers with one of the letters between, at most `max`. */
static int cluster_counts(const char *text, char between, uint32_t *into,
                          uint32_t max, uint32_t *found, struct cs_err *err)
{
    char one[16];

    for (*found = 0;; (*found)++) {
        size_t length = strcspn(text, (char[]){between, '\0'});
        int rc;

        if (*found == max || length >= sizeof(one))
            return cs_err_set(err, CS_EINPUT,
                              "expected up to %u numbers with '%c' between",
                              max, between);
        memcpy(one, text, length);
        one[length] = '\0';
        rc = cluster_count(one, &into[*found], err);
        if (rc)
            return rc;
        text += length;
        if (!*text++) {
            (*found)++;
            return 0;
        }
    }
}

static int cluster_keep(struct plan *plan, const char *text, const char **into)
{
    *into = cs_arena_text(plan->arena, text);
    return 0;
}

/* One of two words; which. */
static int cluster_either(const char *text, const char *no, const char *yes,
                          bool *is_yes, struct cs_err *err)
{
    *is_yes = cs_same(text, yes);
    if (!*is_yes && !cs_same(text, no))
        return cs_err_set(err, CS_EINPUT, "'%s' is not '%s' or '%s'", text, no,
                          yes);
    return 0;
}

#define READ(name, statement)                                                  \
    static int read_##name(const char *text, void *target, struct cs_err *err) \
    {                                                                          \
        struct plan *plan = target;                                            \
                                                                               \
        (void)err;                                                             \
        statement;                                                             \
    }

READ(node, return cluster_keep(plan, text, &plan->node))
READ(fabric, return cluster_keep(plan, text, &plan->fabric))
READ(link, return cluster_keep(plan, text, &plan->link))
READ(nodes, return cluster_counts(text, '+', plan->nodes, CS_CLUSTER_KINDS_MAX,
                                  &plan->node_kinds, err))
READ(dims, return cluster_counts(text, 'x', plan->of.dims, CS_FABRIC_DIMS_MAX,
                                 &plan->of.dim_count, err))
READ(ranks, return cluster_count(text, &plan->ranks, err))
READ(gpus, return cluster_count(text, &plan->gpus, err))
READ(rails, return cluster_count(text, &plan->rails, err))
READ(radix, return cluster_count(text, &plan->of.radix, err))
READ(hosts, return cluster_count(text, &plan->of.hosts, err))
READ(routers, return cluster_count(text, &plan->of.routers, err))
READ(spines, return cluster_count(text, &plan->of.spines, err))
READ(globals, return cluster_count(text, &plan->of.globals, err))
READ(pxn, plan->says_pxn = true;
     return cluster_either(text, "on", "off", &plan->no_pxn, err))
READ(stripe, return cluster_either(text, "off", "on", &plan->stripe, err))
READ(gamma, return cs_units_rate(text, &plan->host.reduce_Bps, err))
READ(overhead, return cs_units_time(text, &plan->host.reduce_overhead_ps, err))
READ(bandwidth, return cs_units_rate(text, &plan->rate_Bps, err))

static int cluster_read_latency(const char *text, void *target,
                                struct cs_err *err)
{
    struct plan *plan = target;

    plan->has_latency = true;
    return cs_units_time(text, &plan->latency_ps, err);
}

/* The decimal that *text begins with, as a quotient; *text is then behind it. */
static bool cluster_decimal(const char **text, unsigned long long *over,
                            unsigned long long *under)
{
    const char *at = *text;

    *over = 0;
    *under = 1;
    for (; *at >= '0' && *at <= '9' && *over <= SHARE_MAX; at++)
        *over = 10 * *over + (unsigned long long)(*at - '0');
    if (at == *text)
        return false;
    if (*at == '.')
        for (at++; *at >= '0' && *at <= '9' && *under < SHARE_MAX; at++) {
            *over = 10 * *over + (unsigned long long)(*at - '0');
            *under *= 10;
        }
    *text = at;
    return true;
}

/* "3", "1.5", "3:2" or "1.5:1". */
static int read_oversubscription(const char *text, void *target,
                                 struct cs_err *err)
{
    struct plan *plan = target;
    const char *at = text;
    unsigned long long down, down_under;
    unsigned long long up = 1;
    unsigned long long up_under = 1;
    bool good = cluster_decimal(&at, &down, &down_under);

    if (good && *at == ':') {
        at++;
        good = cluster_decimal(&at, &up, &up_under);
    }
    if (good && *at == '\0' && down > 0 && up > 0) {
        unsigned long long divisor;

        down *= up_under;
        up *= down_under;
        divisor = cluster_divisor(down, up);
        down /= divisor;
        up /= divisor;
        if (down <= SHARE_MAX && up <= SHARE_MAX) {
            plan->of.down_share = (uint32_t)down;
            plan->of.up_share = (uint32_t)up;
            return 0;
        }
    }
    return cs_err_set(
        err, CS_EINPUT,
        "'%.40s' is no oversubscription; write 3, 1.5, 3:2 or 1.5:1", text);
}

static int read_tiers(const char *text, void *target, struct cs_err *err)
{
    struct plan *plan = target;
    uint64_t tiers = 0;
    int rc = cs_units_count(text, 1, 3, &tiers, err);

    plan->of.tiers = (uint32_t)tiers;
    return rc;
}

static int read_routing(const char *text, void *target, struct cs_err *err)
{
    struct plan *plan = target;
    bool is_ecmp;
    int rc = cluster_either(text, "static", "ecmp", &is_ecmp, err);

    plan->has_routing = true;
    plan->of.routing = is_ecmp ? CS_ROUTING_ECMP : CS_ROUTING_STATIC;
    return rc;
}

static const struct cs_parameter parameters_known[] = {
    {"ranks", read_ranks},
    {"node", read_node},
    {"nodes", read_nodes},
    {"fabric", read_fabric},
    {"gpus", read_gpus},
    {"rails", read_rails},
    {"pxn", read_pxn},
    {"routing", read_routing},
    {"link", read_link},
    {"bandwidth", read_bandwidth},
    {"latency", cluster_read_latency},
    {"gamma", read_gamma},
    {"overhead", read_overhead},
    {"radix", read_radix},
    {"tiers", read_tiers},
    {"oversubscription", read_oversubscription},
    {"hosts", read_hosts},
    {"routers", read_routers},
    {"globals", read_globals},
    {"dims", read_dims},
    {"spines", read_spines},
    {"stripe", read_stripe},
};

/* ---- the cluster ---- */

/* Nodes of one kind that follow each other. */
struct part {
    const struct cs_node *node;
    uint32_t nodes;
    bool serves; /* hosts of parameter servers, behind all others */
    uint32_t first_node, first_rank, first_device, first_wire;
    uint32_t first_port; /* of a rail */
    uint32_t first_host;
    uint32_t wires; /* from one node's first to the next one's */
};

struct cluster {
    struct part parts[PARTS_MAX];
    uint32_t part_count;
    uint32_t nodes; /* without those that serve */
    uint32_t ranks; /* in use */
    uint32_t rails;
    uint32_t stripe; /* NICs that a port stands for; 0: not known yet */
    bool pxn;
    struct cs_fabric *fabrics; /* of each rail */
};

/* Where a party is. */
struct slot {
    const struct part *part;
    uint32_t node;  /* of the part */
    uint32_t party; /* of the node */
};

static struct slot slot_of_rank(const struct cluster *cluster, uint32_t rank)
{
    const struct part *part = cluster->parts;

    while (rank - part->first_rank >= part->nodes * part->node->ranks)
        part++;
    rank -= part->first_rank;
    return (struct slot){part, rank / part->node->ranks,
                         rank % part->node->ranks};
}

/* Agents go round the nodes, or have hosts of their own. */
static struct slot slot_of_agent(const struct cluster *cluster, uint32_t agent)
{
    const struct part *part = &cluster->parts[cluster->part_count - 1];
    uint32_t node = agent % cluster->nodes;

    if (part->serves)
        return (struct slot){part, agent, 0};
    part = cluster->parts;
    while (node - part->first_node >= part->nodes)
        part++;
    return (struct slot){part, node - part->first_node,
                         part->node->ranks + agent / cluster->nodes};
}

static struct slot slot_of(const struct cluster *cluster, uint32_t party)
{
    return party < cluster->ranks
               ? slot_of_rank(cluster, party)
               : slot_of_agent(cluster, party - cluster->ranks);
}

/* The way between two parties of a node, and its numbers in the cluster. */
static uint32_t cluster_inside(struct slot slot, uint32_t from, uint32_t to,
                               uint32_t *links)
{
    const struct cs_node *node = slot.part->node;
    uint32_t hops = cs_routes_find(node->routes, from, to, links);
    uint32_t first = 2 * (slot.part->first_wire + slot.node * slot.part->wires);

    for (uint32_t i = 0; i < hops; i++)
        links[i] += first;
    return hops;
}

/* The port of a node that is on the same rail as another, of the same number
 * if there is one. */
static uint32_t port_on_rail(const struct cluster *cluster,
                             const struct cs_node *node, uint32_t own,
                             uint32_t other)
{
    if (own % cluster->rails == other % cluster->rails)
        return own;
    return other < node->ports ? other : other % cluster->rails;
}

/* Between a party and a port, through another rank where that is the way. */
static uint32_t to_port(struct slot slot, uint32_t port, uint32_t *links)
{
    const struct cs_node *node = slot.part->node;
    uint32_t hops = 0;

    if (slot.party < node->ranks && node->via[slot.party] != UINT32_MAX) {
        hops = cluster_inside(slot, slot.party, node->via[slot.party], links);
        slot.party = node->via[slot.party];
    }
    return hops + cluster_inside(slot, slot.party, cs_node_port(node, port),
                                 links + hops);
}

static uint32_t from_port(struct slot slot, uint32_t port, uint32_t *links)
{
    const struct cs_node *node = slot.part->node;
    uint32_t via =
        slot.party < node->ranks ? node->via[slot.party] : UINT32_MAX;
    uint32_t hops;

    port = cs_node_port(node, port);
    if (via == UINT32_MAX)
        return cluster_inside(slot, port, slot.party, links);
    hops = cluster_inside(slot, port, via, links);
    return hops + cluster_inside(slot, via, slot.party, links + hops);
}

/* The device that the link of a node comes from. */
static uint32_t cluster_source_of(struct slot slot, uint32_t link)
{
    const struct cs_graph *graph = &slot.part->node->graph;
    uint32_t own =
        link - 2 * (slot.part->first_wire + slot.node * slot.part->wires);
    const struct cs_wire *wire = &graph->wires[own / 2];

    return own % 2 ? wire->b : wire->a;
}

/* Whether the second part of a way, from `middle` on, comes back to a device
 * of the first: there is nothing to be gained by it. */
static bool cluster_returns(struct slot slot, const uint32_t *links,
                            uint32_t middle, uint32_t hops)
{
    for (uint32_t i = middle; i < hops; i++)
        for (uint32_t j = 0; j < middle; j++)
            if (cluster_source_of(slot, links[i]) ==
                cluster_source_of(slot, links[j]))
                return true;
    return false;
}

/* To the port; with PXN by the GPU whose port it is. */
static uint32_t way_out(const struct cluster *cluster, struct slot slot,
                        uint32_t port, uint32_t *links)
{
    const struct cs_node *node = slot.part->node;
    uint32_t by = node->rank_of[port];
    uint32_t goal = cs_node_port(node, port);

    if (cluster->pxn && port != node->port_of[slot.party] && by != UINT32_MAX) {
        uint32_t middle = cluster_inside(slot, slot.party, by, links);
        uint32_t hops = middle + cluster_inside(slot, by, goal, links + middle);

        if (!cluster_returns(slot, links, middle, hops))
            return hops;
    }
    return to_port(slot, port, links);
}

static uint32_t port_of_rail(const struct cluster *cluster, struct slot slot,
                             uint32_t port)
{
    return slot.part->first_port +
           slot.node * (slot.part->node->ports / cluster->rails) +
           port / cluster->rails;
}

static uint32_t cluster_route(void *ctx, uint32_t src, uint32_t dst,
                              uint32_t *links)
{
    const struct cluster *cluster = ctx;
    struct slot from = slot_of(cluster, src);
    struct slot to = slot_of(cluster, dst);
    const struct cs_fabric *fabric;
    uint32_t in, out, hops;

    if (from.part == to.part && from.node == to.node)
        return cluster_inside(from, from.party, to.party, links);
    in = to.part->node->port_of[to.party];
    out = port_on_rail(cluster, from.part->node,
                       from.part->node->port_of[from.party], in);
    fabric = &cluster->fabrics[in % cluster->rails];
    hops = way_out(cluster, from, out, links);
    hops += fabric->kind->route(fabric, port_of_rail(cluster, from, out),
                                port_of_rail(cluster, to, in), links + hops);
    return hops + from_port(to, in, links + hops);
}

/* ---- building ---- */

struct build {
    struct cs_graph *graph;
    const struct cs_topo_request *request;
    const char *owner;
    struct plan *plan;
    struct cluster *cluster;
    struct cs_err *err;
};

/* A computer of one device, "rank" or "server". */
static int make_host(struct build *build, const char *name,
                     struct cs_node *node)
{
    struct cs_device device = build->plan->host;

    cs_graph_init(&node->graph, build->graph->arena);
    device.name = name;
    device.kind = CS_DEVICE_HOST;
    cs_graph_add_device(&node->graph, device);
    cs_graph_place_all(&node->graph);
    return cs_node_make(node, build->err);
}

/* Each port of the cluster stands for as many NICs. */
static int check_width(struct build *build, const char *node, uint32_t width)
{
    struct cluster *cluster = build->cluster;

    if (cluster->stripe && cluster->stripe != width)
        return cs_err_set(build->err, CS_EINPUT,
                          "a port of %s stands for %u NICs, and one of a node "
                          "before it for %u; stripe=on needs as many",
                          node, width, cluster->stripe);
    cluster->stripe = width;
    return 0;
}

static int stripe_node(struct build *build, struct cs_graph *graph)
{
    uint32_t width;
    int rc = cs_stripe_nics(graph, &width, build->err);

    return rc ? rc : check_width(build, graph->name, width);
}

static int open_node(struct build *build, const char *spec,
                     struct cs_node *node)
{
    struct cs_topo_request request = {.spec = spec,
                                      .ranks = build->plan->gpus,
                                      .platform = build->request->platform,
                                      .gpu = build->request->gpu};
    int rc;

    if (cs_same(spec, "host")) {
        rc = build->plan->stripe ? check_width(build, spec, 1) : 0;
        return rc ? rc : make_host(build, "rank", node);
    }
    if (strchr(spec, ':'))
        return cs_err_set(build->err, CS_EINPUT,
                          "'%s' is no node; a node is a machine of the library "
                          "or a file",
                          spec);
    rc = cs_topo_open(&request, &node->graph, build->graph->arena, build->err);
    if (!rc && build->plan->stripe)
        rc = stripe_node(build, &node->graph);
    return rc ? rc : cs_node_make(node, build->err);
}

static struct part *cluster_add_part(struct build *build)
{
    struct cluster *cluster = build->cluster;
    struct part *part = &cluster->parts[cluster->part_count++];

    part->node = cs_arena_alloc(build->graph->arena, 1, sizeof(struct cs_node));
    return part;
}

/* Opens "dgx-a100+dgx-h100". */
static int open_nodes(struct build *build)
{
    const char *rest = build->plan->node ? build->plan->node : "host";
    int rc = 0;

    while (!rc) {
        size_t length = strcspn(rest, "+");
        struct part *part;

        if (build->cluster->part_count == CS_CLUSTER_KINDS_MAX)
            return cs_err_set(build->err, CS_EINPUT,
                              "over %d kinds of nodes in '%s:'",
                              CS_CLUSTER_KINDS_MAX, build->owner);
        part = cluster_add_part(build);
        rc =
            open_node(build, cs_arena_text_n(build->graph->arena, rest, length),
                      (struct cs_node *)part->node);
        if (!rest[length])
            break;
        rest += length + 1;
    }
    return rc;
}

/* How many ranks and nodes: nodes=, ranks=, dims= or --ranks. */
static int count_nodes(struct build *build)
{
    const struct plan *plan = build->plan;
    struct part *parts = build->cluster->parts;
    uint32_t each = parts->node->ranks;
    uint32_t ranks = plan->ranks ? plan->ranks : build->request->ranks;
    uint64_t nodes = DEFAULT_NODES;

    if (plan->node_kinds && plan->node_kinds != build->cluster->part_count)
        return cs_err_set(build->err, CS_EINPUT,
                          "%u kinds of nodes, and numbers for %u in nodes=",
                          build->cluster->part_count, plan->node_kinds);
    for (uint32_t i = 0; i < build->cluster->part_count; i++)
        parts[i].nodes = plan->nodes[i];
    if (plan->node_kinds)
        return 0;
    if (build->cluster->part_count > 1)
        return cs_err_set(
            build->err, CS_EINPUT,
            "several kinds of nodes need nodes=, as in nodes=4+2");
    if (plan->ranks && plan->ranks % each)
        return cs_err_set(build->err, CS_EINPUT,
                          "ranks=%u is no multiple of the %u of a node",
                          plan->ranks, each);
    if (ranks)
        nodes = ((uint64_t)ranks + each - 1) / each;
    for (uint32_t i = 0; !ranks && i < plan->of.dim_count; i++)
        nodes = i ? nodes * plan->of.dims[i] : plan->of.dims[i];
    if (nodes > CS_SOURCE_RANKS_MAX)
        return cs_err_set(build->err, CS_EINPUT, "over %d nodes",
                          CS_SOURCE_RANKS_MAX);
    parts[0].nodes = (uint32_t)nodes;
    return 0;
}

/* Servers sit on CPUs, or have plain hosts of their own. */
static int slot_agents(struct build *build)
{
    struct cluster *cluster = build->cluster;
    uint32_t agents = build->request->agents;
    bool plain = true;
    uint32_t servers;
    struct part *part;

    for (uint32_t i = 0; i < cluster->part_count; i++)
        plain &= cluster->parts[i].node->graph.device_count == 1;
    if (agents && plain) {
        part = cluster_add_part(build);
        part->nodes = agents;
        part->serves = true;
        return make_host(build, "server", (struct cs_node *)part->node);
    }
    for (uint32_t i = 0; agents && i < cluster->part_count; i++) {
        part = &cluster->parts[i];
        servers = part->node->serves ? part->node->servers : 0;
        if ((agents - 1) / cluster->nodes >= servers)
            return cs_err_set(build->err, CS_EINPUT,
                              "no room for %u parameter servers: a node of %s "
                              "has %u CPUs with a way to a NIC",
                              agents, part->node->graph.name, servers);
    }
    return 0;
}

/* Numbers the parts and what is in them. */
static int place_parts(struct build *build, uint64_t *devices, uint64_t *wires)
{
    struct cluster *cluster = build->cluster;
    uint64_t ranks = 0, ports = 0, hosts = 0;

    *devices = *wires = 0;
    for (uint32_t i = 0; i < cluster->part_count; i++) {
        struct part *part = &cluster->parts[i];
        const struct cs_node *node = part->node;

        part->first_rank = (uint32_t)ranks;
        part->first_device = (uint32_t)*devices;
        part->first_wire = (uint32_t)*wires;
        part->first_port = (uint32_t)ports;
        part->first_host = (uint32_t)hosts;
        part->wires = node->graph.wire_count;
        if (node->ports % cluster->rails)
            return cs_err_set(build->err, CS_EINPUT,
                              "the %u NICs of a node cannot be parted among "
                              "%u rails",
                              node->ports, cluster->rails);
        ranks += part->serves ? 0 : (uint64_t)part->nodes * node->ranks;
        ports += (uint64_t)part->nodes * (node->ports / cluster->rails);
        hosts += (uint64_t)part->nodes * node->hosts;
        *devices += (uint64_t)part->nodes * node->graph.device_count;
        *wires += (uint64_t)part->nodes * node->graph.wire_count;
        if (ranks > CS_SOURCE_RANKS_MAX || *devices > CS_CLUSTER_DEVICES_MAX ||
            *wires > CS_CLUSTER_DEVICES_MAX)
            return cs_err_set(build->err, CS_EINPUT,
                              "a cluster of more than %d ranks or %d devices",
                              CS_SOURCE_RANKS_MAX, CS_CLUSTER_DEVICES_MAX);
    }
    cluster->ranks = (uint32_t)ranks;
    build->plan->of.ports = (uint32_t)ports;
    return 0;
}

/* The class of the fabric's wires. */
static int choose_wire(struct build *build, struct cs_wire *wire)
{
    const struct plan *plan = build->plan;
    const struct cluster *cluster = build->cluster;
    const char *name = plan->link;
    int rc = 0;

    for (uint32_t i = 0; !plan->link && i < cluster->part_count; i++) {
        const char *port = cluster->parts[i].node->graph.port_class;

        if (port && name && !cs_same(port, name))
            return cs_err_set(build->err, CS_EINPUT,
                              "ports of %s and of %s on one fabric; say which "
                              "with link=",
                              name, port);
        name = port ? port : name;
    }
    *wire = (struct cs_wire){.class_name = name ? name : "link",
                             .rate_Bps = DEFAULT_RATE_BPS,
                             .efficiency = 1,
                             .latency_ps = DEFAULT_LATENCY_PS,
                             .source = "given by the user"};
    if (name)
        rc = cs_link_kind_find(name, wire, build->err);
    if (rc)
        return rc;
    if (plan->rate_Bps > 0) {
        wire->rate_Bps = plan->rate_Bps;
        wire->efficiency = 1;
    }
    if (plan->has_latency)
        wire->latency_ps = plan->latency_ps;
    if (cluster->stripe > 1) {
        wire->rate_Bps *= cluster->stripe;
        wire->class_name = cs_arena_printf(plan->arena, "%u of %s",
                                           cluster->stripe, wire->class_name);
    }
    return 0;
}

/* What a fabric has no use for is not passed over. */
static int cluster_check_use(const struct build *build)
{
    const struct cs_fabric *of = &build->plan->of;
    const char *name = of->kind->name;
    const char *stray = NULL;

    if (of->kind->shape != CS_FABRIC_TREE &&
        (of->radix || of->tiers || of->down_share))
        stray = "radix, tiers and oversubscription are a fat-tree's";
    if (of->kind->shape != CS_FABRIC_GROUPS &&
        of->kind->shape != CS_FABRIC_GROUPS_OF_TREES &&
        (of->hosts || of->routers || of->globals))
        stray = "hosts, routers and globals are a dragonfly's";
    if (of->kind->shape != CS_FABRIC_GROUPS_OF_TREES && of->spines)
        stray = "spines are a dragonfly+'s";
    if (of->kind->shape != CS_FABRIC_GRID && of->dim_count)
        stray = "dims are a torus's";
    if (of->kind->shape != CS_FABRIC_TREE && build->plan->has_routing)
        stray = "routing is a fat-tree's";
    if (!stray)
        return 0;
    return cs_err_set(build->err, CS_EINPUT, "%s, not a %s's", stray, name);
}

static int plan_fabrics(struct build *build)
{
    struct cluster *cluster = build->cluster;
    struct cs_fabric *of = &build->plan->of;
    int rc = choose_wire(build, &of->wire);

    if (!rc)
        rc = cluster_check_use(build);
    if (!rc)
        rc = of->kind->plan(of, build->err);
    if (rc)
        return rc;
    cluster->fabrics = cs_arena_alloc(build->graph->arena, cluster->rails,
                                      sizeof(*cluster->fabrics));
    for (uint32_t r = 0; r < cluster->rails; r++)
        cluster->fabrics[r] = *of;
    return 0;
}

static uint32_t cluster_device_of(struct slot slot)
{
    const struct cs_graph *of = &slot.part->node->graph;
    uint32_t ranks = slot.part->node->ranks;

    return slot.part->first_device + slot.node * of->device_count +
           (slot.party < ranks ? of->rank_device[slot.party]
                               : of->agent_device[slot.party - ranks]);
}

/* Whether nodes can be told by the first: there is one kind, and each link is
 * its own server. */
static bool is_replicated(const struct build *build)
{
    const struct part *part = build->cluster->parts;
    const struct cs_graph *of = &part->node->graph;

    for (uint32_t w = 0; w < of->wire_count; w++)
        if (of->wires[w].duplex != CS_DUPLEX_FULL)
            return false;
    return build->cluster->part_count == 1 &&
           cs_topo_may_replicate(build->request, build->cluster->ranks) &&
           (build->request->ranks == 0 ||
            build->request->ranks == build->cluster->ranks);
}

/* Port i of a node is on rail i mod rails, whose switch is behind all nodes. */
static void report_ports_short(struct build *build)
{
    const struct cluster *cluster = build->cluster;
    const struct part *part = cluster->parts;
    uint32_t wires = part->node->graph.wire_count;
    uint32_t ports = part->node->ports;
    uint32_t stars = part->nodes * part->node->graph.device_count;

    build->cluster->parts->wires = wires + ports;

    for (uint32_t i = 0; i < ports; i++)
        cs_fabric_wire(&cluster->fabrics[i % cluster->rails], build->graph,
                       cluster_device_of(
                           (struct slot){part, 0, cs_node_port(part->node, i)}),
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

/* "rail3." where there are several. */
static const char *rail_name(const struct build *build, uint32_t rail)
{
    return build->cluster->rails == 1
               ? ""
               : cs_arena_printf(build->graph->arena, "rail%u.", rail);
}

static void report_short(struct build *build)
{
    const struct part *part = build->cluster->parts;
    const struct cs_graph *of = &part->node->graph;

    for (uint32_t d = 0; d < of->device_count; d++)
        cs_graph_add_device(build->graph, of->devices[d]);
    for (uint32_t w = 0; w < of->wire_count; w++)
        cs_graph_add_wire(build->graph, of->wires[w]);
    if (build->plan->of.kind->is_star)
        report_ports_short(build);
    cs_graph_fold_replicas(build->graph, (struct cs_graph_replicas){
                                             .count = part->nodes,
                                             .devices = of->device_count,
                                             .wires = build->graph->wire_count,
                                             .hosts = part->node->hosts});
}

/* The one switch of each rail, whose wires are told. */
static void add_stars(struct build *build)
{
    const struct cluster *cluster = build->cluster;
    struct cs_graph *graph = build->graph;

    for (uint32_t r = 0; r < cluster->rails; r++)
        cs_fabric_switch(graph, rail_name(build, r), "switch", 0);
}

static const char *cluster_name_of(struct build *build, const struct part *part,
                                   uint32_t node, const char *device)
{
    if (part->node->graph.device_count == 1)
        return cs_arena_printf(build->graph->arena, "%s%u", device,
                               part->serves ? node : part->first_node + node);
    return cs_arena_printf(build->graph->arena, "n%u.%s",
                           part->first_node + node, device);
}

static void cluster_copy_node(struct build *build, const struct part *part,
                              uint32_t node)
{
    const struct cs_graph *of = &part->node->graph;
    uint32_t first = part->first_device + node * of->device_count;

    for (uint32_t d = 0; d < of->device_count; d++) {
        struct cs_device device = of->devices[d];

        device.name = cluster_name_of(build, part, node, device.name);
        if (device.host != CS_NO_HOST)
            device.host += part->first_host + node * part->node->hosts;
        device.line = 0;
        cs_graph_add_device(build->graph, device);
    }
    for (uint32_t w = 0; w < of->wire_count; w++) {
        struct cs_wire wire = of->wires[w];

        wire.a += first;
        wire.b += first;
        wire.line = 0;
        cs_graph_add_wire(build->graph, wire);
    }
}

static void cluster_slot_parties(struct build *build)
{
    const struct cluster *cluster = build->cluster;
    struct cs_graph *graph = build->graph;

    graph->rank_count = cluster->ranks;
    graph->agent_count = build->request->agents;
    graph->rank_device = cs_arena_alloc(graph->arena, graph->rank_count,
                                        sizeof(*graph->rank_device));
    graph->agent_device = cs_arena_alloc(graph->arena, graph->agent_count,
                                         sizeof(*graph->agent_device));
    for (uint32_t r = 0; r < graph->rank_count; r++)
        graph->rank_device[r] = cluster_device_of(slot_of_rank(cluster, r));
    for (uint32_t i = 0; i < graph->agent_count; i++)
        graph->agent_device[i] = cluster_device_of(slot_of_agent(cluster, i));
}

/* The devices of a rail's ports, in order. */
static void list_ports(const struct cluster *cluster, uint32_t rail,
                       uint32_t *port)
{
    for (uint32_t i = 0; i < cluster->part_count; i++) {
        const struct part *part = &cluster->parts[i];
        const struct cs_node *node = part->node;

        for (uint32_t k = 0; k < part->nodes; k++)
            for (uint32_t p = rail; p < node->ports; p += cluster->rails)
                *port++ = cluster_device_of(
                    (struct slot){part, k, cs_node_port(node, p)});
    }
}

static void add_fabrics(struct build *build)
{
    struct cluster *cluster = build->cluster;
    struct cs_graph *graph = build->graph;
    struct cs_arena scratch = {0};
    uint32_t *port =
        cs_arena_alloc(&scratch, build->plan->of.ports, sizeof(*port));

    for (uint32_t r = 0; r < cluster->rails; r++) {
        list_ports(cluster, r, port);
        cs_fabric_add(&cluster->fabrics[r], graph, port, rail_name(build, r));
    }
    cs_arena_free(&scratch);
}

static void cluster_fill(struct build *build)
{
    struct cluster *cluster = build->cluster;
    const struct cs_fabric *of = &build->plan->of;
    bool replicated = is_replicated(build);

    if (replicated)
        report_short(build);
    for (uint32_t i = 0; i < cluster->part_count && !replicated; i++)
        for (uint32_t k = 0; k < cluster->parts[i].nodes; k++)
            cluster_copy_node(build, &cluster->parts[i], k);
    if (replicated && of->kind->is_star) {
        add_stars(build);
    } else {
        if (replicated)
            cs_graph_reserve(build->graph,
                             (uint32_t)(cluster->rails * of->devices),
                             (uint32_t)(cluster->rails * of->wires));
        add_fabrics(build);
    }
    cluster_slot_parties(build);
}

static uint32_t max_hops(const struct cluster *cluster)
{
    uint32_t most = 0;

    for (uint32_t i = 0; i < cluster->part_count; i++) {
        uint32_t hops = cs_routes_max_hops(cluster->parts[i].node->routes);

        most = hops > most ? hops : most;
    }
    return 4 * most + cluster->fabrics->max_hops;
}

/* A rank sends by one NIC: others may be left over. */
static void cluster_note_idle(struct build *build)
{
    for (uint32_t i = 0; i < build->cluster->part_count; i++) {
        const struct cs_node *node = build->cluster->parts[i].node;
        uint32_t idle = 0;

        for (uint32_t p = 0; p < node->ports; p++)
            idle += node->rank_of[p] == UINT32_MAX;
        if (idle && node->ports > node->ranks && !build->plan->gpus)
            cs_graph_note(build->graph,
                          "%u of the %u NICs of a %s carry nothing of its "
                          "ranks: each sends and receives by one; stripe=on "
                          "may take more",
                          idle, node->ports, node->graph.name);
    }
}

/* Hosts are the nodes of the grid themselves, each with a router. */
static bool cluster_is_direct(const struct cluster *cluster,
                              const struct cs_fabric *fabric)
{
    for (uint32_t i = 0; i < cluster->part_count; i++)
        if (cluster->parts[i].node->graph.device_count > 1)
            return false;
    return fabric->kind->shape == CS_FABRIC_GRID;
}

/* "2 x dgx-h100 + 3 x dgx-a100 (rail)" */
static const char *title_of(const struct build *build)
{
    const struct cluster *cluster = build->cluster;
    const char *name = "";
    uint32_t i;

    for (i = 0; i < cluster->part_count && !cluster->parts[i].serves; i++)
        name = cs_arena_printf(build->graph->arena, "%s%s%u x %s", name,
                               i ? " + " : "", cluster->parts[i].nodes,
                               cluster->parts[i].node->graph.name);
    return cs_arena_printf(build->graph->arena, "%s (%s)", name,
                           build->plan->of.kind->name);
}

static int build_all(struct build *build)
{
    struct cluster *cluster = build->cluster;
    const struct cs_fabric *of = &build->plan->of;
    struct cs_graph *graph = build->graph;
    uint64_t devices, wires;
    int rc = place_parts(build, &devices, &wires);

    if (!rc)
        rc = plan_fabrics(build);
    if (rc)
        return rc;
    devices += cluster->rails * of->devices;
    wires += cluster->rails * of->wires;
    if (devices > CS_CLUSTER_DEVICES_MAX || wires > CS_CLUSTER_DEVICES_MAX)
        return cs_err_set(build->err, CS_EINPUT,
                          "a cluster of more than %d devices or wires",
                          CS_CLUSTER_DEVICES_MAX);
    if (!is_replicated(build))
        cs_graph_reserve(graph, (uint32_t)devices, (uint32_t)wires);
    cluster_fill(build);
    cluster_note_idle(build);
    if (build->request->ranks && build->request->ranks < cluster->ranks)
        cluster->ranks = build->request->ranks;
    graph->name = build->plan->node ? title_of(build) : build->owner;
    graph->about = of->kind->about;
    graph->direct = cluster_is_direct(cluster, of);
    graph->circles = graph->direct || of->kind->shape == CS_FABRIC_GROUPS ||
                     of->kind->shape == CS_FABRIC_GROUPS_OF_TREES ||
                     of->kind->shape == CS_FABRIC_GRID;
    graph->route = cluster_route;
    graph->route_ctx = cluster;
    graph->has_choice = of->kind->shape == CS_FABRIC_TREE;
    graph->route_max_hops = max_hops(cluster);
    return 0;
}

static int cluster_settle(struct build *build,
                          const struct cs_fabric_kind *kind)
{
    struct cluster *cluster = build->cluster;
    struct plan *plan = build->plan;
    int rc = 0;

    if (kind && plan->fabric)
        return cs_err_set(build->err, CS_EINPUT,
                          "'%s:' is a fabric already; fabric= goes with "
                          "'cluster:'",
                          build->owner);
    plan->of.kind = kind;
    if (!kind)
        rc = cs_fabric_kind_find(plan->fabric ? plan->fabric : "star",
                                 &plan->of.kind, build->err);
    if (!rc)
        rc = open_nodes(build);
    if (!rc)
        rc = count_nodes(build);
    if (rc)
        return rc;
    for (uint32_t i = 0; i < cluster->part_count; i++) {
        cluster->parts[i].first_node = cluster->nodes;
        cluster->nodes += cluster->parts[i].nodes;
    }
    cluster->pxn = !plan->no_pxn;
    cluster->rails = plan->rails ? plan->rails : 1;
    if (!plan->rails && plan->of.kind->is_per_nic)
        cluster->rails = cluster->parts->node->ports;
    if (plan->says_pxn && cluster->rails == 1)
        return cs_err_set(build->err, CS_EINPUT,
                          "pxn= changes nothing where all NICs meet in one "
                          "fabric; it goes with fabric=rail or rails=");
    return slot_agents(build);
}

int cs_cluster_build(const struct cs_topo_request *request,
                     const struct cs_fabric_kind *kind, const char *parameters,
                     struct cs_graph *graph, struct cs_err *err)
{
    struct plan plan = {
        .arena = graph->arena,
        .of = {.routing = request->routing, .seed = request->seed}};
    struct build build = {
        .graph = graph,
        .request = request,
        .owner = kind ? kind->name : "cluster",
        .plan = &plan,
        .cluster = cs_arena_alloc(graph->arena, 1, sizeof(struct cluster)),
        .err = err,
    };
    const struct cs_parameters known = {build.owner, parameters_known,
                                        sizeof(parameters_known) /
                                            sizeof(*parameters_known)};
    int rc = cs_parameters_read(&known, parameters, &plan, err);

    if (!rc)
        rc = cluster_settle(&build, kind);
    return rc ? rc : build_all(&build);
}

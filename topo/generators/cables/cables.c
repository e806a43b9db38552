#include "topo/generators/cables/cables.h"

#include "sim/base/text.h"
#include "topo/generators/cables/hosts.h"
#include "topo/generators/cluster/cluster.h"
#include "topo/graph/fabric.h"

#include <assert.h>
#include <string.h>

enum {
    FAR = UINT16_MAX,
    SWITCHES_MAX = 1 << 14,  /* 4,096-port dragonflies have fewer */
    DISTANCES_MAX = 1 << 26, /* 128 MiB of tables */
};

/* Tables of routes; switches and trunks are in the graph from first_ on. */
struct network {
    const struct cs_cables *cables;
    uint32_t hosts, rails, switches, trunks;
    const struct cs_cable **port; /* of rail r and host h at r * hosts + h */
    uint32_t *leaf;               /* the same: switch */
    uint32_t *trunk;              /* cables between switches */
    uint32_t *from, *to;          /* switches of a trunk */
    uint32_t *start, *around;     /* by switch: trunks */
    uint32_t *table;              /* of a switch with hosts, or FAR */
    uint16_t *distance;           /* by table and switch */
    uint32_t first_device, first_wire, max_hops;
};

/* ---- tables ---- */

static void number_switches(struct network *network, struct cs_cables *cables)
{
    for (uint32_t e = 0; e < cables->end_count; e++)
        if (!cables->ends[e].adapter)
            cables->ends[e].number = network->switches++;
}

/* A cable of an adapter, or a trunk. */
static void place_cable(struct network *network, const struct cs_cables *cables, uint32_t c)
{
    const struct cs_cable *cable = &cables->cables[c];
    const struct cs_cable_end *a = &cables->ends[cable->a], *b = &cables->ends[cable->b];

    if (!a->adapter && !b->adapter) {
        network->from[network->trunks] = a->number;
        network->to[network->trunks] = b->number;
        network->trunk[network->trunks++] = c;
    } else if (!a->adapter != !b->adapter) {
        const struct cs_cable_end *adapter = a->adapter ? a : b, *leaf = a->adapter ? b : a;

        if (adapter->rail != UINT32_MAX) {
            uint32_t at = adapter->rail * network->hosts + adapter->number;

            network->port[at] = cable;
            network->leaf[at] = leaf->number;
        }
    }
}

static void index_trunks(struct network *network, struct cs_arena *arena)
{
    uint32_t sum = 0;

    network->start = cs_arena_alloc(arena, network->switches + 2, sizeof(*network->start));
    network->around = cs_arena_alloc(arena, 2 * network->trunks + 1, sizeof(*network->around));
    memset(network->start, 0, (network->switches + 2) * sizeof(*network->start));
    for (uint32_t t = 0; t < network->trunks; t++) {
        network->start[network->from[t] + 2]++;
        network->start[network->to[t] + 2]++;
    }
    for (uint32_t s = 0; s < network->switches + 2; s++)
        sum = network->start[s] += sum;
    for (uint32_t t = 0; t < network->trunks; t++) {
        network->around[network->start[network->from[t] + 1]++] = t;
        network->around[network->start[network->to[t] + 1]++] = t;
    }
}

static uint32_t other_switch(const struct network *network, uint32_t trunk, uint32_t at)
{
    return network->from[trunk] == at ? network->to[trunk] : network->from[trunk];
}

/* Hops from every switch to `goal`. */
static void find_distances(const struct network *network, uint32_t goal, uint16_t *distance,
                           uint32_t *queue)
{
    uint32_t head = 0, tail = 0;

    for (uint32_t s = 0; s < network->switches; s++)
        distance[s] = FAR;
    distance[goal] = 0;
    queue[tail++] = goal;
    while (head < tail) {
        uint32_t at = queue[head++];

        for (uint32_t i = network->start[at]; i < network->start[at + 1]; i++) {
            uint32_t next = other_switch(network, network->around[i], at);

            if (distance[next] == FAR) {
                distance[next] = (uint16_t)(distance[at] + 1);
                queue[tail++] = next;
            }
        }
    }
}

static int fill_tables(struct network *network, struct cs_arena *arena, struct cs_err *err)
{
    uint32_t *queue = cs_arena_alloc(arena, network->switches + 1, sizeof(*queue));
    uint32_t tables = 0, ports = network->rails * network->hosts;

    network->table = cs_arena_alloc(arena, network->switches + 1, sizeof(*network->table));
    for (uint32_t s = 0; s < network->switches; s++)
        network->table[s] = FAR;
    for (uint32_t p = 0; p < ports; p++)
        if (network->table[network->leaf[p]] == FAR)
            network->table[network->leaf[p]] = tables++;
    if ((uint64_t)tables * network->switches > DISTANCES_MAX)
        return cs_err_set(err, CS_EINPUT, "%s: %u switches with hosts of %u are too many",
                          network->cables->file, tables, network->switches);
    network->distance =
        cs_arena_alloc(arena, (size_t)tables * network->switches + 1, sizeof(*network->distance));
    for (uint32_t s = 0; s < network->switches; s++)
        if (network->table[s] != FAR)
            find_distances(network, s,
                           network->distance + (size_t)network->table[s] * network->switches,
                           queue);
    return 0;
}

static uint16_t distance_of(const struct network *network, uint32_t at, uint32_t goal)
{
    return network->distance[(size_t)network->table[goal] * network->switches + at];
}

static int no_cable(const struct network *network, uint32_t rail, uint32_t host, struct cs_err *err)
{
    const struct cs_cable_end *end = network->cables->ends;

    while (end->rail != rail || end->number != host)
        end++;
    return cs_err_at(err, CS_EINPUT, network->cables->file, end->line,
                     "adapter '%s' of '%s' has no cable; expected one to a switch", end->adapter,
                     end->name);
}

/* Every host of a rail reaches every other. */
static int check_joined(struct network *network, struct cs_err *err)
{
    for (uint32_t r = 0; r < network->rails; r++)
        for (uint32_t h = 0; h < network->hosts; h++) {
            uint32_t at = r * network->hosts + h, first = r * network->hosts;
            uint16_t distance;

            if (!network->port[at])
                return no_cable(network, r, h, err);
            distance = distance_of(network, network->leaf[at], network->leaf[first]);
            if (distance == FAR)
                return cs_err_at(err, CS_EINPUT, network->cables->file,
                                 network->port[at]->wire.line,
                                 "no cables join this adapter to those of the same number of "
                                 "other hosts");
            if (2u * distance + 2 > network->max_hops)
                network->max_hops = 2u * distance + 2;
        }
    return 0;
}

/* ---- the fabric ---- */

static struct network *network_of(const struct cs_fabric *fabric)
{
    return fabric->given;
}

static int cables_plan(struct cs_fabric *fabric, struct cs_err *err)
{
    const struct network *network = network_of(fabric);

    (void)err;
    fabric->devices = network->switches;
    fabric->wires = network->hosts + network->trunks;
    fabric->max_hops = network->max_hops;
    return 0;
}

/* A cable of each rail's network is as the ports of the platform. */
static struct cs_wire wire_of(const struct cs_fabric *fabric, const struct cs_cable *cable,
                              struct cs_arena *arena)
{
    struct cs_wire wire = cable->width ? fabric->wire : cable->wire;

    wire.line = cable->wire.line;
    if (cable->width && cable->wire.rate_Bps > 0) {
        wire.rate_Bps = cable->wire.rate_Bps;
        wire.class_name = cs_arena_printf(arena, "%s_%gG", wire.class_name, wire.rate_Bps * 8e-9);
    }
    if (cable->width > 1) {
        wire.rate_Bps *= cable->width;
        wire.class_name = cs_arena_printf(arena, "%u of %s", cable->width, wire.class_name);
    }
    return wire;
}

static void add_wire(struct cs_graph *graph, struct cs_wire wire, uint32_t a, uint32_t b)
{
    wire.a = a;
    wire.b = b;
    cs_graph_add_wire(graph, wire);
}

/* The first rail of a network adds switches and trunks, behind its ports; a network of
 * one rail is that of each. */
static void cables_add(const struct cs_fabric *fabric, struct cs_graph *graph, const uint32_t *port,
                       const char *prefix)
{
    struct network *network = network_of(fabric);
    const struct cs_cables *cables = network->cables;
    uint32_t rail = fabric->rail % network->rails, at = rail * network->hosts;

    if (!rail)
        network->first_device = graph->device_count;
    for (uint32_t e = 0; e < cables->end_count && !rail; e++)
        if (!cables->ends[e].adapter)
            cs_graph_add_device(
                graph, (struct cs_device){.name = cs_arena_printf(graph->arena, "%s%s",
                                                                  network->rails > 1 ? "" : prefix,
                                                                  cables->ends[e].name),
                                          .kind = CS_DEVICE_SWITCH,
                                          .host = CS_NO_HOST,
                                          .line = cables->ends[e].line});
    for (uint32_t h = 0; h < network->hosts; h++)
        add_wire(graph, wire_of(fabric, network->port[at + h], graph->arena), port[h],
                 network->first_device + network->leaf[at + h]);
    if (!fabric->rail)
        network->first_wire = graph->wire_count;
    for (uint32_t t = 0; t < network->trunks && !rail; t++)
        add_wire(graph, wire_of(fabric, &cables->cables[network->trunk[t]], graph->arena),
                 network->first_device + network->from[t], network->first_device + network->to[t]);
}

/* The trunk from `at` to a switch nearer to `goal` that is number `choice` of them, or
 * their count alone with `trunk` NULL; one is, as check_joined has seen. */
static uint32_t nearer(const struct network *network, uint32_t at, uint32_t goal, uint64_t choice,
                       uint32_t *trunk)
{
    uint16_t distance = distance_of(network, at, goal);
    uint32_t count = 0;

    for (uint32_t i = network->start[at]; i < network->start[at + 1]; i++) {
        uint32_t next = other_switch(network, network->around[i], at);

        if (distance_of(network, next, goal) + 1 != distance)
            continue;
        if (trunk && count == choice) {
            *trunk = network->around[i];
            return count;
        }
        count++;
    }
    return count;
}

/* On the first half of the route each level has a digit of the choice; on the second
 * half, cables side by side are chosen by its last digit. */
static uint32_t cables_route(const struct cs_fabric *fabric, uint32_t src, uint32_t dst,
                             uint32_t *links)
{
    const struct network *network = network_of(fabric);
    uint32_t rail = fabric->rail % network->rails * network->hosts;
    uint32_t first =
        network->first_wire + fabric->rail / network->rails * (network->hosts + network->trunks);
    uint32_t at = network->leaf[rail + src], goal = network->leaf[rail + dst];
    uint32_t far = distance_of(network, at, goal), hops = 0, trunk = 0;
    uint64_t choice, digits;

    choice = digits =
        cs_fabric_choose(fabric, src, dst, far ? nearer(network, at, goal, 0, NULL) : 1);
    links[hops++] = cs_fabric_up(fabric, src);
    for (uint32_t left = far; left; left--) {
        uint32_t count = nearer(network, at, goal, 0, NULL);
        uint64_t number = choice;
        bool is_up = 2 * left > far;

        assert(count);
        if (is_up) {
            number = digits;
            digits /= count;
        }
        nearer(network, at, goal, number % count, &trunk);
        links[hops++] = 2 * (first + trunk) + (network->from[trunk] != at);
        at = other_switch(network, trunk, at);
    }
    links[hops++] = cs_fabric_down(fabric, dst);
    return hops;
}

static const struct cs_fabric_kind fabric_of_cables = {
    .name = "cables",
    .about = "switches and cables of a file",
    .shape = CS_FABRIC_TREE,
    .is_per_nic = true,
    .plan = cables_plan,
    .add = cables_add,
    .route = cables_route,
};

/* ---- the machine ---- */

static int read_network(const struct cs_topo_request *request, struct network *network,
                        struct cs_cables *cables, struct cs_graph *graph, struct cs_err *err)
{
    struct cs_arena *arena = graph->arena;
    struct cs_cable_hosts numbered;
    uint32_t ports;
    int code = cs_cable_hosts_number(cables, request->hosts, graph, &numbered, err);

    if (code)
        return code;
    network->hosts = numbered.hosts;
    network->rails = numbered.rails;
    number_switches(network, cables);
    if (!network->hosts || network->switches > SWITCHES_MAX)
        return cs_err_at(err, CS_EINPUT, cables->file, 0,
                         "%u hosts and %u switches; expected hosts with equally many adapters, and "
                         "at most %d switches",
                         network->hosts, network->switches, SWITCHES_MAX);
    ports = network->rails * network->hosts;
    network->port = cs_arena_alloc(arena, ports, sizeof(struct cs_cable *));
    network->leaf = cs_arena_alloc(arena, ports, sizeof(*network->leaf));
    memset(network->port, 0, ports * sizeof(struct cs_cable *));
    memset(network->leaf, 0, ports * sizeof(*network->leaf));
    network->trunk = cs_arena_alloc(arena, cables->cable_count + 1, sizeof(*network->trunk));
    network->from = cs_arena_alloc(arena, cables->cable_count + 1, sizeof(*network->from));
    network->to = cs_arena_alloc(arena, cables->cable_count + 1, sizeof(*network->to));
    for (uint32_t c = 0; c < cables->cable_count; c++)
        place_cable(network, cables, c);
    if (!network->switches)
        return cs_err_at(err, CS_EINPUT, cables->file, 0, "no switches between the hosts");
    index_trunks(network, arena);
    code = fill_tables(network, arena, err);
    return code ? code : check_joined(network, err);
}

int cs_cables_build(const struct cs_topo_request *request, struct cs_cables *cables,
                    struct cs_graph *graph, struct cs_err *err)
{
    struct network *network = cs_arena_alloc(graph->arena, 1, sizeof(*network));
    struct cs_fabric fabric = {.kind = &fabric_of_cables,
                               .routing = request->routing,
                               .seed = request->seed,
                               .choice = graph->choice,
                               .given = network};
    struct cs_cluster_given given;
    int code;

    *network = (struct network){.cables = cables};
    code = read_network(request, network, cables, graph, err);
    if (!code && !request->platform && network->rails > 1)
        code = cs_err_set(err, CS_EINPUT,
                          "%s: hosts have %u adapters and nothing inside; expected --platform "
                          "MACHINE, such as dgx-h100",
                          cables->file, network->rails);
    if (code)
        return code;
    given = (struct cs_cluster_given){.fabric = fabric,
                                      .nodes = network->hosts,
                                      .adapters = cables->cables->width ? 0 : network->rails};
    return cs_cluster_build_given(request, &given, graph, err);
}

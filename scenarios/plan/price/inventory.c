#include "scenarios/plan/price/inventory.h"

#include "sim/base/collections/disjoint.h"
#include "sim/base/divisor.h"
#include "sim/base/units_show.h"
#include "topo/graph/fabric.h"

#include <string.h>

/* ---- a Clos of boxes ---- */

/* Ports down and up of a leaf: the largest with the quotient. */
static void leaf_ports(uint32_t down, uint32_t up, uint32_t radix, uint64_t *d, uint64_t *u)
{
    uint32_t divisor = down && up ? cs_common_divisor(down, up) : down + up;

    down = divisor ? down / divisor : 1;
    up = divisor ? up / divisor : 1;
    *d = (uint64_t)(radix / (down + up)) * down;
    *u = (uint64_t)(radix / (down + up)) * up;
}

/* The least number of tiers for `ports`; of[t]: what a part of t tiers holds. */
static uint32_t tiers_of(uint64_t ports, uint64_t d, uint32_t radix, uint64_t of[CS_CLOS_TIERS + 1])
{
    uint64_t held = d;

    if (ports <= radix)
        return 1;
    for (uint32_t tiers = 2; tiers <= CS_CLOS_TIERS && d; ++tiers) {
        of[tiers - 1] = held;
        if (ports <= held * radix)
            return tiers;
        held *= radix / 2;
    }
    return 0;
}

struct cs_clos cs_clos_of(uint64_t ports, uint32_t down, uint32_t up, uint32_t radix)
{
    uint64_t held[CS_CLOS_TIERS + 1], d, u, each = ports, all = 1;
    struct cs_clos clos = {.boxes = 1, .level[1] = {.parts = 1, .boxes = 1, .all = 1}};
    struct cs_clos_level *level = clos.level;

    leaf_ports(down, up, radix, &d, &u);
    clos.tiers = tiers_of(ports, d, radix, held);
    if (clos.tiers < 2)
        return clos;
    /* Equal parts of each part, from the top down to the leaves. */
    for (uint32_t t = clos.tiers - 1; t >= 1; --t) {
        level[t].parts = cs_divide_up(each, held[t]);
        each = cs_divide_up(each, level[t].parts);
        all *= level[t].parts;
    }
    clos.boxes = level[1].all = all;
    level[1].up = cs_divide_up(each * u, d);
    for (uint32_t t = 1; t < clos.tiers; ++t) {
        uint64_t ports_down = t + 1 < clos.tiers ? radix / 2 : radix;

        level[t + 1].boxes = cs_divide_up(level[t].parts * level[t].up, ports_down);
        /* A leaf reaches every box above it. */
        if (t == 1 && level[t].up < level[t + 1].boxes)
            level[t].up = level[t + 1].boxes;
        all /= level[t].parts;
        level[t + 1].up = level[t].parts * level[t].up;
        level[t + 1].all = all * level[t + 1].boxes;
        clos.cables += all * level[t + 1].up;
        clos.boxes += level[t + 1].all;
    }
    return clos;
}

/* ---- of a graph ---- */

static bool is_outside(const struct cs_device *device)
{
    return device->host == CS_NO_HOST && device->kind == CS_DEVICE_SWITCH;
}

/* Cables of a wire: a bond has one for each of its adapters. */
static uint64_t wire_cables(const struct cs_device *a, const struct cs_device *b)
{
    uint64_t cables = 1;

    if (a->bond)
        cables = a->bond->count;
    if (b->bond && b->bond->count > cables)
        cables = b->bond->count;
    return cables;
}

static void count_nodes(const struct cs_graph *graph, struct cs_switch_networks *networks)
{
    bool is_alone = false;

    for (uint32_t d = 0; d < graph->device_count; ++d) {
        struct cs_device device = cs_graph_device(graph, d);

        if (device.kind == CS_DEVICE_GPU)
            ++networks->gpus;
        if (device.host == CS_NO_HOST)
            is_alone |= device.kind == CS_DEVICE_GPU;
        else if (device.host + 1 > networks->nodes)
            networks->nodes = device.host + 1;
    }
    if (!networks->nodes && is_alone)
        networks->nodes = 1;
}

/* Switches outside the nodes, by device. */
struct outside {
    uint32_t *parent; /* of its network */
    struct outside_switch {
        uint64_t hosts, ports; /* cables to nodes, and all */
        bool near_leaf;        /* has a cable to a switch with hosts */
        bool is_mesh;          /* of a root: no Clos */
    } * of;
    uint32_t count;
};

static struct outside outside_open(uint32_t devices, struct cs_arena *arena)
{
    uint32_t count = devices + 1;
    struct outside outside = {.parent = cs_arena_alloc(arena, count, sizeof(*outside.parent)),
                              .of = cs_arena_alloc(arena, count, sizeof(*outside.of)),
                              .count = devices};

    cs_disjoint_open(outside.parent, devices);
    memset(outside.of, 0, count * sizeof(*outside.of));
    return outside;
}

static void count_end(struct outside *outside, struct cs_switch_networks *networks, uint32_t d,
                      bool is_switch, bool other_is_switch, uint64_t cables)
{
    if (!is_switch) {
        networks->adapters += cables;
        return;
    }
    outside->of[d].ports += cables;
    if (!other_is_switch)
        outside->of[d].hosts += cables;
}

/* A wire of the network between nodes. */
static void count_wire(const struct cs_graph *graph, uint32_t w, struct outside *outside,
                       struct cs_switch_networks *networks)
{
    struct cs_wire wire = cs_graph_wire(graph, w);
    struct cs_device a = cs_graph_device(graph, wire.a);
    struct cs_device b = cs_graph_device(graph, wire.b);
    bool a_outside = is_outside(&a), b_outside = is_outside(&b);
    uint64_t cables;

    if (!a_outside && !b_outside && a.host == b.host)
        return;
    cables = wire_cables(&a, &b);
    count_end(outside, networks, wire.a, a_outside, b_outside, cables);
    count_end(outside, networks, wire.b, b_outside, a_outside, cables);
    if (a_outside && b_outside)
        cs_disjoint_join(outside->parent, wire.a, wire.b);
    else
        networks->cables += cables;
}

/* Visits the wires between switches: a cable between two leaves, or between two
 * switches that both have leaves, is in no folded Clos. */
static void find_meshes(const struct cs_graph *graph, struct outside *outside, bool second)
{
    for (uint32_t w = 0; w < graph->wire_count; ++w) {
        struct cs_wire wire = cs_graph_wire(graph, w);
        bool a_leaf = outside->of[wire.a].hosts > 0, b_leaf = outside->of[wire.b].hosts > 0;

        if (!outside->of[wire.a].ports || !outside->of[wire.b].ports)
            continue;
        if (!second) {
            outside->of[wire.a].near_leaf |= b_leaf;
            outside->of[wire.b].near_leaf |= a_leaf;
        } else if ((a_leaf && b_leaf) || (!a_leaf && !b_leaf && outside->of[wire.a].near_leaf &&
                                          outside->of[wire.b].near_leaf)) {
            outside->of[cs_disjoint_root(outside->parent, wire.a)].is_mesh = true;
        }
    }
}

/* Equal networks are an item. */
static void add_network(struct cs_switch_networks *networks, struct cs_switch_network *items,
                        struct cs_switch_network one)
{
    uint32_t i = 0;

    while (i < networks->count && (items[i].ports != one.ports || items[i].down != one.down ||
                                   items[i].up != one.up || items[i].is_clos != one.is_clos))
        ++i;
    if (i == networks->count) {
        items[i] = one;
        ++networks->count;
    } else {
        ++items[i].count;
    }
}

/* Ports of all leaves of a Clos, and the share of the leaf with most, at its root. */
static void sum_leaves(struct outside *outside, struct cs_switch_network *clos)
{
    for (uint32_t d = 0; d < outside->count; ++d) {
        uint32_t root = cs_disjoint_root(outside->parent, d);

        if (!outside->of[d].hosts)
            continue;
        clos[root].ports += outside->of[d].hosts;
        if (outside->of[d].ports > outside->of[d].hosts && outside->of[d].hosts > clos[root].down) {
            clos[root].down = (uint32_t)outside->of[d].hosts;
            clos[root].up = (uint32_t)(outside->of[d].ports - outside->of[d].hosts);
        }
    }
}

struct cs_switch_networks cs_switch_networks_of(const struct cs_graph *graph,
                                                struct cs_arena *arena)
{
    struct outside outside = outside_open(graph->device_count, arena);
    uint32_t count = graph->device_count + 1;
    struct cs_switch_network *items = cs_arena_alloc(arena, count, sizeof(*items));
    struct cs_switch_network *clos = cs_arena_alloc(arena, count, sizeof(*clos));
    struct cs_switch_networks networks = {.item = items};
    uint64_t between = 0; /* cables of meshes, at both ends */

    memset(clos, 0, count * sizeof(*clos));
    count_nodes(graph, &networks);
    for (uint32_t w = 0; w < graph->wire_count; ++w)
        count_wire(graph, w, &outside, &networks);
    find_meshes(graph, &outside, false);
    find_meshes(graph, &outside, true);
    sum_leaves(&outside, clos);
    for (uint32_t d = 0; d < graph->device_count; ++d) {
        uint32_t root = cs_disjoint_root(outside.parent, d);

        if (outside.of[root].is_mesh && outside.of[d].ports) {
            between += outside.of[d].ports - outside.of[d].hosts;
            add_network(&networks, items,
                        (struct cs_switch_network){.ports = outside.of[d].ports, .count = 1});
        } else if (root == d && clos[d].ports) {
            clos[d].count = 1;
            clos[d].is_clos = true;
            clos[d].built = graph->built;
            add_network(&networks, items, clos[d]);
        }
    }
    networks.cables += between / 2;
    return networks;
}

/* ---- boxes ---- */

/* Of so many for `nodes`, how many for `all`. */
static uint64_t grown(uint64_t number, uint64_t nodes, uint64_t all)
{
    return nodes ? cs_divide_up(number * all, nodes) : number;
}

/* A fabric that is built, with other ports. */
static int built_clos(const struct cs_switch_network *network, uint64_t ports, struct cs_clos *clos,
                      struct cs_err *err)
{
    struct cs_fabric fabric = *network->built;
    int code;

    fabric.ports = (uint32_t)ports;
    code = fabric.kind->plan(&fabric, err);
    *clos =
        (struct cs_clos){.tiers = fabric.tiers,
                         .boxes = fabric.devices,
                         .cables = fabric.wires - ports,
                         .level[1] = {.all = network->down ? cs_divide_up(ports, network->down) : 1,
                                      .up = network->up}};
    return code;
}

int cs_switch_network_clos(const struct cs_switch_network *network, uint64_t ports, uint32_t radix,
                           struct cs_clos *clos, struct cs_err *err)
{
    if (network->built)
        return built_clos(network, ports, clos, err);
    *clos = cs_clos_of(ports, network->down, network->up, radix);
    if (clos->tiers)
        return 0;
    return cs_err_set(err, CS_EINPUT,
                      "%d tiers of switches with %u ports do not join %s ports; expected "
                      "larger switches or more of them",
                      CS_CLOS_TIERS, radix, cs_show_count(ports).text);
}

int cs_inventory_of(const struct cs_switch_networks *networks, uint32_t spares, uint32_t planes,
                    uint32_t radix, struct cs_inventory *inventory, struct cs_err *err)
{
    uint32_t nodes = networks->nodes, all = nodes + spares;

    *inventory = (struct cs_inventory){.nodes = all,
                                       .gpus = (uint32_t)grown(networks->gpus, nodes, all),
                                       .adapters = grown(networks->adapters, nodes, all),
                                       .cables = grown(networks->cables, nodes, all) * planes};
    for (uint32_t n = 0; n < networks->count; ++n) {
        const struct cs_switch_network *one = &networks->item[n];
        uint64_t ports = one->is_clos ? grown(one->ports, nodes, all) : one->ports;
        uint64_t count = one->is_clos ? one->count : grown(one->count, nodes, all);
        struct cs_clos clos;
        int code = cs_switch_network_clos(one, ports, radix, &clos, err);

        if (code)
            return code;
        if (clos.tiers == 1 && !one->built)
            count = cs_divide_up(count, radix / ports);
        inventory->boxes += count * clos.boxes * planes;
        inventory->cables += count * clos.cables * planes;
        if (clos.tiers > inventory->tiers)
            inventory->tiers = clos.tiers;
    }
    return 0;
}

double cs_inventory_port_Bps(const struct cs_graph *graph)
{
    double rate_Bps = 0;

    for (uint32_t w = 0; w < graph->wire_count; ++w) {
        struct cs_wire wire = cs_graph_wire(graph, w);
        struct cs_device a = cs_graph_device(graph, wire.a);
        struct cs_device b = cs_graph_device(graph, wire.b);
        double each = wire.rate_Bps / (double)wire_cables(&a, &b);

        if ((is_outside(&a) || is_outside(&b)) && each > rate_Bps)
            rate_Bps = each;
    }
    return rate_Bps;
}

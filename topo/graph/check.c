#include "topo/graph/check.h"

#include "sim/base/collections/disjoint.h"
#include "sim/base/collections/name_index.h"
#include "topo/graph/given_routes.h"
#include "topo/graph/route.h"

#include <math.h>
#include <string.h>

/* The name of the machine in messages. */
static const char *graph_where(const struct cs_graph *graph)
{
    return *graph->file ? graph->file : graph->name;
}

static int graph_check_names(const struct cs_graph *graph, struct cs_arena *scratch,
                             struct cs_err *err)
{
    struct cs_names names;

    cs_names_init(&names, scratch, graph->device_count);
    for (uint32_t i = 0; i < graph->device_count; i++) {
        const char *name = cs_graph_name(graph, i, scratch);
        uint32_t other = cs_names_add(&names, name, i);

        if (other != CS_NO_NAME)
            return cs_err_at(err, CS_EINPUT, graph_where(graph), cs_graph_device(graph, i).line,
                             "device '%s' is a duplicate of line %u", name,
                             cs_graph_device(graph, other).line);
    }
    return 0;
}

static int check_bus(const struct cs_graph *graph, const struct cs_wire *wire, struct cs_err *err)
{
    struct cs_device a = cs_graph_device(graph, wire->a);
    struct cs_device b = cs_graph_device(graph, wire->b);
    int buses = (a.kind == CS_DEVICE_BUS) + (b.kind == CS_DEVICE_BUS);

    if (buses == 2)
        return cs_err_at(err, CS_EINPUT, graph_where(graph), wire->line,
                         "'%s' and '%s' are both a bus; put a switch between", a.name, b.name);
    if (buses && wire->duplex != CS_DUPLEX_BUS)
        return cs_err_at(err, CS_EINPUT, graph_where(graph), wire->line,
                         "'%s' is a bus, so '%s' needs 'duplex: bus'",
                         a.kind == CS_DEVICE_BUS ? a.name : b.name, wire->class_name);
    if (!buses && wire->duplex == CS_DUPLEX_BUS)
        return cs_err_at(err, CS_EINPUT, graph_where(graph), wire->line,
                         "'%s' has 'duplex: bus', but neither '%s' nor '%s' is a bus",
                         wire->class_name, a.name, b.name);
    return 0;
}

static int graph_check_wires(const struct cs_graph *graph, struct cs_err *err)
{
    for (uint32_t w = 0; w < graph->wire_count; w = cs_graph_next_wire(graph, w)) {
        struct cs_wire wire = cs_graph_wire(graph, w);
        double rate_Bps = cs_wire_when_up(&wire);
        int rc;

        if (wire.a == wire.b)
            return cs_err_at(err, CS_EINPUT, graph_where(graph), wire.line,
                             "'%s' is linked to itself", cs_graph_device(graph, wire.a).name);
        if (!isfinite(rate_Bps) || rate_Bps <= 0)
            return cs_err_at(err, CS_EINPUT, graph_where(graph), wire.line,
                             "the rate of '%s' is not above zero and finite", wire.class_name);
        rc = check_bus(graph, &wire, err);
        if (rc)
            return rc;
    }
    return 0;
}

static uint32_t party_count(const struct cs_graph *graph)
{
    return graph->rank_count + graph->agent_count;
}

static int check_slots(const struct cs_graph *graph, struct cs_arena *scratch, struct cs_err *err)
{
    uint8_t *taken = cs_arena_alloc(scratch, graph->device_count, 1);

    if (graph->rank_count == 0)
        return cs_err_at(err, CS_EINPUT, graph_where(graph), 0,
                         "no rank: the machine has neither a gpu nor a host");
    for (uint32_t i = 0; i < party_count(graph); i++) {
        uint32_t d = cs_graph_party_device(graph, i);
        struct cs_device device = cs_graph_device(graph, d);

        if (i < graph->rank_count && !cs_device_computes(device.kind))
            return cs_err_at(err, CS_EINPUT, graph_where(graph), device.line,
                             "'%s' is a %s and cannot be a rank; a rank is a gpu or a host",
                             device.name, cs_device_kind_name(device.kind));
        if (device.kind == CS_DEVICE_BUS)
            return cs_err_at(err, CS_EINPUT, graph_where(graph), device.line,
                             "'%s' is a bus and cannot hold a server", device.name);
        if (taken[d])
            return cs_err_at(err, CS_EINPUT, graph_where(graph), device.line,
                             "'%s' would be two ranks or servers at once", device.name);
        taken[d] = 1;
    }
    return 0;
}

/*
 * Reachability.  Connected forwarding devices form islands.  A party reaches
 * the devices on its wires, and every party on an island that its wires touch;
 * no search per pair is needed.
 */
struct islands {
    const struct cs_graph *graph;
    uint32_t *parent;            /* union-find over devices; a root names an island */
    uint32_t *stamp;             /* root or device -> the last party (+ 1) to touch it */
    struct cs_route_links links; /* of each device */
};

static void islands_join(struct islands *islands)
{
    const struct cs_graph *graph = islands->graph;

    cs_disjoint_open(islands->parent, graph->device_count);
    for (uint32_t w = 0; w < graph->wire_count; w++) {
        uint32_t a = graph->wires[w].a, b = graph->wires[w].b;

        if (cs_graph_forwards(graph, a) && cs_graph_forwards(graph, b))
            cs_disjoint_join(islands->parent, a, b);
    }
}

/* The holder of a device's stamp: the island of a forwarding device, otherwise
 * the device. */
static uint32_t graph_landing(const struct islands *islands, uint32_t device)
{
    return cs_disjoint_root(islands->parent, device);
}

/* Stamps the device's own island and every device or island on its wires. */
static void stamp_touched(const struct islands *islands, uint32_t device, uint32_t mark)
{
    islands->stamp[graph_landing(islands, device)] = mark;
    for (uint32_t i = islands->links.start[device]; i < islands->links.start[device + 1]; i++) {
        const struct cs_wire *wire = &islands->graph->wires[islands->links.links[i] / 2];

        islands->stamp[graph_landing(islands, cs_wire_far_end(wire, device))] = mark;
    }
}

/* Whether the device, or an island on its wires, has the stamp. */
static bool is_reached(const struct islands *islands, uint32_t device, uint32_t mark)
{
    if (islands->stamp[graph_landing(islands, device)] == mark)
        return true;
    for (uint32_t i = islands->links.start[device]; i < islands->links.start[device + 1]; i++) {
        const struct cs_wire *wire = &islands->graph->wires[islands->links.links[i] / 2];
        uint32_t other = cs_wire_far_end(wire, device);

        if (cs_graph_forwards(islands->graph, other) &&
            islands->stamp[graph_landing(islands, other)] == mark)
            return true;
    }
    return false;
}

/* Advances the stamp of the device's island from `mark` to `mark` + 1; false
 * for a device that does not forward, or an island that an earlier party
 * misses. */
static bool graph_move_on(const struct islands *islands, uint32_t device, uint32_t mark)
{
    uint32_t *stamp = &islands->stamp[graph_landing(islands, device)];

    if (!cs_graph_forwards(islands->graph, device) || *stamp < mark)
        return false;
    *stamp = mark + 1;
    return true;
}

/* Whether an island touches every party, the usual case, in O(wires).  The
 * islands of party 0 are candidates; a candidate survives party p when p
 * advances its stamp. */
static bool one_island_for_all(const struct islands *islands)
{
    const struct cs_graph *graph = islands->graph;

    stamp_touched(islands, cs_graph_party_device(graph, 0), 1);
    for (uint32_t p = 1; p < party_count(graph); p++) {
        uint32_t device = cs_graph_party_device(graph, p);
        bool any = graph_move_on(islands, device, p);

        for (uint32_t i = islands->links.start[device]; i < islands->links.start[device + 1]; i++) {
            uint32_t wire = islands->links.links[i] / 2;

            any |= graph_move_on(islands, cs_wire_far_end(&graph->wires[wire], device), p);
        }
        if (!any)
            return false;
    }
    return true;
}

/* Machines without a common island, such as fully connected GPUs or two
 * overlapping switches. */
static int check_each_pair(const struct islands *islands, struct cs_err *err)
{
    const struct cs_graph *graph = islands->graph;

    memset(islands->stamp, 0, graph->device_count * sizeof(*islands->stamp));
    for (uint32_t p = 0; p < party_count(graph); p++) {
        uint32_t from = cs_graph_party_device(graph, p);

        stamp_touched(islands, from, p + 1);
        for (uint32_t q = 0; q < party_count(graph); q++) {
            uint32_t to = cs_graph_party_device(graph, q);

            if (q != p && !is_reached(islands, to, p + 1) &&
                !(graph->given_routes && cs_given_routes_find(graph->given_routes, from, to)))
                return cs_err_at(
                    err, CS_EINPUT, graph_where(graph), graph->devices[to].line,
                    "'%s' cannot be reached from '%s'%s", graph->devices[to].name,
                    graph->devices[from].name,
                    graph->direct ? "" : "; only a cpu, nic, switch or bus passes messages on");
        }
    }
    return 0;
}

static int check_reach(const struct cs_graph *graph, struct cs_arena *scratch, struct cs_err *err)
{
    struct islands islands = {.graph = graph};
    size_t n = graph->device_count;

    islands.parent = cs_arena_alloc(scratch, n, sizeof(uint32_t));
    islands.stamp = cs_arena_alloc(scratch, n, sizeof(uint32_t));
    islands.links = cs_route_links_of(graph, scratch);
    islands_join(&islands);
    if (party_count(graph) < 2 || one_island_for_all(&islands))
        return 0;
    return check_each_pair(&islands, err);
}

bool cs_graph_needs_relays(const struct cs_graph *graph)
{
    struct cs_graph relaying = *graph;
    struct cs_arena scratch = {0};
    struct cs_err ignored = {0};
    bool needs;

    relaying.direct = true;
    needs = check_reach(graph, &scratch, &ignored) && !check_reach(&relaying, &scratch, &ignored);
    cs_arena_free(&scratch);
    return needs;
}

int cs_graph_check(const struct cs_graph *graph, struct cs_err *err)
{
    CS_AT_END(cs_arena_free) struct cs_arena scratch = {0};
    bool is_read = *graph->file || !graph->route;
    int rc = is_read ? graph_check_names(graph, &scratch, err) : 0;

    if (!rc)
        rc = graph_check_wires(graph, err);
    if (!rc)
        rc = check_slots(graph, &scratch, err);
    if (!rc && !graph->route)
        rc = check_reach(graph, &scratch, err);
    return rc;
}

/*
 * dragonfly: fully connected groups of fully connected routers.
 *
 *     group 0: router0 -- router1       every router has p hosts, a - 1 wires
 *                    \    /             to its group, h to other groups
 *                   router2 ---- group 1 ...
 *
 * J. Kim, W. Dally, S. Scott, D. Abts, Technology-driven, highly-scalable
 * dragonfly topology, ISCA 2008.  The default is balanced, a = 2p = 2h, with
 * the least h for the number of hosts.  At most a h + 1 groups; two groups have
 * a single wire.  The ends are spread over the routers: the wire to the group j
 * + 1 further on begins at router j mod a.
 *
 * Minimal routes: to the router with the wire to the destination's group, over
 * the wire, to the destination's router.
 *
 * Wires: hosts; then those inside groups, group by group, then between
 * groups, both in the order (0,1) (0,2) .. (1,2) ...
 */
#include "sim/base/divisor.h"
#include "topo/generators/cluster/cluster.h"
#include "topo/generators/cluster/groups.h"

#include <assert.h>

enum {
    ROUTERS_MAX = 4096 /* of a group */
};

static uint32_t group_count(const struct cs_fabric *fabric)
{
    uint32_t hosts = fabric->hosts * fabric->routers;

    return (uint32_t)cs_divide_up(fabric->ports, hosts);
}

/* The router of a group with the wire to another group. */
static uint32_t dragonfly_gate(const struct cs_fabric *fabric, uint32_t group, uint32_t other,
                               uint32_t groups)
{
    assert(groups > 0 && fabric->routers > 0); /* plan */
    return (other + groups - group - 1) % groups % fabric->routers;
}

/* Balanced: a p = 2 h^2 hosts per group, and a h + 1 = 2 h^2 + 1 groups. */
static void dragonfly_balance(struct cs_fabric *fabric)
{
    uint64_t h = 1;

    while (2 * h * h * (2 * h * h + 1) < fabric->ports)
        h++;
    if (!fabric->hosts)
        fabric->hosts = (uint32_t)h;
    if (!fabric->routers)
        fabric->routers = (uint32_t)(2 * h);
    if (!fabric->globals)
        fabric->globals = (uint32_t)h;
}

static int dragonfly_plan(struct cs_fabric *fabric, struct cs_err *err)
{
    uint64_t most;
    uint32_t groups;

    dragonfly_balance(fabric);
    if (fabric->routers > ROUTERS_MAX || fabric->globals > ROUTERS_MAX ||
        fabric->hosts > ROUTERS_MAX)
        return cs_err_set(err, CS_EINPUT,
                          "a dragonfly's hosts, routers and globals are at most %d each",
                          ROUTERS_MAX);
    groups = group_count(fabric);
    most = (uint64_t)fabric->routers * fabric->globals + 1;
    if (groups > most)
        return cs_err_set(err, CS_EINPUT,
                          "a dragonfly of %u routers in a group, each with %u hosts and %u global "
                          "links, has at most %llu hosts, not %u",
                          fabric->routers, fabric->hosts, fabric->globals,
                          (unsigned long long)most * fabric->routers * fabric->hosts,
                          fabric->ports);
    fabric->devices = (uint64_t)groups * fabric->routers;
    fabric->wires = fabric->ports + (uint64_t)groups * cs_groups_pairs(fabric->routers) +
                    (uint64_t)groups * (groups - 1) / 2;
    fabric->max_hops = 5;
    return 0;
}

static void dragonfly_add(const struct cs_fabric *fabric, struct cs_graph *graph,
                          const uint32_t *port, const char *prefix)
{
    uint32_t groups = group_count(fabric);
    uint32_t a = fabric->routers, first = fabric->first_device;

    for (uint32_t i = 0; i < groups * a; i++)
        cs_fabric_switch(fabric, graph, prefix, "router", i);
    for (uint32_t p = 0; p < fabric->ports; p++)
        cs_fabric_wire(fabric, graph, port[p], first + p / fabric->hosts);
    for (uint32_t g = 0; g < groups; g++)
        for (uint32_t low = 0; low < a; low++)
            for (uint32_t high = low + 1; high < a; high++)
                cs_fabric_wire(fabric, graph, first + g * a + low, first + g * a + high);
    for (uint32_t low = 0; low < groups; low++)
        for (uint32_t high = low + 1; high < groups; high++)
            cs_fabric_wire(fabric, graph,
                           first + low * a + dragonfly_gate(fabric, low, high, groups),
                           first + high * a + dragonfly_gate(fabric, high, low, groups));
}

static uint32_t dragonfly_along(const struct cs_fabric *fabric, uint32_t wire, bool is_up)
{
    return is_up ? cs_fabric_up(fabric, wire) : cs_fabric_down(fabric, wire);
}

/* Between two routers of a group: a single link, or none. */
static uint32_t dragonfly_inside(const struct cs_fabric *fabric, uint32_t group, uint32_t from,
                                 uint32_t to, uint32_t *links)
{
    uint32_t a = fabric->routers;

    if (from == to)
        return 0;
    links[0] = dragonfly_along(
        fabric, fabric->ports + group * cs_groups_pairs(a) + cs_groups_pair(from, to, a),
        from < to);
    return 1;
}

static uint32_t dragonfly_route(const struct cs_fabric *fabric, uint32_t src, uint32_t dst,
                                uint32_t *links)
{
    uint32_t a = fabric->routers;
    uint32_t groups = group_count(fabric);
    uint32_t from = src / fabric->hosts, to = dst / fabric->hosts, home = from / a;
    uint32_t goal = to / a, hops = 0;

    links[hops++] = cs_fabric_up(fabric, src);
    from %= a;
    if (home != goal) {
        uint32_t out = dragonfly_gate(fabric, home, goal, groups);

        hops += dragonfly_inside(fabric, home, from, out, links + hops);
        links[hops++] = dragonfly_along(fabric,
                                        fabric->ports + groups * cs_groups_pairs(a) +
                                            cs_groups_pair(home, goal, groups),
                                        home < goal);
        from = dragonfly_gate(fabric, goal, home, groups);
    }
    hops += dragonfly_inside(fabric, goal, from, to % a, links + hops);
    links[hops++] = cs_fabric_down(fabric, dst);
    return hops;
}

const struct cs_fabric_kind cs_fabric_dragonfly = {
    .name = "dragonfly",
    .shape = CS_FABRIC_GROUPS,
    .about = "groups of routers, all joined: hosts=P, routers=A, globals=H; minimal routes",
    .plan = dragonfly_plan,
    .add = dragonfly_add,
    .route = dragonfly_route,
};

const struct cs_source cs_source_dragonfly = {
    .name = "dragonfly",
    .usage = "dragonfly:ranks=N[,hosts=P][,routers=A][,globals=H]" CS_CLUSTER_USAGE,
    .about = "groups of A routers with P hosts and H global links each; balanced by default",
    .build = cs_cluster_build,
    .fabric = &cs_fabric_dragonfly,
};

/*
 * dragonfly+: fully connected groups of leaves and spines.
 *
 *     group 0: spine0   spine1 ---- group 1      a leaf has p hosts and a wire
 *                |  \ /  |   \----- group 2      to each of s spines; a spine
 *              leaf0    leaf1                    has a wire to each of a leaves
 *              | | |    | | |                    and h to other groups
 *
 * A. Shpiner, Z. Haramaty, S. Eliad, V. Zdornov, B. Gafni, E. Zahavi,
 * Dragonfly+: low cost topology for scaling datacenters, HiPINEB 2017.
 * The default is balanced, p = a = s = h, with the least h for the number of
 * hosts.  At most s h + 1 groups.  The s h global links of a group are divided
 * evenly among the other groups; the ends are spread over the spines: wire j to
 * the group i + 1 further on begins at spine (i times wires + j) mod s.
 *
 * Minimal routes: up to a spine with a wire to the destination's group, over
 * the wire, down.  The destination's number selects among spines of a group,
 * and among wires between two groups (D-mod-k).
 *
 * Wires: hosts; leaves to spines, group by group; then between groups.
 */
#include "topo/generators/cluster/cluster.h"
#include "topo/generators/cluster/groups.h"

#include <assert.h>

enum {
    SWITCHES_MAX = 4096 /* leaves or spines of a group */
};

/* Numbers derived from the parameters. */
struct dragonfly_plus {
    uint32_t leaves, spines; /* of a group */
    uint32_t groups;
    uint32_t wires; /* between two groups */
};

static struct dragonfly_plus dragonfly_plus_of(const struct cs_fabric *fabric)
{
    uint32_t hosts = fabric->hosts * fabric->routers;
    struct dragonfly_plus s = {.leaves = fabric->routers, .spines = fabric->spines};

    s.groups = (uint32_t)(((uint64_t)fabric->ports + hosts - 1) / hosts);
    if (s.groups > 1)
        s.wires = fabric->spines * fabric->globals / (s.groups - 1);
    return s;
}

/* Balanced: k^2 hosts per group, and k^2 + 1 groups. */
static void dragonfly_plus_balance(struct cs_fabric *fabric)
{
    uint64_t k = 1;

    while (k * k * (k * k + 1) < fabric->ports)
        k++;
    if (!fabric->hosts)
        fabric->hosts = (uint32_t)k;
    if (!fabric->routers)
        fabric->routers = (uint32_t)k;
    if (!fabric->spines)
        fabric->spines = (uint32_t)k;
    if (!fabric->globals)
        fabric->globals = (uint32_t)k;
}

static int dragonfly_plus_plan(struct cs_fabric *fabric, struct cs_err *err)
{
    struct dragonfly_plus s;

    dragonfly_plus_balance(fabric);
    if (fabric->routers > SWITCHES_MAX || fabric->spines > SWITCHES_MAX ||
        fabric->globals > SWITCHES_MAX || fabric->hosts > SWITCHES_MAX)
        return cs_err_set(err, CS_EINPUT,
                          "a dragonfly+'s hosts, routers, spines and globals are at most %d each",
                          SWITCHES_MAX);
    s = dragonfly_plus_of(fabric);
    if (s.groups > 1 && s.wires == 0)
        return cs_err_set(err, CS_EINPUT,
                          "a dragonfly+ of %u leaves of %u hosts and %u spines with %u global "
                          "links in a group has at most %llu hosts, not %u",
                          s.leaves, fabric->hosts, s.spines, fabric->globals,
                          ((unsigned long long)s.spines * fabric->globals + 1) * s.leaves *
                              fabric->hosts,
                          fabric->ports);
    fabric->devices = (uint64_t)s.groups * (s.leaves + s.spines);
    fabric->wires = fabric->ports + (uint64_t)s.groups * s.leaves * s.spines +
                    (uint64_t)s.groups * (s.groups - 1) / 2 * s.wires;
    fabric->max_hops = 5;
    return 0;
}

/* The spine of a group with wire j to another group. */
static uint32_t dragonfly_plus_gate(const struct dragonfly_plus *s, uint32_t group, uint32_t other,
                                    uint32_t j)
{
    uint32_t i = (other + s->groups - group - 1) % s->groups;

    assert(s->spines > 0); /* plan */
    return (i * s->wires + j) % s->spines;
}

static void dragonfly_plus_add(const struct cs_fabric *fabric, struct cs_graph *graph,
                               const uint32_t *port, const char *prefix)
{
    struct dragonfly_plus s = dragonfly_plus_of(fabric);
    uint32_t leaf = fabric->first_device, spine = leaf + s.groups * s.leaves;

    for (uint32_t i = 0; i < s.groups * s.leaves; i++)
        cs_fabric_switch(fabric, graph, prefix, "leaf", i);
    for (uint32_t i = 0; i < s.groups * s.spines; i++)
        cs_fabric_switch(fabric, graph, prefix, "spine", i);
    for (uint32_t p = 0; p < fabric->ports; p++)
        cs_fabric_wire(fabric, graph, port[p], leaf + p / fabric->hosts);
    for (uint32_t l = 0; l < s.groups * s.leaves; l++)
        for (uint32_t i = 0; i < s.spines; i++)
            cs_fabric_wire(fabric, graph, leaf + l, spine + l / s.leaves * s.spines + i);
    for (uint32_t low = 0; low < s.groups; low++)
        for (uint32_t high = low + 1; high < s.groups; high++)
            for (uint32_t j = 0; j < s.wires; j++)
                cs_fabric_wire(fabric, graph,
                               spine + low * s.spines + dragonfly_plus_gate(&s, low, high, j),
                               spine + high * s.spines + dragonfly_plus_gate(&s, high, low, j));
}

static uint32_t dragonfly_plus_route(const struct cs_fabric *fabric, uint32_t src, uint32_t dst,
                                     uint32_t *links)
{
    struct dragonfly_plus s = dragonfly_plus_of(fabric);
    uint32_t from = src / fabric->hosts, to = dst / fabric->hosts, home = from / s.leaves;
    uint32_t goal = to / s.leaves, up = dst % s.spines, down = up, hops = 0;

    links[hops++] = cs_fabric_up(fabric, src);
    if (home != goal) {
        uint32_t j = dst % (s.wires ? s.wires : 1);
        uint32_t wire = fabric->ports + s.groups * s.leaves * s.spines +
                        cs_groups_pair(home, goal, s.groups) * s.wires + j;

        up = dragonfly_plus_gate(&s, home, goal, j);
        down = dragonfly_plus_gate(&s, goal, home, j);
        links[hops++] = cs_fabric_up(fabric, fabric->ports + from * s.spines + up);
        links[hops++] = home < goal ? cs_fabric_up(fabric, wire) : cs_fabric_down(fabric, wire);
    } else if (from != to) {
        links[hops++] = cs_fabric_up(fabric, fabric->ports + from * s.spines + up);
    }
    if (from != to)
        links[hops++] = cs_fabric_down(fabric, fabric->ports + to * s.spines + down);
    links[hops++] = cs_fabric_down(fabric, dst);
    return hops;
}

const struct cs_fabric_kind cs_fabric_dragonfly_plus = {
    .name = "dragonfly+",
    .shape = CS_FABRIC_GROUPS_OF_TREES,
    .about = "groups of leaves and spines, all joined: hosts=P, routers=A leaves, spines=S, "
             "globals=H; minimal routes",
    .plan = dragonfly_plus_plan,
    .add = dragonfly_plus_add,
    .route = dragonfly_plus_route,
};

const struct cs_source cs_source_dragonfly_plus = {
    .name = "dragonfly+",
    .usage = "dragonfly+:ranks=N[,hosts=P][,routers=A][,spines=S][,globals=H]" CS_CLUSTER_USAGE,
    .about = "groups of A leaves with P hosts and S spines with H global links each; balanced by "
             "default",
    .build = cs_cluster_build,
    .fabric = &cs_fabric_dragonfly_plus,
};

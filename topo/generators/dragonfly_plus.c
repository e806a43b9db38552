/*
 * dragonfly+: groups of leaves and spines, and groups all joined.
 *
 *     group 0: spine0   spine1 ---- group 1      a leaf has p hosts and a wire
 *                |  \ /  |   \----- group 2      to each of s spines; a spine
 *              leaf0    leaf1                    has a wire to each of a leaves
 *              | | |    | | |                    and h to other groups
 *
 * A. Shpiner, Z. Haramaty, S. Eliad, V. Zdornov, B. Gafni, E. Zahavi,
 * Dragonfly+: low cost topology for scaling datacenters, HiPINEB 2017.
 * Balanced where p = a = s = h, which is what is taken where nothing is said:
 * the least that has room.  At most s h + 1 groups; any two have as many wires
 * as s h of a group allow, whose ends go round the spines: wire j towards the
 * group that is i + 1 further on is at spine (i times wires + j) mod s.
 *
 * Minimal routes: up to the spine with a wire to the group, over it, down.
 * Where there is a choice, of spines in a group or of wires between two, the
 * destination's number says (D-mod-k).
 *
 * Wires: hosts; leaves to spines, group by group; then between groups.
 */
#include "topo/generators/cluster.h"
#include "topo/generators/groups.h"

#include <assert.h>

enum {
    SWITCHES_MAX = 4096 /* leaves or spines of a group */
};

/* What follows from the numbers of a fabric. */
struct shape {
    uint32_t leaves, spines; /* of a group */
    uint32_t groups;
    uint32_t wires; /* between two groups */
};

static struct shape shape_of(const struct cs_fabric *fabric)
{
    uint32_t hosts = fabric->hosts * fabric->routers;
    struct shape shape = {.leaves = fabric->routers, .spines = fabric->spines};

    shape.groups = (uint32_t)(((uint64_t)fabric->ports + hosts - 1) / hosts);
    if (shape.groups > 1)
        shape.wires = fabric->spines * fabric->globals / (shape.groups - 1);
    return shape;
}

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
    struct shape s;

    dragonfly_plus_balance(fabric);
    if (fabric->routers > SWITCHES_MAX || fabric->spines > SWITCHES_MAX ||
        fabric->globals > SWITCHES_MAX || fabric->hosts > SWITCHES_MAX)
        return cs_err_set(err, CS_EINPUT,
                          "a dragonfly+'s hosts, routers, spines and globals "
                          "are at most %d each",
                          SWITCHES_MAX);
    s = shape_of(fabric);
    if (s.groups > 1 && s.wires == 0)
        return cs_err_set(
            err, CS_EINPUT,
            "a dragonfly+ of %u leaves of %u hosts and %u spines with %u ways "
            "out in a group has at most %llu hosts, not %u",
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

/* The spine that has wire j to another group. */
static uint32_t dragonfly_plus_gate(const struct shape *s, uint32_t group,
                                    uint32_t other, uint32_t j)
{
    uint32_t i = (other + s->groups - group - 1) % s->groups;

    assert(s->spines > 0); /* plan */
    return (i * s->wires + j) % s->spines;
}

static void dragonfly_plus_add(const struct cs_fabric *fabric,
                               struct cs_graph *graph, const uint32_t *port,
                               const char *prefix)
{
    struct shape s = shape_of(fabric);
    uint32_t leaf = fabric->first_device;
    uint32_t spine = leaf + s.groups * s.leaves;

    for (uint32_t i = 0; i < s.groups * s.leaves; i++)
        cs_fabric_switch(graph, prefix, "leaf", i);
    for (uint32_t i = 0; i < s.groups * s.spines; i++)
        cs_fabric_switch(graph, prefix, "spine", i);
    for (uint32_t p = 0; p < fabric->ports; p++)
        cs_fabric_wire(fabric, graph, port[p], leaf + p / fabric->hosts);
    for (uint32_t l = 0; l < s.groups * s.leaves; l++)
        for (uint32_t i = 0; i < s.spines; i++)
            cs_fabric_wire(fabric, graph, leaf + l,
                           spine + l / s.leaves * s.spines + i);
    for (uint32_t low = 0; low < s.groups; low++)
        for (uint32_t high = low + 1; high < s.groups; high++)
            for (uint32_t j = 0; j < s.wires; j++)
                cs_fabric_wire(fabric, graph,
                               spine + low * s.spines +
                                   dragonfly_plus_gate(&s, low, high, j),
                               spine + high * s.spines +
                                   dragonfly_plus_gate(&s, high, low, j));
}

static uint32_t dragonfly_plus_route(const struct cs_fabric *fabric,
                                     uint32_t src, uint32_t dst,
                                     uint32_t *links)
{
    struct shape s = shape_of(fabric);
    uint32_t from = src / fabric->hosts;
    uint32_t to = dst / fabric->hosts;
    uint32_t home = from / s.leaves;
    uint32_t goal = to / s.leaves;
    uint32_t up = dst % s.spines;
    uint32_t down = up;
    uint32_t hops = 0;

    links[hops++] = cs_fabric_up(fabric, src);
    if (home != goal) {
        uint32_t j = dst % (s.wires ? s.wires : 1);
        uint32_t wire = fabric->ports + s.groups * s.leaves * s.spines +
                        cs_groups_pair(home, goal, s.groups) * s.wires + j;

        up = dragonfly_plus_gate(&s, home, goal, j);
        down = dragonfly_plus_gate(&s, goal, home, j);
        links[hops++] =
            cs_fabric_up(fabric, fabric->ports + from * s.spines + up);
        links[hops++] = home < goal ? cs_fabric_up(fabric, wire)
                                    : cs_fabric_down(fabric, wire);
    } else if (from != to) {
        links[hops++] =
            cs_fabric_up(fabric, fabric->ports + from * s.spines + up);
    }
    if (from != to)
        links[hops++] =
            cs_fabric_down(fabric, fabric->ports + to * s.spines + down);
    links[hops++] = cs_fabric_down(fabric, dst);
    return hops;
}

const struct cs_fabric_kind cs_fabric_dragonfly_plus = {
    .name = "dragonfly+",
    .shape = CS_FABRIC_GROUPS_OF_TREES,
    .about = "groups of leaves and spines, all joined: hosts=P, routers=A "
             "leaves, spines=S, globals=H; minimal routes",
    .plan = dragonfly_plus_plan,
    .add = dragonfly_plus_add,
    .route = dragonfly_plus_route,
};

static int dragonfly_plus_build(const struct cs_topo_request *request,
                                const char *parameters, struct cs_graph *graph,
                                struct cs_err *err)
{
    return cs_cluster_build(request, &cs_fabric_dragonfly_plus, parameters,
                            graph, err);
}

const struct cs_source cs_source_dragonfly_plus = {
    .name = "dragonfly+",
    .usage = "dragonfly+:ranks=N[,hosts=P][,routers=A][,spines=S]"
             "[,globals=H]" CS_CLUSTER_USAGE,
    .about = "groups of A leaves with P hosts and S spines with H ways out "
             "each; balanced where nothing is said",
    .build = dragonfly_plus_build,
};

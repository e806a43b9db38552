/*
 * fat-tree: leaves, spines and, with three tiers, cores; folded Clos.
 *
 *     core0   core1              k = radix, ports of a switch
 *       |  \ /  |                d = ports of a leaf for hosts, u = up
 *     spine0   spine1            d / u = oversubscription, d + u <= k
 *       |  \ /  |
 *     leaf0    leaf1             leaf l has hosts l d .. l d + d - 1
 *     | | |    | | |
 *
 * d and u are the largest numbers with that quotient: 2:1 on 64 ports is 42
 * down and 21 up, and a port of the leaf is idle.
 *
 * Two tiers: every leaf has a wire to each of u spines; at most k leaves.
 * Three tiers: pods of k/2 leaves and u spines, joined likewise; spine i of
 * every pod has a wire to cores i k/2 .. i k/2 + k/2 - 1; at most k pods.  With
 * 1:1 the tree is the k-ary fat tree of k^3/4 hosts (M. Al-Fares, A. Loukissas,
 * A. Vahdat, SIGCOMM 2008).  A tree with all hosts on one leaf has no spines.
 *
 * pod=P, core-oversubscription= and chassis=C: pods of P leaves; of the wires of a spine, the
 * fewest up with no more than that quotient; and switches of C ports above the leaves.  A
 * chassis is as many spines of its pod, or cores, as it has ports for: those with equal
 * number modulo the number of chassis.
 *
 * Routes go up, then down.  The path up is selected by the destination's number
 * modulo u, then by the next digit modulo the wires of a spine up (D-mod-k: E. Zahavi, Fat-tree
 * routing and node ordering, J. Parallel Distrib. Comput. 72, 2012): all paths
 * to a host converge, and neighbours use different paths.  With ECMP a hash
 * selects.
 *
 * Wires: hosts to leaves, leaves to spines, spines to cores.
 */
#include "topo/generators/cluster/cluster.h"

#include "sim/base/divisor.h"

#include <assert.h>
#include <string.h>

enum {
    DEFAULT_RADIX = 64 /* of a Quantum-2 switch, QM9700: 64 ports of NDR */
};

struct fat_tree {
    uint32_t k, d, u;       /* as above */
    uint32_t pod;           /* leaves of a pod */
    uint64_t above;         /* wires of a spine to cores */
    uint32_t box;           /* ports of a switch above the leaves */
    uint32_t leaves, pods;  /* with hosts */
    uint32_t each;          /* boxes of spines in a pod */
    uint32_t spines, cores; /* boxes */
};

/* The boxes for so many switches with `ports` each. */
static uint32_t boxes_for(const struct cs_fabric *fabric, uint64_t switches, uint64_t ports)
{
    uint64_t of_box = fabric->chassis / ports;

    return (uint32_t)(of_box ? cs_divide_up(switches, of_box) : switches);
}

/* Derived on each use: a fabric stores the parameters only. */
static struct fat_tree tree_of(const struct cs_fabric *fabric)
{
    struct fat_tree t = {.k = fabric->radix,
                         .pod = fabric->pod ? fabric->pod : fabric->radix / 2,
                         .box = fabric->chassis ? fabric->chassis : fabric->radix};
    uint32_t shares = t.k / (fabric->leaf.down + fabric->leaf.up);

    t.u = shares * fabric->leaf.up;
    t.d = shares * fabric->leaf.down;
    t.above = cs_divide_up((uint64_t)t.pod * fabric->spine.up, fabric->spine.down);
    assert(t.u > 0 && t.d > 0); /* check_radix */
    t.leaves = (uint32_t)cs_divide_up(fabric->ports, t.d);
    t.pods = (uint32_t)cs_divide_up(t.leaves, t.pod);
    if (fabric->tiers == 2)
        t.spines = t.each = boxes_for(fabric, t.u, t.leaves);
    if (fabric->tiers == 3) {
        t.each = boxes_for(fabric, t.u, t.pod + t.above);
        t.spines = t.pods * t.each;
        t.cores = boxes_for(fabric, t.u * t.above, t.pods);
    }
    return t;
}

static int check_radix(struct cs_fabric *fabric, struct cs_err *err)
{
    if (!fabric->radix)
        fabric->radix = DEFAULT_RADIX;
    if (!fabric->leaf.down)
        fabric->leaf = (struct cs_fabric_share){1, 1};
    if (!fabric->spine.down)
        fabric->spine = (struct cs_fabric_share){1, 1};
    if (fabric->radix % 2 || fabric->radix > CS_FABRIC_RADIX_MAX)
        return cs_err_set(err, CS_EINPUT,
                          "a fat tree of switches with %u ports; expected an even number up to %d",
                          fabric->radix, CS_FABRIC_RADIX_MAX);
    if (fabric->radix < fabric->leaf.down + fabric->leaf.up)
        return cs_err_set(
            err, CS_EINPUT, "%u ports of a leaf cannot be split %u:%u; that takes at least %u",
            fabric->radix, fabric->leaf.down, fabric->leaf.up, fabric->leaf.down + fabric->leaf.up);
    return 0;
}

/* Ports of the switches above the leaves. */
static int check_boxes(const struct cs_fabric *fabric, struct cs_err *err)
{
    struct fat_tree t = tree_of(fabric);
    uint32_t most = fabric->tiers == 1 ? 1 : t.box;

    if (fabric->tiers < 3 && t.leaves > most)
        return cs_err_set(err, CS_EINPUT,
                          "%u ports need %u leaves of %u, and %u tier%s of radix %u take%s %u; "
                          "write tiers=3 or a larger radix",
                          fabric->ports, t.leaves, t.d, fabric->tiers,
                          fabric->tiers == 1 ? "" : "s", t.box, fabric->tiers == 1 ? "s" : "",
                          most);
    if (fabric->tiers == 2 && fabric->pod && t.pods > 1)
        return cs_err_set(err, CS_EINPUT,
                          "%u leaves are %u pods of %u, which two tiers do not join; write tiers=3",
                          t.leaves, t.pods, t.pod);
    if (fabric->tiers == 3 && t.pod + t.above > t.box)
        return cs_err_set(err, CS_EINPUT,
                          "a spine has %u ports to the leaves of a pod and %llu to cores, and a "
                          "switch %u; write a larger chassis= or a smaller pod=",
                          t.pod, (unsigned long long)t.above, t.box);
    if (t.pods > t.box)
        return cs_err_set(
            err, CS_EINPUT,
            "a fat tree of switches with %u ports has at most %llu hosts, not %u; write a larger "
            "radix= or chassis=",
            t.box, (unsigned long long)t.box * t.pod * t.d, fabric->ports);
    return 0;
}

static int fat_tree_plan(struct cs_fabric *fabric, struct cs_err *err)
{
    struct fat_tree t;
    int rc = check_radix(fabric, err);

    if (rc)
        return rc;
    t = tree_of(fabric);
    if (!fabric->tiers)
        fabric->tiers = t.leaves == 1                                        ? 1
                        : t.leaves <= t.box && (!fabric->pod || t.pods == 1) ? 2
                                                                             : 3;
    rc = check_boxes(fabric, err);
    if (rc)
        return rc;
    t = tree_of(fabric);
    fabric->devices = (uint64_t)t.leaves + t.spines + t.cores;
    fabric->wires = fabric->ports;
    if (fabric->tiers >= 2)
        fabric->wires += (uint64_t)t.leaves * t.u;
    if (fabric->tiers == 3)
        fabric->wires += t.above * t.u * t.pods;
    fabric->max_hops = 2 * fabric->tiers;
    return 0;
}

/* A single note for all rails, which have equal trees. */
static void fat_tree_note_idle(const struct cs_fabric *fabric, struct cs_graph *graph)
{
    struct fat_tree t = tree_of(fabric);
    uint32_t idle = t.k - t.d - t.u;

    for (uint32_t i = 0; i < graph->note_count; i++)
        if (strncmp(graph->notes[i], "a leaf has", 10) == 0)
            return;
    if (idle && t.spines)
        cs_graph_note(graph, "a leaf has %u ports down and %u up; %u of its %u %s idle", t.d, t.u,
                      idle, t.k, idle == 1 ? "is" : "are");
}

/* The box of spine i above a leaf. */
static uint32_t spine_box(const struct fat_tree *t, const struct cs_fabric *fabric, uint32_t leaf,
                          uint32_t i)
{
    return i % t->each + (fabric->tiers == 3 ? leaf / t->pod * t->each : 0);
}

static void fat_tree_add(const struct cs_fabric *fabric, struct cs_graph *graph,
                         const uint32_t *port, const char *prefix)
{
    struct fat_tree t = tree_of(fabric);
    uint32_t leaf = fabric->first_device, spine = leaf + t.leaves, core = spine + t.spines;

    fat_tree_note_idle(fabric, graph);
    for (uint32_t i = 0; i < t.leaves; i++)
        cs_fabric_switch(fabric, graph, prefix, "leaf", i);
    for (uint32_t i = 0; i < t.spines; i++)
        cs_fabric_switch(fabric, graph, prefix, "spine", i);
    for (uint32_t i = 0; i < t.cores; i++)
        cs_fabric_switch(fabric, graph, prefix, "core", i);
    for (uint32_t p = 0; p < fabric->ports; p++)
        cs_fabric_wire(fabric, graph, port[p], leaf + p / t.d);
    for (uint32_t l = 0; t.spines && l < t.leaves; l++)
        for (uint32_t i = 0; i < t.u; i++)
            cs_fabric_wire(fabric, graph, leaf + l, spine + spine_box(&t, fabric, l, i));
    for (uint32_t l = 0; t.cores && l < t.leaves; l += t.pod)
        for (uint32_t c = 0; c < t.u * t.above; c++)
            cs_fabric_wire(fabric, graph, spine + spine_box(&t, fabric, l, (uint32_t)(c / t.above)),
                           core + c % t.cores);
}

static uint32_t fat_tree_route(const struct cs_fabric *fabric, uint32_t src, uint32_t dst,
                               uint32_t *links)
{
    struct fat_tree t = tree_of(fabric);
    uint32_t from = src / t.d, to = dst / t.d;
    bool over_core = fabric->tiers == 3 && from / t.pod != to / t.pod;
    uint32_t above = (uint32_t)t.above; /* fits a switch */
    uint32_t paths = from == to ? 1 : over_core ? t.u * above : t.u;
    uint64_t choice = cs_fabric_choose(fabric, src, dst, paths);
    uint32_t i = (uint32_t)(choice % t.u);
    uint32_t hops = 0;

    links[hops++] = cs_fabric_up(fabric, src);
    if (from != to) {
        uint32_t first = fabric->ports;

        links[hops++] = cs_fabric_up(fabric, first + from * t.u + i);
        if (over_core) {
            uint32_t j = (uint32_t)(choice / t.u % above);
            uint32_t cores = first + t.leaves * t.u, spine = from / t.pod * t.u + i;

            links[hops++] = cs_fabric_up(fabric, cores + spine * above + j);
            spine = to / t.pod * t.u + i;
            links[hops++] = cs_fabric_down(fabric, cores + spine * above + j);
        }
        links[hops++] = cs_fabric_down(fabric, first + to * t.u + i);
    }
    links[hops++] = cs_fabric_down(fabric, dst);
    return hops;
}

const struct cs_fabric_kind cs_fabric_fat_tree = {
    .name = "fat-tree",
    .shape = CS_FABRIC_TREE,
    .about = "a folded Clos of two or three tiers: radix=K, tiers=2|3, oversubscription=N|N:M, "
             "pod=LEAVES, "
             "core-oversubscription=N|N:M, chassis=PORTS",
    .plan = fat_tree_plan,
    .add = fat_tree_add,
    .route = fat_tree_route,
};

const struct cs_source cs_source_fat_tree = {
    .name = "fat-tree",
    .usage =
        "fat-tree:ranks=N,radix=K,tiers=2|3,oversubscription=N|N:M[,pod=LEAVES]"
        "[,core-oversubscription=N|N:M][,chassis=PORTS][,routing=static|ecmp]" CS_CLUSTER_USAGE,
    .about = "hosts under leaves, spines and cores of K ports each",
    .build = cs_cluster_build,
    .fabric = &cs_fabric_fat_tree,
};

/*
 * Fabrics: the inter-node network, between the ports of nodes.
 *
 * A port is an existing device: a NIC of a node, or a host.  A fabric adds
 * switches and wires, all of one class, and computes the links between two
 * ports by arithmetic, without a table: a route costs O(hops) and no memory.
 * Order of calls: set the parameters (0: default of the fabric), plan, add,
 * route.
 *
 * A new fabric is a file with a const struct, and a line in fabrics.def.
 */
#pragma once

#include "topo/graph/graph.h"
#include "topo/graph/routing.h"

#include <stddef.h>

struct cs_route_choice;

enum {
    CS_FABRIC_DIMS_MAX = 20,
    CS_FABRIC_RADIX_MAX = 4096
};

struct cs_fabric_kind;

/* Quotient of a switch's ports down and up, in lowest terms; 0: 1 to 1. */
struct cs_fabric_share {
    uint32_t down, up;
};

/* The parameters of a fabric, and the results of plan and add. */
struct cs_fabric {
    const struct cs_fabric_kind *kind;
    uint32_t ports;
    struct cs_wire wire; /* of every wire, except the ends */
    enum cs_routing routing;
    uint64_t seed;
    struct cs_route_choice *choice; /* NULL: none; see sim/net/net.h */
    bool reduces;                   /* switches with in-network reduction */
    /* Of trees. */
    uint32_t radix; /* ports of a switch */
    uint32_t tiers; /* of switches */
    struct cs_fabric_share leaf, spine;
    uint32_t pod;     /* leaves of a pod; 0: half the radix */
    uint32_t chassis; /* ports of a switch above the leaves; 0: radix */
    /* Of dragonflies. */
    uint32_t hosts;   /* ports of a router for hosts */
    uint32_t routers; /* of a group; of a dragonfly+: leaves */
    uint32_t spines;  /* of a dragonfly+'s group */
    uint32_t globals; /* global links of a router, to other groups */
    /* Of tori. */
    uint32_t dims[CS_FABRIC_DIMS_MAX];
    uint32_t dim_count;
    void *given;   /* of a kind that no name selects: its network */
    uint32_t rail; /* of the fabrics of a cluster, this one */
    /* Set by plan. */
    uint64_t devices; /* added by the fabric */
    uint64_t wires;
    uint32_t max_hops;
    /* Set by cs_fabric_add. */
    uint32_t first_device;
    uint32_t first_wire;
    /* In the folded form of a star, the ports' wires belong to the nodes: of
     * the `each_wires` wires of a node, `each_ports` lead to this fabric, at a
     * distance of `step`.  each_ports 0: the wires are consecutive. */
    uint32_t each_ports, each_wires, step;
};

/* The set of parameters that a kind takes. */
enum cs_fabric_shape {
    CS_FABRIC_PLAIN,
    CS_FABRIC_TREE,
    CS_FABRIC_GROUPS,
    CS_FABRIC_GROUPS_OF_TREES,
    CS_FABRIC_GRID,
};

struct cs_fabric_kind {
    const char *name;  /* "fat-tree" */
    const char *about; /* one line */
    enum cs_fabric_shape shape;
    bool is_per_nic; /* by default a fabric per NIC of a node */
    uint32_t planes; /* the number of fabrics; 0: as rails= says */
    bool is_star;    /* a switch, and a wire per port */
    /* Sets defaults of zero parameters, and the results of plan; CS_EINPUT for
     * impossible parameters. */
    int (*plan)(struct cs_fabric *fabric, struct cs_err *err);
    /* Adds devices and wires; wires 0 .. ports - 1 lead to the ports, except in
     * grids and meshes.  `port` has the devices of the ports. */
    void (*add)(const struct cs_fabric *fabric, struct cs_graph *graph, const uint32_t *port,
                const char *prefix);
    /* As cs_route_fn, but between ports, src != dst. */
    uint32_t (*route)(const struct cs_fabric *fabric, uint32_t src, uint32_t dst, uint32_t *links);
};

extern const struct cs_fabric_kind *const cs_fabric_kinds[];
extern const size_t cs_fabric_kind_count;

/* The kind with a name; CS_EINPUT with the nearest name. */
int cs_fabric_kind_find(const char *name, const struct cs_fabric_kind **kind, struct cs_err *err);

/* Adds the planned fabric; names of devices begin with the prefix. */
void cs_fabric_add(struct cs_fabric *fabric, struct cs_graph *graph, const uint32_t *port,
                   const char *prefix);

/* For kinds: adds a switch with the name prefix, stem, number, which reduces as the fabric
 * does; a wire. */
void cs_fabric_switch(const struct cs_fabric *fabric, struct cs_graph *graph, const char *prefix,
                      const char *stem, uint32_t number);
void cs_fabric_wire(const struct cs_fabric *fabric, struct cs_graph *graph, uint32_t a, uint32_t b);

/* The wire of the machine for wire w of the fabric. */
static inline uint32_t cs_fabric_wire_of(const struct cs_fabric *fabric, uint32_t w)
{
    if (!fabric->each_ports)
        return fabric->first_wire + w;
    return fabric->first_wire + w / fabric->each_ports * fabric->each_wires +
           w % fabric->each_ports * fabric->step;
}

/* For kinds: the link of wire w of the fabric from end a to b, or back. */
static inline uint32_t cs_fabric_up(const struct cs_fabric *fabric, uint32_t w)
{
    return 2 * cs_fabric_wire_of(fabric, w);
}

static inline uint32_t cs_fabric_down(const struct cs_fabric *fabric, uint32_t w)
{
    return 2 * cs_fabric_wire_of(fabric, w) + 1;
}

/* For kinds: the number of the route from port `src` to port `dst`, to be taken
 * modulo `paths`, the number of shortest routes: as the fabric's choice says, by
 * a hash with ECMP, else `dst`. */
uint64_t cs_fabric_choose(const struct cs_fabric *fabric, uint32_t src, uint32_t dst,
                          uint32_t paths);

/*
 * Fabrics: what joins the ports of computers into one network.
 *
 * A port is a device that is there already: a NIC of a node, or a host.  A
 * fabric adds its switches and wires, all of one class, and says the links
 * from port to port by arithmetic: nothing is tabled, so that a way costs
 * O(hops) and no memory.  Order of calls: the fields that the user may set
 * (zeroed: the fabric's choice), plan, add, route.
 *
 * A new fabric is a file gen_NAME.c with a const struct and a line in
 * fabrics.def.
 */
#ifndef CS_TOPO_GENERATORS_FABRIC_H
#define CS_TOPO_GENERATORS_FABRIC_H

#include "topo/graph/graph.h"

#include <stddef.h>

enum cs_routing {
    CS_ROUTING_STATIC, /* the machine's own, else evenly by source */
    CS_ROUTING_ECMP,   /* a hash of seed, source and destination chooses */
    CS_ROUTING_SEARCH, /* the cheapest way by search, see route.h */
};

enum {
    CS_FABRIC_DIMS_MAX = 20
};

struct cs_fabric_kind;

/* What one fabric was asked to be, and what follows. */
struct cs_fabric {
    const struct cs_fabric_kind *kind;
    uint32_t ports;
    struct cs_wire wire; /* all wires are like it */
    enum cs_routing routing;
    uint64_t seed;
    /* Of trees. */
    uint32_t radix; /* ports of a switch */
    uint32_t tiers; /* of switches */
    /* A leaf's ports down to those up, in lowest terms; 0: 1 to 1. */
    uint32_t down_share, up_share;
    /* Of dragonflies. */
    uint32_t hosts;   /* ports of a router for hosts */
    uint32_t routers; /* of a group; of a dragonfly+, leaves */
    uint32_t spines;  /* of a dragonfly+'s group */
    uint32_t globals; /* ports of a router for other groups */
    /* Of tori; no dimensions: to be told. */
    uint32_t dims[CS_FABRIC_DIMS_MAX];
    uint32_t dim_count;
    /* Set by plan. */
    uint64_t devices; /* that it adds */
    uint64_t wires;
    uint32_t max_hops;
    /* Set by cs_fabric_add: where its own begin. */
    uint32_t first_device;
    uint32_t first_wire;
    /* Where a brief machine tells the ports' wires with its first computer: of
     * each computer, so many of this fabric, every `step`-th wire. */
    uint32_t each_ports, each_wires, step;
};

/* What a kind is described by. */
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
    bool is_per_nic; /* one of it for each NIC of a node, by default */
    bool is_star;    /* one switch, and a wire to it for each port */
    /* Fills in what is zero and sets what plan sets; CS_EINPUT where it cannot
     * be. */
    int (*plan)(struct cs_fabric *fabric, struct cs_err *err);
    /* Adds devices and wires; wires 0 .. ports - 1 are those of the ports
     * unless the kind says otherwise.  `port` is the device of each. */
    void (*add)(const struct cs_fabric *fabric, struct cs_graph *graph,
                const uint32_t *port, const char *prefix);
    /* As cs_route_fn, but between ports, src != dst. */
    uint32_t (*route)(const struct cs_fabric *fabric, uint32_t src,
                      uint32_t dst, uint32_t *links);
};

extern const struct cs_fabric_kind *const cs_fabric_kinds[];
extern const size_t cs_fabric_kind_count;

/* The kind of that name; CS_EINPUT with the nearest one. */
int cs_fabric_kind_find(const char *name, const struct cs_fabric_kind **kind,
                        struct cs_err *err);

/* Adds the planned fabric; names of devices begin with the prefix. */
void cs_fabric_add(struct cs_fabric *fabric, struct cs_graph *graph,
                   const uint32_t *port, const char *prefix);

/* For kinds: adds a switch called prefix, stem, number; and a wire. */
void cs_fabric_switch(struct cs_graph *graph, const char *prefix,
                      const char *stem, uint32_t number);
void cs_fabric_wire(const struct cs_fabric *fabric, struct cs_graph *graph,
                    uint32_t a, uint32_t b);

/* Which of the machine's wires number w of the fabric is. */
static inline uint32_t cs_fabric_wire_of(const struct cs_fabric *fabric,
                                         uint32_t w)
{
    if (!fabric->each_ports)
        return fabric->first_wire + w;
    return fabric->first_wire + w / fabric->each_ports * fabric->each_wires +
           w % fabric->each_ports * fabric->step;
}

/* For kinds: the link along wire w of the fabric, as it was added or back. */
static inline uint32_t cs_fabric_up(const struct cs_fabric *fabric, uint32_t w)
{
    return 2 * cs_fabric_wire_of(fabric, w);
}

static inline uint32_t cs_fabric_down(const struct cs_fabric *fabric,
                                      uint32_t w)
{
    return 2 * cs_fabric_wire_of(fabric, w) + 1;
}

/* For kinds: the hash of ECMP. */
uint64_t cs_fabric_hash(const struct cs_fabric *fabric, uint32_t src,
                        uint32_t dst);

#endif

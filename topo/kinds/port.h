/*
 * Ports: the NICs of a machine that join a network, and the link of each.
 *
 * A library sends through NICs of one speed: of several speeds of a port the fastest
 * are ports (NVIDIA/nccl src/graph/topo.cc, ncclTopoGetLocal: the rate of a path, then
 * its kind), and of adapters with unequal links those that are nearest to the most
 * GPUs: not one of storage with two ports beside a network adapter for each GPU.  A
 * virtual NIC (a bridge of containers, without a link but inside its
 * host) is a port only of a machine that has no other NIC.  The rate of a NIC
 * without a link of its own and without a class of the machine is unknown; such
 * a NIC is a port where no rate is known.
 */
#pragma once

#include "sim/base/err.h"
#include "topo/graph/graph.h"

struct cs_ports {
    bool *is_port;  /* by device */
    uint32_t count; /* of ports */
    /* NICs that are no ports: virtual, and slower, farther or of unknown rate. */
    uint32_t virtual_count, slow_count;
    const struct cs_wire *link; /* of the first port; NULL: unknown */
};

/* The link of a NIC, from its device or the class of the machine; NULL:
 * unknown.  A link of the class is in the arena.  O(1). */
const struct cs_wire *cs_port_link(const struct cs_graph *graph, const struct cs_device *device,
                                   struct cs_arena *arena);

/* Whether a link has the same class and numbers as another; either may be
 * NULL. */
bool cs_port_is_equal(const struct cs_wire *a, const struct cs_wire *b);

/* CS_EINPUT where port_names names none of the NICs, with the nearest. */
int cs_ports_check_names(const struct cs_graph *graph, struct cs_err *err);

/* Chooses the ports; the only device of a machine is a port.  Full form; in
 * the arena.  O(devices + wires), and with unequal links as much for each GPU. */
void cs_ports_choose(const struct cs_graph *graph, struct cs_ports *ports, struct cs_arena *arena);

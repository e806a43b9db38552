/*
 * A kind of node of a cluster: a machine (a host or a rack) with ports to a
 * fabric.
 *
 * The cluster has copies of the machine; the routes inside are searched once
 * per kind.  Parties are ranks, then servers (CPUs), then ports: NICs (see
 * topo/kinds/port.h), or the only device of a plain host.
 */
#pragma once

#include "topo/graph/graph.h"
#include "topo/graph/route.h"
#include "topo/kinds/port.h"

enum {
    CS_RACK_RANKS = 32, /* GPUs from which a node is a rack of trays */
    CS_TRAY_RANKS = 4,  /* of a GB200 or GB300 NVL72 */
};

struct cs_node {
    struct cs_graph graph;
    struct cs_routes *routes; /* between the parties */
    uint32_t ranks, servers, ports;
    uint32_t hosts;    /* in the machine */
    uint32_t *port_of; /* rank or server -> nearest port; see cluster.h */
    /* Rank -> the rank that relays to the port, for NICs attached to GPUs; or
     * UINT32_MAX. */
    uint32_t *via;
    bool serves;           /* every server reaches a port */
    bool is_apart;         /* a port is reached by the ranks at it alone */
    uint32_t *rank_of;     /* port -> the first rank of the port, or UINT32_MAX */
    struct cs_ports joins; /* the NICs that are ports, and their link */
};

/* Fills a node from node->graph.  CS_EINPUT for a machine without a NIC, or
 * with ranks that no route joins to a NIC. */
int cs_node_make(struct cs_node *node, struct cs_err *err);

/* The party of a port. */
static inline uint32_t cs_node_port(const struct cs_node *node, uint32_t port)
{
    return node->ranks + node->servers + port;
}

/*
 * A kind of node: one computer (or rack) as a fabric sees it.
 *
 * A machine that is copied into a cluster, with the ways inside it searched
 * once.  Its parties are ranks, then servers (CPUs), then ports: the NICs, or
 * the only device of a plain host.
 */
#ifndef CS_TOPO_GRAPH_NODE_H
#define CS_TOPO_GRAPH_NODE_H

#include "topo/graph/graph.h"
#include "topo/graph/route.h"

struct cs_node {
    struct cs_graph graph;
    struct cs_routes *routes; /* between its parties */
    uint32_t ranks, servers, ports;
    uint32_t hosts;    /* computers in it */
    uint32_t *port_of; /* rank or server -> its nearest port; see cluster.h */
    /* Rank -> the rank through which it reaches its port, as where NICs hang
     * on GPUs; or UINT32_MAX. */
    uint32_t *via;
    bool serves;       /* its servers reach a port */
    uint32_t *rank_of; /* port -> a rank whose port that is, or UINT32_MAX */
};

/* Makes a node of the graph of a machine.  CS_EINPUT when it has no NIC, or
 * ranks that have no way to one. */
int cs_node_make(struct cs_node *node, struct cs_err *err);

/* The party that stands for a port, and its device. */
static inline uint32_t cs_node_port(const struct cs_node *node, uint32_t port)
{
    return node->ranks + node->servers + port;
}

static inline uint32_t cs_node_port_device(const struct cs_node *node,
                                           uint32_t port)
{
    return node->graph.agent_device[node->servers + port];
}

#endif

/*
 * Routes of a cluster: inside the first node to a NIC, through the fabric,
 * inside the second node.
 *
 * No part has a table of the whole cluster: the routes inside a node are
 * searched once per kind of node, and the fabric computes routes by arithmetic.
 * Memory is O(kinds of nodes), the cost O(hops).
 */
#pragma once

#include "topo/generators/cluster/plan.h"
#include "topo/graph/fabric.h"
#include "topo/kinds/node.h"

enum {
    CS_CLUSTER_PARTS_MAX = CS_CLUSTER_KINDS_MAX + 1 /* and hosts of servers */
};

/* Consecutive nodes of a kind.  The `first_` fields count through all parts. */
struct cs_cluster_part {
    const struct cs_node *node;
    uint32_t nodes;
    bool serves; /* hosts of parameter servers, after all other parts */
    uint32_t first_node, first_rank, first_device, first_wire;
    uint32_t first_port; /* of a rail */
    uint32_t first_host;
    uint32_t wires; /* offset between the first wires of two nodes */
};

struct cs_cluster {
    struct cs_cluster_part parts[CS_CLUSTER_PARTS_MAX];
    uint32_t part_count;
    uint32_t nodes; /* without hosts of servers */
    uint32_t ranks; /* in use */
    uint32_t rails;
    uint32_t stripe; /* NICs per port; 0: not known yet */
    bool pxn;
    struct cs_fabric *fabrics; /* of each rail */
};

/* The place of a party. */
struct cs_cluster_slot {
    const struct cs_cluster_part *part;
    uint32_t node;  /* index in the part */
    uint32_t party; /* of the node */
};

struct cs_cluster_slot cs_cluster_slot_of_rank(const struct cs_cluster *cluster, uint32_t rank);

/* Agents are on hosts of servers, otherwise on the nodes in turn. */
struct cs_cluster_slot cs_cluster_slot_of_agent(const struct cs_cluster *cluster, uint32_t agent);

/* A cs_route_fn with a struct cs_cluster as ctx. */
cs_route_fn cs_cluster_route;

/* An upper bound on the hops of every route. */
uint32_t cs_cluster_max_hops(const struct cs_cluster *cluster);

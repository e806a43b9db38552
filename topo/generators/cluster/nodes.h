/*
 * The nodes of a cluster: kinds, numbers of nodes, and first indices.
 *
 * Order of calls: open, count, place_agents, number.
 */
#pragma once

#include "topo/formats/source.h"
#include "topo/generators/cluster/plan.h"
#include "topo/generators/cluster/route.h"

/* A cluster under construction. */
struct cs_cluster_builder {
    struct cs_graph *graph;
    const struct cs_topo_request *request;
    const char *owner; /* "cluster", "fat-tree": in messages */
    struct cs_cluster_plan *plan;
    struct cs_cluster *cluster; /* in the arena of the graph */
    struct cs_err *err;
};

/* Opens the machines of node=, as parts of the cluster. */
int cs_cluster_open_nodes(struct cs_cluster_builder *builder);

/* Sets the numbers of nodes, from nodes=, ranks=, --ranks or dims=, in this
 * order. */
int cs_cluster_count_nodes(struct cs_cluster_builder *builder);

/* Checks that the CPUs of the nodes can hold the requested servers; a cluster
 * of plain hosts gets a host per server. */
int cs_cluster_place_agents(struct cs_cluster_builder *builder);

/* Devices and wires of a cluster. */
struct cs_cluster_size {
    uint64_t devices, wires;
};

/* Sets the first indices of each part, and the number of ports of the fabric;
 * `size` is that of the nodes, without the fabric. */
int cs_cluster_number(struct cs_cluster_builder *builder, struct cs_cluster_size *size);

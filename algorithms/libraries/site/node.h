/*
 * A node of a site: the machine as seen from inside a node.
 *
 * The node with the most ranks represents the machine.  Devices, wires and
 * ranks of the node become a small graph in the full form, so that further
 * searches stay inside a node; wires that leave the node are ports.
 */
#pragma once

#include "topo/graph/graph.h"
#include "topo/graph/link_family.h"
#include "topo/kinds/network.h"

#include <stdbool.h>
#include <stdint.h>

/* A wire from a device of the node to the network. */
struct cs_site_port {
    uint32_t device; /* of the node's graph: a NIC, or a whole host */
    uint32_t parts;  /* adapters that the device stands for (stripe.h) */
    struct cs_wire wire;
};

struct cs_site_node {
    struct cs_graph graph;
    struct cs_site_port *ports;
    uint32_t port_count;
    enum cs_network_id domain; /* of GPU links to other nodes; CS_NET_NONE: none lead there */
    uint32_t nodes;            /* with ranks, of the whole machine */
    uint32_t rank;             /* the first rank of the node, in the machine */
    uint32_t least;            /* the first rank of the node with the fewest ranks;
                          `rank` where all nodes have as many */
};

/* Fills the node of a machine with ranks; memory is in `arena`, texts are
 * shared.  O(ranks), and O(devices + wires) of a node in the folded form, of
 * the machine otherwise. */
void cs_site_node_read(const struct cs_graph *graph, struct cs_arena *arena,
                       struct cs_site_node *node);

/* The node with the fewest ranks, of a machine whose largest node is known. */
void cs_site_node_read_least(const struct cs_graph *graph, const struct cs_site_node *largest,
                             struct cs_arena *arena, struct cs_site_node *node);

/* Whether a wire joins GPUs: NVLink, xGMI, HCCS. */
static inline bool cs_site_is_link(const struct cs_wire *wire)
{
    return cs_link_families[wire->family].word;
}

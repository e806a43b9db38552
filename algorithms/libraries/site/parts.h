/*
 * Parts of a site, which site.c reads one after another.
 */
#pragma once

#include "algorithms/libraries/site/node.h"
#include "algorithms/libraries/site/summary.h"
#include "topo/graph/graph.h"

/*
 * The network between the nodes of a site: where switches are oversubscribed,
 * nodes that exchange all with all get less than the rate of their adapters.
 *
 * Rings and trees of NCCL follow the order of the nodes, so that one pass or two
 * leave a switch at once, and the adapters stay the limit.
 */

/* Sets leaf_nodes, and fabric_Bps from the uplinks of the first leaf and the
 * bound of an all-to-all (bound.h); nodes, node_ranks and adapters are set.  For
 * a network of one level both stay 0.  O(wires), and the cost of the bound. */
void cs_site_fabric_read(const struct cs_graph *graph, struct cs_site *site);

/*
 * The network of a site: adapters in use, their rates, kind of network.
 *
 * Adapters in use are those with the best path to a GPU with a rank: NCCL's
 * search starts with the best class of paths and accepts a worse class only
 * where the better one finds nothing (NVIDIA/nccl src/graph/search.cc).  An
 * adapter counts with the slowest wire on the path, where adapters share a wire
 * with a part of that wire.
 */

/* Sets adapters, their rates and slots, payload_share, away_ranks, net, net_path
 * and gdr; maker, peer_access, pcie_Bps and nodes are set.  A single node has no
 * network.  `graph` is the whole machine. */
void cs_site_net_read(const struct cs_graph *graph, const struct cs_site_node *node,
                      struct cs_arena *arena, struct cs_site *site);

/*
 * Rings inside a node of a site: total rate and worst path.
 *
 * Behind switches every ring has the rate of the GPUs' links.  Direct links
 * carry the rings of the machine's search (node_rings.h).  On PCIe a single
 * ring passes each switch and socket once (near_order.h), because further rings
 * share the same wires.
 */

/* Sets ring_Bps and gpu_path from a node; link_Bps and has_switch are set.
 * A node of one rank has no ring: rate 0, CS_PATH_LOCAL. */
void cs_site_rings_read(const struct cs_site_node *node, struct cs_arena *arena,
                        struct cs_site *site);

/*
 * Uplinks of a site: what PCIe switches carry where peer traffic below them
 * passes the root complex (ACS, access control services).
 *
 * The link from a switch to its CPU then carries the traffic of every device
 * below, in both directions: of k GPUs in a ring k neighbours' data in each direction,
 * of adapters that read and write GPU memory twice their rate.
 */

/* Sets ring_uplink_Bps and node_uplink_Bps.  Memory of the search is in
 * `arena`.  O(CPUs x wires x path length). */
void cs_site_uplinks_read(const struct cs_site_node *node, struct cs_arena *arena,
                          struct cs_site *site);

/*
 * Paths inside a node, in NCCL's classes.
 *
 * Path of two devices over PCIe, C2C and sockets: the fewest wires, never
 * through a GPU and never over a network.  The class follows from the devices
 * on the path (NVIDIA/nccl src/graph/paths.cc).
 */

/* A path from the device of a search to another device. */
struct cs_site_route {
    enum cs_site_path path; /* CS_PATH_NONE: not reached */
    uint32_t hops;
    uint32_t wire;           /* the last one */
    uint16_t switches, cpus; /* without host bridges */
    bool host_bridges;
    bool crosses_sockets;
    bool starts_in_package; /* the first wire is C2C */
    double rate_Bps;        /* of the slowest wire */
};

/* The paths from a device to all devices, in `arena`.  O(hops x wires). */
struct cs_site_route *cs_site_routes_from(const struct cs_site_node *node, uint32_t device,
                                          struct cs_arena *arena);

/* Whether a GPU link joins two devices directly.  O(wires). */
bool cs_site_has_link(const struct cs_graph *graph, uint32_t a, uint32_t b);

/* The class between two GPUs: links, direct or through a switch, before relays
 * and before PCIe.  `routes` are those from `a`.  O(wires). */
enum cs_site_path cs_site_path_of_gpus(const struct cs_site_node *node, uint32_t a, uint32_t b,
                                       const struct cs_site_route *routes);

/*
 * Paths inside a node, in NCCL's classes.
 *
 * Path of two devices over PCIe, C2C and sockets: the fewest wires, never
 * through a GPU and never over a network.  The class follows from the devices
 * on the path (NVIDIA/nccl src/graph/paths.cc).
 */
#ifndef CS_ALGORITHMS_LIBRARIES_SITE_PATHS_H
#define CS_ALGORITHMS_LIBRARIES_SITE_PATHS_H

#include "algorithms/libraries/site/node.h"
#include "algorithms/libraries/site/summary.h"

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

#endif

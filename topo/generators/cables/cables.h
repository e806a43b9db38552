/*
 * Cables: a network of real switches, as its files list it.
 *
 * Hosts are in order of name, and their adapters, too (numbers in names by value);
 * adapter r of every host is on rail r.  A host that lacks an adapter of a rail is not
 * in the network.  Routes are shortest; among equal cables the destination chooses, or
 * a hash (fabric.h).  Of a file that has hosts and no adapters, every rail has a copy of
 * the network, with links as the ports of the platform.
 *
 *     read     O(bytes)
 *     plan     a breadth-first search from each switch with hosts
 *     route    O(hops x cables of a switch), no memory
 */
#pragma once

#include "topo/formats/source.h"
#include "topo/graph/fabric.h"

/* A switch, or an adapter of a host. */
struct cs_cable_end {
    const char *name;    /* of the switch, or of the host */
    const char *adapter; /* of a host; NULL: a switch */
    unsigned line;
    uint32_t number; /* of the switch; of the host, once sorted */
    uint32_t rail;   /* of an adapter, once sorted; UINT32_MAX: in none */
};

struct cs_cable {
    uint32_t a, b; /* ends */
    struct cs_wire wire;
    uint32_t width; /* of each rail: links in one that never blocks, as ports but for a rate */
};

struct cs_cables {
    const char *file;
    struct cs_cable_end *ends;
    struct cs_cable *cables;
    uint32_t end_count, end_room, cable_count, cable_room;
};

/* Adds an end, a cable; the arena is that of the graph. */
void cs_cables_add_end(struct cs_cables *cables, struct cs_cable_end end, struct cs_arena *arena);
void cs_cables_add(struct cs_cables *cables, struct cs_cable cable, struct cs_arena *arena);

/* The machine: a copy of `request->platform` for each host whose adapters are all
 * there, or a rank for each host with a single adapter.  The cables must outlive the
 * graph.  CS_EINPUT with the place, or with the hosts that no cable joins. */
int cs_cables_build(const struct cs_topo_request *request, struct cs_cables *cables,
                    struct cs_graph *graph, struct cs_err *err);

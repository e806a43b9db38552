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
#include "topo/generators/cables/ends.h"

/* The machine: a copy of `request->platform` for each host whose adapters are all
 * there, or a rank for each host with a single adapter.  The cables must outlive the
 * graph.  CS_EINPUT with the place, or with the hosts that no cable joins. */
int cs_cables_build(const struct cs_topo_request *request, struct cs_cables *cables,
                    struct cs_graph *graph, struct cs_err *err);

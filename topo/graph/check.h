/*
 * The invariants of a finished machine:
 *
 *  - device names are unique;
 *  - a wire joins two different devices, at a positive, finite rate;
 *  - a bus has wires with `duplex: bus` only, and no other device has;
 *  - a rank is on a device that computes, a server on any device but a bus, and
 *    no two parties share a device;
 *  - every party reaches every other party.
 *
 * Trusted without a check: routes of a graph with a route function, and names
 * of a graph without a file.  Both come from generators, whose tests verify
 * these properties; at a million ranks the check would dominate.
 */
#pragma once

#include "topo/graph/graph.h"

/* CS_EINPUT with file and line for the first violated invariant.
 * O(devices + wires) when a single connected set of forwarding devices touches
 * every party, otherwise O(parties x wires). */
int cs_graph_check(const struct cs_graph *graph, struct cs_err *err);

/* Whether some ranks have neither a wire nor forwarding devices in common, and all are
 * connected by way of others, as GPUs with wires between them alone.  Full form; no
 * route function.  As cs_graph_check. */
bool cs_graph_needs_relays(const struct cs_graph *graph);

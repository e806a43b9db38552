/*
 * Machine rings: the set of rings with the highest rate on a machine.
 *
 * Within a node the rings follow the wires between the ranks (NVLink bridges,
 * a cube mesh, a torus; node_rings.h).  Over several nodes the rings of a node
 * are joined (rings/join.h).  The number of rings is the one with the most
 * bytes per second, up to twice the number of a node's rings, and again twice
 * while that helps: with one adapter of eight lost, seven rings over the seven
 * remaining rails.
 *
 * Without wires between the ranks of a node, the local rings are strides
 * (pattern.h), strides with any two ranks as ends where the cuts leave adapters
 * idle, or the order that goes round each switch and socket in turn
 * (near_order.h), in one direction or in both.
 *
 * A single ring without wires leaves each node at the dearest step, between the
 * sockets, so that a chain of the node's ranks crosses the sockets once.
 *
 * Where wires join only part of the ranks of a node (two groups of four, joined
 * by PCIe), each part is also tried as a node of its own: the rings pass the
 * parts node by node, or the first parts of all nodes and then the second parts,
 * so that the adapters instead of the sockets carry every step between parts.
 *
 * The wires of a torus of any size, of one rate, have rings by construction
 * (torus.h).
 *
 * The rate is never below that of one ring in the order of the ranks.  Where
 * strides over all ranks carry as much, the machine has no rings of its own.
 */
#pragma once

#include "algorithms/shared/rings/rings.h"

enum {
    CS_RINGS_GROUP_MAX = 1024,     /* ranks of a node with wires */
    CS_RINGS_SEARCH_MAX = 128,     /* ranks of a node without wires */
    CS_RINGS_SINGLE_MAX = 1 << 12, /* ranks of a machine of one node */
    CS_RINGS_RANKS_MAX = 1 << 17,  /* ranks of several nodes */
    CS_RINGS_TORUS_MAX = 1 << 15,  /* ranks of a torus */
};

/* The rings of a machine with ranks in nodes of `group` (0, 1 or all ranks:
 * one node).  NULL where strides over all ranks are equally good, and above the
 * limits of ranks.  O(ranks x group) routes for each number of rings, up to 32 of
 * them, and up to 16 searches for each division into nodes. */
const struct cs_rings *cs_rings_of_machine(const struct cs_net *net, uint32_t ranks, uint32_t group,
                                           struct cs_arena *arena);

/*
 * Islands: the parts of a machine without the slow wires.
 *
 * An island is a set of devices connected by wires, in either direction.
 * Islands with ranks have numbers, in the order of first ranks.
 *
 * Of identical hosts (cs_graph_replicas) only the first is visited.  Devices
 * connected inside the first host are connected inside every host: a piece.  A
 * piece with a wire to the fabric is a single piece for the whole machine;
 * every host has a piece of the remaining kinds, and only pieces with a
 * possible rank or with a wire of one host to the fabric are distinguished.
 *
 *     of     O(wires kept + ranks + pieces of the hosts)
 *     at     O(1)
 */
#pragma once

#include "topo/graph/graph.h"

enum {
    CS_NO_ISLAND = UINT32_MAX
};

struct cs_islands {
    uint32_t count;        /* of islands with ranks */
    const uint32_t *ranks; /* island -> number of ranks */
    /* For cs_island_at only. */
    uint32_t devices;
    struct cs_graph_replicas replicated;
    const uint32_t *piece_of; /* kept device -> piece, or CS_NO_ISLAND */
    uint32_t own;             /* lower pieces exist in every host */
    const uint32_t *of;       /* pieces of the hosts, then shared pieces ->
                           island, or CS_NO_ISLAND */
};

/* Removes the wires of an effective rate up to `rate_Bps`.  With INFINITY no
 * wire remains: every rank is an island with the rank's number.  Memory in the
 * arena. */
struct cs_islands cs_islands_of(const struct cs_graph *graph, double rate_Bps,
                                struct cs_arena *arena);

/* The piece of a device, as islands->of counts, or CS_NO_ISLAND. */
static inline uint32_t cs_island_piece(const struct cs_islands *islands, uint32_t device)
{
    struct cs_graph_replicas replicated = islands->replicated;
    uint32_t host = 0;
    uint32_t piece;

    if (device < replicated.count * replicated.devices) {
        host = device / replicated.devices;
        device %= replicated.devices;
    } else if (replicated.count) {
        host = replicated.count - 1; /* behind the hosts */
        device -= host * replicated.devices;
    }
    piece = islands->piece_of[device];
    if (piece == CS_NO_ISLAND)
        return CS_NO_ISLAND;
    if (piece >= islands->own && replicated.count)
        host = replicated.count - 1;
    return host * islands->own + piece;
}

/* The island of a device, or CS_NO_ISLAND: for an island without ranks, and for
 * a node outside the machine, as the hub of a flat net
 * (sim/models/params/loggp.h). */
static inline uint32_t cs_island_at(const struct cs_islands *islands, uint32_t device)
{
    uint32_t piece = device < islands->devices ? cs_island_piece(islands, device) : CS_NO_ISLAND;

    return piece == CS_NO_ISLAND ? CS_NO_ISLAND : islands->of[piece];
}

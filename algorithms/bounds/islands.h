/*
 * Islands: what a machine falls into when its slow wires are cut.
 *
 * Devices that are still joined by wires, in either direction, are one island;
 * those that hold ranks have numbers, in the order of their first ranks.
 *
 * Of identical hosts (cs_graph_replicas) the first is looked at for all.  What is
 * joined inside the first is joined inside every one: a piece.  A piece that is
 * joined to the fabric is the same for all hosts; of the others each has
 * its own, and only those that may hold a rank or have a wire of their own to
 * the fabric are distinguished.
 *
 *     of     O(wires kept + ranks + pieces of all hosts)
 *     at     O(1)
 */
#ifndef CS_ALGORITHMS_BOUNDS_ISLANDS_H
#define CS_ALGORITHMS_BOUNDS_ISLANDS_H

#include "topo/graph/graph.h"

enum {
    CS_NO_ISLAND = UINT32_MAX
};

struct cs_islands {
    uint32_t count;        /* that hold a rank */
    const uint32_t *ranks; /* island -> ranks on it */
    /* For cs_island_at only. */
    uint32_t devices;
    struct cs_graph_replicas replicated;
    const uint32_t *piece_of; /* kept device -> piece, or CS_NO_ISLAND */
    uint32_t own;             /* pieces below it are each host's own */
    const uint32_t *of;       /* own pieces of each host, then the others ->
                           island, or CS_NO_ISLAND */
};

/* Cuts all wires of an effective rate up to `rate_Bps`; INFINITY: all there are,
 * so that each rank is an island of that number.  Memory in the arena. */
struct cs_islands cs_islands_of(const struct cs_graph *graph, double rate_Bps,
                                struct cs_arena *arena);

/* The piece of a device, as islands->of counts, or CS_NO_ISLAND. */
static inline uint32_t cs_island_piece(const struct cs_islands *islands,
                                       uint32_t device)
{
    struct cs_graph_replicas replicated = islands->replicated;
    uint32_t host = 0;
    uint32_t piece;

    if (device < replicated.count * replicated.devices) {
        host = device / replicated.devices;
        device %= replicated.devices;
    } else if (replicated.count) {
        host = replicated.count - 1; /* behind all of them */
        device -= host * replicated.devices;
    }
    piece = islands->piece_of[device];
    if (piece == CS_NO_ISLAND)
        return CS_NO_ISLAND;
    if (piece >= islands->own && replicated.count)
        host = replicated.count - 1;
    return host * islands->own + piece;
}

/* The island of a device, or CS_NO_ISLAND: of one without ranks, and of a node
 * that the machine has not, as the hub of a flat net (sim/models/compat/loggp_params.h). */
static inline uint32_t cs_island_at(const struct cs_islands *islands,
                                    uint32_t device)
{
    uint32_t piece = device < islands->devices
                         ? cs_island_piece(islands, device)
                         : CS_NO_ISLAND;

    return piece == CS_NO_ISLAND ? CS_NO_ISLAND : islands->of[piece];
}

#endif

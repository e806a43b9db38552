/*
 * The flow network of a machine, for cuts between ranks.
 *
 * A node for each cell of devices (cells.h); an arc for each direction of a
 * wire, with the effective rate times the number of wires represented.  Devices
 * that compute and take no part do not forward, unless the network is direct;
 * wires that are down are absent.  A shared medium (a bus) is a node of arrival
 * and a node of departure with the rate of the medium in between: a byte across
 * the bus uses the medium once.
 *
 * Directions of rates:
 *
 *     CS_CUT_INTO     into a set of nodes
 *     CS_CUT_OUT_OF   out of a set: arcs are reversed
 *     CS_CUT_BOTH     in and out together: half-duplex wires and media count
 *                     once, full-duplex wires in both directions
 */
#pragma once

#include "algorithms/bounds/flow.h"
#include "algorithms/bounds/rates/cells.h"

enum cs_cut_direction {
    CS_CUT_INTO,
    CS_CUT_OUT_OF,
    CS_CUT_BOTH,
};

/* Where an arc pair of the flow network comes from. */
struct cs_network_arc {
    uint32_t wire; /* CS_NO_CELL: of a medium */
    uint32_t weight;
    double forward_Bps, back_Bps; /* of a single wire of `weight` */
    uint64_t latency_ps;          /* 0: of a medium, or from a medium */
};

struct cs_network {
    const struct cs_graph *graph;
    enum cs_cut_direction direction;
    struct cs_cells cells;
    struct cs_flow flow;
    struct cs_network_arc *arcs; /* by pair: arc e belongs to arcs[e / 2] */
    uint32_t *ranks;             /* cells with ranks */
    uint32_t rank_cells;
    uint32_t *rank_of; /* cell -> place in `ranks` */
};

/* Properties of a machine's wires that decide which directions can differ. */
struct cs_network_traits {
    bool is_shared;  /* a half-duplex wire or a medium */
    bool is_one_way; /* a direction without an equal reverse */
};

struct cs_network_traits cs_network_traits(const struct cs_graph *graph);

struct cs_network cs_network_of(const struct cs_graph *graph, const struct cs_cells *cells,
                                enum cs_cut_direction direction, struct cs_arena *arena);

/* A cut around a set of nodes. */
struct cs_flow_cut {
    double rate_Bps;     /* exact sum, rounded once */
    uint64_t latency_ps; /* least of the crossing wires */
    uint32_t ranks;      /* inside */
    const bool *inside;  /* by node of the flow network; NULL: not kept */
};

/* The cut around the nodes inside after a flow (cs_flow_is_inside), `inside`
 * left NULL.  O(arcs of nodes inside). */
struct cs_flow_cut cs_network_cut(const struct cs_network *network);

/* The cut with `inside`.  O(nodes) more, and memory in the arena. */
struct cs_flow_cut cs_network_keep_cut(const struct cs_network *network, struct cs_arena *arena);

/* Whether the device is inside. */
static inline bool cs_cut_has(const struct cs_network *network, const struct cs_flow_cut *cut,
                              uint32_t device)
{
    return cut->inside[network->cells.of[device]];
}

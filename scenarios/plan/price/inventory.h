/*
 * Inventory: the boxes and cables of a machine.
 *
 * Nodes, GPUs and adapters are counted in the graph.  The network between nodes
 * consists of switches outside any node and of the wires to them.  A switch with
 * more ports than a box stands for the smallest folded Clos of boxes that never
 * blocks:
 *
 *     ports up to R          1 tier     a cable per port
 *     up to R^2 / 2          2 tiers    another cable per port between the tiers
 *     up to R^3 / 4          3 tiers    another two
 *
 * Boxes are the used ports of all switches over R, rounded up: switches with few
 * ports share a box, as the spines of a half-filled Clos do.
 */
#ifndef CS_SCENARIOS_PLAN_PRICE_INVENTORY_H
#define CS_SCENARIOS_PLAN_PRICE_INVENTORY_H

#include "topo/graph/graph.h"

struct cs_inventory {
    uint32_t nodes, gpus;
    uint64_t adapters;     /* ports of nodes with a cable */
    uint64_t switch_ports; /* in use */
    uint64_t boxes;        /* switches */
    uint64_t cables;
    uint32_t tiers; /* of the tallest switch; 0: no network */
};

/* Tiers of a Clos of boxes with `radix` ports for `ports`; 0: none up to four
 * suffice. */
uint32_t cs_inventory_tiers(uint64_t ports, uint32_t radix);

/* Adds a switch of `ports` ports, each with a cable, to switch_ports, cables and
 * tiers.  CS_EINPUT for more ports than four tiers of boxes hold. */
int cs_inventory_add_switch(struct cs_inventory *inventory, uint64_t ports, uint32_t radix,
                            struct cs_err *err);

/* Boxes of the switches so far. */
void cs_inventory_finish(struct cs_inventory *inventory, uint32_t radix);

/* Counts a machine in either form (graph.h).  O(devices + wires); memory in the
 * arena. */
int cs_inventory_count(const struct cs_graph *graph, uint32_t radix, struct cs_arena *arena,
                       struct cs_inventory *inventory, struct cs_err *err);

/* The rate of the fastest wire to a switch outside the nodes; 0: none. */
double cs_inventory_port_Bps(const struct cs_graph *graph);

#endif

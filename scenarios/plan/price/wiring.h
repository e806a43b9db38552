/*
 * Wiring: every box and every cable of an inventory, with ports and lengths.
 *
 * Each network is the folded Clos of inventory.h.  Adapter a of a node with k networks is
 * in network a mod k; ports of nodes are dealt over the leaves in order, and the cables up
 * of a level over the boxes above in turn, so that boxes of a level differ by a cable.
 *
 *     node 0 .. n-1    leaves    spines    cores      counts are those of cs_inventory_of
 *
 * The room: racks side by side in rows, a box in the middle of what is below it, cables
 * along and across the rows over trays (distances assumed).
 */
#pragma once

#include "scenarios/plan/price/inventory.h"
#include "sim/base/text.h"

struct cs_wiring_box {
    uint32_t network; /* of its cables; the first of those that share the box */
    uint32_t tier;    /* 1: leaves */
    uint32_t number;  /* in its tier and network */
    uint32_t ports;   /* in use */
    double x_m, y_m;
};

/* From a node's adapter, or a box, to a box of the tier above. */
struct cs_wiring_cable {
    bool is_of_node;
    uint32_t from, adapter, from_port; /* node or box; ports count from 1 */
    uint32_t to, to_port;
    double length_m;
};

struct cs_wiring {
    struct cs_wiring_box *boxes;
    struct cs_wiring_cable *cables;
    uint32_t box_count, cable_count;
    uint32_t nodes, adapters; /* of a node */
    uint32_t tiers;
};

/* Reach of a kind of cable. */
struct cs_reach {
    const char *name;
    double most_m;
};

enum {
    CS_REACHES = 3
};
extern const struct cs_reach cs_reaches[CS_REACHES];

/* As cs_inventory_of, and the nodes of a rack. */
struct cs_wiring_request {
    const struct cs_switch_networks *networks;
    uint32_t spares, planes, radix, rack_nodes;
};

/* The wiring of an inventory; memory in the arena.  CS_ECANNOT for meshes, and for
 * networks that differ. */
int cs_wiring_of(const struct cs_wiring_request *request, struct cs_arena *arena,
                 struct cs_wiring *wiring, struct cs_err *err);

/* Nodes of a rack of 42 kW, by the power of one; NAN: 4. */
uint32_t cs_wiring_rack_nodes(double node_watts);

/* As ibnetdiscover lists a fabric, with the length behind each cable; `speed` is NDR. */
void cs_wiring_write(const struct cs_wiring *wiring, const char *speed, struct cs_arena *arena,
                     struct cs_text *out);

/* "NDR" for the rate of a port; the nearest that is no slower. */
const char *cs_wiring_speed(double port_Bps);

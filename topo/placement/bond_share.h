/*
 * Shares of bonds: the state of every NIC of a device that stands for several
 * (stripe.h), for faults of single NICs.
 *
 * The remaining rate of a wire of such a device is the mean over the NICs, as
 * every message is split equally.
 */
#pragma once

#include "sim/base/collections/name_index.h"
#include "topo/graph/graph.h"

struct cs_bond_member {
    uint32_t device, index;
};

struct cs_bond_shares {
    const struct cs_graph *graph;
    struct cs_bond_member *members; /* of all bonds, without the first NICs */
    uint32_t most;                  /* NICs of a bond */
    double *share;                  /* of each NIC: [wire * most + index] */
};

/* Initializes `names` with all devices of the graph, and from device_count on
 * with the NICs that are no devices; all NICs are up.  O(devices + wires). */
void cs_bond_shares_init(struct cs_bond_shares *shares, const struct cs_graph *graph,
                         struct cs_names *names);

/* All NICs are up again. */
void cs_bond_shares_reset(const struct cs_bond_shares *shares);

/* Adds what `names` found to the marks by device: a mask of NICs, 1 for a device
 * without a bond. */
void cs_bond_shares_mark(const struct cs_bond_shares *shares, uint32_t found, uint64_t *marked);

/* Sets the marked NICs of a wire to `share`, all NICs if the device with the
 * bond has no mark, and returns the share of the wire.  `to` may be NULL. */
double cs_bond_shares_set(const struct cs_bond_shares *shares, uint32_t wire, const uint64_t *from,
                          const uint64_t *to, double share);

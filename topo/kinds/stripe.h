/*
 * Striping: identical NICs on a device become a single NIC of the total rate.
 *
 *     plx0 -- nic0, nic1, nic2, nic3     ->     plx0 == nic0 (x4)
 *
 * The model: each message is split into equal parts, a part per NIC.  Parallel
 * wires then carry equal loads at equal times, so a single wire represents all
 * without approximation, with one exception: the separate paths of the NICs
 * through the fabric.  aws-ofi-nccl stripes over the four EFA adapters of a GPU
 * (multi-rail), NCCL over ports that NCCL_NET_MERGE_LEVEL merges.
 *
 * NICs are identical when each has a single wire, with the same numbers, to the
 * same device.
 */
#pragma once

#include "topo/graph/graph.h"

enum {
    CS_STRIPE_MAX = 64 /* NICs of a stripe */
};

/* Keeps the first of identical NICs, with the rate of the stripe, and sets the
 * width of a stripe; the device keeps the names of all (device.bond), so that
 * faults of single NICs stay possible (fault.h).  CS_EINPUT for stripes of
 * different widths.  Devices and
 * wires are renumbered; agents must not be placed yet.  O(NICs x wires). */
int cs_stripe_nics(struct cs_graph *graph, uint32_t *width, struct cs_err *err);

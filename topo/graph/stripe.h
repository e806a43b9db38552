/*
 * Striping: the NICs of a computer that hang alike on one device, taken as one
 * of as many times the rate.
 *
 *     plx0 -- nic0, nic1, nic2, nic3     ->     plx0 == nic0 (x4)
 *
 * As if each message were cut in as many equal parts, one for each NIC: the
 * wires side by side then carry the same at the same time, so that one stands
 * for all and nothing is approximated, but that each NIC has its own way
 * through the fabric to its like.  So do aws-ofi-nccl with the four EFA of a
 * GPU (multi-rail) and NCCL with the ports that NCCL_NET_MERGE_LEVEL joins.
 *
 * NICs are alike that have one wire each, of the same numbers, to one device.
 */
#ifndef CS_TOPO_GRAPH_STRIPE_H
#define CS_TOPO_GRAPH_STRIPE_H

#include "topo/graph/graph.h"

/* Leaves the first of each such NICs in the graph, with the wire of all; sets
 * how many it stands for.  CS_EINPUT where one stands for more than another.
 * Devices and wires are numbered anew; agents must not be seated yet.
 * O(NICs x wires). */
int cs_stripe_nics(struct cs_graph *graph, uint32_t *width, struct cs_err *err);

#endif

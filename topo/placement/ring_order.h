/*
 * Ring orders: the device of each rank of a ring or a tree.
 *
 * A list, "0,3,2,1,5,6,7,4", or "graph:FILE" for an NCCL graph dump
 * (NCCL_GRAPH_DUMP_FILE): the channels of the first ring (pattern 4).
 * "tree:FILE" reads the channels of the first tree (patterns 1 to 3); NCCL's
 * trees are chains of a host's GPUs in that order, for `--algo chain`.  In a
 * dump the number of a GPU is the attribute `rank`, otherwise `dev`, which NCCL
 * reads as hexadecimal.  The speed in the dump belongs to the graph, not to a
 * channel, so all channels are equal.
 *
 * A channel has each rank exactly once; otherwise CS_EINPUT.
 */
#pragma once

#include "sim/base/err.h"
#include "sim/base/mem.h"
#include "topo/documents/xml.h"
#include "topo/graph/graph.h"

enum cs_order_shape {
    CS_ORDER_RING,
    CS_ORDER_TREE,
    CS_ORDER_SHAPES
};

enum {
    CS_RING_ORDERS_MAX = 64 /* MAXCHANNELS of NCCL, src/include/device.h; older: 32 */
};

struct cs_ring_orders {
    uint32_t ranks, count; /* at least 1 */
    uint32_t *order;       /* ring c: device numbers from order[c * ranks] on */
};

/* Rank i of a ring is on device order[i], counted among the ranks' devices.
 * Memory is in the arena. */
int cs_ring_orders_read(const char *spec, uint32_t ranks, struct cs_ring_orders *orders,
                        struct cs_arena *arena, struct cs_err *err);

/* Whether `spec` is "graph:FILE", with all rings of a dump. */
bool cs_ring_orders_are_rings(const char *spec);

/* The same from a document. */
struct cs_order_request {
    enum cs_order_shape shape;
    uint32_t ranks;
};
int cs_ring_orders_of_graph(const struct cs_doc *xml, struct cs_order_request request,
                            struct cs_ring_orders *orders, struct cs_arena *arena,
                            struct cs_err *err);

/* Converts device numbers to ranks: a machine may list ranks in another order
 * than devices (`ranks:`).  O(devices + all orders). */
void cs_ring_orders_of_devices(const struct cs_graph *graph, struct cs_ring_orders *orders);

/* Adds a note with the devices of the ranks in the first order. */
void cs_ring_orders_report(struct cs_graph *graph, const char *spec,
                           const struct cs_ring_orders *orders);

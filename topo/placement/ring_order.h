/*
 * Ring orders: on which device each rank of a ring, or of a tree, sits.
 *
 * A list, "0,3,2,1,5,6,7,4", or "graph:FILE" for an NCCL graph dump
 * (NCCL_GRAPH_DUMP_FILE): the channels of its first ring (pattern 4);
 * "tree:FILE" takes those of its first tree (patterns 1 to 3).  NCCL's trees are
 * chains of a computer's GPUs in that order, for `--algo chain`.  There a GPU is
 * its attribute `rank` where it has one, else `dev`, which NCCL reads as
 * hexadecimal.  NCCL gives a speed to the graph, not to a channel: channels are
 * alike.
 *
 * Every channel names each of the ranks once; anything else is CS_EINPUT.
 */
#ifndef CS_TOPO_PLACEMENT_RING_ORDER_H
#define CS_TOPO_PLACEMENT_RING_ORDER_H

#include "sim/base/err.h"
#include "sim/base/mem.h"
#include "topo/documents/xml.h"
#include "topo/graph/graph.h"

enum cs_order_shape {
    CS_ORDER_RING,
    CS_ORDER_TREE,
};

enum {
    CS_RING_ORDERS_MAX =
        64 /* MAXCHANNELS of NCCL, src/include/device.h; older: 32 */
};

struct cs_ring_orders {
    uint32_t ranks, count; /* at least 1 */
    uint32_t *order; /* of ring c: order[c * ranks], ... are devices' numbers */
};

/* Rank i of a ring sits on the order[i]-th of the devices that ranks sit on.  In
 * the arena. */
int cs_ring_orders_read(const char *spec, uint32_t ranks,
                        struct cs_ring_orders *orders, struct cs_arena *arena,
                        struct cs_err *err);

/* Is that all the rings of a file? */
bool cs_ring_orders_are_rings(const char *spec);

/* The same from a document. */
struct cs_order_request {
    enum cs_order_shape shape;
    uint32_t ranks;
};
int cs_ring_orders_of_graph(const struct cs_doc *xml,
                            struct cs_order_request request,
                            struct cs_ring_orders *orders,
                            struct cs_arena *arena, struct cs_err *err);

/* Numbers of devices become those of the ranks that sit on them, which a machine
 * may have in another order (`ranks:`).  O(devices + all orders). */
void cs_ring_orders_of_devices(const struct cs_graph *graph,
                               struct cs_ring_orders *orders);

/* Remarks where the ranks come to sit by the first order, and what it is. */
void cs_ring_orders_report(struct cs_graph *graph, const char *spec,
                           const struct cs_ring_orders *orders);

#endif

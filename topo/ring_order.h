/*
 * Ring orders: on which device each rank of a ring, or of a tree, sits.
 *
 * A list, "0,3,2,1,5,6,7,4", or "graph:FILE" for an NCCL graph dump
 * (NCCL_GRAPH_DUMP_FILE), of which the first channel of the first ring
 * (pattern 4) counts; "tree:FILE" takes that of its first tree (patterns 1 to
 * 3).  NCCL's trees are chains of a computer's GPUs in that order, for `--algo
 * chain`.  There a GPU is its attribute `rank` where it has one,
 * else `dev`, which NCCL reads as hexadecimal.
 *
 * Either way each of the ranks is named once; anything else is CS_EINPUT.
 */
#ifndef CS_TOPO_RING_ORDER_H
#define CS_TOPO_RING_ORDER_H

#include "sim/base/err.h"
#include "sim/base/mem.h"
#include "topo/graph.h"
#include "topo/xml.h"

/* Fills order[0 .. ranks-1] with numbers of devices: rank i of the ring sits on
 * the order[i]-th of those that ranks sit on. */
int cs_ring_order_read(const char *spec, uint32_t ranks, uint32_t *order,
                       struct cs_err *err);

enum cs_order_shape {
    CS_ORDER_RING,
    CS_ORDER_TREE,
};

/* The same from a document. */
int cs_ring_order_of_graph(const struct cs_xml *xml, enum cs_order_shape shape,
                           uint32_t ranks, uint32_t *order, struct cs_err *err);

/* Numbers of devices become those of the ranks that sit on them, which a machine
 * may have in another order (`ranks:`); a remark says where the ranks come to
 * sit.  O(devices). */
void cs_ring_order_of_devices(struct cs_graph *graph, uint32_t *order);

#endif

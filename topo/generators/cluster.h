/*
 * Clusters: nodes of some kinds, a number of each, and a fabric.
 *
 *     cluster:node=dgx-h100,nodes=16,fabric=rail
 *     cluster:node=dgx-a100+dgx-h100,nodes=4+2,fabric=fat-tree,radix=32
 *     fat-tree:ranks=1024,radix=16        nodes that are plain hosts
 *
 * A node is a machine of the library or of a file, told once and copied; its
 * NICs are the ports of the fabric, wired by the class that its `port:` names
 * or that link= says.  Ranks are numbered node by node.  With rails=R there are
 * R fabrics of one kind, and NIC i of a node is on number i mod R.
 *
 * Ways are put together from three parts, none of which is tabled for the
 * whole: inside the first node to its NIC (a search of that kind of node, done
 * once), through the fabric by arithmetic, inside the second node.  A GPU's
 * NIC is the one that the cheapest way leads to, as NCCL's PIX before PXB
 * before PHB before SYS; GPUs with the same choice take turns.  Where NICs hang
 * on GPUs, those without one go through the nearest that has one.
 *
 * A rank sends by one NIC.  With stripe=on those that hang alike on one device
 * are one port of all their rates (stripe.h).
 *
 * To a GPU on another rail the first node has to send through that rail's NIC:
 * with PXN (NCCL 2.12) over NVLink to the GPU whose NIC that is, which passes
 * it on; with pxn=off, or where the way to that GPU shares a device with the
 * way on, straight to the NIC, as its PCIe leads there.
 */
#ifndef CS_TOPO_GENERATORS_CLUSTER_H
#define CS_TOPO_GENERATORS_CLUSTER_H

#include "topo/formats/source.h"
#include "topo/generators/fabric.h"

/* Every generator of this kind takes these too. */
#define CS_CLUSTER_USAGE                                         \
    "[,bandwidth=RATE][,latency=TIME][,link=CLASS][,gamma=RATE]" \
    "[,overhead=TIME][,node=MACHINE,nodes=N][,gpus=N][,rails=N]" \
    "[,pxn=on|off][,stripe=on|off]"

enum {
    CS_CLUSTER_DEVICES_MAX = 1 << 23, /* and wires; of the whole */
    CS_CLUSTER_KINDS_MAX = 8          /* of nodes */
};

/* Builds it; `kind` is the fabric, or NULL: fabric= tells. */
int cs_cluster_build(const struct cs_topo_request *request,
                     const struct cs_fabric_kind *kind, const char *parameters,
                     struct cs_graph *graph, struct cs_err *err);

#endif

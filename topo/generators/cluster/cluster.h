/*
 * Clusters: nodes of several kinds, a number of each, and a fabric.
 *
 *     cluster:node=dgx-h100,nodes=16,fabric=rail
 *     cluster:node=dgx-a100+dgx-h100,nodes=4+2,fabric=fat-tree,radix=32
 *     fat-tree:ranks=1024,radix=16        nodes are plain hosts
 *
 * A node is a copy of a machine of the library or of a file.  The NICs of the
 * nodes are the ports of the fabric; the class of the fabric's wires is link=,
 * by default the `port:` of the machine.  Ranks are numbered node by node.
 * With rails=R the cluster has R fabrics of one kind, and NIC i of a node is on
 * fabric i mod R.
 *
 * A rank sends through a single NIC: the NIC with the cheapest route, in the
 * order of NCCL's PIX, PXB, PHB, SYS; GPUs with equal routes take different
 * NICs.  With NICs attached to GPUs, a GPU without a NIC sends through the
 * nearest GPU with a NIC.  With stripe=on, identical NICs on a device are one
 * port with the sum of the rates (stripe.h); this is the default for nodes of one
 * kind with more NICs than GPUs (p5: four EFA adapters per GPU).
 *
 * A GPU on another rail is reached through the NIC of that rail.  With PXN
 * (NCCL 2.12) the message crosses NVLink to the GPU of that NIC, which forwards
 * the message; with pxn=off, or where the route over that GPU passes a device
 * twice, the message takes the PCIe route to the NIC, unless there is none (mi250x).
 */
#pragma once

#include "topo/formats/source.h"
#include "topo/graph/fabric.h"

/* Parameters of every generator of clusters. */
#define CS_CLUSTER_USAGE                                         \
    "[,bandwidth=RATE][,latency=TIME][,link=CLASS][,gamma=RATE]" \
    "[,overhead=TIME][,node=MACHINE,nodes=N][,gpus=N][,rails=N]" \
    "[,nics=NAME+NAME...]"                                       \
    "[,pxn=on|off][,stripe=on|off][,reduces=yes|no]"

/* The `build` of a source: with the fabric of the source, or else that of fabric=. */
int cs_cluster_build(const struct cs_source *source, const struct cs_topo_request *request,
                     const char *parameters, struct cs_graph *graph, struct cs_err *err);

struct cs_cluster_given {
    struct cs_fabric fabric; /* complete but for plan */
    uint32_t nodes;
    uint32_t adapters; /* of a node; 0: those of the machine */
    uint32_t gpus;     /* of a node, in use; 0: all */
};

/* A cluster of copies of request->platform, or of plain hosts.  CS_EINPUT for a machine
 * with other ports. */
int cs_cluster_build_given(const struct cs_topo_request *request,
                           const struct cs_cluster_given *given, struct cs_graph *graph,
                           struct cs_err *err);

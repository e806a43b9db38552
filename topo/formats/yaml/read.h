/*
 * Machines in YAML.
 *
 *     name: two-boxes
 *     about: two computers of 4 GPUs, one switch between
 *     classes:                          # optional: link classes of one's own
 *       cable: {rate: 25 GB/s, latency: 1 us, efficiency: 0.9, duplex: full,
 *               source: "data sheet of the cable"}
 *     nodes: 2                          # optional: computers of the same kind
 *     node:                             # one of them
 *       devices:
 *         gpu: {kind: gpu, count: 4}    # gpu0 .. gpu3
 *         plx: {kind: switch}           # plx
 *         cpu: {kind: cpu, reduce: 60 GB/s, overhead: 1 us}
 *         nic: {kind: nic}
 *       links:
 *         - {from: "gpu[0-3]", to: plx, class: pcie4 x16}
 *         - {from: [cpu, nic], to: plx, class: pcie4 x16}
 *     fabric:                           # what joins them; needs nodes:
 *       devices: {leaf: {kind: switch}}
 *       links:
 *         - {from: "n[*].nic", to: leaf, class: cable}
 *     ranks: [gpu0, gpu2, gpu1, gpu3]   # optional: order of ranks
 *     servers: [cpu]                    # optional: seats of parameter servers
 *     port: ib-hdr                      # optional: the class of a NIC's port,
 *                                       # for cluster: (cluster.h)
 *     forward: ranks                    # optional: ranks pass messages on, as
 *                                       # in a ring or torus
 *
 * With `nodes:` the devices of a node are called n0.gpu0, n1.gpu0 ... outside
 * of `node:`, even with `nodes: 1`; without it just gpu0.  A machine that is no
 * more than one list of devices and one of links may leave out `node:`.
 *
 * A device with a `count` is numbered from 0, one without is called by its
 * name alone.  Sets of names are name_set.h's; a list of sets is their sum.
 *
 * `reduces: yes` is for switches that add up what passes (SHARP).
 *
 * Without `node:` names may have all letters but '[' and ']', and `computer: 3`
 * (or none) says of which computer a device is a part.
 *
 * A link joins many to one or one to many (each with the one), or two lists of
 * the same length (the first with the first, and so on).  The class is one of
 * `classes` or of link_kinds.def, and "x12" after it multiplies the rate; see
 * link_kind.h for sizes of packets.  Two devices may be joined by links of
 * different class or width; by the same twice is refused, as it is more often a
 * slip than meant: write the sum as width.  `way: back` is for links that lead
 * from `to` to `from` alone.
 *
 * Ranks and servers: names of a node stand for that device of every node, node
 * by node; then come those that are given with a node's name or are part of
 * the fabric.  By default every GPU and host is a rank, save those that
 * `servers` names, and parameter servers sit on the CPUs.
 */
#ifndef CS_TOPO_FORMATS_YAML_READ_H
#define CS_TOPO_FORMATS_YAML_READ_H

#include "topo/documents/doc.h"
#include "topo/formats/source.h"
#include "topo/graph/graph.h"
#include "topo/graph/name_set.h"

/* What a file may ask for; beyond the largest machines there are. */
enum {
    CS_YAML_COUNT_MAX = 65536,     /* devices of one name in a node, nodes */
    CS_YAML_DEVICES_MAX = 1 << 20, /* of the machine; route.c counts on it */
    CS_YAML_WIRES_MAX = 1 << 20,
    CS_YAML_NAME_MAX = CS_NAME_MAX - 8, /* letters, where there is no node: */
};

/* Builds the graph of a document; the document's arena must outlive it. */
int cs_yaml_build(const struct cs_doc *doc,
                  const struct cs_topo_request *request, struct cs_graph *graph,
                  struct cs_err *err);

#endif

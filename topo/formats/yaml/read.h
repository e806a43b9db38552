/*
 * Machines in YAML.
 *
 *     name: two-boxes
 *     about: two nodes of 4 GPUs, one switch between
 *     classes:                          # optional: own link classes
 *       cable: {rate: 25 GB/s, latency: 1 us, efficiency: 0.9, duplex: full, network: roce,
 *               source: "data sheet of the cable"}
 *     nodes: 2                          # optional: number of equal nodes
 *     node:                             # a node
 *       devices:
 *         gpu: {kind: gpu, count: 4, model: a100}   # gpu0 .. gpu3
 *         plx: {kind: switch}           # plx
 *         cpu: {kind: cpu, reduce: 60 GB/s, overhead: 1 us}
 *         nic: {kind: nic}
 *       links:
 *         - {from: "gpu[0-3]", to: plx, class: pcie4 x16}
 *         - {from: [cpu, nic], to: plx, class: pcie4 x16}
 *     fabric:                           # inter-node network; needs nodes:
 *       devices: {leaf: {kind: switch}}
 *       links:
 *         - {from: "n[*].nic", to: leaf, class: cable}
 *     ranks: [gpu0, gpu2, gpu1, gpu3]   # optional: order of ranks
 *     servers: [cpu]                    # optional: places of parameter servers
 *     port: ib-hdr                      # optional: the class of a NIC's port,
 *                                       # for cluster: (cluster.h)
 *     forward: ranks                    # optional: ranks forward messages, as
 *                                       # in a ring or torus
 *     routes:                           # optional: other paths than the cheapest
 *       - {from: n0.gpu0, to: "n1.gpu[0-3]", over: [n0.plx, n0.nic, leaf, n1.nic, n1.plx]}
 *
 * `generator: "fat-tree:ranks=1024"` stands in place of all these but name and about: the
 * machine of that generator, with its routes for every --routing and its parameter servers.
 *
 * With `nodes:` the devices of a node are called n0.gpu0, n1.gpu0 ... outside
 * of `node:`, even with `nodes: 1`; otherwise gpu0.  A machine with a single
 * list of devices and a single list of links may omit `node:`.
 *
 * A device with a `count` is numbered from 0; without a `count` the name is
 * used as written.  Sets of names are described in name_set.h; a list of sets
 * is their union, in order.
 *
 * `reduces: yes` marks a switch with in-network reduction (SHARP).  `model: h100`
 * is the model of a GPU (gpu_kind.h); `peer-access: yes` or no is for a GPU whose
 * driver differs from the model's.  `vendor: amd` is the maker of a CPU: intel,
 * amd, arm, ibm, zhaoxin.  `port: ib-ndr` of a NIC is the class of its link to a
 * network; at the top of the file, of all NICs without one.  `bond: [nic0, nic1]` of a
 * NIC names the NICs that it stands for, itself first: one port of all (stripe.h).
 *
 * Without `node:` names may have every character except '[' and ']', and
 * `host: 3` (or none) sets the host of a device.
 *
 * A link joins many devices to one, one to many, or two lists of equal length
 * in pairs.  The class is from `classes` or link_kinds.def; "x12" behind the
 * class multiplies the rate; link_kind.h describes packet sizes.  Two devices
 * may be joined by links of different class or width.  A repeated class and
 * width is refused as a probable mistake: write the sum as width.  `direction: back`
 * is for links from `to` to `from` only.
 *
 * A route names the devices between each device of `from` and each of `to`, with the
 * names of the fabric, and takes the cheapest link between two, or link 1 of several,
 * in order, by `nth: [0, 1, 0, 0, 0, 0]`; pairs without a route
 * have a cheapest path (route.h), and so have all with a routing other than static.
 *
 * Ranks and servers: a name of a node selects that device in every node, node
 * by node; names with a node's prefix and names of the fabric follow.  By
 * default every GPU and host is a rank, except devices in `servers`, and
 * parameter servers are placed on the CPUs.
 */
#pragma once

#include "topo/documents/doc.h"
#include "topo/formats/source.h"
#include "topo/formats/yaml/limits.h"
#include "topo/graph/graph.h"

/* Builds the graph of a document; the document's arena must outlive the
 * graph. */
int cs_yaml_build(const struct cs_doc *doc, const struct cs_topo_request *request,
                  struct cs_graph *graph, struct cs_err *err);

/*
 * A communicator of NCCL on a machine: the inputs of the tuning model.
 *
 * Graphs come from the search (nccl/graph.h); the number of channels from the
 * ring's graph and from the rules by version and generation.
 * Source: NVIDIA/nccl src/init.cc, src/graph/connect.cc (ncclTopoPostset),
 * src/transport/nvls.cc.
 */
#pragma once

#include "algorithms/collective.h"
#include "algorithms/libraries/nccl/tuning.h"
#include "algorithms/libraries/site/site.h"

/* CS_ECANNOT for a site without GPUs of NVIDIA or AMD. Allocates nothing. */
int cs_nccl_comm_read(const struct cs_site *site, uint32_t version, struct cs_nccl_comm *comm,
                      struct cs_err *err);

/* A communicator with a collective network, as NCCL_COLLNET_ENABLE=1 with a
 * plugin of SHARP gives: adds the graphs of CollNet. */
void cs_nccl_comm_add_collnet(const struct cs_site *site, struct cs_nccl_comm *comm);

/* The tuned function of a collective; CS_NCCL_FUNCS for a collective that NCCL
 * sends from rank to rank without tuning. */
enum cs_nccl_func cs_nccl_func_of(const struct cs_collective *collective);

/*
 * NCCL's graph search: how many channels of which rate an engine gets.
 *
 * NCCL tries rates from a list that depends on the GPU generation, the fastest
 * first, and packs as many rings (trees, NVLS heads) of that rate as the links
 * allow; the largest channels x rate wins.  Then channels of a high rate are
 * doubled at half the rate, and a second pass tries to raise rates again.
 *
 * The search here works on the summary of a machine (site.h): links of a GPU,
 * rings of a mesh, PCIe, the path between sockets, and adapters limit a packing;
 * the order of GPUs in a ring is not computed.  NCCL's search gives up after a
 * number of steps; trees over more than two GPUs therefore keep one order of
 * GPUs in all channels.
 *
 * Pure functions, no allocation, O(rates).  Source: NVIDIA/nccl
 * src/graph/search.cc (ncclTopoCompute), src/graph/connect.cc
 * (ncclTopoPostset), src/graph/topo.h.
 */

enum cs_nccl_pattern {
    CS_NCCL_PATTERN_RING,
    CS_NCCL_PATTERN_TREE,
    CS_NCCL_PATTERN_NVLS,
    CS_NCCL_PATTERN_COLLNET, /* a head per adapter */
    CS_NCCL_PATTERNS
};

/* The graph of one pattern.  Trees have exactly `channels` channels, those of
 * the ring; other patterns ignore it.  A pattern that finds nothing has 0
 * channels, rings and trees 1 of .1 GB/s as in NCCL. */
struct cs_nccl_graph cs_nccl_graph_search(const struct cs_site *site, uint32_t version,
                                          enum cs_nccl_pattern pattern, uint32_t channels);

/*
 * Limits of a machine as NCCL counts them: how many channels of a rate fit.
 *
 * NCCL does not count with data sheets or payloads but with constants per link
 * (NVIDIA/nccl src/graph/topo.h; ROCm/rccl the same file) and with nominal
 * rates of adapters.  The limits translate a site into these numbers, GB/s of
 * one direction.
 *
 * Pure functions, O(1).
 */

struct cs_nccl_limits {
    uint32_t gpus;     /* of a node */
    uint32_t adapters; /* of a node */
    bool across;       /* channels leave the node */
    bool has_links;    /* NVLink or xGMI between the GPUs of a ring */
    bool has_switch;
    bool intel_peers;    /* peer traffic through an Intel root port */
    double link_GBps;    /* links of a GPU, or its PCIe link */
    double pair_GBps;    /* between two GPUs of a mesh; behind switches `link` */
    double rings_GBps;   /* all rings inside the node */
    double uplink_GBps;  /* of a PCIe switch, for each of the GPUs below that
                           meet in the CPU; INFINITY: none do */
    double pcie_GBps;    /* 0: unknown */
    double socket_GBps;  /* INFINITY: rings stay on one socket */
    double adapter_GBps; /* of one port */
    double slot_GBps;    /* of a PCIe link below which `slot_adapters` are;
                            INFINITY: none limits them */
    uint32_t slot_adapters;
};

struct cs_nccl_limits cs_nccl_limits_read(const struct cs_site *site, uint32_t version);

/* Channels of `rate_GBps` inside a node: rings, chains of a tree, heads of NVLS,
 * heads of CollNet.  UINT32_MAX / 2 for a node without a limit. */
uint32_t cs_nccl_rings_inside(const struct cs_nccl_limits *limits, double rate_GBps);
uint32_t cs_nccl_trees_inside(const struct cs_nccl_limits *limits, double rate_GBps);
uint32_t cs_nccl_heads_inside(const struct cs_nccl_limits *limits, double rate_GBps);
uint32_t cs_nccl_collnet_inside(const struct cs_nccl_limits *limits, double rate_GBps);

/* Channels of `rate_GBps` through the adapters of a node. */
uint32_t cs_nccl_channels_across(const struct cs_nccl_limits *limits, double rate_GBps);

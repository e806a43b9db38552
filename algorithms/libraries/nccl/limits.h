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
#ifndef CS_ALGORITHMS_LIBRARIES_NCCL_LIMITS_H
#define CS_ALGORITHMS_LIBRARIES_NCCL_LIMITS_H

#include "algorithms/libraries/site/site.h"

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

#endif

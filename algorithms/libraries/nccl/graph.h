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
#ifndef CS_ALGORITHMS_LIBRARIES_NCCL_GRAPH_H
#define CS_ALGORITHMS_LIBRARIES_NCCL_GRAPH_H

#include "algorithms/libraries/nccl/tuning.h"

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

#endif

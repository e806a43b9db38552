/*
 * The network of a site: adapters in use, their rates, kind of network.
 *
 * Adapters in use are those with the best path to a GPU with a rank: NCCL's
 * search starts with the best class of paths and accepts a worse class only
 * where the better one finds nothing (NVIDIA/nccl src/graph/search.cc).  An
 * adapter counts with the slowest wire on the path, where adapters share a wire
 * with a part of that wire.
 */
#ifndef CS_ALGORITHMS_LIBRARIES_SITE_NET_H
#define CS_ALGORITHMS_LIBRARIES_SITE_NET_H

#include "algorithms/libraries/site/node.h"
#include "algorithms/libraries/site/summary.h"

/* Sets adapters, their rates and slots, payload_share, away_ranks, net, net_path,
 * wire_ps and gdr; maker, peer_access, pcie_Bps and nodes are set.  A single node
 * has no network.  `graph` is the whole machine. */
void cs_site_net_read(const struct cs_graph *graph, const struct cs_site_node *node,
                      struct cs_arena *arena, struct cs_site *site);

#endif

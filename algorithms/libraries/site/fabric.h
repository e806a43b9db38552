/*
 * The network between the nodes of a site: where switches are oversubscribed,
 * nodes that exchange all with all get less than the rate of their adapters.
 *
 * Rings and trees of NCCL follow the order of the nodes, so that one pass or two
 * leave a switch at once, and the adapters stay the limit.
 */
#ifndef CS_ALGORITHMS_LIBRARIES_SITE_FABRIC_H
#define CS_ALGORITHMS_LIBRARIES_SITE_FABRIC_H

#include "algorithms/libraries/site/summary.h"
#include "topo/graph/graph.h"

/* Sets leaf_nodes, and fabric_Bps from the uplinks of the first leaf and the
 * bound of an all-to-all (bound.h); nodes, node_ranks and adapters are set.  For
 * a network of one level both stay 0.  O(wires), and the cost of the bound. */
void cs_site_fabric_read(const struct cs_graph *graph, struct cs_site *site);

#endif

/*
 * Uplinks of a site: what PCIe switches carry where peer traffic below them
 * passes the root complex (ACS, access control services).
 *
 * The link from a switch to its CPU then carries the traffic of every device
 * below, in both directions: of k GPUs in a ring k neighbours' data in each direction,
 * of adapters that read and write GPU memory twice their rate.
 */
#ifndef CS_ALGORITHMS_LIBRARIES_SITE_UPLINKS_H
#define CS_ALGORITHMS_LIBRARIES_SITE_UPLINKS_H

#include "algorithms/libraries/site/node.h"
#include "algorithms/libraries/site/summary.h"

/* Sets ring_uplink_Bps and node_uplink_Bps.  Memory of the search is in
 * `arena`.  O(CPUs x wires x path length). */
void cs_site_uplinks_read(const struct cs_site_node *node, struct cs_arena *arena,
                          struct cs_site *site);

#endif

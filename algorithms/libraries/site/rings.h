/*
 * Rings inside a node of a site: total rate and worst path.
 *
 * Behind switches every ring has the rate of the GPUs' links.  Direct links
 * carry the rings of the machine's search (node_rings.h).  On PCIe a single
 * ring passes each switch and socket once (near_order.h), because further rings
 * share the same wires.
 */
#ifndef CS_ALGORITHMS_LIBRARIES_SITE_RINGS_H
#define CS_ALGORITHMS_LIBRARIES_SITE_RINGS_H

#include "algorithms/libraries/site/node.h"
#include "algorithms/libraries/site/summary.h"

/* Sets ring_Bps and gpu_path from a node; link_Bps and has_switch are set.
 * A node of one rank has no ring: rate 0, CS_PATH_LOCAL. */
void cs_site_rings_read(const struct cs_site_node *node, struct cs_arena *arena,
                        struct cs_site *site);

#endif

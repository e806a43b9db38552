/*
 * A site: what a communication library finds out about a machine.
 *
 * cs_site_read derives the summary (site_summary.h) from the graph; a cost model
 * (library.h) reads nothing else.
 */
#ifndef CS_ALGORITHMS_LIBRARIES_SITE_H
#define CS_ALGORITHMS_LIBRARIES_SITE_H

#include "algorithms/libraries/site_summary.h"
#include "sim/base/err.h"
#include "sim/base/mem.h"
#include "topo/graph/graph.h"

/*
 * Summarises a machine with its ranks placed.  A node is a `host` of the graph,
 * so a rack of one NVLink domain in one host is one node, as in NCCL's fused
 * topology.  The node with the most ranks stands for all.  CS_EINPUT for a
 * machine without ranks.  Memory of the search is in `arena`.  O(ranks), and a
 * search of rings and paths inside one node.
 */
int cs_site_read(const struct cs_graph *graph, struct cs_arena *arena,
                 struct cs_site *site, struct cs_err *err);

/* "NVL", "PXB": the word of NCCL's logs. */
const char *cs_site_path_name(enum cs_site_path path);
/* "ib", "efa". */
const char *cs_site_net_name(enum cs_site_net net);

#endif

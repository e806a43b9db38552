/*
 * A site: a machine as a communication library sees the machine.
 *
 * cs_site_read derives the summary (site/summary.h) from the graph; cost
 * models (library.h) read the summary alone.
 */
#pragma once

#include "algorithms/libraries/site/summary.h"
#include "sim/base/err.h"
#include "sim/base/mem.h"
#include "topo/graph/graph.h"

/*
 * Summarises a machine with its ranks placed.  A node is a `host` of the graph,
 * so a rack with an NVLink domain in a single host is a node, as in NCCL's fused
 * topology.  The node with the most ranks represents the machine; the node with the
 * fewest ranks limits the adapters.  CS_EINPUT for a
 * machine without ranks.  Memory of the search is in `arena`.  O(ranks), and a
 * search of rings and paths inside a node.
 */
int cs_site_read(const struct cs_graph *graph, struct cs_arena *arena, struct cs_site *site,
                 struct cs_err *err);

/* The machine with the links between the GPUs of a node so many times as fast. */
void cs_site_scale_links(struct cs_site *site, double times);

/* The same adapters and wires by RDMA in place of kernel TCP; not their latency or frames. */
void cs_site_use_rdma(struct cs_site *site);

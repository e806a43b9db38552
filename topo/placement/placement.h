/*
 * Placement: the devices of a machine's ranks.
 *
 * An order is a permutation of the ranks of the graph: rank i moves to the
 * device of rank order[i].
 */
#pragma once

#include "topo/graph/graph.h"

/* Round-robin over the hosts: the first device of each host, then the second of
 * each host, and so on.  Devices without a host form a host.
 * O(ranks + hosts). */
void cs_placement_round_robin(const struct cs_graph *graph, uint32_t *order);

/* From a file with a device name per line, for rank 0 first; '#' begins a
 * comment.  CS_EINPUT unless the file has each rank's device exactly once.
 * O(ranks + devices). */
int cs_placement_read(const char *path, const struct cs_graph *graph, uint32_t *order,
                      struct cs_err *err);

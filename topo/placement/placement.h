/*
 * Seats: which of a machine's ranks sits where.
 *
 * An order says that rank i sits where order[i] sat; it is a permutation of
 * the ranks that the graph has.
 */
#ifndef CS_TOPO_PLACEMENT_PLACEMENT_H
#define CS_TOPO_PLACEMENT_PLACEMENT_H

#include "topo/graph/graph.h"

/* Round the computers: the first device of each, then the second of each, and
 * so on.  What is on no computer counts as one.  O(ranks + hosts). */
void cs_placement_round_robin(const struct cs_graph *graph, uint32_t *order);

/* As a file says: the name of a device on each line, that of rank 0 first;
 * what follows a '#' is left out.  CS_EINPUT unless it names each rank's device
 * once.  O(ranks + devices). */
int cs_placement_read(const char *path, const struct cs_graph *graph,
                      uint32_t *order, struct cs_err *err);

#endif

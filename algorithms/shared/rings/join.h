/*
 * Ring join: rings of one node cut open and joined to rings of all nodes.
 *
 * A ring visits the nodes in order and passes each node in the order of a local
 * ring, from an entry rank to an exit rank that are the same in every node.
 * The choice of entry and exit selects the adapters that the ring uses: each
 * ring takes the ends with the least busy routes to the next node, so that the
 * rings leave by different adapters.
 *
 *     4 ranks per node, local ring 0-1-2-3, entry 2, exit 1:
 *
 *     node 0: 2 3 0 1 -> node 1: 6 7 4 5 -> node 0
 */
#ifndef CS_ALGORITHMS_SHARED_RINGS_JOIN_H
#define CS_ALGORITHMS_SHARED_RINGS_JOIN_H

#include "algorithms/shared/rings/node_rings.h"

/* `count` rings, at least 1, over the local rings in turn.  Greedy placement,
 * then up to four passes of replacement of single rings and of pairs.  The
 * result lives in the arena. */
const struct cs_rings *cs_rings_join(const struct cs_ring_nodes *nodes, struct cs_node_rings local,
                                     uint32_t count, struct cs_arena *arena);

#endif

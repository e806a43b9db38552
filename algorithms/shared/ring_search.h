/*
 * Ring search: circuits through all nodes that share no lane.
 *
 * A lane carries one ring one way; a wire of double width is two lanes.  A
 * circuit goes on to the neighbour that the most lanes lead to, of these to the
 * one with the fewest ways on (H. C. von Warnsdorf's rule for the knight's tour,
 * 1823), and back where there is none.  Circuits are taken one after the other,
 * every other time each with its reverse, until the lanes of some node are all
 * taken or none is found; then again with ties broken by other random numbers,
 * always the same, up to 2^16 steps in all.  Most rings win.
 *
 * That need not be the most there are.  It is, and within a few steps, for full
 * meshes of up to 15 nodes (of 4 and of 6 no search finds more: T. W. Tillson, A
 * Hamiltonian decomposition of K*_2m, 2m >= 8, JCT-B 29, 1980), tori up to
 * 8 x 8 and 4 x 4 x 4, a hypercube of 16, and the cube mesh of a DGX-1.
 *
 * O(steps x nodes): some 10 ms where it does not end before.
 */
#ifndef CS_ALGORITHMS_SHARED_RING_SEARCH_H
#define CS_ALGORITHMS_SHARED_RING_SEARCH_H

#include <stdint.h>

struct cs_ring_lanes {
    uint32_t nodes;        /* at least 2 */
    const uint32_t *lanes; /* from node a to node b: lanes[a * nodes + b] */
};

/* Fills order[c * nodes ..] with the nodes of ring c, from node 0 on; returns how
 * many rings there are, at most `most`, which there is room for. */
uint32_t cs_ring_search(const struct cs_ring_lanes *lanes, uint32_t most,
                        uint32_t *order);

#endif

/*
 * Bounds from maximum flows: the cut, the partition or the routes that bind the
 * collective most (cuts.h, strength.h, pairs.h).
 */
#ifndef CS_ALGORITHMS_BOUNDS_FLOW_BOUNDS_H
#define CS_ALGORITHMS_BOUNDS_FLOW_BOUNDS_H

#include "algorithms/bounds/bound_case.h"

/* Sets of->cells, of->traits and of->has_flows.  The limits of bound.h hold. */
void cs_flow_bounds(struct cs_bound_case *of);

/* The narrowest cut around the ranks inside (by rank), for an all-to-all: the
 * prices tried on large machines may miss the cut between two nodes.  Needs
 * cs_flow_bounds before. */
void cs_flow_bound_around(struct cs_bound_case *of, const bool *is_inside);

#endif

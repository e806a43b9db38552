/*
 * Bounds from maximum flows: the cut, the partition or the routes that bind the
 * collective most (cuts.h, strength.h, pairs.h).
 */
#ifndef CS_ALGORITHMS_BOUNDS_FLOW_BOUNDS_H
#define CS_ALGORITHMS_BOUNDS_FLOW_BOUNDS_H

#include "algorithms/bounds/case.h"

/* Sets of->cells, of->traits and of->has_flows.  The limits of bound.h hold. */
void cs_flow_bounds(struct cs_bound_case *of);

/* Cuts of an all-reduce with reductions in the network, where the bounds up to now
 * hold without them alone.  Needs cs_flow_bounds before. */
void cs_flow_bounds_with_reducers(struct cs_bound_case *of);

/* Whether cuts around groups of ranks can bind: in an all-to-all, as the prices
 * tried on large machines may miss the cut between two nodes.  Needs
 * cs_flow_bounds before. */
static inline bool cs_flow_bound_wants_groups(const struct cs_bound_case *of)
{
    return of->has_flows && of->request->collective->after == CS_TRANSPOSED;
}

/* The narrowest cut around the ranks inside (by rank), where groups are
 * wanted. */
void cs_flow_bound_around(struct cs_bound_case *of, const bool *is_inside);

#endif

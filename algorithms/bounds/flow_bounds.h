/*
 * Bounds from maximum flows: the cut, the partition or the routes that bind the
 * collective most (cuts.h, strength.h, pairs.h).
 */
#ifndef CS_ALGORITHMS_BOUNDS_FLOW_BOUNDS_H
#define CS_ALGORITHMS_BOUNDS_FLOW_BOUNDS_H

#include "algorithms/bounds/bound_case.h"

/* Sets of->cells and of->traits.  The limits of bound.h hold. */
void cs_flow_bounds(struct cs_bound_case *of);

#endif

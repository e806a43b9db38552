/* Bounds from groups of ranks, single and together (groups.h). */
#ifndef CS_ALGORITHMS_BOUNDS_GROUP_BOUNDS_H
#define CS_ALGORITHMS_BOUNDS_GROUP_BOUNDS_H

#include "algorithms/bounds/case.h"

/* Every rank is a group. O(links). */
void cs_group_bounds_of_ranks(struct cs_bound_case *of);

/* Groups are the parts of the machine without the wires up to a rate, for every
 * rate. O(rates (links + devices)). */
void cs_group_bounds_of_rates(struct cs_bound_case *of);

#endif

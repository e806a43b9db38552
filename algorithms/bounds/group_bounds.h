/*
 * Bounds from groups of ranks, each alone and all groups together (groups.h).
 */
#ifndef CS_ALGORITHMS_BOUNDS_GROUP_BOUNDS_H
#define CS_ALGORITHMS_BOUNDS_GROUP_BOUNDS_H

#include "algorithms/bounds/bound_case.h"

/* Each rank is a group.  O(links). */
void cs_group_bounds_of_ranks(struct cs_bound_case *of);

/* The groups into which the machine falls when all wires up to a rate are cut,
 * for every rate.  O(rates (links + devices)). */
void cs_group_bounds_of_rates(struct cs_bound_case *of);

#endif

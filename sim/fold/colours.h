/*
 * Colours: hashes of what ranks do, whose period suggests the number of orbits.
 *
 * A colour that is wrong costs time and nothing else: every group is checked.
 */
#ifndef CS_SIM_FOLD_COLOURS_H
#define CS_SIM_FOLD_COLOURS_H

#include "sim/fold/search.h"

/* The least number of orbits to try, by the first ranks alone: O(1) in ranks. */
uint32_t cs_fold_first_orbits(struct fold_search *search);

/* Colours of all ranks, refined by the colours of their peers. */
uint32_t cs_fold_refined_orbits(struct fold_search *search);

#endif

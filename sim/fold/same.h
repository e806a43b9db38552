/*
 * Whether search->group preserves the program: the rounds of every rank are the images
 * of the rounds of its representative.  All rounds are compared up to CS_FOLD_ROUNDS,
 * beyond a random sample of CS_FOLD_DRAWN.
 */
#ifndef CS_SIM_FOLD_SAME_H
#define CS_SIM_FOLD_SAME_H

#include "sim/fold/search.h"

/* The sample is drawn by the seed.
 * False with the reason in *search->why, or where the search is stopped. */
bool cs_fold_keeps_program(struct fold_search *search, uint64_t seed);

/* Rounds of all ranks; UINT64_MAX if they are too many to count. */
uint64_t cs_fold_all_rounds(const struct fold_search *search);

#endif

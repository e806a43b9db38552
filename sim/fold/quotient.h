/*
 * The quotient: program and net of the representatives alone, in the arena of the
 * fold.
 */
#ifndef CS_SIM_FOLD_QUOTIENT_H
#define CS_SIM_FOLD_QUOTIENT_H

#include "sim/fold/search.h"

/* The fold by search->group, which keeps program and machine. */
struct cs_fold *cs_fold_quotient(const struct fold_search *search);

/* Whether a link of the net is an image of a link of the quotient. */
bool cs_quotient_has(const struct quotient *quotient, uint32_t link);

#endif

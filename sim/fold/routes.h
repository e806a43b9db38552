/*
 * Whether search->group preserves the machine: routes of messages that are images of each
 * other cross images of links.  The check assigns links to classes (struct classes), the
 * links of the quotient.  O(pairs of ranks that exchange messages x hops).
 */
#ifndef CS_SIM_FOLD_ROUTES_H
#define CS_SIM_FOLD_ROUTES_H

#include "sim/fold/search.h"

/* False with the reason in *search->why, or where the search is stopped. */
bool cs_fold_keeps_machine(struct fold_search *search);

#endif

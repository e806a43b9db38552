/*
 * Whether search->group keeps the machine: the routes of messages that are images
 * of each other cross links that are.
 *
 * Links are put into classes on the way (struct classes), which the quotient has
 * as its links.  O(pairs of ranks that exchange messages x hops).
 */
#ifndef CS_SIM_FOLD_ROUTES_H
#define CS_SIM_FOLD_ROUTES_H

#include "sim/fold/search.h"

bool cs_fold_keeps_machine(struct fold_search *search);

#endif

/*
 * Advice: one case of a plan, with the reason.
 *
 *     limits     --budget (capital), --deadline (of --tokens), --power-limit
 *     advised    with a deadline the cheapest case within the limits, with other
 *                limits the fastest; without limits the fastest whose price of a
 *                sample is at most a tenth above the least
 *     rent       GPUs x hours x the rent of a GPU; buying pays after
 *                capital / (rent - electricity) of use
 */
#ifndef CS_SCENARIOS_PLAN_CASES_ADVICE_H
#define CS_SCENARIOS_PLAN_CASES_ADVICE_H

#include "scenarios/plan/cases/cases.h"

/* Fills `advice` of all cases and `advised` of the plan; texts in the arena of the
 * options.  O(cases). */
void cs_plan_advise(struct cs_plan *plan);

/* Steps of the whole training; NAN without --tokens. */
double cs_plan_steps(const struct cs_plan *plan, const struct cs_plan_case *one);

#endif

/*
 * Search of a sweep: the best case, without running all.
 *
 * Every case gets its closed form, with the worst latency and rate of its routes.
 * Cases are simulated in the order of the closed forms, those without one first,
 * until the closed forms exceed the best time by a half, or a tenth of the cases is
 * simulated (at least 32).  The order is a good guess, no proof: contention and
 * unequal routes part the closed form from the simulation.
 *
 *     search   a plan per case, and a simulation of few
 */
#ifndef CS_SCENARIOS_SWEEP_SEARCH_H
#define CS_SCENARIOS_SWEEP_SEARCH_H

#include "scenarios/options/command.h"
#include "scenarios/sweep/options.h"

/* Prints the best case and the number of simulations. */
int cs_sweep_search(const struct cs_cli *cli, const struct cs_sweep_options *options,
                    const struct cs_sweep *sweep, struct cs_err *err);

#endif

/*
 * Estimate of a case: the closed form, without a simulation.
 *
 *     estimate   machine, plan and program; O(ranks) at least
 */
#ifndef CS_SCENARIOS_RUN_ESTIMATE_H
#define CS_SCENARIOS_RUN_ESTIMATE_H

#include "scenarios/run/case/case.h"

struct cs_estimate {
    double closed_form_s; /* NAN: the algorithm has none on this machine */
    double bus_factor;    /* bus bandwidth / algorithm bandwidth */
    double bytes;         /* of the vector */
};

/* As cs_simulate: 0, CS_SIMULATE_REFUSED or an error. */
int cs_run_estimate(const struct cs_case *which, struct cs_arena *arena,
                    struct cs_estimate *estimate, struct cs_err *err);

#endif

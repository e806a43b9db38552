/*
 * Parameters of a run, as the rows of its record.
 */
#ifndef CS_SCENARIOS_RUN_PARAMETERS_H
#define CS_SCENARIOS_RUN_PARAMETERS_H

#include "scenarios/run/run.h"

/* Sets run->parameter to the parameters that the user gave or the algorithm chose,
 * in `call`, and then those of the machine and the model.  In the run's arena. */
void cs_run_add_parameters(struct cs_run *run, const struct cs_call *call);

#endif

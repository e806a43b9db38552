/*
 * Parameters of a run, as the rows of its record.
 */
#ifndef CS_SCENARIOS_RUN_CASE_PARAMETERS_H
#define CS_SCENARIOS_RUN_CASE_PARAMETERS_H

#include "scenarios/run/case/run.h"

/* Sets run->parameter: the parameters of the algorithm in `call`, given or chosen,
 * then the parameters of machine and model; in the run's arena. */
void cs_run_add_parameters(struct cs_run *run, const struct cs_call *call);

#endif

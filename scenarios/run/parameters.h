/*
 * Parameters of a run as one line of text, for people and for the database.
 */
#ifndef CS_SCENARIOS_RUN_PARAMETERS_H
#define CS_SCENARIOS_RUN_PARAMETERS_H

#include "scenarios/run/run.h"

/* "chunks=8 slices=2 fault=leaf0:down": what the user gave or the algorithm chose,
 * in `call`, then what changes the machine or the model.  In the run's arena. */
const char *cs_run_parameters(const struct cs_run *run,
                              const struct cs_call *call);

#endif

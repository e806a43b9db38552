/*
 * Opening of a run: machine, rank order, plan and program.
 */
#ifndef CS_SCENARIOS_RUN_OPEN_H
#define CS_SCENARIOS_RUN_OPEN_H

#include "scenarios/run/case/run.h"

/* Opens run->machine, numbers the ranks, plans the call and makes the program;
 * `which`, arena and err are set before.  0, CS_SIMULATE_REFUSED or an error. */
int cs_run_open(struct cs_run *run);

#endif

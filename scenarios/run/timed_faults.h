/*
 * Timed faults: the networks that a run changes to while messages are under way.
 */
#ifndef CS_SCENARIOS_RUN_TIMED_FAULTS_H
#define CS_SCENARIOS_RUN_TIMED_FAULTS_H

#include "scenarios/run/case/run.h"

/* Fills run->changes with a network for each time of a fault; the program is made.
 * CS_EINPUT for link models that cannot change.  A run of the healthy machine has
 * no changes. */
int cs_timed_faults_open(struct cs_run *run);

#endif

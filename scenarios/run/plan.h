/*
 * Plan of a run: the call that the algorithm's program is made for.
 *
 * Order: call, settle, then the program; then, with agents placed, switches.
 */
#ifndef CS_SCENARIOS_RUN_PLAN_H
#define CS_SCENARIOS_RUN_PLAN_H

#include "scenarios/run/run.h"

/* Sets run->call to what the user gave, on the ranks of the open machine, and
 * finds the rings of algorithms that run on rings. */
int cs_plan_call(struct cs_run *run);

/* Lets the algorithm choose what the user left open, for a machine with these
 * latencies and rates; lists the choice in run->parameter; fills up vectors
 * that must divide into equal blocks, with a note. */
void cs_plan_settle(struct cs_run *run, const struct cs_hockney *hockney);

/* Marks the run as hypothetical where a switch is not known to do what the
 * algorithm requires of it; CS_EINPUT instead under `--algo auto`. */
int cs_plan_check_switches(struct cs_run *run);

#endif

/*
 * Plan of a run: the call of the algorithm.
 *
 * Order: call, settle, then the program; then, with agents placed, switches.
 */
#ifndef CS_SCENARIOS_RUN_CASE_PLAN_H
#define CS_SCENARIOS_RUN_CASE_PLAN_H

#include "scenarios/run/case/run.h"

/* Sets run->call to the user's parameters on the ranks of the open machine, and
 * finds the rings of algorithms on rings and the trees of those on trees. */
int cs_plan_call(struct cs_run *run);

/* Lets the algorithm choose open parameters for the latencies and rates of
 * `hockney`, lists the choice in run->parameter, and pads vectors that must divide
 * into equal blocks, with a note. */
void cs_plan_settle(struct cs_run *run, const struct cs_hockney *hockney);

/* CS_EINPUT under `--algo auto` where packing trees takes long; the call then
 * has none. */
int cs_plan_check_trees(const struct cs_run *run);

/* Marks the run as hypothetical where a switch is not known to support the
 * algorithm's operations; CS_EINPUT instead under `--algo auto`. */
int cs_plan_check_switches(struct cs_run *run);

/* Sets run->parameter: the parameters of the algorithm in `call`, given or chosen,
 * then the parameters of machine and model; in the run's arena. */
void cs_run_add_parameters(struct cs_run *run, const struct cs_call *call);

#endif

/*
 * Plan of a run: the call of the algorithm.
 *
 * Order: call, settle, then the program; then, with agents placed, switches.
 */
#pragma once

#include "scenarios/run/case/run.h"
#include "topo/placement/ring_order.h"

/* ---- rank order ---- */

/*
 * Placement (`--placement`) and ring order (`--ring-order`) permute the machine's
 * ranks; agents keep their places.  A concurrent job has a part of the permuted
 * ranks.
 */

/*
 * Sets *order to the permutation of the parties of the run's machine, or to NULL
 * where ranks stay in the machine's order.  A ring order is added to the graph's
 * notes.  CS_EINPUT for a file that does not name every rank once.
 */
int cs_rank_order(struct cs_run *run, uint32_t **order);

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

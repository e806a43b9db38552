/*
 * Opening of a run: the ranks of a job on the scenario's machine, its plan and
 * program, and the networks that timed faults change to.
 *
 * The machine is opened with the ranks of every concurrent job.  run->all_net is
 * the network with these ranks in order; run->net and run->graph have the ranks of
 * one job, numbered from 0.  Links have equal numbers in both networks.
 *
 *     ranks=32, --ranks 4 --with all-to-all:ranks=4-7
 *
 *     all_net     0 1 2 3 4 5 6 7
 *     main job    0 1 2 3
 *     other job           0 1 2 3
 */
#pragma once

#include "scenarios/run/case/run.h"

/* Opens run->machine, numbers the ranks, plans the call and makes the program;
 * `which`, arena and err are set before.  0, CS_SIMULATE_REFUSED or an error. */
int cs_run_open(struct cs_run *run);

/* Opens the machine alone, with places for the agents of the run's algorithm, and
 * replaces the case's notes by the machine's. */
int cs_run_open_machine(struct cs_run *run, uint32_t agents);

/* Expands a replicated machine in full, as required by every run without a
 * fold. */
int cs_run_expand(struct cs_run *run);

/* Appends a note where `--routing` was given and routes between a sample of the
 * parties are those of the default.  O(1) routes on two machines. */
void cs_note_unused_routing(const struct cs_run *run);

/*
 * Machine of a run: the ranks of a job on the scenario's machine.
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
#ifndef CS_SCENARIOS_RUN_JOB_MACHINE_H
#define CS_SCENARIOS_RUN_JOB_MACHINE_H

#include "scenarios/run/case/run.h"

/* The number of ranks of the opened machine: the main job's, or more for a job on
 * later ranks; 0: all of the machine's. */
uint32_t cs_run_ranks_of_all_jobs(const struct cs_run *run);

/* Opens the machine with places for the agents of the run's algorithm, and replaces
 * the case's notes by the machine's. */
int cs_run_open_machine(struct cs_run *run, uint32_t agents);

/* Expands a replicated machine in full, as required by every run without a
 * fold. */
int cs_run_expand(struct cs_run *run);

/* The machine of an open run with a different routing. */
int cs_run_machine_routed(const struct cs_run *run, enum cs_routing routing,
                          const struct cs_machine **machine, struct cs_err *err);

/* The machine as timed faults leave it at at_ps, and its networks. */
struct cs_run_nets {
    struct cs_net all, own;
};
int cs_run_open_at(const struct cs_run *run, uint64_t at_ps, const struct cs_machine **machine,
                   struct cs_run_nets *nets);

/* Appends the graph's notes to the case's, without duplicates. */
void cs_run_pass_on_notes(const struct cs_run *run, const struct cs_graph *graph);

#endif

/*
 * Machine of a run: the ranks of a job on the scenario's machine.
 *
 * The machine is opened with the ranks of all concurrent jobs.  run->all_net is
 * its network with those ranks in order; run->net and run->graph are the same
 * with the ranks of this job alone, numbered from 0.  Links have the same numbers
 * in both.
 *
 *     ranks=32, --ranks 4 --with all-to-all:ranks=4-7
 *
 *     all_net     0 1 2 3 4 5 6 7
 *     main job    0 1 2 3
 *     other job           0 1 2 3
 */
#ifndef CS_SCENARIOS_RUN_RUN_MACHINE_H
#define CS_SCENARIOS_RUN_RUN_MACHINE_H

#include "scenarios/run/run.h"

/* The number of ranks that the machine is opened with: those of the main job, or
 * more where another job is on ranks behind; 0: as many as the machine has. */
uint32_t cs_run_ranks_of_all_jobs(const struct cs_run *run);

/* Opens the machine with places for so many agents, for the run's algorithm, and
 * replaces the case's notes by those of the machine. */
int cs_run_open_machine(struct cs_run *run, uint32_t agents);

/* Writes a replicated machine out in full, as every run but a folded one
 * requires. */
int cs_run_expand(struct cs_run *run);

/* The machine of an open run under another routing. */
int cs_run_machine_routed(const struct cs_run *run, enum cs_routing routing,
                          const struct cs_machine **machine,
                          struct cs_err *err);

/* The machine as timed faults leave it at at_ps, and its networks. */
struct cs_run_nets {
    struct cs_net all, own;
};
int cs_run_open_at(const struct cs_run *run, uint64_t at_ps,
                   const struct cs_machine **machine, struct cs_run_nets *nets);

/* Appends the graph's notes to the case's, each once. */
void cs_run_pass_on_notes(const struct cs_run *run,
                          const struct cs_graph *graph);

#endif

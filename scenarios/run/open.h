/*
 * Opening of a run: machine, rank order, plan and program.
 */
#ifndef CS_SCENARIOS_RUN_OPEN_H
#define CS_SCENARIOS_RUN_OPEN_H

#include "scenarios/run/run.h"

/* Opens run->machine, numbers the ranks, plans the call and makes the program;
 * `which`, arena and err are set before.  Returns as cs_simulate does. */
int cs_run_open(struct cs_run *run);

/* Writes a replicated machine out in full, as every run but a folded one
 * requires. */
int cs_run_expand(struct cs_run *run);

/* The machine of an open run under another routing. */
int cs_run_machine_routed(const struct cs_run *run, enum cs_routing routing,
                          const struct cs_machine **machine,
                          struct cs_err *err);

/* For timed faults: the machine as it is from at_ps on, and its network with the
 * ranks of all jobs, and of this job alone. */
struct cs_run_nets {
    struct cs_net all, own;
};
int cs_run_open_at(const struct cs_run *run, uint64_t at_ps,
                   const struct cs_machine **machine, struct cs_run_nets *nets);

/* Appends the graph's notes to the case's, each once. */
void cs_run_pass_on_notes(const struct cs_run *run,
                          const struct cs_graph *graph);

#endif

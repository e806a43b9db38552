/*
 * Default algorithm: what runs where no algorithm is named.
 */
#ifndef CS_SCENARIOS_RUN_DEFAULT_ALGO_H
#define CS_SCENARIOS_RUN_DEFAULT_ALGO_H

#include "scenarios/run/run.h"

/* The ring, or the collective's first algorithm.  On nodes of several ranks, up to
 * 512 ranks in all, the multi-ring over all adapters, as NCCL has.  The graph may
 * be NULL. */
const char *cs_default_algo(const struct cs_collective *collective,
                            const struct cs_graph *graph);

/* That of the scenario's machine with the largest number of ranks, which is opened
 * for it. */
const char *cs_default_algo_of(const struct cs_scenario *scenario);

/* A note where the default is one ring, and so one adapter of several of each
 * node, because of the number of ranks. */
void cs_note_default_algo(const struct cs_run *run);

#endif

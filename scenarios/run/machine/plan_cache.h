/*
 * Plan cache: the rings and trees of a machine's ranks in order, searched once for
 * all algorithms and sizes.
 *
 *     rings, trees   the first time as the search (machine_rings.h,
 *                    machine_trees.h); then O(searches of the machine)
 *
 * Results are those of the searches, NULL included, and live as long as the
 * machine.
 */
#ifndef CS_SCENARIOS_RUN_MACHINE_PLAN_CACHE_H
#define CS_SCENARIOS_RUN_MACHINE_PLAN_CACHE_H

#include "algorithms/shared/rings/machine_rings.h"
#include "algorithms/shared/trees/machine_trees.h"

struct cs_plan_cache;

/* An empty cache, in the arena of the machine. */
struct cs_plan_cache *cs_plan_cache_new(struct cs_arena *arena);

/* The network must be that of the machine, with `ranks` ranks in order. */
const struct cs_rings *cs_plan_cache_rings(struct cs_plan_cache *cache, const struct cs_net *net,
                                           uint32_t ranks, uint32_t group);
const struct cs_trees *cs_plan_cache_trees(struct cs_plan_cache *cache, const struct cs_net *net,
                                           uint32_t ranks, const struct cs_tree_request *request);

#endif

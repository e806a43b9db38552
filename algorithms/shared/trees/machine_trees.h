/*
 * Machine trees: the set of spanning trees with the highest throughput.
 *
 * All-gather, reduce-scatter, broadcast and reduce attain the rate of the
 * narrowest cut with trees packed on the wires (Zhao et al., ForestColl:
 * Throughput-Optimal Collective Communications on Heterogeneous Network Fabrics,
 * NSDI 2026, arXiv 2402.06787; one root: Edmonds 1973).  The demand decides the
 * roots:
 *
 *     CS_TREES_OF_ALL   as many units out of every rank
 *     CS_TREES_OF_ROOT  all units out of one rank
 *     CS_TREES_OF_ANY   roots are free: each tree goes up and down, and a sum
 *                       can be formed anywhere.  The least supplies that give
 *                       every set of ranks the demand are found rank by rank
 *                       (Frank, On disjoint trees and arborescences, 1978)
 *
 * With U seconds per byte a link of b bytes/s carries floor(U b) units.  The
 * least U for a number of units is found by bisection over maximum flows; the
 * number of units with the highest rate wins, up to a limit: more units come
 * closer to the machine's rate, and cost more trees.  Then switches are removed
 * (trees/graph.h) and trees packed (trees/pack.h).  The trees' rate follows from
 * the load of the real routes.
 *
 * Trees of identical nodes are mixtures (trees/units.h) over the branches of one node of each
 * class (trees/branches.h).  Where these stay below what flows allow, as beside a link that is
 * slow or down, units move to other trees (trees/moves.h); a mixture over all ranks follows only
 * far from the rate that such trees can attain.
 * Sums of so many nodes that copies of trees out of each leave no blocks for a pipeline
 * go along few trees out of the first node.
 */
#pragma once

#include "algorithms/shared/trees/search.h"
#include "algorithms/shared/trees/trees.h"

enum {
    CS_TREES_RANKS_SEARCHED = 16 /* in less than a second */
};

struct cs_tree_request {
    enum cs_tree_roots roots;
    uint32_t root;
    enum cs_tree_use use;
    bool is_quick; /* no search over more than CS_TREES_RANKS_SEARCHED ranks */
    /* Ranks of identical nodes, with consecutive numbers; or 0. */
    uint32_t group;
};

/* The trees of a machine.  NULL with fewer than 2 or more than CS_TREES_RANKS_MAX
 * ranks (CS_TREES_CLUSTER_MAX of identical nodes), and where routes do not connect the
 * ranks.  Some hundred maximum flows or cheapest trees for each rank. */
const struct cs_trees *cs_trees_of_machine(const struct cs_net *net, uint32_t ranks,
                                           const struct cs_tree_request *request,
                                           struct cs_arena *arena);

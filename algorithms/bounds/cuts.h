/*
 * The cuts that limit a collective with a single source or sink, or with every
 * rank as source and sink.
 *
 * Z stands for a set of ranks with the narrowest placement of switches, in(Z)
 * for the rate into Z in the direction of the network (network.h), p for the
 * number of ranks.
 *
 *     densest     least in(Z) / (p - ranks in Z): an all-gather has to bring
 *                 the blocks of the ranks outside into Z.  Trees from every
 *                 rank attain the rate (Zhao et al., ForestColl, arXiv
 *                 2402.06787, after Edmonds, Edge-disjoint branchings, 1973)
 *     towards     the least ratio of the sets Z with the root: a gather
 *     narrowest   least in(Z) of the sets without the root: a broadcast, after
 *                 Edmonds
 *     around      least in(Z) of the sets with exactly the given ranks
 *
 * A reversed network gives reduce-scatter, scatter and reduce.
 *
 * densest is Dinkelbach's iteration (Management Science 13, 1967): with x the
 * least ratio up to now, a flow from every rank, with supplies x, to a rank v
 * falls short of p x exactly when a better Z contains v; the ratio of the
 * better Z is the next x.  Ratios are ratios of cuts and fall strictly: the
 * iteration ends, with the rate of an actual cut.  When no better Z contains v,
 * v may be taken to be outside, with an endless supply; flows to later ranks
 * stay local.
 *
 * Costs: a flow for each rank not merged (cells.h), and for each improvement.
 */
#pragma once

#include "algorithms/bounds/network.h"

/* `inside` is NULL where no set qualifies, as with a single rank.  The
 * functions overwrite supplies and drains of the network; memory of cuts in the
 * arena.  `root` is a device with a rank, alone in a cell; densest has none. */
typedef struct cs_flow_cut cs_cut_search(struct cs_network *network, uint32_t root,
                                         struct cs_arena *arena);
cs_cut_search cs_cuts_densest, cs_cuts_towards, cs_cuts_narrowest;

/* `is_member` is by cell; some cells with ranks are members, some are not. */
struct cs_flow_cut cs_cuts_around(struct cs_network *network, const bool *is_member,
                                  struct cs_arena *arena);

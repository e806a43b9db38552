/*
 * The cuts that limit a collective with one source, one sink, or all of both.
 *
 * Z stands for a set of ranks with switches placed where they bind most, in(Z)
 * for what enters Z a second in the direction of the network (network.h), p for
 * all ranks.
 *
 *     densest     least in(Z) / (p - ranks in Z): an all-gather has to bring
 *                 the blocks of all ranks outside into Z.  The cut is exact:
 *                 the rate is attained by trees from every rank (Zhao et al.,
 *                 ForestColl, 2024, on Edmonds, Edge-disjoint branchings, 1973)
 *     towards     the same for the sets Z with the root: a gather
 *     narrowest   least in(Z) of the sets without the root: a broadcast (Edmonds)
 *
 * A reversed network gives reduce-scatter, scatter and reduce.
 *
 * densest is Dinkelbach's iteration (Management Science 13, 1967): with x the
 * least ratio so far, a flow from all ranks, x each, to a rank v falls short of
 * p x exactly when a better Z contains v; the ratio of that Z is the next x.
 * Ratios of cuts fall strictly, so the iteration ends, and a rate is always
 * that of an actual cut.  Once no better Z contains v, v may be taken to be
 * outside, with an endless supply; the flows to later ranks stay local.
 *
 * Costs: a flow for each rank not merged (cells.h), and for each improvement.
 */
#ifndef CS_ALGORITHMS_BOUNDS_CUTS_H
#define CS_ALGORITHMS_BOUNDS_CUTS_H

#include "algorithms/bounds/network.h"

/* `inside` is NULL where no set qualifies, as with one rank.  The network's
 * supplies and drains are the functions' own; memory of cuts in the arena. */
struct cs_flow_cut cs_cuts_densest(struct cs_network *network,
                                   struct cs_arena *arena);

/* `root` is a device with a rank that no cell shares. */
struct cs_flow_cut cs_cuts_towards(struct cs_network *network, uint32_t root,
                                   struct cs_arena *arena);
struct cs_flow_cut cs_cuts_narrowest(struct cs_network *network, uint32_t root,
                                     struct cs_arena *arena);

#endif

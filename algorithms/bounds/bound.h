/*
 * Lower bounds: times below the reach of every algorithm on a machine.
 *
 * For element-wise schemes (messages carry sums of contributions, as in all
 * libraries).  V is the vector, p the number of ranks.
 *
 *   cut    the bytes across the border of a set of ranks (crossing.h), over the
 *          rate into or out of the set.  For broadcast, reduce, gather,
 *          scatter, all-gather and reduce-scatter maximum flows find the set
 *          with the greatest bound, for any number of ranks (cuts.h).
 *   part   2 (m-1) V over the sum of the rates into m groups of ranks, for an
 *          all-reduce; maximum flows find the partition with the greatest bound
 *          (strength.h).  An agent that reduces or copies inside the network
 *          saves traffic between groups: with agents only the cuts hold, and
 *          sums over groups that have all agents inside.
 *   pairs  the distances between the ranks, with a price on each link, over the
 *          sum of prices, for an all-to-all; and from each rank to the next,
 *          for a send-receive (pairs.h).
 *   sum    the cuts of several groups together, over the rates of the servers
 *          that lead into (out of) a group: tighter where groups share a bus
 *          (groups.h).  Groups: each rank alone; and, for every rate, the parts
 *          that remain of the machine without the wires up to that rate.
 *   reach  every rank is informed of the first rank (of the root; or the root
 *          of every rank), by the quickest route, relays included.
 *   add    (p-1) V bytes have to be reduced by the parties together.
 *
 * The last byte still needs the latency of the link at the border.  Where
 * directions share a server, bytes in and bytes out share the server's time.
 *
 * The result is the greatest of these bounds.  On machines of full-duplex
 * wires, equal in both directions, all-gather, reduce-scatter, broadcast and
 * reduce attain the rate of the cut (Zhao et al., ForestColl:
 * Throughput-Optimal Collective Communications on Heterogeneous Network
 * Fabrics, arXiv 2402.06787; for a single root Edmonds, 1973); an all-to-all
 * and a send-receive attain the rate of the best prices.  A replicated machine has the bound of
 * the full machine, to the last bit.
 *
 * Left out: flows of networks with more than CS_BOUND_ARCS arcs, and partitions
 * of more than CS_BOUND_PARTITION_RANKS ranks, after identical hosts are
 * merged; reach and cuts of single groups for more than 2^20 links.
 */
#pragma once

#include "algorithms/bounds/request.h"
#include "topo/graph/graph.h"

struct cs_net;

/* 0 s for a single rank.  Costs: flows as in cuts.h and strength.h; the rest
 * O((rates + 1) (links + devices)), identical hosts counted once. */
struct cs_bound cs_bound_of(const struct cs_graph *graph, const struct cs_net *net,
                            const struct cs_bound_request *request, struct cs_arena *arena);

/* As cs_bound_of, with the machine's bound from the same searches; own.time_s is
 * at least machine.time_s. */
struct cs_bounds cs_bounds_of(const struct cs_graph *graph, const struct cs_net *net,
                              const struct cs_bound_request *request, struct cs_arena *arena);

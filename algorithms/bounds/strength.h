/*
 * The partition of the ranks that limits an all-reduce most.
 *
 * Let f(S) be the rate into a set S of ranks, with the narrowest placement of
 * switches.  An all-reduce of V bytes on ranks cut into S_1 .. S_m takes at
 * least 2 (m-1) V / (f(S_1) + .. + f(S_m)): a group, contracted to a rank, has
 * to take part, and m ranks exchange 2 (m-1) V (Patarasuk and Yuan, JPDC 69(2),
 * 2009).  The least (f(S_1) + .. + f(S_m)) / (m-1) over partitions is the
 * strength of the network (Cunningham, JACM 32(3), 1985).  Search:
 *
 * For a ratio x, the greatest sum of prices y subject to y(S) <= f(S) - x for
 * every set S equals the least sum of f(S_i) - x over partitions (Dilworth
 * truncation of a submodular function; Schrijver, Combinatorial Optimization,
 * 2003, section 48.2).  Prices without room for a raise attain the greatest
 * sum; a raise is a maximum flow.  Sets that hold with equality give the
 * partition, with the next ratio x (Dinkelbach), until no partition has a lower
 * ratio.
 *
 * Equal ranks of interchangeable hosts (cells.h) have equal prices: the average
 * of greatest prices over the exchanges is greatest, too.
 *
 * Cost: a few flows for each rank not merged, times the ratios, three as a
 * rule.
 */
#pragma once

#include "algorithms/bounds/network.h"

struct cs_strength {
    uint32_t groups;          /* of the partition; 0: fewer than two ranks */
    double rate_Bps;          /* sum of f over the groups */
    uint64_t latency_ps;      /* least of the crossing wires */
    struct cs_flow_cut first; /* around a group */
};

/* The network's supplies and drains are the function's own. */
struct cs_strength cs_strength_of(struct cs_network *network, struct cs_arena *arena);

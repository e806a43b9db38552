/*
 * In the switch: the vector in chunks through switches that reduce.
 *
 * Switches reduce packets, so that a chunk is at least 4 KiB, InfiniBand's
 * largest packet.  The time is within 1/k of V / beta, so that 256 chunks are
 * enough.  A chunk has a lane; chunks leave in order.  k p stays below 2^15
 * messages for the sake of memory.
 */
#pragma once

#include "algorithms/shared/patterns/pattern.h"

/* `settle`, and `check`: at most 4096 chunks. */
void cs_in_switch_settle(struct cs_call *call);
int cs_in_switch_check(const struct cs_algo *algo, const struct cs_call *call, struct cs_err *err);

/* The cost of a pipeline of chunks over `hops` links of equal rate. */
struct cs_cost cs_in_switch_cost(const struct cs_call *call, uint32_t hops);

/*
 * In the switch: chunks of sums that switches make as vectors pass by.
 *
 * Switches add up packets, so chunks are of 4 KiB, InfiniBand's largest packet,
 * but no more than 256 of them: the time is within 1/k of V / beta.  Chunks
 * have lanes of their own and leave in turn; k p is kept below 2^15.
 */
#ifndef CS_ALGORITHMS_SHARED_IN_SWITCH_H
#define CS_ALGORITHMS_SHARED_IN_SWITCH_H

#include "algorithms/shared/pattern.h"

/* `settle`; and refuses more than 4096 chunks. */
void cs_in_switch_settle(struct cs_call *call,
                         const struct cs_hockney *hockney);
int cs_in_switch_check(const struct cs_algo *algo, const struct cs_call *call,
                       struct cs_err *err);

/* Chunks follow one another over `hops` links, each as fast as the others. */
struct cs_cost cs_in_switch_cost(const struct cs_call *call, uint32_t hops);

#endif

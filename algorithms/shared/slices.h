/*
 * Slices: a ring whose blocks travel in pieces.
 *
 * With s slices every block is cut into s parts and each part goes round in a
 * lane of its own, so that one is on its way, or added up, while the next one
 * passes the port.  Lane j of the ring moves part j of each block.
 *
 * With w = V/(p s beta) a message takes the port for w and is there and added up
 * after trip = alpha + w + gamma V/(p s); a step takes max(s w, trip):
 *
 *     N steps: T = (N-1) max(s w, trip) + trip + (s-1) w, roughly
 *
 * Slices hide alpha and gamma, up to s w = trip; more of them gain nothing.
 */
#ifndef CS_ALGORITHMS_SHARED_SLICES_H
#define CS_ALGORITHMS_SHARED_SLICES_H

#include "algorithms/shared/pattern.h"

/* The lanes, parts and blocks of such a ring, and what its closed form is
 * worth; `slices` is 1 where the call does not say. */
uint32_t cs_sliced_lanes(const struct cs_call *call);
uint32_t cs_sliced_blocks(const struct cs_call *call);
enum cs_exactness cs_sliced_exactness(const struct cs_call *call);

/* The last two ops, of a step with whole blocks, become those of one slice. */
void cs_slice_step(const struct cs_call *call, uint32_t slice,
                   struct cs_ops *ops);

/* The cost of `steps` steps of which the first `sums` add up. */
struct cs_cost cs_sliced_cost(const struct cs_call *call,
                              const struct cs_hockney *hockney, double steps,
                              double sums);

#endif

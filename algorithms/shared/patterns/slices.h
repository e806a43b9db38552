/*
 * Slices: a ring with blocks cut into parts.
 *
 * With s slices, every block has s parts, and lane j of the ring moves part j
 * of each block, so that one part is on a link or in a reduction while the
 * next part passes the port.
 *
 * With w = V/(p s beta), a message occupies the port for w and is reduced after
 * trip = alpha + w + gamma V/(p s); a step takes max(s w, trip):
 *
 *     N steps: T = (N-1) max(s w, trip) + trip + (s-1) w, approximately
 *
 * Slices hide alpha and gamma up to s w = trip; further slices have no effect.
 */
#ifndef CS_ALGORITHMS_SHARED_PATTERNS_SLICES_H
#define CS_ALGORITHMS_SHARED_PATTERNS_SLICES_H

#include "algorithms/shared/patterns/pattern.h"

/* `lanes` and `parts`, `blocks` and `exactness_of` of a sliced ring.  An open
 * number of slices is 1. */
uint32_t cs_sliced_lanes(const struct cs_call *call);
uint32_t cs_sliced_blocks(const struct cs_call *call);
enum cs_exactness cs_sliced_exactness(const struct cs_call *call);

/* Restricts the last two ops, a step with whole blocks, to one slice. */
void cs_slice_step(const struct cs_call *call, uint32_t slice, struct cs_ops *ops);

/* The cost of `steps` steps; the first `sums` steps reduce. */
struct cs_cost cs_sliced_cost(const struct cs_call *call, double steps, double sums);

#endif

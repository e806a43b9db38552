/*
 * Channels: concurrent rings, each with a part of every block.
 *
 * Channel c is lane c of every rank and part c of each block.  The rings are
 * those of the machine or of a file (call.rings), in turn; without rings,
 * channel c goes from rank r to r + s(c), with s(c) the stride c of pattern.h:
 * every ring visits every rank, and two rings of different strides never use
 * the same wire of a full mesh.  Channels beyond the number of rings use the
 * rings again, as in NCCL.
 *
 * The functions have no knowledge of the collective: an algorithm adds the
 * steps (phase.h: cs_circle_scatter_step, cs_circle_gather_step) and the cost.
 */
#ifndef CS_ALGORITHMS_SHARED_CHANNELS_H
#define CS_ALGORITHMS_SHARED_CHANNELS_H

#include "algorithms/shared/phase.h"

/* `lanes` and `parts`, and `blocks`: channels, and channels x ranks. */
uint32_t cs_channel_lanes(const struct cs_call *call);
uint32_t cs_channel_blocks(const struct cs_call *call);

/* `settle`: one channel for each ring, or two where rings share ports; without
 * rings one for each stride, at most 8. */
void cs_channel_settle(struct cs_call *call, const struct cs_hockney *hockney);

/* The ring of a channel; valid as long as the call's rings. */
struct cs_circle cs_channel_ring(const struct cs_call *call, uint32_t channel);

/* Parts of a step through the busiest link, in units of the time of one part on
 * the slowest link: from 1 to the number of channels. */
double cs_channel_contention(const struct cs_call *call);

/* `exactness_of`: at most, or an estimate for rings through switches, which can
 * wait at several ports. */
enum cs_exactness cs_channel_exactness(const struct cs_call *call);

#endif

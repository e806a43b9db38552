/*
 * Channels and slices: concurrent rings, each with a part of every block.
 *
 * A channel is a ring, a chain, or a tree (node_trees.h), with a share of every
 * block of its own: block / channels.  The rings are those of the machine or of a file
 * (call.rings), in turn; without rings, channel c goes from rank r to
 * r + s(c), with s(c) the stride c of pattern.h: every ring visits every rank,
 * and two rings of different strides never use the same wire of a full mesh.
 * Channels beyond the number of rings use the rings again, as in NCCL.
 *
 * A slice is a part of a channel's share that travels alone along the channel's
 * ring: a rank forwards a slice during the arrival of the next, as NCCL does
 * with the slices of a chunk.  A slice passes a port in w and takes
 * t = alpha + w + gamma for a step, so that a step of s slices takes
 * max(s w, t): slices hide latency and reduction up to s w = t, and have no
 * effect where other channels of the port already do.  The number of steps stays,
 * and with that number the latency of each of them: N steps never take less
 * than N t.
 *
 * One slice is the default, and under a transport the library's number
 * (topo/transports/transport.h).
 *
 * A pair of channel and slice is a lane of every rank and a part of each block:
 * lane = part = channel x slices + slice.  Lanes do not wait for each other.
 *
 * The functions have no knowledge of the collective: an algorithm adds the
 * steps (phase.h: cs_circle_scatter_step, cs_circle_gather_step; mirrors/chain.c) and
 * the cost.
 */
#pragma once

#include "algorithms/shared/patterns/phase.h"

enum {
    CS_CHANNEL_LANES_MAX = 2048 /* blocks of 2^20 ranks are countable */
};

/* `check`: at most CS_CHANNEL_LANES_MAX lanes. */
int cs_channel_check(const struct cs_algo *algo, const struct cs_call *call, struct cs_err *err);

/* `lanes` and `parts`: channels x slices, or twice as many lanes; `blocks`: lanes x
 * ranks, or lanes x chunks. */
uint32_t cs_channel_lanes(const struct cs_call *call);
uint32_t cs_channel_lanes_twice(const struct cs_call *call);
uint32_t cs_channel_blocks(const struct cs_call *call);
uint32_t cs_channel_chunks(const struct cs_call *call);

/* `settle`: one channel for each ring, or two where rings share ports; without
 * rings one for each stride, at most 8; fewer where a block has fewer elements than
 * channels.  One slice. */
void cs_channel_settle(struct cs_call *call);

/* The ring of a lane; valid as long as the call's rings. */
struct cs_circle cs_channel_ring(const struct cs_call *call, uint32_t lane);

/* Parts of a step through the busiest link, in units of the time of one part on
 * the slowest link: from 1 to the number of lanes. */
double cs_channel_contention(const struct cs_call *call);

/* The cost of `steps` steps of all rings, of which `sums` reduce, as if a step
 * started after the arrival of all parts of the previous step.  With parts of
 * n bytes, all through one port, a step takes alpha + c n / beta, and a step
 * with reductions n gamma more for gamma <= 1 / beta, else
 * alpha + n / beta + c n gamma.  With w < c parts through the busiest link, a
 * step takes alpha + w n / beta, and c n gamma with reductions. */
struct cs_cost cs_channel_ring_cost(const struct cs_call *call, double steps, double sums);

/* `exactness_of`: at most, or an estimate for rings through switches, which can
 * wait at several ports. */
enum cs_exactness cs_channel_exactness(const struct cs_call *call);

/*
 * Chain: chunks from slot to slot, from the root or to the root.
 *
 * A rank of a chain has a slot, 0 for the root, and the ranks of the slots
 * before and behind.  Down, for a broadcast, slot s receives chunk j from slot
 * s - 1 during the send of chunk j - 1 to slot s + 1; up, for a reduce, slot s
 * adds the own contribution to chunk j from slot s + 1 during the send of chunk
 * j - 1 to slot s - 1.  The chunks are consecutive blocks.
 *
 * A chain is the line of all ranks from the root on, or a channel's ring
 * (channels.h) cut open before the root.
 */
#pragma once

#include "algorithms/shared/patterns/pattern.h"

struct cs_chain {
    uint32_t slot, last;     /* of p slots: last = p - 1 */
    uint32_t before, behind; /* ranks of slot - 1 and slot + 1, modulo p */
    uint32_t chunks;
    uint32_t first; /* block of chunk 0 */
};

/* The chain of consecutive ranks from the call's root, and the `rounds`. */
struct cs_chain cs_chain_of_ranks(const struct cs_call *call, uint32_t rank);
uint64_t cs_chain_rank_rounds(const void *ctx, struct cs_at at);

/* The chain of a lane of channels.h; `chunks` is that of each lane. */
struct cs_chain cs_chain_of_lane(const struct cs_call *call, uint32_t rank, uint32_t lane);

/* Round k: one for each chunk, and one more for an inner slot. */
void cs_chain_down_round(const struct cs_chain *chain, uint64_t k, struct cs_ops *ops);
void cs_chain_up_round(const struct cs_chain *chain, uint64_t k, struct cs_ops *ops);

/* `rounds` of chains along the lanes of channels.h, of cs_channel_chunks blocks. */
uint64_t cs_chain_lane_rounds(const void *ctx, struct cs_at at);

/* Sets open channels to two for each ring, or strides as channels.h, and open
 * chunks of each lane to the number with the least cost below; where latency is
 * hidden by other lanes, to at most 32 for each hop. */
void cs_chain_lane_settle(struct cs_call *call, bool sums);

/* The cost of p - 1 hops of the first chunk of all lanes, one lane behind the
 * other, and of the k - 1 other chunks at the pace of the slowest of latency,
 * busiest link and, with `sums`, reduction of every arrival.  With chunks of n
 * bytes, w of them through the busiest link, of c lanes,
 *
 *     (p-1) (alpha + w n / beta + c n gamma)
 *     + (k-1) max(alpha + n / beta, w n / beta, c n gamma)
 *
 * without gamma for a broadcast. */
struct cs_cost cs_chain_lane_cost(const struct cs_call *call, bool sums);

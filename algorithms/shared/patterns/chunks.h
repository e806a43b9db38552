/*
 * Chunks: the number of pieces of a pipeline.
 *
 * More chunks overlap more hops; every chunk costs one latency.  An algorithm
 * derives the number with the least closed form and settles the number here,
 * within common limits.
 */
#ifndef CS_ALGORITHMS_SHARED_PATTERNS_CHUNKS_H
#define CS_ALGORITHMS_SHARED_PATTERNS_CHUNKS_H

#include "algorithms/algo.h"

enum {
    CS_CHUNKS_MAX = 1 << 16 /* keeps the number of messages simulable */
};

/* Sets call->chunks, if open, to the integer nearest to `best`, at least 1, at
 * most `most` and CS_CHUNKS_MAX.  Without latency `best` is infinite or not a
 * number, the closed form falls with every further chunk, and 1024 chunks leave
 * V/1024 per hop. */
void cs_settle_chunks(struct cs_call *call, uint64_t most, double best);

/* The same for chunks of each of `lanes` lanes: a number with equal blocks from the
 * best up to 1.6 times the best, or else down to the best / 1.6, is preferred.
 * Rounds of equal blocks repeat (sim/engine/repeat.h), and ranks with equal blocks
 * do the same (sim/fold/fold.h). */
void cs_settle_equal_chunks(struct cs_call *call, uint32_t lanes, uint64_t most, double best);

/* `blocks` of a pipeline: one for each chunk. */
uint32_t cs_blocks_chunks(const struct cs_call *call);

/* Bytes of the largest chunk. */
double cs_largest_chunk_bytes(const struct cs_call *call);

#endif

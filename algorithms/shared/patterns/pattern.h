/*
 * Patterns: rank arithmetic and the small functions of struct cs_algo that many
 * algorithms share.
 *
 * Ranks are on a circle of p; `ahead` and `behind` go around without a
 * division, by at most p.
 */
#pragma once

#include "algorithms/algo.h"

/* The rank `step` ahead of (behind) `rank`; rank < p, step <= p. */
static inline uint32_t cs_ahead(uint32_t rank, uint32_t step, uint32_t p)
{
    uint32_t sum = rank + step; /* p <= 2^20, no overflow */

    return sum >= p ? sum - p : sum;
}

static inline uint32_t cs_behind(uint32_t rank, uint32_t step, uint32_t p)
{
    return rank >= step ? rank - step : rank + p - step;
}

static inline struct cs_blocks cs_block(uint32_t block)
{
    return (struct cs_blocks){block, 1};
}

static inline struct cs_blocks cs_whole(void)
{
    return (struct cs_blocks){0, 1};
}

/* Strides: the steps below p without a common divisor with p, so that a ring
 * from r to r + step visits every rank.  The number of strides, at most `most`;
 * and the stride with a number, modulo the number of strides.  p >= 2. */
uint32_t cs_stride_count(uint32_t p, uint32_t most);
uint32_t cs_stride_step(uint32_t p, uint32_t number);

/* The number of steps of a stride from r to r + 1: step x inverse = 1, modulo
 * p >= 2.  O(log p) */
uint32_t cs_stride_inverse(uint32_t p, uint32_t step);

/* The least L with 2^L >= p. */
static inline uint32_t cs_log2_up(uint32_t p)
{
    uint32_t log = 0;

    while (((uint64_t)1 << log) < p)
        log++;
    return log;
}

/* Every arrival is added, in a collective with sums. */
static inline struct cs_cost cs_cost_with_sums(const struct cs_call *call, struct cs_cost cost)
{
    if (cs_collective_reduces(call->collective))
        cost.reduced_bytes = cost.bytes;
    return cost;
}

/* Whether a reduction is at most as long as the arrival of the next message, so
 * that a sequence of messages is reduced in passing. */
static inline bool cs_adds_in_passing(const struct cs_hockney *hockney)
{
    return hockney->gamma_s_per_byte * hockney->beta_Bps <= 1;
}

static inline bool cs_is_power_of_two(uint32_t p)
{
    return (p & (p - 1)) == 0;
}

/* The greatest L with 2^L <= p; p > 0. */
static inline uint32_t cs_log2_down(uint32_t p)
{
    uint32_t log = 0;

    while (p >> log > 1)
        log++;
    return log;
}

/* Nodes of `group` ranks each, and one without groups. */
static inline uint32_t cs_nodes_of(const struct cs_call *call)
{
    return call->group ? call->ranks / call->group : 1;
}

/* `blocks`: the whole vector, or one block for each rank. */
uint32_t cs_blocks_one(const struct cs_call *call);
uint32_t cs_blocks_per_rank(const struct cs_call *call);

/* `rounds` with the call as ctx: one or two, but none for a single rank; p -
 * 1; ceil(log2 p); and twice those, for a reduce-scatter and an all-gather. */
uint64_t cs_rounds_one(const void *ctx, struct cs_at at);
uint64_t cs_rounds_two(const void *ctx, struct cs_at at);
uint64_t cs_rounds_per_peer(const void *ctx, struct cs_at at);
uint64_t cs_rounds_log(const void *ctx, struct cs_at at);
uint64_t cs_rounds_per_peer_twice(const void *ctx, struct cs_at at);
uint64_t cs_rounds_log_twice(const void *ctx, struct cs_at at);

/* `agents`: one, or none for a single rank. */
uint32_t cs_agents_one(const struct cs_call *call);

/* `check`: nodes of `group` ranks, at least 2, and no node with fewer. */
int cs_check_group(const struct cs_algo *algo, const struct cs_call *call, struct cs_err *err);

/* The same, and chunks of all ranks that count in 32 bits. */
int cs_check_group_chunks(const struct cs_algo *algo, const struct cs_call *call,
                          struct cs_err *err);

/* `check`: the number of ranks is a power of two. */
int cs_check_power_of_two(const struct cs_algo *algo, const struct cs_call *call,
                          struct cs_err *err);

/* V, and the largest of p blocks, ceil(elements / p) elements, in bytes. */
double cs_vector_bytes(const struct cs_call *call);
double cs_largest_block_bytes(const struct cs_call *call);

/* Bytes of the largest of `parts` parts of the largest of p blocks. */
double cs_largest_part_bytes(const struct cs_call *call, uint32_t parts);

/* Bytes of the first `count` of `blocks` blocks: the longest run of that
 * number, as the longer blocks come first. */
double cs_longest_run_bytes(const struct cs_call *call, uint32_t blocks, uint32_t count);

/*
 * Chunks: the number of pieces of a pipeline.
 *
 * More chunks overlap more hops; every chunk costs one latency.  An algorithm
 * derives the number with the least closed form and settles the number here,
 * within common limits.
 */

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

/* Of struct cs_algo: the closed form, of it within nodes, and the share that hides; NULL:
 * none does. */
struct cs_chunk_form {
    struct cs_cost (*cost)(const struct cs_call *call);
    struct cs_cost (*local_cost)(const struct cs_call *call);
    double (*overlap)(const struct cs_call *call);
};

/* The number of chunks, up to `most`, with the least closed form, of numbers a quarter
 * apart; INFINITY without latency. */
double cs_least_chunks(const struct cs_call *call, uint64_t most, const struct cs_chunk_form *form);

/* `blocks` of a pipeline: one for each chunk. */
uint32_t cs_blocks_chunks(const struct cs_call *call);

/* Bytes of the largest chunk. */
double cs_largest_chunk_bytes(const struct cs_call *call);

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

/* `lanes` and `parts`, `blocks` and `exactness_of` of a sliced ring.  An open
 * number of slices is 1. */
uint32_t cs_sliced_lanes(const struct cs_call *call);
uint32_t cs_sliced_blocks(const struct cs_call *call);
enum cs_exactness cs_sliced_exactness(const struct cs_call *call);

/* Restricts the last two ops, a step with whole blocks, to one slice. */
void cs_slice_step(const struct cs_call *call, uint32_t slice, struct cs_ops *ops);

/* The cost of `steps` steps; the first `sums` steps reduce. */
struct cs_cost cs_sliced_cost(const struct cs_call *call, double steps, double sums);

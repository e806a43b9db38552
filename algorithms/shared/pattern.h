/*
 * Patterns: the rank arithmetic that algorithms share.
 *
 * Ranks sit on a circle of p; `ahead` and `behind` go round it without
 * dividing, for steps of at most p.
 */
#ifndef CS_ALGORITHMS_SHARED_PATTERN_H
#define CS_ALGORITHMS_SHARED_PATTERN_H

#include "algorithms/algo.h"

/* The rank `step` after (before) `rank`; rank < p, step <= p. */
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

/* Steps with which a ring from r to r + step visits every rank: those below p
 * that have no divisor in common with it.  How many there are, at most `most`;
 * and the `number`-th of them, going round them.  p >= 2. */
uint32_t cs_stride_count(uint32_t p, uint32_t most);
uint32_t cs_stride_step(uint32_t p, uint32_t number);

/* The least L with 2^L >= p. */
static inline uint32_t cs_log2_up(uint32_t p)
{
    uint32_t log = 0;

    while (((uint64_t)1 << log) < p)
        log++;
    return log;
}

/* Vectors that follow one another are added up as fast as they arrive. */
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

/* `blocks` functions: the vector in one piece, or one block for each rank. */
uint32_t cs_blocks_one(const struct cs_call *call);
uint32_t cs_blocks_per_rank(const struct cs_call *call);

/* `rounds` functions: one for each other rank, p - 1; or ceil(log2 p); or twice
 * as many, first to scatter, then to gather.  And those that scatter, p - 1 or
 * ceil(log2 p) of them: `reduce_scatter_rounds`.  ctx is
 * the call. */
uint64_t cs_rounds_one(const void *ctx, uint32_t rank, uint32_t lane);
uint64_t cs_rounds_two(const void *ctx, uint32_t rank, uint32_t lane);
uint64_t cs_rounds_per_peer(const void *ctx, uint32_t rank, uint32_t lane);
uint64_t cs_rounds_log(const void *ctx, uint32_t rank, uint32_t lane);
uint64_t cs_rounds_per_peer_twice(const void *ctx, uint32_t rank,
                                  uint32_t lane);
uint64_t cs_rounds_log_twice(const void *ctx, uint32_t rank, uint32_t lane);
uint64_t cs_scatter_per_peer(const void *ctx, uint32_t rank);
uint64_t cs_scatter_log(const void *ctx, uint32_t rank);

/* `agents`: one, or none for a single rank. */
uint32_t cs_agents_one(const struct cs_call *call);

/* Refuses nodes that `group` does not describe: they all hold as many ranks,
 * more than one.  `name` is the algorithm's. */
int cs_check_group(const struct cs_algo *algo, const struct cs_call *call,
                   struct cs_err *err);

/* Refuses a number of ranks that is not a power of two. */
int cs_check_power_of_two(const struct cs_algo *algo,
                          const struct cs_call *call, struct cs_err *err);

/* V, and the largest of p blocks: ceil(elements / p) elements.  In bytes. */
double cs_vector_bytes(const struct cs_call *call);
double cs_largest_block_bytes(const struct cs_call *call);

/* The largest of the parts that the largest of p blocks is cut into. */
double cs_largest_part_bytes(const struct cs_call *call, uint32_t parts);

/* The first `count` of `blocks` blocks, the longest run of so many there is. */
double cs_longest_run_bytes(const struct cs_call *call, uint32_t blocks,
                            uint32_t count);

#endif

/*
 * The butterfly of Swing and Bine: exchanges of halves with ranks at distances
 * 1, 1, 3, 5, 11, 21 ... on alternating sides.
 *
 * p = 2^L ranks on a circle.  In step s of the reduce-scatter, the peer of
 * rank r is
 *
 *     r + rho(s) for even r, r - rho(s) for odd r,
 *     rho(s) = (1 - (-2)^(s+1)) / 3 = 1, -1, 3, -5, 11, -21 ...
 *
 * and each sends the half of the remaining blocks that the peer keeps, V /
 * 2^(s+1) bytes; the all-gather is the reverse.  The distance is about 2/3 of
 * the 2^s of recursive halving.
 *
 * Choice of the half: rho(s') - rho(s) is a multiple of 2^(s+1) for s' > s, so
 * that the ranks within reach of r from step s on are the even numbers e
 * modulo 2^(s+1) and the odd numbers e + rho(s) modulo 2^(s+1) for one e: 2^s
 * classes of p / 2^s ranks.  e / 2 modulo 2^s names the class, and step s
 * joins the two classes with names that differ in bit s.  The rank's bits are
 * therefore
 *
 *     r / 2, and 0, for even r
 *     (r - rho(L-1)) / 2 modulo 2^(L-1), and 1, for odd r
 *
 * where step s decides bit s and the 1 is the top bit, of step L - 1.  The bits
 * in reverse are the number of the rank's block after the reduce-scatter, and
 * every class has one run of blocks.
 *
 * On a grid of powers of two (grid.h), the steps of a lane pass the dimensions in turn,
 * each with its own distances, until all are used up: the bits of the block number are
 * those of the coordinates, in the order of the steps.  On a torus of n dimensions, 2 n
 * lanes begin in different dimensions and directions.
 *
 *     p = 8:  rank       0  1  2  3  4  5  6  7
 *             step 0     1  0  3  2  5  4  7  6
 *             step 1     7  4  1  6  3  0  5  2
 *             step 2     3  6  5  0  7  2  1  4
 *             block      0  7  4  1  2  5  6  3
 */
#pragma once

#include "algorithms/shared/grid.h"

/* The peer of a rank in step s of a circle; p is a power of two. */
uint32_t cs_butterfly_peer(uint32_t p, uint32_t rank, uint32_t s);

/* `rounds` and `round` of an all-reduce on a circle with one block for each rank, and
 * on the grid of each lane with one for each lane and rank; and the cost of a lane of
 * `lanes`.  A round is O(log p); the cost counts the largest run of blocks of each
 * round. */
uint64_t cs_butterfly_rounds(const void *ctx, struct cs_at at);
void cs_butterfly_round(const void *ctx, struct cs_at at, struct cs_ops *ops);
void cs_butterfly_grid_round(const void *ctx, struct cs_at at, struct cs_ops *ops);
struct cs_cost cs_butterfly_cost(const struct cs_call *call);
struct cs_cost cs_butterfly_lane_cost(const struct cs_call *call, uint32_t lanes);

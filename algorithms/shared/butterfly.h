/*
 * The butterfly of Swing and Bine: halves are exchanged with ranks that are
 * 1, 1, 3, 5, 11, 21 ... away, now on one side and then on the other.
 *
 * p = 2^L ranks on a circle.  In step s of the reduce-scatter rank r meets
 *
 *     r + rho(s) when r is even, r - rho(s) when it is odd,
 *     rho(s) = (1 - (-2)^(s+1)) / 3 = 1, -1, 3, -5, 11, -21 ...
 *
 * and each gives the other half of what it still cares for, V / 2^(s+1) bytes;
 * the all-gather goes back.  Where recursive halving goes 2^s far, this goes
 * about 2/3 of it.
 *
 * Which half?  rho(s') - rho(s) is a multiple of 2^(s+1) for s' > s, so the
 * ranks that r can still reach from step s on are the even numbers e modulo
 * 2^(s+1) and the odd ones e + rho(s) modulo 2^(s+1) for one e: 2^s classes of
 * p / 2^s ranks.  e / 2 modulo 2^s names the class, and step s joins the two
 * classes whose names differ in bit s.  So the rank's bits are
 *
 *     r / 2, and 0, when r is even
 *     (r - rho(L-1)) / 2 modulo 2^(L-1), and 1, when it is odd
 *
 * of which step s decides bit s, 1 being the top bit of step L - 1; read
 * backwards they are the number of the block that the rank ends with, and every
 * class cares for one run of blocks.
 *
 *     p = 8:  rank       0  1  2  3  4  5  6  7
 *             step 0     1  0  3  2  5  4  7  6
 *             step 1     7  4  1  6  3  0  5  2
 *             step 2     3  6  5  0  7  2  1  4
 *             block      0  7  4  1  2  5  6  3
 */
#ifndef CS_ALGORITHMS_SHARED_BUTTERFLY_H
#define CS_ALGORITHMS_SHARED_BUTTERFLY_H

#include "algorithms/shared/pattern.h"

/* Whom the rank meets in step s; p is a power of two. */
uint32_t cs_butterfly_peer(uint32_t p, uint32_t rank, uint32_t s);

/* `rounds`, `round`, `reduce_scatter_rounds` and `cost` of an all-reduce with
 * one block for each rank: the reduce-scatter and the same back.  A round is
 * O(log p); each takes as long as its largest run of blocks. */
uint64_t cs_butterfly_rounds(const void *ctx, uint32_t rank, uint32_t lane);
void cs_butterfly_round(const void *ctx, uint32_t rank, uint32_t lane,
                        uint64_t k, struct cs_ops *ops);
uint64_t cs_butterfly_scatter_rounds(const void *ctx, uint32_t rank);
struct cs_cost cs_butterfly_cost(const struct cs_call *call,
                                 const struct cs_hockney *hockney);

#endif

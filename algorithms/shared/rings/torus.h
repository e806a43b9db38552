/*
 * Torus rings: the rings of a torus of any size, by construction.
 *
 * A torus of n dimensions has n Hamiltonian circuits without a common wire, two
 * rings each (A. Kotzig, 1973, and J. Aubert and B. Schneider, 1982, as in
 * search.h).  The lines of each dimension are a 2-factor: circuits of one
 * dimension through all ranks.  Squares of two dimensions join the circuits
 * (search.h: ring swap), from line to line:
 *
 *     4 x 4: the squares on the diagonal make one circuit of the rows, and one of
 *     the columns
 *
 * A dimension of 2 has a single wire: every wire is then cut into two lanes of half
 * the rate, and a dimension has two 2-factors, one of 2 has one.
 *
 * The machine's wires show the torus, so that a file's torus is one as well, and
 * a torus with a lost link is not.
 */
#pragma once

#include "algorithms/shared/rings/two_factors.h"
#include "sim/net/net.h"

enum {
    CS_TORUS_DIMS_MAX = 16
};

struct cs_torus {
    uint32_t ranks;
    uint32_t count;                    /* of dimensions; 0: not a torus */
    uint32_t sides[CS_TORUS_DIMS_MAX]; /* at least 2; the product is ranks */
    double rate_Bps;                   /* of a wire, in each direction */
};

/* The torus whose wires, all of one rate and with a server for each direction, join
 * ranks numbered along the first dimension first, each rank a device of its own, and
 * nothing else.  A dimension with one rank is left out.  O(links). */
struct cs_torus cs_torus_of_net(const struct cs_net *net, uint32_t ranks);

/* Lanes of each wire: 2 where a side is 2, else 1. */
uint32_t cs_torus_lanes(const struct cs_torus *torus);

/* The lines of each dimension as 2-factors, in the arena.  O(ranks x count). */
struct cs_two_factors cs_torus_lines(const struct cs_torus *torus, struct cs_arena *arena);

/* Fills in four rings of a torus of two dimensions whose longer side is a multiple of the
 * other, c, and has no divisor in common with c - 1: one ring passes row after row and
 * begins each a column before the last one, the other goes down and changes the column
 * in every (c - 1)-th row, over the wires that are left; and both in reverse (M. M. Bae
 * and B. Bose, Edge disjoint Hamiltonian cycles in k-ary n-cubes and hypercubes, IEEE
 * Transactions on Computers 52(10), 2003).  False for other sides.  O(ranks). */
bool cs_torus_helices(const struct cs_torus *torus, uint32_t *order);

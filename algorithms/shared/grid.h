/*
 * Grids: ranks in dimensions, and lanes that begin in different ones.
 *
 * Rank numbers count the first dimension first.  The sides are those of --dims or of
 * the machine's torus (call.dims), or nodes x ranks of a node, or the most square
 * factorisation of p; dimensions of 1 are left out.
 *
 * A lane passes the dimensions in cyclic order from its own first one on, and every
 * dimension in its own direction.  On a torus of n dimensions, 2 n lanes are in
 * different dimensions or directions at any time, as all take equally long on equal
 * sides: every wire is in use (as in TPU pods; A. Jain and Y. Sabharwal, Optimal bucket
 * algorithms for large MPI collectives on torus interconnects, ICS 2010).
 */
#pragma once

#include "algorithms/shared/patterns/pattern.h"

enum {
    CS_GRID_DIMS_MAX = 32 /* 2^32 ranks */
};

struct cs_grid {
    uint32_t count;
    uint32_t sides[CS_GRID_DIMS_MAX]; /* each at least 2 */
    uint32_t strides[CS_GRID_DIMS_MAX];
    uint32_t first; /* of the lane: the dimension of phase 0 */
    bool down;      /* of the lane: towards lower coordinates */
};

struct cs_grid cs_grid_of_sides(const uint32_t *sides, uint32_t count);

/* The grid of a resolved call, as a lane sees it. */
struct cs_grid cs_grid_of_lane(const struct cs_call *call, uint32_t lane);

/* The dimension of a phase, 0 <= phase < count. */
static inline uint32_t cs_grid_dimension(const struct cs_grid *grid, uint32_t phase)
{
    uint32_t dimension = grid->first + phase;

    return dimension >= grid->count ? dimension - grid->count : dimension;
}

/* The place of a rank along a dimension, counted in the lane's direction, and the rank
 * `step` places ahead, 0 <= step <= side. */
static inline uint32_t cs_grid_place(const struct cs_grid *grid, uint32_t dimension, uint32_t rank)
{
    uint32_t side = grid->sides[dimension];
    uint32_t place = rank / grid->strides[dimension] % side;

    return grid->down && place ? side - place : place;
}

static inline uint32_t cs_grid_ahead(const struct cs_grid *grid, uint32_t dimension, uint32_t rank,
                                     uint32_t step)
{
    uint32_t side = grid->sides[dimension];
    uint32_t place = rank / grid->strides[dimension] % side;
    uint32_t other = grid->down ? cs_behind(place, step, side) : cs_ahead(place, step, side);

    return rank + other * grid->strides[dimension] - place * grid->strides[dimension];
}

/* `check`: --dims multiply to the number of ranks; a group
 * divides it; and lanes x ranks blocks can be counted. */
int cs_grid_check(const struct cs_algo *algo, const struct cs_call *call, struct cs_err *err);

/* The same, of a torus or --dims only. */
int cs_grid_check_dims(const struct cs_algo *algo, const struct cs_call *call, struct cs_err *err);

/* Sets the channels: two for each dimension of a torus, one in each direction, and else
 * one; fewer where a block has fewer elements.  And the group without --dims as well. */
void cs_grid_settle_lanes(struct cs_call *call);
void cs_grid_settle(struct cs_call *call);

/* `lanes`: the channels; `blocks`: one for each lane and rank. */
uint32_t cs_grid_lanes(const struct cs_call *call);
uint32_t cs_grid_blocks(const struct cs_call *call);

/* `exactness_of`: lanes contend. */
enum cs_exactness cs_grid_exactness(const struct cs_call *call);

/* The cost of one lane as that of all, which share no wire on a torus with at most a
 * lane for each direction of each dimension, and else all share a port. */
struct cs_cost cs_grid_cost(const struct cs_call *call, struct cs_cost lane);

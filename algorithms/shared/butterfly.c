#include "algorithms/shared/butterfly.h"

/* |rho(s)|, below 2^(s+1); the sign is + for even s. */
static uint32_t butterfly_distance(uint32_t s)
{
    return (((uint32_t)2 << s) + (s % 2 ? (uint32_t)-1 : 1)) / 3;
}

uint32_t cs_butterfly_peer(uint32_t p, uint32_t rank, uint32_t s)
{
    return rank % 2 == s % 2 ? cs_ahead(rank, butterfly_distance(s), p)
                             : cs_behind(rank, butterfly_distance(s), p);
}

/* The bits of butterfly.h, step 0 the lowest. */
static uint32_t butterfly_bits(uint32_t p, uint32_t place)
{
    uint32_t log = cs_log2_up(p);
    uint32_t even = place % 2 ? cs_butterfly_peer(p, place, log - 1) : place;

    return even / 2 % (p / 2) + place % 2 * (p / 2);
}

/* A step of a lane: step `number` of a dimension. */
struct butterfly_step {
    uint32_t dimension, number;
};

/* The lane's dimensions in turn, as far as their sides go. */
static struct butterfly_step butterfly_step_of(const struct cs_grid *grid, uint32_t s)
{
    struct butterfly_step step = {0};

    for (;; step.number++)
        for (uint32_t i = 0; i < grid->count; i++) {
            step.dimension = cs_grid_dimension(grid, i);
            if (grid->sides[step.dimension] >> step.number > 1 && s-- == 0)
                return step;
        }
}

/* The peer of a rank in a step of the grid. */
static uint32_t butterfly_grid_peer(const struct cs_grid *grid, uint32_t rank,
                                    struct butterfly_step step)
{
    uint32_t side = grid->sides[step.dimension];
    uint32_t place = cs_grid_place(grid, step.dimension, rank);
    uint32_t peer = cs_butterfly_peer(side, place, step.number);

    return cs_grid_ahead(grid, step.dimension, rank, cs_behind(peer, place, side));
}

/* The remaining run of blocks of a rank after `steps` of log2 p steps. */
static struct cs_blocks run_after(const struct cs_grid *grid, uint32_t rank, uint32_t steps,
                                  uint32_t p)
{
    uint32_t bits[CS_GRID_DIMS_MAX];
    uint32_t block = 0;

    for (uint32_t i = 0; i < grid->count; i++)
        bits[i] = butterfly_bits(grid->sides[i], cs_grid_place(grid, i, rank));
    for (uint32_t s = 0; s < steps; s++) {
        struct butterfly_step step = butterfly_step_of(grid, s);

        block = 2 * block + (bits[step.dimension] >> step.number) % 2;
    }
    return (struct cs_blocks){block * (p >> steps), p >> steps};
}

uint64_t cs_butterfly_rounds(const void *ctx, struct cs_at at)
{
    (void)at;
    const struct cs_call *call = ctx;

    return 2 * (uint64_t)cs_log2_up(call->ranks);
}

/* Round k of the all-reduce on p blocks from `base` on. */
static void butterfly_round(const struct cs_grid *grid, uint32_t p, uint32_t base, struct cs_at at,
                            struct cs_ops *ops)
{
    uint32_t log = cs_log2_up(p);
    uint32_t s = (uint32_t)(at.round < log ? at.round : 2 * log - 1 - at.round);
    uint32_t peer = butterfly_grid_peer(grid, at.party, butterfly_step_of(grid, s));
    struct cs_blocks mine = run_after(grid, at.party, s + 1, p);
    struct cs_blocks theirs = run_after(grid, peer, s + 1, p);

    mine.first += base;
    theirs.first += base;
    if (at.round < log) {
        cs_ops_send(ops, peer, theirs);
        cs_ops_recv_reduce(ops, peer, mine);
    } else {
        cs_ops_send(ops, peer, mine);
        cs_ops_recv(ops, peer, theirs);
    }
}

void cs_butterfly_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    struct cs_grid circle = cs_grid_of_sides(&call->ranks, 1);

    butterfly_round(&circle, call->ranks, 0, at, ops);
}

void cs_butterfly_grid_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    struct cs_grid grid =
        call->dim_count ? cs_grid_of_lane(call, at.lane) : cs_grid_of_sides(&call->ranks, 1);

    grid.down = at.lane % 2;
    butterfly_round(&grid, call->ranks, at.lane * call->ranks, at, ops);
}

struct cs_cost cs_butterfly_lane_cost(const struct cs_call *call, uint32_t lanes)
{
    uint32_t log = cs_log2_up(call->ranks);
    double bytes = 0;

    for (uint32_t s = 0; s < log; s++)
        bytes += cs_longest_run_bytes(call, lanes * call->ranks, call->ranks >> (s + 1));
    return (struct cs_cost){2.0 * log, 2 * bytes, bytes};
}

struct cs_cost cs_butterfly_cost(const struct cs_call *call)
{
    return cs_butterfly_lane_cost(call, 1);
}

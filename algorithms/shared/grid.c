#include "algorithms/shared/grid.h"

static void grid_add(struct cs_grid *grid, uint32_t side)
{
    uint32_t last = grid->count - 1;

    if (side < 2)
        return;
    grid->strides[grid->count] = grid->count ? grid->strides[last] * grid->sides[last] : 1;
    grid->sides[grid->count++] = side;
}

struct cs_grid cs_grid_of_sides(const uint32_t *sides, uint32_t count)
{
    struct cs_grid grid = {0};

    for (uint32_t i = 0; i < count; i++)
        grid_add(&grid, sides[i]);
    return grid;
}

struct cs_grid cs_grid_of_lane(const struct cs_call *call, uint32_t lane)
{
    const uint32_t nodes[] = {call->group, cs_nodes_of(call)};
    struct cs_grid grid = call->dim_count ? cs_grid_of_sides(call->dims, call->dim_count)
                                          : cs_grid_of_sides(nodes, 2);

    grid.down = lane % 2;
    grid.first = grid.count ? lane / 2 % grid.count : 0;
    return grid;
}

/* The divisor of p next to the square root, if the machine has no nodes. */
static void grid_settle_group(struct cs_call *call)
{
    uint32_t p = call->ranks;
    uint32_t side = 1;

    if (call->dim_count || (call->group > 1 && call->group < p))
        return;
    for (uint32_t i = 2; i <= p / i; i++)
        if (p % i == 0)
            side = i;
    call->group = p / side;
}

/* A side of 1 has no wires. */
static uint32_t grid_wired_dimensions(const struct cs_call *call)
{
    uint32_t count = 0;

    for (uint32_t i = 0; call->dims_are_wires && i < call->dim_count; i++)
        count += call->dims[i] > 1;
    return count;
}

void cs_grid_settle_lanes(struct cs_call *call)
{
    uint64_t with_data = call->elements / call->ranks;

    if (call->channels)
        return;
    call->channels = 2 * grid_wired_dimensions(call);
    if (with_data < call->channels)
        call->channels = (uint32_t)with_data;
    if (call->channels < 2)
        call->channels = 0; /* nothing to choose */
}

void cs_grid_settle(struct cs_call *call)
{
    grid_settle_group(call);
    cs_grid_settle_lanes(call);
}

int cs_grid_check(const struct cs_algo *algo, const struct cs_call *call, struct cs_err *err)
{
    uint64_t product = 1;

    if ((uint64_t)call->channels * call->ranks > UINT32_MAX)
        return cs_err_set(err, CS_EINPUT, "%u channels of %u blocks are more than can be counted",
                          call->channels, call->ranks);
    if (call->dim_count == 0)
        return cs_check_group(algo, call, err);
    for (uint32_t i = 0; i < call->dim_count && product <= call->ranks; i++)
        product *= call->dims[i];
    if (product != call->ranks)
        return cs_err_set(err, CS_EINPUT, "--dims has to multiply to %u, the number of ranks",
                          call->ranks);
    return 0;
}

int cs_grid_check_dims(const struct cs_algo *algo, const struct cs_call *call, struct cs_err *err)
{
    if (call->dim_count)
        return cs_grid_check(algo, call, err);
    return cs_err_set(err, CS_EINPUT, "the machine is no torus; --dims states the sides of a grid");
}

uint32_t cs_grid_lanes(const struct cs_call *call)
{
    return call->channels ? call->channels : 1;
}

uint32_t cs_grid_blocks(const struct cs_call *call)
{
    return cs_grid_lanes(call) * call->ranks;
}

struct cs_cost cs_grid_cost(const struct cs_call *call, struct cs_cost lane)
{
    uint32_t lanes = call->channels;
    bool is_wired = lanes <= 2 * grid_wired_dimensions(call);

    return (struct cs_cost){lane.rounds, (is_wired ? 1 : lanes) * lane.bytes,
                            (is_wired ? lanes : 1) * lane.reduced_bytes};
}

enum cs_exactness cs_grid_exactness(const struct cs_call *call)
{
    return call->channels > 1 ? CS_COST_ROUGHLY : CS_COST_EVEN;
}

#include "algorithms/shared/bucket.h"

uint32_t cs_bucket_steps(struct cs_grid grid)
{
    uint32_t steps = 0;

    for (uint32_t i = 0; i < grid.count; i++)
        steps += grid.sides[i] - 1;
    return steps;
}

/* A ring of the grid from the view of a rank. */
struct bucket_line {
    uint32_t side;
    uint32_t stride; /* from rank to rank along the ring */
    uint32_t place;  /* of the rank */
    uint32_t first;  /* block of the part that the ring divides */
    uint32_t count;  /* blocks of a side-th of the part */
};

/* Rank numbers count the first dimension first, block numbers the last: the
 * coordinates of the finished dimensions select the block run. */
static struct bucket_line bucket_line_of(struct cs_grid grid, uint32_t dimension, uint32_t rank)
{
    struct bucket_line line = {.stride = 1, .count = 1};

    for (uint32_t i = 0; i < dimension; i++) {
        line.first = line.first * grid.sides[i] + rank % grid.sides[i];
        line.stride *= grid.sides[i];
        rank /= grid.sides[i];
    }
    line.side = grid.sides[dimension];
    line.place = rank % line.side;
    for (uint32_t i = dimension + 1; i < grid.count; i++)
        line.count *= grid.sides[i];
    line.first *= line.side * line.count;
    return line;
}

/* The rank `step` positions ahead; below, the part `step` positions behind. */
static uint32_t rank_ahead(const struct bucket_line *line, uint32_t rank, uint32_t step)
{
    uint32_t place = cs_ahead(line->place, step, line->side);

    return rank + place * line->stride - line->place * line->stride;
}

static struct cs_blocks part_behind(const struct bucket_line *line, uint32_t step)
{
    uint32_t part = cs_behind(line->place, step, line->side);

    return (struct cs_blocks){line->first + part * line->count, line->count};
}

static void scatter_step(const struct bucket_line *line, uint32_t rank, uint32_t k,
                         struct cs_ops *ops)
{
    uint32_t next = rank_ahead(line, rank, 1);
    uint32_t previous = rank_ahead(line, rank, line->side - 1);

    cs_ops_send(ops, next, part_behind(line, k + 1));
    cs_ops_recv_reduce(ops, previous, part_behind(line, k + 2));
}

static void gather_step(const struct bucket_line *line, uint32_t rank, uint32_t k,
                        struct cs_ops *ops)
{
    uint32_t next = rank_ahead(line, rank, 1);
    uint32_t previous = rank_ahead(line, rank, line->side - 1);

    cs_ops_send(ops, next, part_behind(line, k));
    cs_ops_recv(ops, previous, part_behind(line, k + 1));
}

void cs_bucket_step(struct cs_grid grid, uint32_t rank, uint64_t k, struct cs_ops *ops)
{
    uint32_t steps = cs_bucket_steps(grid);
    bool scatters = k < steps;
    uint32_t left = (uint32_t)(scatters ? k : k - steps);
    uint32_t i = scatters ? 0 : grid.count - 1;
    struct bucket_line line;

    while (left >= grid.sides[i] - 1) {
        left -= grid.sides[i] - 1;
        i = scatters ? i + 1 : i - 1;
    }
    line = bucket_line_of(grid, i, rank);
    if (scatters)
        scatter_step(&line, rank, left, ops);
    else
        gather_step(&line, rank, left, ops);
}

struct cs_cost cs_bucket_cost(struct cs_grid grid, const struct cs_call *call)
{
    uint32_t count = call->ranks;
    double steps = 0;
    double bytes = 0;

    for (uint32_t i = 0; i < grid.count; i++) {
        count /= grid.sides[i];
        steps += grid.sides[i] - 1;
        bytes += (grid.sides[i] - 1.0) * cs_longest_run_bytes(call, call->ranks, count);
    }
    return (struct cs_cost){2 * steps, 2 * bytes, bytes};
}

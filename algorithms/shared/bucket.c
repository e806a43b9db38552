#include "algorithms/shared/bucket.h"

uint32_t cs_bucket_steps(const struct cs_grid *grid)
{
    uint32_t steps = 0;

    for (uint32_t i = 0; i < grid->count; i++)
        steps += grid->sides[i] - 1;
    return steps;
}

uint32_t cs_bucket_block(const struct cs_grid *grid, uint32_t rank)
{
    uint32_t block = 0;

    for (uint32_t phase = 0; phase < grid->count; phase++) {
        uint32_t dimension = cs_grid_dimension(grid, phase);

        block = block * grid->sides[dimension] + cs_grid_place(grid, dimension, rank);
    }
    return block;
}

/* A ring of the grid from the view of a rank. */
struct bucket_line {
    uint32_t dimension;
    uint32_t side;
    uint32_t place; /* of the rank */
    uint32_t first; /* block of the part that the ring divides */
    uint32_t count; /* blocks of a side-th of the part */
};

/* The coordinates of the finished dimensions select the run of blocks. */
static struct bucket_line bucket_line_of(const struct cs_bucket *bucket, uint32_t phase,
                                         uint32_t rank)
{
    const struct cs_grid *grid = &bucket->grid;
    struct bucket_line line = {.dimension = cs_grid_dimension(grid, phase), .count = 1};

    for (uint32_t i = 0; i < phase; i++) {
        uint32_t dimension = cs_grid_dimension(grid, i);

        line.first = line.first * grid->sides[dimension] + cs_grid_place(grid, dimension, rank);
    }
    line.side = grid->sides[line.dimension];
    line.place = cs_grid_place(grid, line.dimension, rank);
    for (uint32_t i = phase + 1; i < grid->count; i++)
        line.count *= grid->sides[cs_grid_dimension(grid, i)];
    line.first = bucket->base + line.first * line.side * line.count;
    return line;
}

/* A message with the part `step` positions behind the rank. */
static void bucket_message(const struct cs_bucket *bucket, const struct bucket_line *line,
                           enum cs_op_kind kind, uint32_t peer, uint32_t step, struct cs_ops *ops)
{
    uint32_t part = cs_behind(line->place, step, line->side);

    cs_ops_push(ops, (struct cs_op){.kind = (uint8_t)kind,
                                    .buffer = (uint8_t)bucket->buffer,
                                    .peer = peer,
                                    .blocks = {line->first + part * line->count, line->count}});
}

/* Step k of the ring: sends the part `step` places behind, receives the one behind that. */
static void bucket_ring_step(const struct cs_bucket *bucket, const struct bucket_line *line,
                             uint32_t rank, uint32_t step, enum cs_op_kind recv, struct cs_ops *ops)
{
    uint32_t next = cs_grid_ahead(&bucket->grid, line->dimension, rank, 1);
    uint32_t previous = cs_grid_ahead(&bucket->grid, line->dimension, rank, line->side - 1);

    bucket_message(bucket, line, CS_OP_SEND, next, step, ops);
    bucket_message(bucket, line, recv, previous, step + 1, ops);
}

void cs_bucket_scatter_step(const struct cs_bucket *bucket, uint32_t rank, uint32_t k,
                            struct cs_ops *ops)
{
    const struct cs_grid *grid = &bucket->grid;
    uint32_t phase = 0;
    struct bucket_line line;

    while (k >= grid->sides[cs_grid_dimension(grid, phase)] - 1)
        k -= grid->sides[cs_grid_dimension(grid, phase++)] - 1;
    line = bucket_line_of(bucket, phase, rank);
    bucket_ring_step(bucket, &line, rank, k + 1, CS_OP_RECV_REDUCE, ops);
}

void cs_bucket_gather_step(const struct cs_bucket *bucket, uint32_t rank, uint32_t k,
                           struct cs_ops *ops)
{
    const struct cs_grid *grid = &bucket->grid;
    uint32_t phase = grid->count - 1;
    struct bucket_line line;

    while (k >= grid->sides[cs_grid_dimension(grid, phase)] - 1)
        k -= grid->sides[cs_grid_dimension(grid, phase--)] - 1;
    line = bucket_line_of(bucket, phase, rank);
    bucket_ring_step(bucket, &line, rank, k, CS_OP_RECV, ops);
}

struct cs_cost cs_bucket_cost(const struct cs_grid *grid, uint32_t lanes,
                              const struct cs_call *call)
{
    uint32_t count = call->ranks;
    double steps = 0;
    double bytes = 0;

    for (uint32_t i = 0; i < grid->count; i++) {
        count /= grid->sides[i];
        steps += grid->sides[i] - 1;
        bytes += (grid->sides[i] - 1.0) * cs_longest_run_bytes(call, lanes * call->ranks, count);
    }
    return (struct cs_cost){2 * steps, 2 * bytes, bytes};
}

/*
 * Torus all-to-all: dimension after dimension, around the rings of a grid or torus.
 *
 * Any grid d_1 x d_2 x ... of p ranks (grid.h).  In the phase of a dimension of side d,
 * every rank brings all blocks that it holds to the ranks of its line with the
 * coordinate of their destination: the blocks for the next d/2 ranks travel up, those
 * for the d/2 ranks before down, and of the blocks for the rank across an even side
 * half travels up and half down.  Step k hands on all blocks that have to go k places
 * or more, so that messages go to neighbours only: up and down d^2/8 blocks of V/d over
 * each wire, the least there is.
 *
 *     d = 4, one rank's blocks for the places 1, 2, 3 ahead:
 *
 *     step 1:  up 1 2'       down 3 2"        halves of 2
 *     step 2:  up 2'         down 2"          of the neighbours
 *
 * On a torus of n dimensions every block has n parts (each of two halves), one for each
 * lane; the lanes begin in different dimensions, so that all wires are in use.
 *
 * Blocks of one message are a run in scratch: each phase keeps its blocks by the places
 * to go, and every arrival is copied to its position of the next phase.  Scratch of a
 * lane: its part of V for this phase, as much for the next, and two buffers in each
 * direction, together 4 V.
 *
 *     T = sum over i of d_i/2 alpha + d_i/8 V w/c / beta, even sides; (n + 1) V gamma
 *
 * with c lanes, w of them on a wire at a time: 1 on a torus.
 */
#include "algorithms/shared/grid.h"
#include "algorithms/shared/patterns/staging.h"

enum {
    HALVES = 2,
    REGIONS = 4, /* of V: this phase, the next, and the buffers of both directions */
};

/* A phase of a lane; a unit is half of the lane's part of a block. */
struct torus_phase {
    uint32_t number, count;
    uint32_t lane, lanes;
    uint32_t units; /* of the lane: two for each rank */
    uint32_t side, stride;
    uint32_t steps;  /* side / 2 */
    uint32_t bundle; /* units for one rank of the line */
    uint32_t sent;   /* units that leave in one direction in the first step */
    struct cs_grid grid;
};

/* Lanes begin in dimension after dimension, and serve both directions. */
static struct torus_phase torus_phase_of(const struct cs_call *call, uint32_t lane, uint32_t number)
{
    struct torus_phase of = {.number = number,
                             .lane = lane,
                             .lanes = call->channels,
                             .units = HALVES * call->ranks,
                             .side = 1,
                             .stride = 1,
                             .grid = cs_grid_of_lane(call, 2 * lane)};
    uint32_t dimension;

    of.count = of.grid.count;
    if (number >= of.count)
        return of;
    dimension = cs_grid_dimension(&of.grid, number);
    of.side = of.grid.sides[dimension];
    of.stride = of.grid.strides[dimension];
    of.steps = of.side / 2;
    of.bundle = of.units / of.side;
    of.sent = of.bundle * (of.side - 1) / 2;
    return of;
}

/* ---- positions ---- */

/* The first unit of the blocks of a phase, and of the buffer of a step. */
static uint32_t torus_region(const struct torus_phase *of)
{
    return (of->lane * REGIONS + of->number % 2) * of->units;
}

static uint32_t torus_buffer(const struct torus_phase *of, bool down, uint32_t step)
{
    return (of->lane * REGIONS + 2) * of->units + (2 * down + step % 2) * of->sent;
}

/* A unit in the vector. */
static uint32_t torus_in_vector(const struct torus_phase *of, uint32_t piece, uint32_t half)
{
    return (piece * of->lanes + of->lane) * HALVES + half;
}

/* The place of an item among those with one coordinate along the phase's dimension. */
static uint32_t torus_rest(const struct torus_phase *of, uint32_t item)
{
    return item / (of->stride * of->side) * of->stride + item % of->stride;
}

/* The position of a unit before a phase.  An item is the number of a rank, with the
 * coordinates of the destination in this and later phases, and those of the source in
 * the phases before.  First the units that go up, by distance; then those that go down,
 * then those that stay. */
static uint32_t torus_position(const struct torus_phase *of, uint32_t rank, uint32_t item,
                               uint32_t half)
{
    uint32_t here = rank / of->stride % of->side;
    uint32_t there = item / of->stride % of->side;
    uint32_t up = cs_behind(there, here, of->side);
    bool is_across = 2 * up == of->side;
    bool down = 2 * up > of->side || (is_across && half);
    uint32_t distance = down ? of->side - up : up;
    uint32_t rest = torus_rest(of, item);
    uint32_t at = torus_region(of) + (is_across ? rest : HALVES * rest + half);

    if (up == 0)
        return at + 2 * of->sent;
    return at + (down ? of->sent : 0) + (distance - 1) * of->bundle;
}

/* ---- rounds ---- */

/* Copies a unit to its position before a phase, or behind the last one to its place in
 * the vector; copies side by side are one. */
static void torus_copy(const struct torus_phase *next, uint32_t rank, struct cs_op copy,
                       uint32_t item, uint32_t half, struct cs_ops *ops)
{
    struct cs_op *last = ops->count ? &ops->op[ops->count - 1] : NULL;
    bool is_last = next->number == next->count;

    copy.kind = CS_OP_COPY;
    copy.buffer = is_last ? CS_OUTPUT : CS_SCRATCH;
    copy.blocks = (struct cs_blocks){
        is_last ? torus_in_vector(next, item, half) : torus_position(next, rank, item, half), 1};
    if (last && last->kind == CS_OP_COPY && last->buffer == copy.buffer &&
        last->source_buffer == copy.source_buffer &&
        last->blocks.first + last->blocks.count == copy.blocks.first &&
        last->source + last->blocks.count == copy.source)
        last->blocks.count++;
    else
        cs_ops_push(ops, copy);
}

static void torus_pack(const struct torus_phase *first, uint32_t rank, struct cs_ops *ops)
{
    for (uint32_t item = 0; item < first->units / HALVES; item++)
        for (uint32_t half = 0; half < HALVES; half++) {
            struct cs_op copy = {.source_buffer = CS_INPUT,
                                 .source = torus_in_vector(first, item, half)};

            torus_copy(first, rank, copy, item, half, ops);
        }
}

/* Units of one half or of both, of the items with one coordinate along the dimension,
 * from `source` on. */
struct torus_bundle {
    struct cs_blocks halves;
    uint32_t from;
    uint32_t source;
};

static void torus_unpack(const struct torus_phase *of, const struct torus_phase *next,
                         uint32_t rank, struct torus_bundle bundle, struct cs_ops *ops)
{
    uint32_t line = of->stride * of->side;
    uint32_t end = bundle.halves.first + bundle.halves.count;

    for (uint32_t i = 0; i < of->bundle / HALVES; i++) {
        uint32_t item = i / of->stride * line + bundle.from * of->stride + i % of->stride;

        for (uint32_t half = bundle.halves.first; half < end; half++) {
            struct cs_op copy = {.source_buffer = CS_SCRATCH, .source = bundle.source++};

            torus_copy(next, rank, copy, item, half, ops);
        }
    }
}

/* Unpacks what arrived in a step; what stays counts as step 0. */
static void torus_arrived(const struct torus_phase *of, const struct torus_phase *next,
                          uint32_t rank, uint32_t step, struct cs_ops *ops)
{
    uint32_t here = rank / of->stride % of->side;
    bool is_across = 2 * step == of->side;

    if (step == 0) {
        struct torus_bundle own = {{0, HALVES}, here, torus_region(of) + 2 * of->sent};

        torus_unpack(of, next, rank, own, ops);
        return;
    }
    for (uint32_t down = 0; down < 2; down++) {
        struct torus_bundle arrived = {{is_across ? down : 0, is_across ? 1 : HALVES},
                                       down ? cs_ahead(here, step, of->side)
                                            : cs_behind(here, step, of->side),
                                       torus_buffer(of, down, step)};

        torus_unpack(of, next, rank, arrived, ops);
    }
}

/* Step 1 sends what has any distance to go, a further step what arrived one before and
 * has not arrived for good. */
static void torus_step(const struct torus_phase *of, uint32_t rank, uint32_t step,
                       struct cs_ops *ops)
{
    uint32_t here = rank / of->stride % of->side;
    uint32_t count = of->sent - (step - 1) * of->bundle;
    uint32_t up = rank + cs_ahead(here, 1, of->side) * of->stride - here * of->stride;
    uint32_t down = rank + cs_behind(here, 1, of->side) * of->stride - here * of->stride;

    for (uint32_t i = 0; i < 2; i++) {
        uint32_t first = step == 1 ? torus_region(of) + i * of->sent
                                   : torus_buffer(of, i, step - 1) + of->bundle;

        cs_stage_send(ops, i ? down : up, (struct cs_blocks){first, count});
    }
    for (uint32_t i = 0; i < 2; i++)
        cs_stage_recv(ops, i ? up : down, (struct cs_blocks){torus_buffer(of, i, step), count});
}

/* One round packs; a phase has a round for each step, and one for the last arrivals. */
static uint64_t torus_rounds(const void *ctx, struct cs_at at)
{
    const struct cs_call *call = ctx;
    struct cs_grid grid = cs_grid_of_lane(call, 2 * at.lane);
    uint64_t rounds = 1;

    for (uint32_t i = 0; i < grid.count; i++)
        rounds += grid.sides[i] / 2 + 1;
    return call->ranks > 1 ? rounds : 0;
}

static void torus_round(const void *ctx, struct cs_at at, struct cs_ops *ops)
{
    const struct cs_call *call = ctx;
    struct torus_phase of = torus_phase_of(call, at.lane, 0);
    struct torus_phase next;
    uint32_t left = (uint32_t)at.round;

    if (left-- == 0) {
        torus_pack(&of, at.party, ops);
        return;
    }
    while (left > of.steps) {
        left -= of.steps + 1;
        of = torus_phase_of(call, at.lane, of.number + 1);
    }
    next = torus_phase_of(call, at.lane, of.number + 1);
    torus_arrived(&of, &next, at.party, left, ops);
    if (left < of.steps)
        torus_step(&of, at.party, left + 1, ops);
}

/* ---- parameters ---- */

static int torus_check(const struct cs_algo *algo, const struct cs_call *call, struct cs_err *err)
{
    if ((uint64_t)call->channels * call->ranks > UINT32_MAX / (HALVES * REGIONS))
        return cs_err_set(err, CS_EINPUT, "%u channels of %u ranks are more blocks than %s counts",
                          call->channels, call->ranks, algo->name);
    return cs_grid_check_dims(algo, call, err);
}

/* A lane for each dimension of a torus. */
static void torus_settle(struct cs_call *call)
{
    bool is_open = !call->channels;

    cs_grid_settle(call);
    if (is_open)
        call->channels = (call->channels + 1) / 2;
}

static uint32_t torus_parts(const struct cs_call *call)
{
    return call->channels * HALVES;
}

static uint32_t torus_blocks(const struct cs_call *call)
{
    return call->ranks * torus_parts(call);
}

static uint32_t torus_scratch(const struct cs_call *call)
{
    return REGIONS * torus_blocks(call);
}

/* The messages of one direction, which has a wire of its own on a torus alone. */
static struct cs_cost torus_cost(const struct cs_call *call)
{
    struct cs_cost cost = {0};
    double unit = cs_vector_bytes(call) / torus_blocks(call);
    struct torus_phase of = torus_phase_of(call, 0, 0);
    uint32_t count = of.count;

    while (of.number < count) {
        double steps = of.steps;

        cost.rounds += steps;
        cost.bytes += unit * (steps * of.sent - steps * (steps - 1) / 2 * of.bundle);
        of = torus_phase_of(call, 0, of.number + 1);
    }
    cost = cs_grid_cost(call, cost);
    if (!call->dims_are_wires)
        cost.bytes *= 2;
    cost.reduced_bytes = (count + 1) * cs_vector_bytes(call);
    return cost;
}

const struct cs_algo cs_algo_alltoall_torus = {
    .name = "torus",
    .collective = &cs_collective_alltoall,
    .about = "around the rings of a torus, dimension after dimension, in both directions",
    .formula = "sum(d_i/2 alpha + d_i/8 V/c/beta) + (n+1) V gamma, c lanes, even sides",
    .exactness = CS_COST_ROUGHLY,
    .moves_blocks = true,
    .takes_dims = true,
    .check = torus_check,
    .settle = torus_settle,
    .lanes = cs_grid_lanes,
    .blocks = torus_blocks,
    .parts = torus_parts,
    .scratch = torus_scratch,
    .rounds = torus_rounds,
    .round = torus_round,
    .cost = torus_cost,
};

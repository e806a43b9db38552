#include "algorithms/shared/trees/moves.h"

#include "sim/base/collections/vector.h"

#include <math.h>
#include <string.h>

enum {
    STEEP = 8,           /* the power of a load in the sum that is lowered: at first, */
    STEEPEST = 128,      /* and at the end */
    TRIALS_MAX = 1 << 14 /* of moves */
};

/* Rows at this share of the load of the busiest one are lowered, too. */
static const double busy = 0.97;
static const double rounding = 1e-9;
/* A move lowers the sum by this share at least. */
static const double gain = 1e-6;

struct mover {
    const struct cs_branches *branches;
    const struct cs_monitor *monitor;
    double *whole; /* capacity of each row, in whole messages */
    double *load;  /* of each row, by all units */
    uint32_t steepness;
    double sum;  /* of powers */
    double over; /* rows of a higher ratio are lowered */
    struct cs_tree_shape *shape;
    uint32_t count, room;
    uint32_t *depth, *height; /* of the vertices of a tree; above the deepest one below */
    uint32_t deepest;
    uint32_t *tried, *best; /* parents */
    uint32_t trials;
    bool all; /* exchanges of a vertex with all others, not with its children alone */
    struct cs_arena *arena;
};

/* ---- loads ---- */

static double mover_power(const struct mover *mover, uint32_t row)
{
    double power = mover->load[row] / mover->whole[row];

    for (uint32_t n = 1; n < mover->steepness; n *= 2)
        power *= power;
    return power;
}

static void mover_add(struct mover *mover, uint32_t parent, uint32_t child, double units)
{
    const struct cs_branches *branches = mover->branches;
    uint32_t branch = parent * branches->vertices + child;

    for (uint32_t i = branches->first[branch]; i < branches->first[branch + 1]; i++) {
        uint32_t row = branches->load[i].row;

        mover->sum -= mover_power(mover, row);
        mover->load[row] += branches->load[i].s_per_byte * units;
        mover->sum += mover_power(mover, row);
    }
}

/* A unit goes along other parents. */
static void mover_shift(struct mover *mover, const uint32_t *from, const uint32_t *to)
{
    for (uint32_t v = 0; v < mover->branches->vertices; v++)
        if (from[v] != to[v]) {
            mover_add(mover, from[v], v, -1);
            mover_add(mover, to[v], v, 1);
        }
}

static double mover_busiest(const struct mover *mover)
{
    double most = 0;

    for (uint32_t r = 0; r < mover->branches->rows; r++)
        most = fmax(most, mover->load[r] / mover->whole[r]);
    return most;
}

static bool mover_is_over(const struct mover *mover, uint32_t parent, uint32_t child)
{
    const struct cs_branches *branches = mover->branches;
    uint32_t branch = parent * branches->vertices + child;
    uint32_t i = branches->first[branch];

    while (i < branches->first[branch + 1] &&
           mover->load[branches->load[i].row] <= mover->over * mover->whole[branches->load[i].row])
        i++;
    return i < branches->first[branch + 1];
}

/* ---- moves ---- */

static bool mover_exists(const struct mover *mover, const uint32_t *parent)
{
    uint32_t n = mover->branches->vertices;
    uint32_t v = 0;

    while (v < n && (parent[v] == CS_SPANNING_NONE || mover->branches->exists[parent[v] * n + v]))
        v++;
    return v == n;
}

/* Keeps what was tried if it is the lowest up to now. */
static void mover_try(struct mover *mover, const uint32_t *parent, double *least)
{
    double sum;

    if (!mover_exists(mover, mover->tried))
        return;
    mover_shift(mover, parent, mover->tried);
    sum = mover->sum;
    mover_shift(mover, mover->tried, parent);
    mover->trials++;
    if (sum >= *least)
        return;
    *least = sum;
    memcpy(mover->best, mover->tried, mover->branches->vertices * sizeof(*parent));
}

static void mover_measure(struct mover *mover, const struct cs_tree_shape *shape)
{
    memset(mover->height, 0, mover->branches->vertices * sizeof(*mover->height));
    for (uint32_t v = 0; v < mover->branches->vertices; v++) {
        mover->depth[v] = 0;
        for (uint32_t at = v; at != shape->root; at = shape->parent[at]) {
            uint32_t above = ++mover->depth[v];

            if (mover->height[shape->parent[at]] < above)
                mover->height[shape->parent[at]] = above;
        }
    }
}

static bool mover_is_below(const struct cs_tree_shape *shape, uint32_t vertex, uint32_t above)
{
    while (vertex != above && vertex != shape->root)
        vertex = shape->parent[vertex];
    return vertex == above;
}

/* The vertex below others. */
static void mover_try_parents(struct mover *mover, const struct cs_tree_shape *shape,
                              uint32_t vertex, double *least)
{
    uint32_t n = mover->branches->vertices;

    memcpy(mover->tried, shape->parent, n * sizeof(*mover->tried));
    for (uint32_t from = 0; from < n; from++) {
        if (mover->depth[from] + 1 + mover->height[vertex] > mover->deepest ||
            mover_is_below(shape, from, vertex))
            continue;
        mover->tried[vertex] = from;
        mover_try(mover, shape->parent, least);
    }
}

/* The vertex and another one in each other's place. */
static void mover_try_exchange(struct mover *mover, const struct cs_tree_shape *shape,
                               uint32_t vertex, uint32_t other, double *least)
{
    for (uint32_t v = 0; v < mover->branches->vertices; v++) {
        uint32_t above = shape->parent[v == vertex ? other : v == other ? vertex : v];

        mover->tried[v] = above == vertex ? other : above == other ? vertex : above;
    }
    mover_try(mover, shape->parent, least);
}

static void mover_try_exchanges(struct mover *mover, const struct cs_tree_shape *shape,
                                uint32_t vertex, double *least)
{
    for (uint32_t v = 0; v < mover->branches->vertices; v++)
        if (v != vertex && v != shape->root && (mover->all || shape->parent[v] == vertex))
            mover_try_exchange(mover, shape, vertex, v, least);
}

/* A unit of the shape as another tree, and a further shape for its other units. */
static void mover_apply(struct mover *mover, uint32_t i)
{
    uint32_t n = mover->branches->vertices;
    struct cs_tree_shape rest = mover->shape[i];

    mover_shift(mover, rest.parent, mover->best);
    if (rest.units > 1) {
        rest.units--;
        rest.parent = cs_arena_copy(mover->arena, rest.parent, n, sizeof(*rest.parent));
        *CS_VECTOR_NEXT_IN(mover->arena, mover->shape, mover->count, mover->room) = rest;
        mover->shape[i].units = 1;
    }
    memcpy(mover->shape[i].parent, mover->best, n * sizeof(*mover->best));
}

/* Lowers the load of the branch into the vertex; false if nothing does. */
static bool mover_move(struct mover *mover, uint32_t i, uint32_t vertex)
{
    const struct cs_tree_shape shape = mover->shape[i];
    double enough = mover->sum * (1 - gain);
    double least = enough;

    mover_measure(mover, &shape);
    mover_try_parents(mover, &shape, vertex, &least);
    mover_try_exchanges(mover, &shape, vertex, &least);
    if (least >= enough)
        return false;
    mover_apply(mover, i);
    return true;
}

static bool mover_goes_on(const struct mover *mover)
{
    return mover->trials < TRIALS_MAX && cs_monitor_count(mover->monitor, 0, 0);
}

/* False where the busiest row has no less than before. */
static bool mover_pass(struct mover *mover)
{
    double busiest = mover_busiest(mover);

    mover->over = fmax(busiest * busy, 1 + rounding);
    mover->trials = 0;
    mover->sum = 0;
    for (uint32_t r = 0; r < mover->branches->rows; r++)
        mover->sum += mover_power(mover, r);
    for (uint32_t i = 0; i < mover->count && mover_goes_on(mover); i++)
        for (uint32_t v = 0; v < mover->branches->vertices; v++)
            if (v != mover->shape[i].root && mover_is_over(mover, mover->shape[i].parent[v], v))
                (void)mover_move(mover, i, v);
    return mover_busiest(mover) < busiest * (1 - rounding);
}

/* ---- the whole ---- */

/* What rows carry in the least time, in whole messages; those that nothing loads, any number. */
static void mover_set_whole(struct mover *mover, double least_s)
{
    const struct cs_branches *branches = mover->branches;

    for (uint32_t r = 0; r < branches->rows; r++)
        mover->whole[r] = INFINITY;
    for (uint32_t i = 0; i < branches->first[branches->branches]; i++) {
        double one = branches->load[i].s_per_byte;
        double *whole = &mover->whole[branches->load[i].row];

        *whole = one > 0 ? fmin(*whole, one) : *whole;
    }
    for (uint32_t r = 0; r < branches->rows; r++)
        mover->whole[r] *= fmax(floor(least_s * branches->capacity[r] / mover->whole[r] + 1e-3), 1);
}

static void mover_begin(struct mover *mover, double least_s)
{
    mover_set_whole(mover, least_s);
    mover->steepness = STEEP;
    for (uint32_t i = 0; i < mover->count; i++) {
        const struct cs_tree_shape *shape = &mover->shape[i];

        mover_measure(mover, shape);
        if (mover->deepest <= mover->height[shape->root])
            mover->deepest = mover->height[shape->root] + 1;
        for (uint32_t v = 0; v < mover->branches->vertices; v++)
            if (v != shape->root)
                mover_add(mover, shape->parent[v], v, shape->units);
    }
}

struct cs_units cs_tree_moves(const struct cs_branches *branches, const struct cs_monitor *monitor,
                              const struct cs_units *from, struct cs_arena *arena)
{
    struct cs_units units = *from;
    struct mover mover = {
        .branches = branches,
        .monitor = monitor,
        .whole = cs_arena_alloc(arena, branches->rows, sizeof(double)),
        .load = cs_arena_alloc(arena, branches->rows, sizeof(double)),
        .shape = cs_arena_copy(arena, from->shape, from->count, sizeof(*from->shape)),
        .count = from->count,
        .room = from->count,
        .depth = cs_arena_alloc(arena, branches->vertices, sizeof(uint32_t)),
        .height = cs_arena_alloc(arena, branches->vertices, sizeof(uint32_t)),
        .tried = cs_arena_alloc(arena, branches->vertices, sizeof(uint32_t)),
        .best = cs_arena_alloc(arena, branches->vertices, sizeof(uint32_t)),
        .arena = arena,
    };

    mover_begin(&mover, from->limit_s * from->each);
    for (mover.steepness = STEEP; mover.steepness <= STEEPEST; mover.steepness *= 2)
        while (mover_pass(&mover))
            ;
    mover.steepness = STEEPEST;
    mover.all = true;
    while (mover_pass(&mover))
        ;
    units.shape = mover.shape;
    units.count = mover.count;
    return units;
}

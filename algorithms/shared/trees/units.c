#include "algorithms/shared/trees/units.h"

#include "sim/base/collections/vector.h"

#include <math.h>
#include <string.h>

enum {
    EVERY_MAX = 8,      /* numbers of units, all of which are tried */
    ROUNDS_MAX = 600,   /* of the mixture that bounds the others, */
    WORK_ALL = 1 << 24, /* and their steps for all roots */
    ROUNDS = 200,       /* of a mixture for a number of units */
    WORK_MAX = 3000,    /* searches for a number of units, times vertices / 16 squared */
    STEEP = 6,          /* the power of a load in the sum that is lowered: at first, */
    STEEPEST = 24       /* and at the end */
};

/* Chunks until a pipeline is full. */
static const double levels = 8;
/* Nothing is gained closer to the limit. */
static const double near_limit = 1.002;
static const double rounding = 1e-9;
static const double least_price = 1e-7;
/* A move gains at least this share. */
static const double gain = 1e-6;

struct sharer {
    const struct cs_units_request *request;
    const struct cs_branches *branches;
    double limit_s; /* of a byte of each source */
    double *whole;  /* capacity of each row for the present number of units, in whole ones */
    double *one;    /* what a message loads a row by, at least */
    double *sum;    /* by row, of all units */
    double *load, *price;
    struct cs_tree_shape *shape;
    uint32_t count, room;
    struct cs_tree_shape found;
    uint32_t searches;
    int steepness; /* power of a load in the sum that is lowered */
    struct cs_arena *arena;
};

/* ---- loads ---- */

static void sharer_add(struct sharer *sharer, const struct cs_tree_shape *shape, double units)
{
    cs_tree_shape_load(sharer->branches, shape, sharer->load);
    for (uint32_t r = 0; r < sharer->branches->rows; r++)
        sharer->sum[r] += sharer->load[r] * units;
}

static double sharer_ratio(const struct sharer *sharer, uint32_t row)
{
    return sharer->sum[row] / sharer->whole[row];
}

static uint32_t sharer_busiest(const struct sharer *sharer)
{
    uint32_t busiest = 0;

    for (uint32_t r = 1; r < sharer->branches->rows; r++)
        if (sharer_ratio(sharer, r) > sharer_ratio(sharer, busiest))
            busiest = r;
    return busiest;
}

/* What is lowered: the sum of steep powers is near the power of the largest. */
static double sharer_height(const struct sharer *sharer)
{
    double sum = 0;

    for (uint32_t r = 0; r < sharer->branches->rows; r++)
        sum += pow(sharer_ratio(sharer, r), sharer->steepness);
    return sum;
}

/* The cheapest tree by the slope of the height with one message more.  Costs of a
 * search are subtracted from each other: prices have a limited range. */
static void sharer_search(struct sharer *sharer, uint32_t source)
{
    uint32_t rows = sharer->branches->rows;
    double most = 0;

    for (uint32_t r = 0; r < rows; r++) {
        sharer->price[r] = sharer_ratio(sharer, r) + sharer->one[r] / sharer->whole[r];
        most = fmax(most, sharer->price[r]);
    }
    for (uint32_t r = 0; r < rows; r++)
        sharer->price[r] =
            (pow(sharer->price[r] / most, sharer->steepness - 1) + least_price) / sharer->whole[r];
    cs_tree_search_price(sharer->request->search, sharer->price);
    (void)cs_tree_search_find(sharer->request->search, source, &sharer->found);
    sharer->searches++;
}

/* The least load of a message, by row. */
static void sharer_find_ones(struct sharer *sharer)
{
    const struct cs_branches *branches = sharer->branches;

    for (uint32_t i = 0; i < branches->first[branches->branches]; i++) {
        double *one = &sharer->one[branches->load[i].row];

        if (*one <= 0 || branches->load[i].s_per_byte < *one)
            *one = branches->load[i].s_per_byte;
    }
}

/* What rows carry in the least time for so many units, in whole messages. */
static void sharer_set_whole(struct sharer *sharer, uint32_t units)
{
    for (uint32_t r = 0; r < sharer->branches->rows; r++) {
        double all = sharer->limit_s * units * sharer->branches->capacity[r];

        sharer->whole[r] = fmax(floor(all / sharer->one[r] + 1e-3), 1) * sharer->one[r];
    }
}

/* ---- units ---- */

static bool sharer_is_found(const struct sharer *sharer, const struct cs_tree_shape *shape)
{
    return shape->source == sharer->found.source && shape->root == sharer->found.root &&
           memcmp(shape->parent, sharer->found.parent,
                  sharer->branches->vertices * sizeof(*shape->parent)) == 0;
}

/* Gives the found shape a unit. */
static void sharer_keep(struct sharer *sharer)
{
    uint32_t i = 0;

    while (i < sharer->count && !sharer_is_found(sharer, &sharer->shape[i]))
        i++;
    if (i == sharer->count) {
        *CS_VECTOR_NEXT_IN(sharer->arena, sharer->shape, sharer->count, sharer->room) =
            sharer->found;
        sharer->shape[i].units = 0;
        sharer->found = cs_tree_shape_new(sharer->branches, sharer->arena);
    }
    sharer->shape[i].units++;
    sharer_add(sharer, &sharer->shape[i], 1);
}

/* Takes a unit of the shape out and puts it back where it is cheapest; false if
 * nothing is lower then. */
static bool sharer_move(struct sharer *sharer, uint32_t i)
{
    double before = sharer_height(sharer);
    bool lower;

    sharer_add(sharer, &sharer->shape[i], -1);
    sharer_search(sharer, sharer->shape[i].source);
    sharer_add(sharer, &sharer->found, 1);
    lower = sharer_height(sharer) < before * (1 - gain);
    sharer_add(sharer, &sharer->found, -1);
    if (!lower) {
        sharer_add(sharer, &sharer->shape[i], 1);
        return false;
    }
    sharer->shape[i].units--;
    sharer_keep(sharer);
    return true;
}

static uint32_t sharer_searches_max(const struct sharer *sharer)
{
    uint32_t size = 1 + sharer->branches->vertices / 16;

    return WORK_MAX / size / size;
}

static bool sharer_goes_on(const struct sharer *sharer)
{
    return cs_monitor_count(sharer->request->monitor, 0, 0);
}

/* Moves units while that lowers the load, with a sum that is the steeper the longer. */
static void sharer_improve(struct sharer *sharer)
{
    bool moved = true;

    sharer->searches = 0;
    while (sharer_ratio(sharer, sharer_busiest(sharer)) > 1 + rounding &&
           sharer->searches < sharer_searches_max(sharer) && sharer_goes_on(sharer)) {
        uint32_t count = sharer->count;

        if (!moved && sharer->steepness == STEEPEST)
            return;
        sharer->steepness = moved ? sharer->steepness : 2 * sharer->steepness;
        moved = false;
        for (uint32_t i = 0; i < count; i++)
            while (sharer->shape[i].units > 0 && sharer_goes_on(sharer) && sharer_move(sharer, i))
                moved = true;
    }
}

/* The shares of the mixture rounded down, and the remaining units. */
static void sharer_begin(struct sharer *sharer, const struct cs_mixture *mixture, uint32_t units)
{
    memset(sharer->sum, 0, sharer->branches->rows * sizeof(*sharer->sum));
    sharer->shape = mixture->shape;
    sharer->count = sharer->room = mixture->count;
    for (uint32_t i = 0; i < sharer->count; i++) {
        sharer->shape[i].units = (uint32_t)floor(mixture->share[i] * units + 1e-3);
        sharer_add(sharer, &sharer->shape[i], sharer->shape[i].units);
    }
    for (uint32_t s = 0; s < sharer->request->search->sources; s++) {
        uint32_t given = 0;

        for (uint32_t i = 0; i < sharer->count; i++)
            given += sharer->shape[i].source == s ? sharer->shape[i].units : 0;
        for (; given < units; given++) {
            sharer_search(sharer, s);
            sharer_keep(sharer);
        }
    }
}

/* Rounds the shares of a mixture to so many units of each source; seconds of the
 * busiest row for a byte of each. */
static double sharer_round(struct sharer *sharer, const struct cs_mixture *mixture, uint32_t units)
{
    double busiest_s = 0;

    sharer->steepness = STEEP;
    sharer_begin(sharer, mixture, units);
    sharer_improve(sharer);
    for (uint32_t r = 0; r < sharer->branches->rows; r++)
        busiest_s = fmax(busiest_s, sharer->sum[r] / sharer->branches->capacity[r]);
    return busiest_s / units;
}

/* Rounds of a mixture: fewer for many roots and rows. */
static uint32_t units_rounds(const struct cs_units_request *request)
{
    uint64_t rows = request->search->branches->rows;
    uint64_t vertices = request->search->branches->vertices;
    uint64_t roots = request->search->roots == CS_TREES_OF_ROOT ? 1 : vertices;
    uint64_t most = WORK_ALL / (1 + rows * request->search->sources * (1 + rows / 64) +
                                roots * vertices * vertices / 8);

    return most < ROUNDS_MAX ? (uint32_t)most : ROUNDS_MAX;
}

/* A mixture for so many units, by whole capacities. */
static struct cs_mixture sharer_mix_whole(const struct sharer *sharer, uint32_t units)
{
    const struct cs_mixture_request request = {
        .search = sharer->request->search,
        .capacity = sharer->whole,
        .enough = (1 + rounding) / units,
        .rounds = units_rounds(sharer->request) < ROUNDS ? units_rounds(sharer->request) : ROUNDS,
        .monitor = sharer->request->monitor,
    };

    return cs_mixture_of(&request, sharer->arena);
}

/* ---- the number of units ---- */

static uint32_t units_next(uint32_t units)
{
    if (units < EVERY_MAX)
        return units + 1;
    return units + (units < 4 * EVERY_MAX ? EVERY_MAX / 2 : EVERY_MAX);
}

/* The shapes that have units. */
static struct cs_units sharer_result(const struct sharer *sharer, uint32_t each, double busiest_s)
{
    struct cs_units units = {
        .shape = sharer->shape, .each = each, .s_per_byte = busiest_s, .limit_s = sharer->limit_s};

    for (uint32_t i = 0; i < sharer->count; i++)
        if (sharer->shape[i].units > 0)
            units.shape[units.count++] = sharer->shape[i];
    return units;
}

/* The better one of the two mixtures' units. */
static struct cs_units sharer_try(struct sharer *sharer, const struct cs_mixture *real,
                                  uint32_t units)
{
    struct cs_mixture mixture = *real;
    struct cs_units best;

    sharer_set_whole(sharer, units);
    mixture.shape = cs_arena_copy(sharer->arena, real->shape, real->count, sizeof(*real->shape));
    best = sharer_result(sharer, units, sharer_round(sharer, &mixture, units));
    mixture = sharer_mix_whole(sharer, units);
    if (mixture.count) {
        double busiest_s = sharer_round(sharer, &mixture, units);

        if (busiest_s < best.s_per_byte)
            best = sharer_result(sharer, units, busiest_s);
    }
    return best;
}

static struct cs_units sharer_choose(struct sharer *sharer, const struct cs_mixture *real)
{
    const struct cs_units_request *request = sharer->request;
    double per_unit = levels * request->copies * request->search->sources / request->blocks;
    double least_s = (double)INFINITY;
    double busiest_s = (double)INFINITY;
    struct cs_units best = {.count = 0};

    for (uint32_t u = 1; u <= request->most && busiest_s > sharer->limit_s * near_limit &&
                         sharer->limit_s * (1 + per_unit * u) < least_s && sharer_goes_on(sharer);
         u = units_next(u)) {
        struct cs_units units = sharer_try(sharer, real, u);

        busiest_s = units.s_per_byte;
        if (busiest_s * (1 + per_unit * u) >= least_s)
            continue;
        least_s = busiest_s * (1 + per_unit * u);
        best = units;
    }
    return sharer_goes_on(sharer) ? best : (struct cs_units){.count = 0};
}

struct cs_units cs_units_of(const struct cs_units_request *request, struct cs_arena *arena)
{
    const struct cs_branches *branches = request->search->branches;
    const struct cs_mixture_request all = {.search = request->search,
                                           .capacity = branches->capacity,
                                           .rounds = units_rounds(request),
                                           .monitor = request->monitor};
    struct sharer sharer = {
        .request = request,
        .branches = branches,
        .found = cs_tree_shape_new(branches, arena),
        .whole = cs_arena_alloc(arena, branches->rows, sizeof(double)),
        .one = cs_arena_alloc(arena, branches->rows, sizeof(double)),
        .sum = cs_arena_alloc(arena, branches->rows, sizeof(double)),
        .load = cs_arena_alloc(arena, branches->rows, sizeof(double)),
        .price = cs_arena_alloc(arena, branches->rows, sizeof(double)),
        .arena = arena,
    };
    struct cs_mixture mixture = {.count = 0};

    if (branches->rows > 0) /* none where no branch exists, as between ranks that relay */
        mixture = cs_mixture_of(&all, arena);
    if (mixture.count == 0 || (request->enough_s > 0 && mixture.limit >= request->enough_s))
        return (struct cs_units){.limit_s = mixture.limit};
    sharer.limit_s = mixture.limit;
    sharer_find_ones(&sharer);
    return sharer_choose(&sharer, &mixture);
}

#include "algorithms/shared/trees/mixture.h"

#include "algorithms/bounds/rates/master.h"
#include "sim/base/collections/vector.h"

#include <math.h>
#include <string.h>

enum {
    STALL_MAX = 4 /* rounds without improvement before a perturbation */
};

/* A mixture this close to the bound is as good as the best. */
static const double near_bound = 2e-4;
static const double least_share = 1e-6;
/* Farther from 1, shares are of a basis that rounding has spoilt. */
static const double share_error = 1e-3;
static const double tolerance = 1e-9;

struct mixer {
    const struct cs_mixture_request *request;
    const struct cs_branches *branches;
    struct cs_tree_search *search;
    struct cs_master master;
    double *price, *best_price; /* by row */
    double *load;               /* of a tree, by row */
    double scale;               /* loads divided by the scale are about 1 */
    double bound;               /* of the best prices */
    struct cs_tree_shape *shape;
    struct cs_tree_shape found;
    uint32_t count, room;
    struct cs_arena *arena;
};

/* The arrays of the found shape become those of the kept one. */
static void mixer_keep(struct mixer *mixer)
{
    *CS_VECTOR_NEXT_IN(mixer->arena, mixer->shape, mixer->count, mixer->room) = mixer->found;
    mixer->found = cs_tree_shape_new(mixer->branches, mixer->arena);
}

/* Of a price for each row, weighted by the capacities. */
static double mixer_sum(const struct mixer *mixer, const double *price)
{
    double sum = 0;

    for (uint32_t r = 0; r < mixer->branches->rows; r++)
        sum += price[r] * mixer->request->capacity[r];
    return sum;
}

/* Takes the prices over where their bound is higher. */
static void mixer_offer(struct mixer *mixer, double cost)
{
    double levels = 2 * mixer->search->level * mixer->branches->vertices * mixer->search->sources;
    double sum = mixer_sum(mixer, mixer->price);

    if (!(sum > 0) || isinf(cost) || (cost - levels) / sum <= mixer->bound)
        return;
    mixer->bound = (cost - levels) / sum;
    memcpy(mixer->best_price, mixer->price, mixer->branches->rows * sizeof(*mixer->price));
}

/* Prices between those of the mixture and the best ones (pairs.c). */
static void mixer_blend(struct mixer *mixer, double weight)
{
    double sum = mixer_sum(mixer, mixer->best_price);

    for (uint32_t r = 0; r < mixer->branches->rows; r++)
        mixer->price[r] = weight * mixer->best_price[r] / sum +
                          (1 - weight) * fmax(cs_master_price(&mixer->master, r), 0);
}

/* Adds the cheapest tree of every source; true when the mixture improves. */
static bool mixer_round(struct mixer *mixer)
{
    bool improved = false;
    double sum = 0;

    cs_tree_search_price(mixer->search, mixer->price);
    for (uint32_t s = 0; s < mixer->search->sources; s++) {
        sum += cs_tree_search_find(mixer->search, s, &mixer->found);
        cs_tree_shape_load(mixer->branches, &mixer->found, mixer->load);
        for (uint32_t r = 0; r < mixer->branches->rows; r++)
            mixer->load[r] /= mixer->scale;
        if (!cs_master_enter(&mixer->master, s, mixer->load))
            continue;
        mixer_keep(mixer);
        improved = true;
    }
    mixer_offer(mixer, sum);
    return improved;
}

/* True while the mixture improves. */
static bool mixer_improve(struct mixer *mixer)
{
    double theta = cs_master_theta(&mixer->master) * mixer->scale;

    if (mixer->bound >= theta * (1 - near_bound) || theta <= mixer->request->enough)
        return false;
    mixer_blend(mixer, 0.5);
    if (mixer_round(mixer))
        return true;
    mixer_blend(mixer, 0);
    return mixer_round(mixer);
}

/* The trees of equal prices; false where the vertices are not connected. */
static bool mixer_begin(struct mixer *mixer)
{
    uint32_t rows = mixer->branches->rows;
    size_t size = (size_t)mixer->search->sources * rows;
    double *loads = cs_arena_alloc(mixer->arena, size, sizeof(*loads));
    double sum = 0;
    double most = 0;

    for (uint32_t r = 0; r < rows; r++)
        mixer->price[r] = 1 / mixer->request->capacity[r];
    cs_tree_search_price(mixer->search, mixer->price);
    for (uint32_t s = 0; s < mixer->search->sources; s++) {
        double cost = cs_tree_search_find(mixer->search, s, &mixer->found);

        if (isinf(cost))
            return false;
        sum += cost;
        cs_tree_shape_load(mixer->branches, &mixer->found, &loads[(size_t)s * rows]);
        mixer_keep(mixer);
    }
    for (size_t k = 0; k < size; k++)
        most = fmax(most, loads[k] / mixer->request->capacity[k % rows]);
    for (size_t k = 0; k < size; k++)
        loads[k] /= most;
    mixer->scale = most;
    cs_master_begin(&mixer->master, rows, mixer->search->sources, mixer->request->capacity, loads,
                    mixer->arena);
    mixer_offer(mixer, sum);
    return true;
}

static void mixer_find_best(struct mixer *mixer)
{
    const struct cs_monitor *monitor = mixer->request->monitor;
    double theta = (double)INFINITY;
    uint32_t stalled = 0;

    for (uint32_t i = 0; i < mixer->request->rounds && cs_monitor_count(monitor, 0, 0) &&
                         cs_master_settle(&mixer->master) && mixer_improve(mixer);
         i++) {
        bool lower = cs_master_theta(&mixer->master) < theta * (1 - tolerance);

        theta = fmin(theta, cs_master_theta(&mixer->master));
        stalled = lower ? 0 : stalled + 1;
        if (stalled == STALL_MAX) {
            cs_master_perturb(&mixer->master);
            stalled = 0;
        }
    }
}

static bool mixer_is_sound(const struct mixer *mixer, const struct cs_mixture *mixture)
{
    for (uint32_t s = 0; s < mixer->search->sources; s++) {
        double sum = 0;

        for (uint32_t i = 0; i < mixture->count; i++)
            sum += mixture->shape[i].source == s ? mixture->share[i] : 0;
        if (!(fabs(sum - 1) <= share_error))
            return false;
    }
    return true;
}

/* The trees that have a share. */
static struct cs_mixture mixer_result(const struct mixer *mixer)
{
    struct cs_mixture mixture = {
        .shape = mixer->shape,
        .share = cs_arena_alloc(mixer->arena, mixer->count, sizeof(double)),
        .load = cs_master_theta(&mixer->master) * mixer->scale,
        .limit = mixer->bound,
    };

    cs_master_shares(&mixer->master, mixture.share);
    for (uint32_t i = 0; i < mixer->count; i++)
        if (mixture.share[i] > least_share) {
            mixture.share[mixture.count] = mixture.share[i];
            mixture.shape[mixture.count++] = mixture.shape[i];
        }
    return mixer_is_sound(mixer, &mixture) ? mixture : (struct cs_mixture){.count = 0};
}

struct cs_mixture cs_mixture_of(const struct cs_mixture_request *request, struct cs_arena *arena)
{
    const struct cs_branches *branches = request->search->branches;
    struct mixer mixer = {
        .request = request,
        .branches = branches,
        .search = request->search,
        .price = cs_arena_alloc(arena, branches->rows, sizeof(double)),
        .best_price = cs_arena_alloc(arena, branches->rows, sizeof(double)),
        .load = cs_arena_alloc(arena, branches->rows, sizeof(double)),
        .found = cs_tree_shape_new(branches, arena),
        .arena = arena,
    };

    if (!mixer_begin(&mixer))
        return (struct cs_mixture){.count = 0};
    mixer_find_best(&mixer);
    if (!cs_monitor_count(request->monitor, 0, 0))
        return (struct cs_mixture){.count = 0};
    return mixer_result(&mixer);
}

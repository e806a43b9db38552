#include "sim/watch/memory_curve.h"

#include <string.h>

void cs_memory_curve_open(struct cs_memory_curve *curve, uint32_t ranks, struct cs_arena *arena)
{
    *curve = (struct cs_memory_curve){.ranks = ranks, .interval_ps = 1};
    curve->most = cs_arena_alloc(arena, 2 * (size_t)ranks, sizeof(uint64_t));
}

static uint64_t memory_curve_larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

static struct cs_memory_point memory_curve_most_of(struct cs_memory_point a,
                                                   struct cs_memory_point b)
{
    return (struct cs_memory_point){memory_curve_larger(a.all_bytes, b.all_bytes),
                                    memory_curve_larger(a.peak_bytes, b.peak_bytes)};
}

/* Merges pairs of points. */
static void memory_curve_halve(struct cs_memory_curve *curve)
{
    size_t i;

    for (i = 0; i < CS_MEMORY_POINTS / 2; i++)
        curve->points[i] = memory_curve_most_of(curve->points[2 * i], curve->points[2 * i + 1]);
    memset(&curve->points[i], 0, i * sizeof(curve->points[0]));
    curve->count = (curve->count + 1) / 2;
    curve->interval_ps *= 2;
}

/* Records the present memory for the interval from the last change up to
 * `at_ps`, whose point becomes the last point. */
static void memory_curve_pass(struct cs_memory_curve *curve, uint64_t at_ps)
{
    while (at_ps / curve->interval_ps >= CS_MEMORY_POINTS)
        memory_curve_halve(curve);
    for (; curve->count <= at_ps / curve->interval_ps; curve->count++)
        curve->points[curve->count] = curve->now;
}

static void set_rank(struct cs_memory_curve *curve, uint32_t rank, uint64_t bytes)
{
    uint64_t *most = curve->most;
    size_t i = (size_t)curve->ranks + rank;

    curve->now.all_bytes += bytes - most[i];
    most[i] = bytes;
    for (i /= 2; i > 0; i /= 2)
        most[i] = memory_curve_larger(most[2 * i], most[2 * i + 1]);
    curve->now.peak_bytes = most[1];
}

void cs_memory_curve_held(void *ctx, uint32_t party, uint64_t bytes, uint64_t at_ps)
{
    struct cs_memory_curve *curve = ctx;
    struct cs_memory_point *point;

    if (party >= curve->ranks)
        return;
    memory_curve_pass(curve, at_ps);
    set_rank(curve, party, bytes);
    point = &curve->points[at_ps / curve->interval_ps];
    *point = memory_curve_most_of(*point, curve->now);
}

void cs_memory_curve_close(struct cs_memory_curve *curve, uint64_t time_ps)
{
    memory_curve_pass(curve, time_ps);
}

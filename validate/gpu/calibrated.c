#include "validate/gpu/calibrated.h"

#include <math.h>
#include <stdlib.h>

double cs_gpu_rate(const struct cs_gpu_model *model, enum cs_gpu_rate what, double blocks,
                   double vector_bytes)
{
    return cs_gpu_curve_rate(&model->curves[what], blocks, vector_bytes);
}

double cs_gpu_ring_rate(const struct cs_gpu_model *model, uint32_t gpus, double blocks,
                        double vector_bytes)
{
    return gpus <= CS_GPU_PEERS_MAX ? cs_gpu_curve_rate(&model->rings[gpus], blocks, vector_bytes)
                                    : 0;
}

double cs_gpu_ping_s(const struct cs_gpu_pings *pings, double bytes)
{
    const struct cs_gpu_ping *p = pings->points;
    size_t i;

    for (i = 0; i + 1 < pings->count && p[i + 1].bytes <= bytes; i++)
        continue;
    if (pings->count == 0)
        return 0;
    if (i + 1 == pings->count || bytes <= p[i].bytes)
        return p[i].time_s;
    return p[i].time_s +
           (p[i + 1].time_s - p[i].time_s) * (bytes - p[i].bytes) / (p[i + 1].bytes - p[i].bytes);
}

double cs_gpu_launch_s(const struct cs_gpu_model *model, double blocks)
{
    const double *at = model->launch_blocks;
    double share;

    if (!(at[1] > at[0]) || blocks <= at[0])
        return model->launch_s[0];
    share = fmin(1, (blocks - at[0]) / (at[1] - at[0]));
    return model->launch_s[0] + share * (model->launch_s[1] - model->launch_s[0]);
}

static int curve_order(const void *first, const void *second)
{
    const struct cs_gpu_point *a = first;
    const struct cs_gpu_point *b = second;

    if (a->blocks != b->blocks)
        return a->blocks < b->blocks ? -1 : 1;
    return (a->vector_bytes > b->vector_bytes) - (a->vector_bytes < b->vector_bytes);
}

void cs_gpu_curve_add(struct cs_gpu_curve *curve, struct cs_gpu_point point, size_t most,
                      struct cs_arena *arena)
{
    if (!curve->points)
        curve->points = cs_arena_alloc(arena, most, sizeof(point));
    for (size_t i = 0; i < curve->count; i++)
        if (curve_order(&curve->points[i], &point) == 0) {
            curve->points[i].rate_Bps = fmin(curve->points[i].rate_Bps, point.rate_Bps);
            return;
        }
    curve->points[curve->count++] = point;
}

void cs_gpu_curve_sort(struct cs_gpu_curve *curve)
{
    if (curve->count > 0)
        qsort(curve->points, curve->count, sizeof(*curve->points), curve_order);
}

enum end {
    SMALLEST,
    LARGEST,
};

/* The number of points from `first` on with equal blocks. */
static size_t same_blocks(const struct cs_gpu_curve *curve, size_t first)
{
    size_t end = first;

    while (end < curve->count && curve->points[end].blocks == curve->points[first].blocks)
        end++;
    return end - first;
}

static double curve_between(const struct cs_gpu_point *below, const struct cs_gpu_point *above,
                            double blocks)
{
    double share = log(blocks / below->blocks) / log(above->blocks / below->blocks);

    return below->rate_Bps * pow(above->rate_Bps / below->rate_Bps, share);
}

/* The rate of the smallest or the largest vectors. */
static double rate_at_end(const struct cs_gpu_curve *curve, double blocks, enum end end)
{
    const struct cs_gpu_point *below = NULL;
    size_t count;

    for (size_t first = 0; first < curve->count; first += count) {
        const struct cs_gpu_point *here = &curve->points[first];

        count = same_blocks(curve, first);
        if (end == LARGEST)
            here += count - 1;
        if (blocks <= here->blocks)
            return below ? curve_between(below, here, blocks)
                         : here->rate_Bps * blocks / here->blocks;
        below = here;
    }
    return below ? below->rate_Bps : 0;
}

/* The position of a size between small and large vectors, 0 to 1, by the time of
 * a byte with the number of blocks that has most sizes. */
static double place_of(const struct cs_gpu_curve *curve, double vector_bytes)
{
    const struct cs_gpu_point *best = curve->points;
    size_t most = 0;
    size_t i;
    double from;
    double to;
    double here;

    for (size_t first = 0; first < curve->count; first += same_blocks(curve, first))
        if (same_blocks(curve, first) > most) {
            most = same_blocks(curve, first);
            best = &curve->points[first];
        }
    if (most < 2)
        return 0;
    from = 1 / best[0].rate_Bps;
    to = 1 / best[most - 1].rate_Bps;
    for (i = 0; i + 1 < most && best[i + 1].vector_bytes <= vector_bytes; i++)
        continue;
    here = 1 / best[i].rate_Bps;
    if (i + 1 < most && vector_bytes > best[i].vector_bytes)
        here += (1 / best[i + 1].rate_Bps - here) * log(vector_bytes / best[i].vector_bytes) /
                log(best[i + 1].vector_bytes / best[i].vector_bytes);
    if (fabs(to - from) < 1e-3 * to)
        return vector_bytes >= best[most - 1].vector_bytes;
    return fmin(1, fmax(0, (here - from) / (to - from)));
}

double cs_gpu_curve_rate(const struct cs_gpu_curve *curve, double blocks, double vector_bytes)
{
    double place;
    double small;
    double large;

    if (curve->count == 0)
        return 0;
    place = place_of(curve, vector_bytes);
    small = rate_at_end(curve, blocks, SMALLEST);
    large = rate_at_end(curve, blocks, LARGEST);
    return 1 / ((1 - place) / small + place / large);
}

#include "validate/gpu/calibrated.h"

#include <math.h>

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

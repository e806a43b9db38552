#include "validate/logs/ranks.h"

#include <math.h>

/* 0: the factor does not depend on the ranks. */
static double ranks_factor_limit(const struct cs_collective *collective)
{
    double two = cs_collective_bus_factor(collective, 2);
    double four = cs_collective_bus_factor(collective, 4);

    return four > two ? 2 * two : 0; /* f(n) = limit (1 - 1/n) */
}

static uint32_t ranks_whole(double ranks)
{
    return ranks < UINT32_MAX ? (uint32_t)ranks : UINT32_MAX;
}

void cs_log_ranks_of_factor(const struct cs_collective *collective, double low, double high,
                            uint32_t *least, uint32_t *most)
{
    const double rounding = 1e-9; /* of doubles, far below 1/n */
    double limit = ranks_factor_limit(collective);
    double first;

    *least = *most = 0;
    if (limit <= 0 || !(low <= high) || low >= limit)
        return;
    first = ceil(limit / (limit - low) * (1 - rounding));
    *least = ranks_whole(fmax(first, 2));
    *most =
        high >= limit ? UINT32_MAX : ranks_whole(floor(limit / (limit - high) * (1 + rounding)));
    if (*most < *least)
        *least = *most = 0;
}

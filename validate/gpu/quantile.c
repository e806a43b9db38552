#include "validate/gpu/quantile.h"

#include <stdlib.h>

static int quantile_order(const void *first, const void *second)
{
    double a = *(const double *)first;
    double b = *(const double *)second;

    return (a > b) - (a < b);
}

double cs_quantile(double *values, uint32_t count, double share)
{
    double place = share * (count - 1);
    uint32_t below = (uint32_t)place;
    uint32_t above = below + 1 < count ? below + 1 : below;

    qsort(values, count, sizeof(*values), quantile_order);
    return values[below] + (place - below) * (values[above] - values[below]);
}

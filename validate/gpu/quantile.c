#include "validate/gpu/quantile.h"

#include "sim/base/order.h"

#include <stdlib.h>

double cs_quantile(double *values, uint32_t count, double share)
{
    double place = share * (count - 1);
    uint32_t below = (uint32_t)place;
    uint32_t above = below + 1 < count ? below + 1 : below;

    qsort(values, count, sizeof(*values), cs_order_of_doubles);
    return values[below] + (place - below) * (values[above] - values[below]);
}

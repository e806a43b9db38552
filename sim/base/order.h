/*
 * Numbers in rising order: comparisons for qsort, of numbers and of structs whose first
 * member is one, and quantiles.
 */
#pragma once

#include <stdint.h>
#include <stdlib.h>

static inline int cs_order_of_doubles(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;

    return (x > y) - (x < y);
}

static inline int cs_order_of_numbers(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a;
    uint32_t y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

static inline int cs_order_of_wide_numbers(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a;
    uint64_t y = *(const uint64_t *)b;

    return (x > y) - (x < y);
}

/* Sorts `count` > 0 values in place and returns the value at `share`, 0 to 1:
 * between neighbours in proportion (R's type 7).  O(n log n). */
static inline double cs_quantile(double *values, uint32_t count, double share)
{
    double place = share * (count - 1);
    uint32_t below = (uint32_t)place;
    uint32_t above = below + 1 < count ? below + 1 : below;

    qsort(values, count, sizeof(*values), cs_order_of_doubles);
    return values[below] + (place - below) * (values[above] - values[below]);
}

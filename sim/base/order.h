/*
 * Numbers in rising order, for qsort.
 */
#ifndef CS_SIM_BASE_ORDER_H
#define CS_SIM_BASE_ORDER_H

#include <stdint.h>

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

#endif

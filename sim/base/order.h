/*
 * Numbers in rising order: comparisons for qsort, of numbers and of structs whose first
 * member is one or that have several keys, and quantiles.
 */
#pragma once

#include <stdint.h>
#include <stdlib.h>

/* -1, 0 or 1. */
static inline int cs_order(uint64_t a, uint64_t b)
{
    return (a > b) - (a < b);
}

struct cs_two_keys {
    uint64_t a, b;
};

/* The order of the first key that differs, of two structs with several:
 * CS_ORDER({a->src, b->src}, {a->dst, b->dst}). */
#define CS_ORDER(...)                                                    \
    cs_order_by_keys((const struct cs_two_keys[]){__VA_ARGS__},          \
                     sizeof((const struct cs_two_keys[]){__VA_ARGS__}) / \
                         sizeof(struct cs_two_keys))
static inline int cs_order_by_keys(const struct cs_two_keys *keys, size_t count)
{
    size_t i = 0;

    while (i + 1 < count && keys[i].a == keys[i].b)
        i++;
    return cs_order(keys[i].a, keys[i].b);
}

static inline int cs_order_of_doubles(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;

    return (x > y) - (x < y);
}

static inline int cs_order_of_numbers(const void *a, const void *b)
{
    return cs_order(*(const uint32_t *)a, *(const uint32_t *)b);
}

static inline int cs_order_of_wide_numbers(const void *a, const void *b)
{
    return cs_order(*(const uint64_t *)a, *(const uint64_t *)b);
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

/*
 * Divisors of whole numbers.
 */
#pragma once

#include <stdint.h>

/* The greatest common divisor; 0 only of 0 and 0.  Euclid, O(log b). */
static inline uint64_t cs_common_divisor(uint64_t a, uint64_t b)
{
    while (b) {
        uint64_t rest = a % b;

        a = b;
        b = rest;
    }
    return a;
}

/* The quotient, rounded up; by > 0. */
static inline uint64_t cs_divide_up(uint64_t number, uint64_t by)
{
    return (number + by - 1) / by;
}

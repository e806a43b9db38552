/*
 * Nearness of two numbers.  cmocka's assert_float_equal compares floats, grants their
 * rounding, and takes NaN and infinity for equal to any number.  No comparison with NaN is
 * true: "fabs(a - b) > most" misses it, "!(fabs(a - b) <= most)" does not.
 */
#pragma once

#include "tests/test.h"

#include <math.h>

/* Fails unless the numbers are equal or differ by no more than `within`. */
/* NOLINTNEXTLINE(readability-identifier-naming): as cmocka's */
#define assert_within(is, expected, within) \
    near_check(is, expected, within, #is, __FILE__, __LINE__)

/* The same, by a share of what is expected. */
/* NOLINTNEXTLINE(readability-identifier-naming): as cmocka's */
#define assert_near(is, expected, share) \
    near_check(is, expected, near_share(expected, share), #is, __FILE__, __LINE__)

static inline double near_share(double of, double share)
{
    return share * fabs(of);
}

static inline void near_check(double is, double expected, double within, const char *what,
                              const char *file, int line)
{
    if (is == expected || fabs(is - expected) <= within)
        return;
    print_error("%s is %.12g, not %.12g within %g\n", what, is, expected, within);
    _fail(file, line);
}

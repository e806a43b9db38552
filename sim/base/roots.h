/*
 * Roots that are equal on every host.
 *
 * cbrt() and hypot() of the C library differ in the last digit between
 * processors (glibc 2.36: x86-64 against aarch64); sqrt() is
 * exact, and pow() agreed on 2 million arguments.
 */
#pragma once

#include <math.h>

static inline double cs_cube_root(double value)
{
    return copysign(pow(fabs(value), 1.0 / 3), value);
}

/* The length of (a, b), of magnitudes whose squares are finite. */
static inline double cs_length(double a, double b)
{
    return sqrt(a * a + b * b);
}

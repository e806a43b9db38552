/*
 * Sums of rates that do not depend on the order of summation.
 *
 * Rates are whole multiples of 2^-40 B/s in 128 bits: exact from 8 kB/s on,
 * where a double has 53 bits, with room for 2^22 links of 2^60 B/s.  Equal
 * machines therefore have bit-equal bounds, however their links are listed.
 */
#pragma once

#include <math.h>

__extension__ typedef unsigned __int128 cs_exact_rate;

enum {
    CS_EXACT_RATE_BITS = 40
};

static inline cs_exact_rate cs_exact_rate_of(double rate_Bps)
{
    return (cs_exact_rate)ldexp(fmin(rate_Bps, 0x1p60), CS_EXACT_RATE_BITS);
}

static inline double cs_exact_rate_round(cs_exact_rate rate)
{
    return ldexp((double)rate, -CS_EXACT_RATE_BITS);
}

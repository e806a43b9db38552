/*
 * fp16 on the host: every operation by fp32, rounded to nearest even, which is
 * what the GPU's give for a sum.
 */
#pragma once

#include <math.h>
#include <stdint.h>

struct __half {
    uint16_t bits;
};

struct alignas(4) __half2 {
    __half low, high;
};

static inline float emu_of_half(__half half)
{
    int exponent = half.bits >> 10 & 31;
    int fraction = half.bits & 1023;
    float size = exponent == 31  ? (fraction ? NAN : INFINITY)
                 : exponent == 0 ? ldexpf((float)fraction, -24)
                                 : ldexpf((float)(1024 + fraction), exponent - 25);

    return half.bits >> 15 ? -size : size;
}

/* In units of the last place; a carry goes into the exponent by itself. */
static inline __half emu_to_half(float value)
{
    unsigned sign = signbit(value) ? 0x8000 : 0;
    unsigned bits = 0x7e00;
    int exponent = 0;

    if (isinf(value)) {
        bits = 0x7c00;
    } else if (!isnan(value)) {
        frexpf(value, &exponent);
        exponent = value == 0 || exponent < -13 ? -24 : exponent - 11;
        bits = exponent > 5 ? 0x7c00
                            : ((unsigned)(exponent + 24) << 10) +
                                  (unsigned)rintf(ldexpf(fabsf(value), -exponent));
    }
    return {(uint16_t)(sign | (bits > 0x7c00 && !isnan(value) ? 0x7c00 : bits))};
}

static inline __half __uint2half_rn(uint32_t value)
{
    return emu_to_half((float)value);
}

static inline __half __hadd(__half a, __half b)
{
    return emu_to_half(emu_of_half(a) + emu_of_half(b));
}

static inline __half2 __hadd2(__half2 a, __half2 b)
{
    return {__hadd(a.low, b.low), __hadd(a.high, b.high)};
}

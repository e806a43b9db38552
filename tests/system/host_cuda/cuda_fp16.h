/*
 * The little of CUDA that spans take, on the host: one thread after the other,
 * and numbers of fp16 that are whole ones.  An access that is not aligned ends
 * the program.
 */
#pragma once

#include <stdint.h>
#include <stdlib.h>

#define __device__

struct __half {
    uint16_t value;
};

struct __half2 {
    __half low, high;
};

struct alignas(16) uint4 {
    uint32_t x, y, z, w;
};

struct index {
    uint32_t x;
};

static struct index threadIdx, blockDim;

template <typename T> static T __ldcg(const T *at)
{
    if ((uintptr_t)at % sizeof(T) != 0)
        abort();
    return *at;
}

template <typename T> static void __stcg(T *at, T value)
{
    if ((uintptr_t)at % sizeof(T) != 0)
        abort();
    *at = value;
}

static inline __half __hadd(__half a, __half b)
{
    return {(uint16_t)(a.value + b.value)};
}

static inline __half2 __hadd2(__half2 a, __half2 b)
{
    return {__hadd(a.low, b.low), __hadd(a.high, b.high)};
}

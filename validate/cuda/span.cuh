/*
 * Spans: copies and additions by the threads of a block.
 *
 * Source and target have a common alignment to vectors of 16 bytes: vectors cover
 * the bytes except for the ends. Loads bypass L1 and its stale data.
 */
#pragma once

#include "validate/cuda/warp.h"

#include <cuda_fp16.h>

#include <string.h>

enum {
    CS_SPAN_UNROLL = 4, /* outstanding vectors of a thread */
};

/* Global clock of a device in ns; clocks of two devices differ. */
__device__ static inline uint64_t cs_now_ns()
{
    uint64_t time;

    asm volatile("mov.u64 %0, %globaltimer;" : "=l"(time));
    return time;
}

__device__ static inline float cs_sum(float a, float b)
{
    return a + b;
}

__device__ static inline __half cs_sum(__half a, __half b)
{
    return __hadd(a, b);
}

/* Two numbers of fp16 at once, rounded as single numbers. */
__device__ static inline __half2 cs_sum(__half2 a, __half2 b)
{
    return __hadd2(a, b);
}

/* The type for the addition of vectors. */
template <typename T> struct cs_packed {
    typedef T type;
};

template <> struct cs_packed<__half> {
    typedef __half2 type;
};

template <typename T> __device__ static inline uint4 cs_sum_vector(uint4 a, uint4 b)
{
    typedef typename cs_packed<T>::type packed;
    packed x[sizeof(uint4) / sizeof(packed)];
    packed y[sizeof(uint4) / sizeof(packed)];

    memcpy(x, &a, sizeof(x));
    memcpy(y, &b, sizeof(y));
#pragma unroll
    for (uint32_t i = 0; i < sizeof(uint4) / sizeof(packed); i++)
        x[i] = cs_sum(x[i], y[i]);
    memcpy(&a, x, sizeof(x));
    return a;
}

/* The ends together are shorter than two vectors: a thread has at most one number
 * of the ends. */
enum {
    CS_SPAN_NO_END = 0xffffffffu,
};

/* The offset of the thread's number at an end; vectors lie between `head` and
 * `tail`. */
template <typename T>
__device__ static inline uint32_t cs_span_end(const struct cs_span &span, uint32_t head,
                                              uint32_t tail)
{
    uint32_t at = threadIdx.x * (uint32_t)sizeof(T);

    if (at < head)
        return at;
    at -= CS_VECTOR_BYTES;
    return at < span.bytes - tail ? tail + at : (uint32_t)CS_SPAN_NO_END;
}

/* Loads of an iteration before stores: a partial slice waits for memory no
 * more often than a full slice. */
template <typename T, bool ADDS>
__device__ static inline void cs_span_vectors(uint4 *target, const uint4 *source, uint32_t count)
{
    uint32_t step = blockDim.x;

    for (uint32_t i = threadIdx.x; i < count; i += CS_SPAN_UNROLL * step) {
        uint4 value[CS_SPAN_UNROLL];
        uint4 old[CS_SPAN_UNROLL];

#pragma unroll
        for (uint32_t k = 0; k < CS_SPAN_UNROLL; k++)
            if (i + k * step < count)
                value[k] = __ldcg(&source[i + k * step]);
        if (ADDS) {
#pragma unroll
            for (uint32_t k = 0; k < CS_SPAN_UNROLL; k++)
                if (i + k * step < count)
                    old[k] = __ldcg(&target[i + k * step]);
        }
#pragma unroll
        for (uint32_t k = 0; k < CS_SPAN_UNROLL; k++)
            if (i + k * step < count)
                __stcg(&target[i + k * step], ADDS ? cs_sum_vector<T>(old[k], value[k]) : value[k]);
    }
}

/* A load from L2.  CUDA 13's __ldcg of a __half is an asm without volatile: a compiler may treat the load
 * as pure; __ldcg of an unsigned short is volatile. */
__device__ static inline float cs_span_load(const float *at)
{
    return __ldcg(at);
}

__device__ static inline __half cs_span_load(const __half *at)
{
    unsigned short bits = __ldcg((const unsigned short *)at);
    __half value;

    memcpy(&value, &bits, sizeof(value));
    return value;
}

/* Called by every thread of a block, 32 at least. */
template <typename T> __device__ static inline void cs_span_move(const struct cs_span &span)
{
    uint32_t head = (uint32_t)(-(intptr_t)span.target & 15);
    uint32_t vectors;
    uint32_t end;
    T value;
    T old;

    if (head > span.bytes)
        head = span.bytes;
    vectors = (span.bytes - head) / 16;
    /* The loads of the ends overlap with the vectors. */
    end = cs_span_end<T>(span, head, head + 16 * vectors);
    if (end != CS_SPAN_NO_END)
        value = cs_span_load((const T *)(span.source + end));
    if (end != CS_SPAN_NO_END && span.adds)
        old = cs_span_load((const T *)(span.target + end));
    if (span.adds)
        cs_span_vectors<T, true>((uint4 *)(span.target + head), (const uint4 *)(span.source + head),
                                 vectors);
    else
        cs_span_vectors<T, false>((uint4 *)(span.target + head),
                                  (const uint4 *)(span.source + head), vectors);
    if (end != CS_SPAN_NO_END)
        __stcg((T *)(span.target + end), span.adds ? cs_sum(old, value) : value);
}

/*
 * Spans: how the threads of a block copy bytes, or add numbers.
 *
 * Source and target begin at the same place between two vectors of 16 bytes,
 * so that all but their ends goes by vectors.  What others wrote is read from
 * L2, never from a stale L1.
 */
#ifndef CS_VALIDATE_CUDA_SPAN_CUH
#define CS_VALIDATE_CUDA_SPAN_CUH

#include "validate/cuda/warp.h"

#include <cuda_fp16.h>

enum {
    CS_SPAN_UNROLL = 4, /* vectors of a thread under way at once */
};

__device__ static inline float cs_sum(float a, float b)
{
    return a + b;
}

__device__ static inline __half cs_sum(__half a, __half b)
{
    return __hadd(a, b);
}

template <typename T>
__device__ static inline uint4 cs_sum_vector(uint4 a, uint4 b)
{
    T *x = (T *)&a;
    const T *y = (const T *)&b;

#pragma unroll
    for (uint32_t i = 0; i < sizeof(uint4) / sizeof(T); i++)
        x[i] = cs_sum(x[i], y[i]);
    return a;
}

/* Single numbers from `from` to `to`, in bytes: what vectors leave over. */
template <typename T>
__device__ static inline void cs_span_ends(const struct cs_span &span,
                                           uint32_t from, uint32_t to)
{
    for (uint32_t at = from + threadIdx.x * (uint32_t)sizeof(T); at < to;
         at += blockDim.x * (uint32_t)sizeof(T)) {
        T value = __ldcg((const T *)(span.source + at));

        if (span.adds)
            value = cs_sum(__ldcg((const T *)(span.target + at)), value);
        __stcg((T *)(span.target + at), value);
    }
}

template <typename T, bool ADDS>
__device__ static inline void cs_span_vectors(uint4 *target,
                                              const uint4 *source,
                                              uint32_t count)
{
    uint32_t step = blockDim.x;
    uint32_t i = threadIdx.x;

    for (; i + (CS_SPAN_UNROLL - 1) * step < count;
         i += CS_SPAN_UNROLL * step) {
        uint4 value[CS_SPAN_UNROLL];
        uint4 old[CS_SPAN_UNROLL];

#pragma unroll
        for (uint32_t k = 0; k < CS_SPAN_UNROLL; k++)
            value[k] = __ldcg(&source[i + k * step]);
        if (ADDS) {
#pragma unroll
            for (uint32_t k = 0; k < CS_SPAN_UNROLL; k++)
                old[k] = __ldcg(&target[i + k * step]);
        }
#pragma unroll
        for (uint32_t k = 0; k < CS_SPAN_UNROLL; k++)
            __stcg(&target[i + k * step],
                   ADDS ? cs_sum_vector<T>(old[k], value[k]) : value[k]);
    }
    for (; i < count; i += step) {
        uint4 value = __ldcg(&source[i]);

        if (ADDS)
            value = cs_sum_vector<T>(__ldcg(&target[i]), value);
        __stcg(&target[i], value);
    }
}

/* All threads of the block together. */
template <typename T>
__device__ static inline void cs_span_move(const struct cs_span &span)
{
    uint32_t head = (uint32_t)(-(intptr_t)span.target & 15);
    uint32_t vectors;

    if (head > span.bytes)
        head = span.bytes;
    vectors = (span.bytes - head) / 16;
    cs_span_ends<T>(span, 0, head);
    if (span.adds)
        cs_span_vectors<T, true>((uint4 *)(span.target + head),
                                 (const uint4 *)(span.source + head), vectors);
    else
        cs_span_vectors<T, false>((uint4 *)(span.target + head),
                                  (const uint4 *)(span.source + head), vectors);
    cs_span_ends<T>(span, head + 16 * vectors, span.bytes);
}

#endif

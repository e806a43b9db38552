/*
 * Streams: the moves of a run without its protocol.
 *
 * Every block moves slices between its shares of two regions, source and target,
 * and starts again at the end of a share.
 */
#pragma once

#include "validate/cuda/gpu.cuh"
#include "validate/cuda/span.cuh"

struct cs_stream_job {
    char *source, *target;
    uint64_t source_share, target_share; /* of a block, in slices */
    uint64_t from, slices;               /* first slice and number, of a block */
    uint32_t slice_bytes;
    uint32_t adds;
    uint32_t duplex; /* every second block goes from target to source */
    uint64_t *times; /* by block: start and end, ns */
};

template <typename T>
__global__ void __launch_bounds__(1024)
    cs_stream_slices(const __grid_constant__ struct cs_stream_job job)
{
    uint64_t source_first = blockIdx.x * job.source_share;
    uint64_t target_first = blockIdx.x * job.target_share;
    bool swapped = job.duplex && (blockIdx.x & 1);

    if (threadIdx.x == 0)
        job.times[2 * blockIdx.x] = cs_now_ns();
    for (uint64_t i = job.from; i < job.from + job.slices; i++) {
        char *source = job.source + (source_first + i % job.source_share) * job.slice_bytes;
        char *target = job.target + (target_first + i % job.target_share) * job.slice_bytes;
        struct cs_span span;

        span.source = swapped ? target : source;
        span.target = swapped ? source : target;
        span.bytes = job.slice_bytes;
        span.adds = job.adds;
        cs_span_move<T>(span);
        __syncthreads();
    }
    if (threadIdx.x == 0)
        job.times[2 * blockIdx.x + 1] = cs_now_ns();
}

/* Slices of a block, at least two, so that as many blocks as processors move
 * `bytes`. */
static inline uint64_t cs_stream_slices_of(uint64_t bytes, uint32_t blocks, uint32_t processors,
                                           uint32_t slice_bytes)
{
    uint64_t slices = bytes / (blocks > processors ? blocks : processors) / slice_bytes;

    return slices < 2 ? 2 : slices;
}

/* Slices of a region for each block. */
static inline uint64_t cs_stream_share(uint64_t bytes, uint32_t blocks, uint32_t slice_bytes)
{
    uint64_t share = bytes / blocks / slice_bytes;

    return share ? share : 1;
}

/* Seconds from the start of the first block to the end of the last block, from
 * `times` on the selected device. */
static inline int cs_stream_seconds(const uint64_t *times, uint32_t blocks, double *seconds,
                                    struct cs_err *err)
{
    struct cs_arena arena = {};
    uint64_t *here = (uint64_t *)cs_arena_alloc(&arena, blocks, 16);
    uint64_t first = UINT64_MAX;
    uint64_t last = 0;
    int code = cs_gpu(err, "reading times",
                      cudaMemcpy(here, times, 16 * (size_t)blocks, cudaMemcpyDeviceToHost));

    for (uint32_t i = 0; i < blocks && !code; i++) {
        first = here[2 * i] < first ? here[2 * i] : first;
        last = here[2 * i + 1] > last ? here[2 * i + 1] : last;
    }
    *seconds = code ? 0 : (double)(last - first) * 1e-9;
    cs_arena_free(&arena);
    return code;
}

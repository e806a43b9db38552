/*
 * Programs on a GPU: the kernel of a plan, and the kernels to fill and check vectors.
 *
 * A thread block runs a lane of a party for a channel, from the first round to the
 * last, scheduled by the first warp (warp.h).  The blocks of the parties are
 * resident together. A wait beyond the deadline ends the block and is recorded:
 * every kernel ends.
 */
#pragma once

#include "validate/cuda/gpu.cuh"
#include "validate/cuda/warp.h"

enum {
    CS_GPU_STUCK_START = 1, /* a block did not start */
    CS_GPU_STUCK_OP = 2,    /* an op waited */
};

/* The first wait beyond the deadline. */
struct cs_gpu_stuck {
    uint32_t where; /* 0: no wait */
    uint32_t lane, channel, round;
    uint32_t op;          /* number in the plan */
    uint32_t mine, other; /* slices moved here, moved by the peer */
};

/* Kernel parameter: values, and pointers to memory of the device. */
struct cs_gpu_program {
    struct cs_warp_program warp;
    const uint32_t *lanes_here; /* lanes of the device */
    uint32_t lanes_here_count;
    uint32_t *arrived;      /* started blocks of the device */
    uint32_t *const *ready; /* by device: a word per device */
    uint32_t *ready_here;   /* words of the device */
    uint32_t devices, device;
    uint64_t deadline_ns; /* from the start of a block */
    uint32_t delay_party; /* whose blocks begin delay_ns late */
    uint64_t delay_ns;
    uint64_t *times; /* by block: start and end, ns */
    struct cs_gpu_stuck *stuck;
};

/* Variant and block size of a kernel. */
struct cs_gpu_shape {
    uint32_t dtype; /* CS_REQUEST_FP32, CS_REQUEST_FP16 */
    uint32_t threads;
};

/* Largest number of resident blocks of a device. */
int cs_gpu_resident(const struct cs_gpu_shape *shape, int device, uint32_t *blocks,
                    struct cs_err *err);

int cs_gpu_launch(const struct cs_gpu_shape *shape, struct cs_gpu_program *program,
                  cudaStream_t stream, struct cs_err *err);

/* A vector of whole numbers (pattern.h). */
struct cs_gpu_vector {
    char *at;
    uint64_t elements;
    uint32_t dtype;
};
int cs_gpu_fill(const struct cs_gpu_vector *vector, uint32_t rank, cudaStream_t stream,
                struct cs_err *err);

/* Vectors of `count` ranks on a device, of equal size: the kernel computes the
 * expected sum once for the ranks. */
struct cs_gpu_results {
    char *at[CS_PATTERN_RANKS_MAX];
    uint32_t count;
    uint64_t elements;
    uint32_t dtype;
};
/* Adds the number of wrong elements to *wrong, in memory of the device. */
int cs_gpu_verify(const struct cs_gpu_results *results, uint32_t ranks, unsigned long long *wrong,
                  cudaStream_t stream, struct cs_err *err);

/*
 * Programs on a GPU: the kernel that a plan is run by.
 *
 * A thread block does one lane of one party for one channel, from the first
 * round to the last, as its first warp finds (warp.h); all blocks of all
 * parties are resident together.  A wait that
 * outlasts the deadline ends the block and is told of, so that a kernel ends
 * by itself whatever happens.
 */
#ifndef CS_VALIDATE_CUDA_PROGRAM_CUH
#define CS_VALIDATE_CUDA_PROGRAM_CUH

#include "validate/cuda/gpu.cuh"
#include "validate/cuda/warp.h"

enum {
    CS_GPU_STUCK_START = 1, /* before all blocks were there */
    CS_GPU_STUCK_OP = 2,
};

/* The first wait that was too long. */
struct cs_gpu_stuck {
    uint32_t where; /* 0: there was none */
    uint32_t lane, channel, round;
    uint32_t op;          /* of all ops */
    uint32_t mine, other; /* slices that it has moved, and the other side */
};

/* Kernel parameter: everything by value or in memory of the device. */
struct cs_gpu_program {
    struct cs_warp_program warp;
    const uint32_t *lanes_here; /* that this device does */
    uint32_t lanes_here_count;
    uint32_t *arrived;      /* blocks of this device that are there */
    uint32_t *const *ready; /* by device: a word for each device */
    uint32_t *ready_here;   /* this device's of them */
    uint32_t devices, device;
    uint64_t deadline_ns; /* from the start on */
    uint64_t *times;      /* by block: start and end, ns */
    struct cs_gpu_stuck *stuck;
};

/* How a kernel is started. */
struct cs_gpu_shape {
    uint32_t dtype; /* CS_REQUEST_FP32, CS_REQUEST_FP16 */
    uint32_t threads;
};

/* Thread blocks that a device holds at once. */
int cs_gpu_resident(const struct cs_gpu_shape *shape, int device,
                    uint32_t *blocks, struct cs_err *err);

int cs_gpu_launch(const struct cs_gpu_shape *shape,
                  struct cs_gpu_program *program, cudaStream_t stream,
                  struct cs_err *err);

/* Vectors of whole numbers (pattern.h), and how many are wrong. */
struct cs_gpu_vector {
    char *at;
    uint64_t elements;
    uint32_t dtype;
};
int cs_gpu_fill(const struct cs_gpu_vector *vector, uint32_t rank,
                cudaStream_t stream, struct cs_err *err);

/* Vectors of `count` ranks on one device, all of one size: what the sum is, is
 * found once for all of them. */
struct cs_gpu_results {
    char *at[CS_PATTERN_RANKS_MAX];
    uint32_t count;
    uint64_t elements;
    uint32_t dtype;
};
/* Adds to *wrong, in memory of the device. */
int cs_gpu_verify(const struct cs_gpu_results *results, uint32_t ranks,
                  unsigned long long *wrong, cudaStream_t stream,
                  struct cs_err *err);

#endif

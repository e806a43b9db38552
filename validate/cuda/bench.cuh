/*
 * Microbenchmarks: what their parts share.
 */
#ifndef CS_VALIDATE_CUDA_BENCH_CUH
#define CS_VALIDATE_CUDA_BENCH_CUH

#include "validate/cuda/gpu.cuh"

/* What all blocks of a GPU move in one run: some hundred microseconds. */
#define CS_BENCH_BYTES ((uint64_t)1 << 30)

/* Between GPUs; nothing where there is but one. */
int cs_gpu_peers(const struct cs_request *request,
                 const struct cs_gpu_machine *machine, struct cs_err *err);

#endif

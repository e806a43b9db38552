/*
 * Symmetric-memory kernels of NCCL: loads, stores and multicast between GPUs of
 * one NVLink domain.
 *
 * NCCL runs these kernels since 2.27 for buffers in registered symmetric
 * windows only; ordinary buffers, as in nccl-tests by default, never take them.
 * The cost model is NCCL's own: a base latency and a soft minimum of the rate of
 * the thread blocks and the peak of the links.
 *
 * Pure functions, O(kernels x blocks).  Source: NVIDIA/nccl src/sym_kernels.cc
 * of 2.28 (queryModel, ncclSymkPickKernel).
 */
#pragma once

#include "algorithms/libraries/nccl/constants.h"

struct cs_nccl_symmetric_call {
    enum cs_nccl_func func;
    uint64_t bytes;      /* of a rank's part for all-gather, reduce-scatter */
    uint32_t ranks;      /* of one NVLink domain */
    uint32_t capability; /* compute capability x 10 */
    bool has_multicast;  /* NVLS */
};

struct cs_nccl_symmetric {
    const char *kernel; /* "AllReduce_RSxLDMC_AGxSTMC"; NULL: none applies */
    uint32_t blocks;
    double time_s;
};

struct cs_nccl_symmetric cs_nccl_symmetric_choose(const struct cs_nccl_symmetric_call *call);

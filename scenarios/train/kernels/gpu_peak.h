/*
 * Peaks of a GPU: matrix products, memory, size (gpu_peaks.def).
 *
 * A peak is a ceiling of the data sheet; kernels.h states the share that kernels
 * reach.
 */
#pragma once

#include "sim/base/err.h"
#include "topo/kinds/arithmetic.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct cs_gpu_peak {
    const char *name;
    uint32_t generation; /* as in struct cs_site; 0: unknown */
    double memory_bytes, memory_Bps;
    double flops_per_s[CS_PRECISIONS]; /* 0: not supported */
    uint32_t multiprocessors;
    double clock; /* sustained under a power limit, over the data sheet's */
    bool coded;   /* memory keeps codes that correct errors beside the data */
    double host;  /* time of a launch, of that of LAUNCH_FORWARD (kernels.h) */
    const char *source;
};

extern const struct cs_gpu_peak cs_gpu_peaks[];
extern const size_t cs_gpu_peak_count;

/* The peaks whose name a device's has in it, "NVIDIA A100-SXM4-80GB", the longest; NULL:
 * none. */
const struct cs_gpu_peak *cs_gpu_peak_of_device(const char *device);

/* The peaks of that name, in any case; CS_EINPUT with the nearest name. */
int cs_gpu_peak_find(const char *name, const struct cs_gpu_peak **peak, struct cs_err *err);

/* CS_EINPUT: no matrix units for the precision, and those that the GPU has. */
int cs_gpu_peak_refuse(const struct cs_gpu_peak *gpu, enum cs_precision precision,
                       struct cs_err *err);

/*
 * The rates of a GPU at a precision: its data sheet's peaks by the shares of parameters.def.
 */
#pragma once

#include "scenarios/train/kernels/kernels.h"

/* Prepares a GPU; CS_EINPUT for a precision that the GPU lacks.  `parameters` NULL:
 * the defaults. */
int cs_kernels_open(const struct cs_gpu_peak *gpu, enum cs_precision precision,
                    const double *parameters, struct cs_kernels *kernels, struct cs_err *err);

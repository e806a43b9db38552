/*
 * Latencies of a GPU: messages, copy engines, launches and the clock's tick.
 *
 * Differences of microbenchmarks separate the parts: long and short ping-pongs
 * give the cost of a slice, many and few rounds the start of a run, long and
 * short graphs a copy's latency.
 *
 *     make   O(n log n) in the lines
 */
#ifndef CS_VALIDATE_GPU_LATENCIES_H
#define CS_VALIDATE_GPU_LATENCIES_H

#include "validate/gpu/calibrated.h"
#include "validate/gpu/measured.h"

/* Fills in the latencies, engine_Bps and copy_Bps of a model that has card,
 * calibration, curves and the shape of slices. */
void cs_gpu_latencies_make(const struct cs_measurements *all, struct cs_gpu_model *model,
                           struct cs_arena *arena);

#endif

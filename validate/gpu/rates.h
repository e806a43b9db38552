/*
 * Rates and latencies of a GPU, from microbenchmarks.
 *
 * The model of a GPU (calibrated.h) has a curve for each kind of stream, latencies
 * of ping-pongs, copy engines, launches and the clock's tick, each from one
 * calibration (calibration.h).  No measured collective enters.
 *
 *     make   O(n^2) in the streams of the GPU; the model is in the arena
 */
#ifndef CS_VALIDATE_GPU_RATES_H
#define CS_VALIDATE_GPU_RATES_H

#include "validate/gpu/calibrated.h"
#include "validate/gpu/measured.h"

/* Makes the model of a GPU from the newest calibration (cs_calibration_newest).
 * CS_EINPUT where a required microbenchmark is missing, or where streams differ
 * in slices, threads or slots. */
int cs_gpu_model_make(const struct cs_measurements *all, const char *card, struct cs_arena *arena,
                      struct cs_gpu_model *model, struct cs_err *err);

/* The same from the oldest whole calibration: the difference between the two
 * models is noise.  CS_ECANNOT where `model` is made from the only one. */
int cs_gpu_model_again(const struct cs_measurements *all, const struct cs_gpu_model *model,
                       struct cs_arena *arena, struct cs_gpu_model *again, struct cs_err *err);

/* A hash of the model's lines, independent of their order: 16 digits in the
 * arena. */
const char *cs_gpu_model_inputs(const struct cs_measurements *all, const struct cs_gpu_model *model,
                                struct cs_arena *arena);

#endif

/*
 * Rates and latencies of a GPU, from microbenchmarks.
 *
 * The model of a GPU (calibrated.h) has a curve for each kind of stream, latencies
 * of ping-pongs, copy engines, launches and the clock's tick, each from one
 * calibration.  No measured collective enters.
 *
 *     make   O(n^2) in the streams of the GPU; the model is in the arena
 */
#pragma once

#include "validate/gpu/calibrated.h"
#include "validate/gpu/measured.h"

#include <stdbool.h>

/* Makes the model of a GPU from the newest calibration (cs_calibration_newest).
 * CS_EINPUT where a required microbenchmark is missing, or where streams differ
 * in slices, threads or slots. */
int cs_gpu_model_make(const struct cs_measurements *all, const char *card, struct cs_arena *arena,
                      struct cs_gpu_model *model, struct cs_err *err);

/* A hash of the model's lines, independent of their order: 16 digits in the
 * arena. */
const char *cs_gpu_model_inputs(const struct cs_measurements *all, const struct cs_gpu_model *model,
                                struct cs_arena *arena);

/*
 * Calibrations: the microbenchmark lines of a GPU that belong together.
 *
 * Each `make gpu` measures a calibration and ends it with a line of kind
 * "calibrated" that counts failed parts.  Rates of two calibrations do not mix:
 * clocks and drivers may differ.
 *
 *     find   O(lines)
 */

/* The newest calibration of a GPU without failed parts; else the newest that
 * ended; else the newest with microbenchmarks; else "". */
const char *cs_calibration_newest(const struct cs_measurements *all, const char *card);

/* Whether a line without failure belongs to a GPU's calibration. */
bool cs_calibration_has(const char *card, const char *calibration, const struct cs_measured *line);

/*
 * Latencies of a GPU: messages, copy engines, launches and the clock's tick.
 *
 * Differences of microbenchmarks separate the parts: long and short ping-pongs
 * give the cost of a slice, many and few rounds the start of a run, long and
 * short graphs a copy's latency.
 *
 *     make   O(n log n) in the lines
 */

/* Fills in the latencies, engine_Bps and copy_Bps of a model that has card,
 * calibration, curves and the shape of slices. */
void cs_gpu_latencies_make(const struct cs_measurements *all, struct cs_gpu_model *model,
                           struct cs_arena *arena);

/*
 * Calibrations: the microbenchmark lines of a GPU that belong together.
 *
 * Each `make gpu` measures a calibration and ends it with a line of kind
 * "calibrated" that counts failed parts.  Rates of two calibrations do not mix:
 * clocks and drivers may differ.
 *
 *     find   O(lines)
 */
#ifndef CS_VALIDATE_GPU_CALIBRATION_H
#define CS_VALIDATE_GPU_CALIBRATION_H

#include "validate/gpu/measured.h"

#include <stdbool.h>

/* The newest calibration of a GPU without failed parts; else the newest that
 * ended; else the newest with microbenchmarks; else "". */
const char *cs_calibration_newest(const struct cs_measurements *all, const char *card);

/* The oldest calibration of a GPU without failed parts, or NULL. */
const char *cs_calibration_oldest(const struct cs_measurements *all, const char *card);

/* Whether a line without failure belongs to a GPU's calibration. */
bool cs_calibration_has(const char *card, const char *calibration, const struct cs_measured *line);

#endif

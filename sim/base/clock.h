/*
 * A monotonic clock, for progress, deadlines and measurements: no result of a model
 * depends on it.
 */
#pragma once

#include <stdint.h>

/* Of CLOCK_MONOTONIC. */
uint64_t cs_clock_ns(void);
double cs_clock_s(void);

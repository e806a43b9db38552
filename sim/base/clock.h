/*
 * A monotonic clock, for progress, deadlines and measurements: no result of a model
 * depends on it.
 */
#ifndef CS_SIM_BASE_CLOCK_H
#define CS_SIM_BASE_CLOCK_H

#include <stdint.h>

/* Of CLOCK_MONOTONIC. */
uint64_t cs_clock_ns(void);
double cs_clock_s(void);

#endif

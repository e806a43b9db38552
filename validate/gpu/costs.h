/*
 * Costs: rates and latencies of a machine from the GPU's calibration.
 *
 * Only microbenchmarks enter (rates.h); the tally says how many thread blocks
 * share memory, how long messages are and how often ports pay for a slice.
 * model.h describes each cost.
 *
 *     set   O(points of the curves)
 */
#ifndef CS_VALIDATE_GPU_COSTS_H
#define CS_VALIDATE_GPU_COSTS_H

#include "validate/gpu/machine.h"

/* Fills in link model, rates and latencies of a machine that has model, query,
 * program, tally and the number of parties.  CS_ECANNOT, with the reason, where
 * the calibration lacks a microbenchmark that the query needs. */
int cs_gpu_costs_set(struct cs_calibrated_machine *machine, struct cs_err *err);

#endif

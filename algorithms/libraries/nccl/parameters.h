/*
 * Parameters of the time of a call: values, priors and causes
 * (nccl_parameters.def).
 *
 * The values are estimates from published tables, drawn to the constants of
 * NCCL's tuner (validate/published/estimate.h); a prediction of a table that
 * took part is one in sample.
 */
#pragma once

#include "algorithms/libraries/parameters.h"

enum cs_nccl_parameter {
#define PARAMETER(identifier, value, prior, spread, unit, cause) CS_NCCL_P_##identifier,
#define MACHINE(identifier, value, spread, unit, cause)          CS_NCCL_P_##identifier,
#include "algorithms/libraries/nccl/parameters.def"
#undef MACHINE
#undef PARAMETER
    CS_NCCL_PARAMETERS
};

extern const struct cs_parameters cs_nccl_parameter_set;

/* The values alone, by enum cs_nccl_parameter. */
extern const double cs_nccl_parameters[CS_NCCL_PARAMETERS];

/*
 * Parameters of messages, copies and sums by processes on CPU cores
 * (host_parameters.def), of MPI and Gloo.
 */
#pragma once

#include "algorithms/libraries/parameters.h"

enum cs_host_parameter {
#define PARAMETER(identifier, value, prior, spread, unit, cause) CS_HOST_##identifier,
#define MACHINE(identifier, value, spread, unit, cause)          CS_HOST_##identifier,
#include "algorithms/libraries/host/parameters.def"
#undef MACHINE
#undef PARAMETER
    CS_HOST_PARAMETERS
};

extern const struct cs_parameters cs_host_parameter_set;

/* The values alone, by enum cs_host_parameter. */
extern const double cs_host_parameters[CS_HOST_PARAMETERS];

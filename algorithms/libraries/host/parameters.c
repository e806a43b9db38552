#include "algorithms/libraries/host/parameters.h"

static const struct cs_parameter host_items[CS_HOST_PARAMETERS] = {
#define PARAMETER(identifier, value, prior, spread, unit, cause) \
    {#identifier, value, prior, spread, unit, cause, 0},
#define MACHINE(identifier, value, spread, unit, cause) \
    {#identifier, value, value, 0, unit, cause, spread},
#include "algorithms/libraries/host/parameters.def"
#undef MACHINE
#undef PARAMETER
};

const struct cs_parameters cs_host_parameter_set = {"MPI and Gloo", "host_parameters.def",
                                                    host_items, CS_HOST_PARAMETERS, 1};

const double cs_host_parameters[CS_HOST_PARAMETERS] = {
#define PARAMETER(identifier, value, prior, spread, unit, cause) value,
#define MACHINE(identifier, value, spread, unit, cause)          value,
#include "algorithms/libraries/host/parameters.def"
#undef MACHINE
#undef PARAMETER
};

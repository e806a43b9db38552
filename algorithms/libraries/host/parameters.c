#include "algorithms/libraries/host/parameters.h"

static const struct cs_parameter host_items[CS_HOST_PARAMETERS] = {
#define PARAMETER(identifier, value, prior, spread, unit, cause) \
    {#identifier, value, prior, spread, unit, cause},
#include "algorithms/libraries/host/parameters.def"
#undef PARAMETER
};

const struct cs_parameters cs_host_parameter_set = {"MPI and Gloo", "host_parameters.def",
                                                    host_items, CS_HOST_PARAMETERS, 1};

const double cs_host_parameters[CS_HOST_PARAMETERS] = {
#define PARAMETER(identifier, value, prior, spread, unit, cause) value,
#include "algorithms/libraries/host/parameters.def"
#undef PARAMETER
};

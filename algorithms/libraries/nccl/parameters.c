#include "algorithms/libraries/nccl/parameters.h"

#include <assert.h>

static const struct cs_parameter nccl_items[CS_NCCL_PARAMETERS] = {
#define PARAMETER(identifier, value, prior, spread, unit, cause) \
    {#identifier, value, prior, spread, unit, cause, 0},
#define MACHINE(identifier, value, spread, unit, cause) \
    {#identifier, value, value, 0, unit, cause, spread},
#include "algorithms/libraries/nccl/parameters.def"
#undef MACHINE
#undef PARAMETER
};

static_assert((int)CS_NCCL_PARAMETERS <= CS_PARAMETERS_MAX, "profiles hold a set of parameters");

const struct cs_parameters cs_nccl_parameter_set = {"NCCL and RCCL", "nccl_parameters.def",
                                                    nccl_items, CS_NCCL_PARAMETERS, 1 / .7};

const double cs_nccl_parameters[CS_NCCL_PARAMETERS] = {
#define PARAMETER(identifier, value, prior, spread, unit, cause) value,
#define MACHINE(identifier, value, spread, unit, cause)          value,
#include "algorithms/libraries/nccl/parameters.def"
#undef MACHINE
#undef PARAMETER
};

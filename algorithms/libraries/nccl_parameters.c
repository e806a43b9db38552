#include "algorithms/libraries/nccl_parameters.h"

const struct cs_nccl_parameter_info cs_nccl_parameter_info[CS_NCCL_PARAMETERS] =
    {
#define PARAMETER(identifier, value, prior, spread, unit, cause) \
    {#identifier, value, prior, spread, unit, cause},
#include "algorithms/libraries/nccl_parameters.def"
#undef PARAMETER
};

const double cs_nccl_parameters[CS_NCCL_PARAMETERS] = {
#define PARAMETER(identifier, value, prior, spread, unit, cause) value,
#include "algorithms/libraries/nccl_parameters.def"
#undef PARAMETER
};

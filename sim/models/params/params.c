#include "sim/models/params/params.h"

const struct cs_model_params cs_model_params_default = {0};

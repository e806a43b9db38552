/*
 * The parameters of all network models: each model reads the member that is
 * named after the model and ignores the others.  Zeroed: every model's
 * defaults.  A model without parameters has no member.
 *
 * The executor passes the parameters on without reading them, so they must
 * outlive the run.
 */
#pragma once

#include "sim/engine/model.h"
#include "sim/models/params/loggp.h"
#include "sim/models/params/packet.h"

#include <stdbool.h>

struct cs_model_params {
    struct {
        bool stores; /* switches store and forward; false: cut-through */
    } fifo;
    struct {
        double flow_cap_Bps; /* the highest rate of one message; 0: no limit */
    } fluid;
    struct cs_packet_params packet;
    const struct cs_loggp_params *loggp; /* NULL: cs_loggp_typical */
};

extern const struct cs_model_params cs_model_params_default;

/* The parameters of the run, or the defaults where the run has none. */
static inline const struct cs_model_params *cs_model_params_of(const struct cs_traffic *traffic)
{
    return traffic->params ? traffic->params : &cs_model_params_default;
}

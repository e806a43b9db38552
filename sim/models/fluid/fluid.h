/*
 * Model fluid (fluid.c) with correction factors: the models of SimGrid are this
 * model with other factors (sim/models/compat/simgrid.c).
 */
#ifndef CS_SIM_MODELS_FLUID_FLUID_H
#define CS_SIM_MODELS_FLUID_FLUID_H

#include "sim/engine/model.h"

/* With weight_bytes, back or window_bytes above 0 flows share a link inversely
 * to latency + weight_bytes / rate of each link of their routes. */
struct cs_fluid_factors {
    double latency;
    double rate;
    double weight_bytes;
    double back;         /* of the flow's rate, taken from the route back */
    double window_bytes; /* limits the rate to window / (2 x latency) */
    bool is_corrected;   /* false: plain max-min fairness, no factor applies */
};

/* The functions of struct cs_link_model; factors must outlive the run. */
void cs_fluid_open(struct cs_traffic *traffic, struct cs_arena *arena,
                   const struct cs_fluid_factors *factors);
void cs_fluid_close(struct cs_traffic *traffic);
struct cs_delivery cs_fluid_send(struct cs_traffic *traffic, uint32_t number);
struct cs_delivery cs_fluid_move(struct cs_traffic *traffic, uint32_t number);
void cs_fluid_wake(struct cs_traffic *traffic, uint32_t number);

#endif

/*
 * Model fluid (fluid.c) with correction factors: the models of SimGrid are this
 * model with other factors (sim/models/compat/simgrid.c).
 */
#pragma once

#include "sim/engine/model.h"
#include "sim/models/fluid/factors.h"

/* The functions of struct cs_link_model; factors must outlive the run. */
void cs_fluid_open(struct cs_traffic *traffic, struct cs_arena *arena,
                   const struct cs_fluid_factors *factors);
void cs_fluid_close(struct cs_traffic *traffic);
struct cs_delivery cs_fluid_send(struct cs_traffic *traffic, uint32_t number);
struct cs_delivery cs_fluid_move(struct cs_traffic *traffic, uint32_t number);
void cs_fluid_wake(struct cs_traffic *traffic, uint32_t number);

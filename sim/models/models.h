/*
 * The registry of network models, from models.def: the only place that lists
 * models.  Everything else asks a model for its capabilities (model.h), so that
 * a new model is one file here and one line in models.def.  A model with
 * parameters adds a member to struct cs_model_params (params.h).
 */
#pragma once

#include "sim/engine/model.h"

#include <stdbool.h>
#include <stddef.h>

extern const struct cs_link_model *const cs_link_models[];
extern const size_t cs_link_model_count;

/* The model of that name, or NULL.  O(models). */
const struct cs_link_model *cs_link_model_find(const char *name);

/* Does the model read the parameter of that name? */
bool cs_link_model_takes(const struct cs_link_model *model, const char *parameter);

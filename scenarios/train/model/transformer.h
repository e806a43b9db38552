/*
 * Transformers: blocks from dimensions.
 */
#pragma once

#include "scenarios/train/model/model.h"

/* The model of a transformer's dimensions; CS_EINPUT for dimensions that are
 * zero or that do not divide. */
int cs_train_model_of(const char *name, const struct cs_transformer *dims, struct cs_arena *arena,
                      struct cs_train_model *model, struct cs_err *err);

/*
 * Library of models (models.def): names, and the blocks of a name.
 */
#pragma once

#include "scenarios/train/model/model.h"

/* Names of the library's models, in the order of models.def. */
extern const char *const cs_train_model_names[];
extern const size_t cs_train_model_count;

/* A model of the library: "resnet50", "gpt2-small", "llama2-7b"; CS_EINPUT
 * with the nearest name.  Memory is in the arena. */
int cs_train_model_open(const char *name, struct cs_arena *arena, struct cs_train_model *model,
                        struct cs_err *err);

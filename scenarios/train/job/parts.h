/*
 * Names of the parts of a layer that run again (model.h, enum cs_part).
 *
 *     norms,ffn          as `--recompute-parts` has them
 *     mla_up_proj,mlp    as `--recompute-modules` of Megatron-Core
 */
#pragma once

#include "scenarios/train/model/model.h"

/* Adds the bit of a name of `length`; CS_EINPUT with the names for another. */
int cs_train_part_read(const char *name, size_t length, unsigned *parts, struct cs_err *err);

/* A list with commas. */
int cs_train_parts_read(const char *list, unsigned *parts, struct cs_err *err);
